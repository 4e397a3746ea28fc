internal import SystemCalls
internal import Wording

/// Prevents a second tracker from using a store: an flock on a file beside it, held as long as this
/// value exists.
///
/// SQLite's exclusive mode is not used, because a technician may read the store while the tracker
/// runs. The lock ends with the process, however that ends. The file stays: removing it would let
/// two processes lock two files of the same name. Its existence also shows that the file beside it
/// was a store, and its content (`StoreMark`) that devices have captured into it.
struct StoreLock: ~Copyable {
  private let file: Descriptor
  private let path: String
  /// Whether the file existed before.
  let wasThere: Bool
  private(set) var mark: StoreMark

  init(store: String) throws(StoreError) {
    let path = store + ".lock"
    let wasThere = may(.exist, path)
    let file: Descriptor
    do throws(SystemError) {
      // Following a symbolic link could make root create a file anywhere.
      file = try Descriptor(
        opening: path, [.readWrite, .create, .noFollow], mode: StoreAccess.mode)
    } catch {
      throw StoreError(store, code: error.code)
    }
    if !wasThere { StoreAccess.give(file, path, like: store) }
    let isOurs: Bool
    do throws(SystemError) { isOurs = try Self.lock(file) } catch {
      throw StoreError(store, code: error.code)
    }
    guard isOurs else { throw StoreError(.inUse, path: store) }
    self.path = path
    self.wasThere = wasThere
    mark = StoreMark(Self.content(of: file))
    self.file = file
  }

  /// Takes the lock.
  ///
  /// Retries for half a second: a process just forked from this one holds copies of its file
  /// descriptors, including the lock of a store closed meanwhile, until it calls exec.
  ///
  /// - Returns: `false`: another process has it.
  private static func lock(_ file: borrowing Descriptor) throws(SystemError) -> Bool {
    for attempt in 0..<25 {
      if attempt > 0 { pause(milliseconds: 20) }
      if try file.lock() { return true }
    }
    return false
  }

  /// Whether no process holds the lock of a store at this moment.
  static func isFree(store: String) -> Bool {
    do throws(SystemError) {
      return try Descriptor(opening: store + ".lock", .read).lock()
    } catch {
      return error.code == Errno.noSuchFile
    }
  }

  // MARK: The mark

  private static func content(of file: borrowing Descriptor) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: StoreMark.mostBytes)
    let number = file.number
    let count = bytes.withUnsafeMutableBytes { Descriptor.read(number, at: 0, into: $0) }
    return Array(bytes.prefix(count))
  }

  /// The mark of a store that another process may be using; an empty one if it cannot be read.
  static func mark(ofStore path: String) -> StoreMark {
    let options: OpenOptions = [.read, .noFollow, .nonBlocking]
    guard let file = try? Descriptor(opening: path + ".lock", options) else {
      return StoreMark([])
    }
    return StoreMark(content(of: file))
  }

  /// Records devices durably, the current one last, before the numbers below their `reservedBelow`
  /// are given.
  ///
  /// A failure does not keep captures from being stored: then the mark only says that there was a
  /// store, which takes no room, and it is written again the next time.
  mutating func remember(_ devices: [DeviceIdentity]) {
    guard let change = mark.change(adding: devices) else { return }
    let isWritten = write(change.text, isNew: change.replacesAll)
    if !isWritten { try? file.truncate(to: 1) }
    mark.apply(change, isWritten: isWritten)
  }

  private func write(_ text: String, isNew: Bool) -> Bool {
    do throws(SystemError) {
      if isNew { try file.truncate(to: 0) }
      let end = try file.seekEnd()
      try file.writeAll(Array(text.utf8))
      try file.synchronise()
      if end == 0 { try synchroniseDirectory(directory(of: path)) }
    } catch {
      return false
    }
    return true
  }

  /// Removes the file: the store that it locked no longer exists.
  func remove() { try? removeFile(path) }

  /// Removes the file if this value created it: the store was refused, so nothing should change.
  func undo() { if !wasThere { try? removeFile(path) } }
}

/// The permissions of a store's files: their owner may read and write, their group may read.
enum StoreAccess {
  static let mode: UInt32 = 0o640

  /// Sets mode and owner regardless of the umask. A file that root creates gets the owner of the
  /// other file, or else of the directory, so that a tracker running as another user is not locked
  /// out. The group is the same one's, if the process may set it.
  static func give(_ file: borrowing Descriptor, _ path: String, like other: String? = nil) {
    try? file.setPermissions(mode)
    let model = other.flatMap { try? FileStatus($0) } ?? (try? FileStatus(directory(of: path)))
    guard let model else { return }
    try? file.setOwner(effectiveUser == 0 ? model.owner : nil, group: model.group)
  }

  /// Removes the permissions for everybody that an earlier version set. A file with the process's
  /// own group, as SQLite creates them, gets its directory's group; any other group was set by a
  /// person.
  static func settle(_ path: String) {
    guard let status = try? FileStatus(path) else { return }
    if status.permissions & 0o777 & ~mode != 0 {
      try? setPermissions(status.permissions & mode, of: path)
    }
    guard status.group == effectiveGroup, let folder = try? FileStatus(directory(of: path)),
      folder.group != effectiveGroup
    else { return }
    try? setOwner(nil, group: folder.group, of: path)
  }
}

extension StoreError {
  /// For an `errno`.
  init(_ path: String, code: Int32) {
    let kind: Kind =
      switch code {
      case Errno.readOnlyFileSystem, Errno.accessDenied, Errno.notPermitted: .readOnly
      case Errno.noSpace, Errno.overQuota: .diskFull
      case Errno.inputOutput: .inputOutput
      default: .cannotOpen
      }
    self.init(kind, path: path, detail: SystemReason.texts(of: code))
  }
}
