import CommandLineSupport
import FirstSetup
import Glibc
import SystemCalls

/// A file that is to have another content.
struct FileChange {
  /// In the system, without its root.
  var name: String
  /// `nil`: there is none.
  var old: [UInt8]?
  var new: [UInt8]
  /// Readable for trackerd alone, and not shown.
  var isSecret = false

  /// Its owner or permissions are wrong.
  var isForOthers = false

  var isNeeded: Bool { old != new || isForOthers }

  /// What it does, for people: lines that go and lines that come.
  var lines: [String] {
    if isSecret { return [] }
    let changes = LineList.changes(
      from: String(decoding: old ?? [], as: UTF8.self), to: String(decoding: new, as: UTF8.self))
    return changes.gone.map { "- \($0)" } + changes.new.map { "+ \($0)" }
  }

  /// Writes it, so that at each instant the file is the old or the new one, also after a power cut.
  func apply(to root: SystemRoot) throws(FileProblem) {
    let path: String
    do { path = try root.real(name) } catch {
      throw FileProblem("cannot write", root.path(name), reason: "\(error)")
    }
    do throws(SystemError) {
      try makeFolder(directory(of: path))
      // A secret that was exchanged is worth nothing, and must not lie about.
      if let old, !isSecret { try write(old, to: path + ".old", like: path, root) }
      try write(new, to: path, like: path, root)
    } catch {
      throw FileProblem("cannot write", path, code: error.code)
    }
  }

  private func makeFolder(_ path: String) throws(SystemError) {
    guard kind(ofPath: path) == nil else { return }
    try makeFolder(directory(of: path))
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw .last }
  }

  /// - Parameter model: a file whose owner and permissions it gets, if that exists.
  private func write(
    _ bytes: [UInt8], to path: String, like model: String, _ root: SystemRoot
  ) throws(SystemError) {
    let temporary = path + ".setup"
    // One that an interrupted run has left.
    unlink(temporary)
    let file = try Descriptor(
      opening: temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: isSecret ? 0o600 : 0o644)
    do throws(SystemError) {
      try protect(file.number, like: model, root)
      try file.writeAll(bytes)
      try file.synchronise()
      try file.closeChecked()
      guard rename(temporary, path) == 0 else { throw .last }
    } catch {
      unlink(temporary)
      throw error
    }
    try synchroniseDirectory(directory(of: path))
  }

  private func protect(
    _ file: Int32, like model: String, _ root: SystemRoot
  ) throws(SystemError) {
    if isSecret {
      guard fchmod(file, 0o600) == 0 else { throw .last }
      if let owner = root.tracker, fchown(file, owner.user, owner.group) != 0, geteuid() == 0 {
        throw .last
      }
      return
    }
    var status = stat()
    if stat(model, &status) == 0 {
      // A FAT file system has neither.
      _ = fchown(file, status.st_uid, status.st_gid)
      _ = fchmod(file, status.st_mode & 0o777)
    } else {
      // Regardless of the umask.
      _ = fchmod(file, 0o644)
    }
  }
}
