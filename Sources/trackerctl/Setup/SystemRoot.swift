import CommandLineSupport
import FirstSetup
import SystemCalls
import Wording

/// The files of the system to set up: this one, or one in a folder, such as an image.
struct SystemRoot {
  /// Empty for this system.
  let folder: String

  var isLive: Bool { folder.isEmpty }

  func path(_ name: String) -> String { folder + name }

  /// - Returns: `nil` if there is no such file.
  func bytes(of name: String) throws -> [UInt8]? {
    let path = try real(name)
    do throws(ReadError) {
      return try readWhole(path, atMost: ControlBounds.setupFile)
    } catch {
      if case .system(let error) = error, [Errno.noSuchFile, Errno.notFolder].contains(error.code) {
        return nil
      }
      throw FileAccessError(error, path, atMost: ControlBounds.setupFile)
    }
  }

  /// - Returns: `nil` if there is no such file.
  func text(of name: String) throws -> String? {
    guard let bytes = try bytes(of: name) else { return nil }
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
      throw UsageError(SetupPhrase.notText.texts(path(name)))
    }
    return text
  }

  /// The first word of a file, such as one in /proc; empty if there is none.
  func line(of name: String) -> String {
    let bytes = (try? readWhole(path(name), atMost: 4096)) ?? []
    return String(decoding: bytes.prefix { $0 >= 0x20 }, as: UTF8.self)
  }

  /// Where a file is, behind its links: renaming over a link would not replace what it leads to.
  ///
  /// - Throws: if it leads out of the folder, to this system's files.
  func real(_ name: String) throws -> String {
    let path = path(name)
    guard name.hasPrefix("/"), !name.split(separator: "/").contains("..") else {
      throw UsageError(SetupPhrase.leadsOut.texts(name, isLive ? "/" : folder))
    }
    guard let real = try? resolved(path) else {
      // A dangling link would be followed when the file is created.
      guard destination(ofLink: path) == nil else {
        throw UsageError(SetupPhrase.leadsOut.texts(path, isLive ? "/" : folder))
      }
      // The folders that are to be made lie in one that is there.
      var parent = directory(of: path)
      while kind(ofPath: parent) == nil, parent.utf8.count > folder.utf8.count {
        parent = directory(of: parent)
      }
      if let real = try? resolved(parent) { try checkInside(real, path) }
      return path
    }
    try checkInside(real, path)
    return real
  }

  private func checkInside(_ real: String, _ path: String) throws {
    guard !isLive, let top = try? resolved(folder) else { return }
    guard real == top || real.hasPrefix(top + "/") else {
      throw UsageError(SetupPhrase.leadsOut.texts(path, folder))
    }
  }

  /// Whether a file belongs to trackerd's user and nobody else may read it, as trackerd demands of
  /// its secrets.
  func isForTrackerAlone(_ name: String) -> Bool {
    guard let path = try? real(name), let status = try? FileStatus(path) else { return false }
    let isItsOwn = tracker.map { $0.user == status.owner } ?? true
    return status.permissions & 0o077 == 0 && (isItsOwn || effectiveUser != 0)
  }

  /// The folder of config.txt and cmdline.txt; `nil`: this is no Raspberry Pi OS. Since bookworm
  /// the files in /boot only say where they are now.
  var bootFolder: String? {
    ["/boot/firmware", "/boot"].first { kind(ofPath: path($0 + "/config.txt")) != nil }
  }

  /// The numbers of trackerd's user and of its group; `nil`: the package is not installed.
  var tracker: (user: UInt32, group: UInt32)? {
    let bytes = (try? readWhole(path("/etc/passwd"), atMost: ControlBounds.setupFile)) ?? []
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let fields = line.split(separator: ":", omittingEmptySubsequences: false)
      if fields.count > 3, fields[0] == "trailtracker", let user = UInt32(fields[2]),
        let group = UInt32(fields[3])
      {
        return (user, group)
      }
    }
    return nil
  }

  /// The machine's time zone; `nil`: it has none.
  var timeZone: String? {
    if let link = destination(ofLink: path("/etc/localtime")) {
      let words = link.pieces(between: "/zoneinfo/")
      if words.count > 1, let name = words.last { return String(name) }
    }
    let name = line(of: "/etc/timezone")
    return name.isEmpty ? nil : name
  }
}

/// A file to change.
struct FileChange {
  /// The path in the system, without its root.
  var name: String
  /// `nil`: there is none.
  var old: [UInt8]?
  var new: [UInt8]
  /// Readable for trackerd alone, and not shown.
  var isSecret = false

  /// Whether its owner or permissions are wrong.
  var isForOthers = false

  var isNeeded: Bool { old != new || isForOthers }

  /// For people: the lines that are removed and added.
  var lines: [String] {
    if isSecret { return [] }
    let changes = LineList.changes(
      from: String(decoding: old ?? [], as: UTF8.self), to: String(decoding: new, as: UTF8.self))
    return changes.gone.map { "- \($0)" } + changes.new.map { "+ \($0)" }
  }

  /// Writes it, so that at each instant the file is the old or the new one, also after a power cut.
  func apply(to root: SystemRoot) throws(FileAccessError) {
    let path: String
    do { path = try root.real(name) } catch {
      throw FileAccessError("cannot write", root.path(name), reason: "\(error)")
    }
    do throws(SystemError) {
      try makeFolder(directory(of: path))
      // A replaced secret is of no use and must not be kept.
      if let old, !isSecret { try write(old, to: path + ".old", like: path, root) }
      try write(new, to: path, like: path, root)
    } catch {
      throw FileAccessError("cannot write", path, code: error.code)
    }
  }

  private func makeFolder(_ path: String) throws(SystemError) {
    guard kind(ofPath: path) == nil else { return }
    try makeFolder(directory(of: path))
    do throws(SystemError) { try SystemCalls.makeFolder(path, mode: 0o755) } catch {
      guard error.code == Errno.exists else { throw error }
    }
  }

  /// - Parameter model: a file whose owner and permissions it gets, if that exists.
  private func write(
    _ bytes: [UInt8], to path: String, like model: String, _ root: SystemRoot
  ) throws(SystemError) {
    let temporary = path + ".setup"
    // Left over from an interrupted run.
    try? removeFile(temporary)
    let file = try Descriptor(
      opening: temporary, [.write, .create, .exclusive, .noFollow],
      mode: isSecret ? 0o600 : 0o644)
    do throws(SystemError) {
      try protect(file, like: model, root)
      try file.writeAll(bytes)
      try file.synchronise()
      try file.closeChecked()
      try renameFile(temporary, to: path)
    } catch {
      try? removeFile(temporary)
      throw error
    }
    try synchroniseDirectory(directory(of: path))
  }

  private func protect(
    _ file: borrowing Descriptor, like model: String, _ root: SystemRoot
  ) throws(SystemError) {
    if isSecret {
      try file.setPermissions(0o600)
      guard let owner = root.tracker else { return }
      do throws(SystemError) { try file.setOwner(owner.user, group: owner.group) } catch {
        if effectiveUser == 0 { throw error }
      }
      return
    }
    if let status = try? FileStatus(model) {
      // A FAT file system has neither.
      try? file.setOwner(status.owner, group: status.group)
      try? file.setPermissions(status.permissions & 0o777)
    } else {
      // Regardless of the umask.
      try? file.setPermissions(0o644)
    }
  }
}
