internal import Glibc
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
  private let descriptor: Int32
  private let path: String
  /// Whether the file existed before.
  let wasThere: Bool
  private(set) var mark: StoreMark

  init(store: String) throws(StoreError) {
    let path = store + ".lock"
    let wasThere = access(path, F_OK) == 0
    // Following a symbolic link could make root create a file anywhere.
    let descriptor = retryingOnInterrupt {
      Glibc.open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, StoreAccess.mode)
    }
    guard descriptor >= 0 else { throw StoreError(store, code: errno) }
    if !wasThere { StoreAccess.give(descriptor, path, like: store) }
    guard Self.lock(descriptor) else {
      let code = errno
      close(descriptor)
      if code == EWOULDBLOCK { throw StoreError(.inUse, path: store) }
      throw StoreError(store, code: code)
    }
    self.path = path
    self.wasThere = wasThere
    self.descriptor = descriptor
    mark = StoreMark(Self.content(of: descriptor))
  }

  /// Takes the lock, or leaves the reason in `errno`.
  ///
  /// Retries for half a second: a process just forked from this one holds copies of its file
  /// descriptors, including the lock of a store closed meanwhile, until it calls exec.
  private static func lock(_ descriptor: Int32) -> Bool {
    for attempt in 0..<25 {
      if attempt > 0 { usleep(20_000) }
      if retryingOnInterrupt({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 { return true }
      if errno != EWOULDBLOCK { return false }
    }
    errno = EWOULDBLOCK
    return false
  }

  /// Whether no process holds the lock of a store at this moment.
  static func isFree(store: String) -> Bool {
    let descriptor = retryingOnInterrupt { Glibc.open(store + ".lock", O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { return errno == ENOENT }
    defer { close(descriptor) }
    return retryingOnInterrupt { flock(descriptor, LOCK_EX | LOCK_NB) } == 0
  }

  // MARK: The mark

  private static func content(of descriptor: Int32) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: StoreMark.mostBytes)
    let count = retryingOnInterrupt { pread(descriptor, &bytes, bytes.count, 0) }
    return Array(bytes.prefix(max(0, count)))
  }

  /// The mark of a store that another process may be using; an empty one if it cannot be read.
  static func mark(ofStore path: String) -> StoreMark {
    let descriptor = retryingOnInterrupt {
      Glibc.open(path + ".lock", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    }
    guard descriptor >= 0 else { return StoreMark([]) }
    defer { close(descriptor) }
    return StoreMark(content(of: descriptor))
  }

  /// Records devices durably, the current one last, before the numbers below their `reservedBelow`
  /// are given.
  ///
  /// A failure does not keep captures from being stored: then the mark only says that there was a
  /// store, which takes no room, and it is written again the next time.
  mutating func remember(_ devices: [DeviceIdentity]) {
    guard let change = mark.change(adding: devices) else { return }
    let isWritten = write(change.text, isNew: change.replacesAll)
    if !isWritten { ftruncate(descriptor, 1) }
    mark.apply(change, isWritten: isWritten)
  }

  private func write(_ text: String, isNew: Bool) -> Bool {
    if isNew, ftruncate(descriptor, 0) != 0 { return false }
    let end = lseek(descriptor, 0, SEEK_END)
    guard end >= 0 else { return false }
    do throws(SystemError) {
      try writeAll(Array(text.utf8), to: descriptor)
      guard retryingOnInterrupt({ fsync(descriptor) }) == 0 else { return false }
      if end == 0 { try synchroniseDirectory(directory(of: path)) }
    } catch {
      return false
    }
    return true
  }

  deinit { close(descriptor) }

  /// Removes the file: the store that it locked no longer exists.
  func remove() { unlink(path) }

  /// Removes the file if this value created it: the store was refused, so nothing should change.
  func undo() { if !wasThere { unlink(path) } }
}

/// The permissions of a store's files: their owner may read and write, their group may read.
enum StoreAccess {
  static let mode: mode_t = 0o640

  /// Sets mode and owner regardless of the umask. A file that root creates gets the owner of the
  /// other file, or else of the directory, so that a tracker running as another user is not locked
  /// out. The group is the same one's, if the process may set it.
  static func give(_ descriptor: Int32, _ path: String, like other: String? = nil) {
    fchmod(descriptor, mode)
    var status = stat()
    let model = other.map { stat($0, &status) == 0 } ?? false
    guard model || stat(directory(of: path), &status) == 0 else { return }
    _ = fchown(descriptor, geteuid() == 0 ? status.st_uid : uid_t.max, status.st_gid)
  }

  /// Removes the permissions for everybody that an earlier version set. A file with the process's
  /// own group, as SQLite creates them, gets its directory's group; any other group was set by a
  /// person.
  static func settle(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    if status.st_mode & 0o777 & ~mode != 0 { chmod(path, status.st_mode & mode) }
    guard status.st_gid == getegid(), stat(directory(of: path), &status) == 0,
      status.st_gid != getegid()
    else { return }
    _ = chown(path, uid_t.max, status.st_gid)
  }
}

extension StoreError {
  /// For an `errno`.
  init(_ path: String, code: Int32) {
    let kind: Kind =
      switch code {
      case EROFS, EACCES, EPERM: .readOnly
      case ENOSPC, EDQUOT: .diskFull
      case EIO: .inputOutput
      default: .cannotOpen
      }
    self.init(kind, path: path, detail: SystemReason.texts(of: code))
  }
}
