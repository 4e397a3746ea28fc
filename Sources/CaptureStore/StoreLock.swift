internal import Glibc

/// Keeps a second tracker off a store: an flock on a file beside it, for as long as this lives.
///
/// Not SQLite's exclusive mode: a technician may read the store while the tracker runs. The lock
/// goes with the process, however it ends. The file stays: removing it would let two processes
/// lock two files of one name. That it is there also proves that the store beside it was ours.
struct StoreLock: ~Copyable {
  private let descriptor: Int32
  private let path: String
  /// Whether it was there before.
  let wasThere: Bool

  init(store: String) throws(StoreError) {
    let path = store + ".lock"
    let wasThere = access(path, F_OK) == 0
    let descriptor = retrying { Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, StoreAccess.mode) }
    guard descriptor >= 0 else { throw StoreError(store, code: errno) }
    if !wasThere { StoreAccess.give(descriptor, to: store) }
    guard Self.lock(descriptor) else {
      let code = errno
      close(descriptor)
      if code == EWOULDBLOCK { throw StoreError(.inUse, path: store) }
      throw StoreError(store, code: code)
    }
    self.path = path
    self.wasThere = wasThere
    self.descriptor = descriptor
  }

  /// Takes the lock, or leaves the reason in `errno`.
  ///
  /// It is tried again for half a second: a process that this one has just started holds copies of
  /// its files, the lock's of a store closed meanwhile among them, until it has become its program.
  private static func lock(_ descriptor: Int32) -> Bool {
    for attempt in 0..<25 {
      if attempt > 0 { usleep(20_000) }
      if retrying({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 { return true }
      if errno != EWOULDBLOCK { return false }
    }
    errno = EWOULDBLOCK
    return false
  }

  /// Whether nobody holds the lock of a store at this moment.
  static func isFree(store: String) -> Bool {
    let descriptor = retrying { Glibc.open(store + ".lock", O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { return errno == ENOENT }
    defer { close(descriptor) }
    return retrying { flock(descriptor, LOCK_EX | LOCK_NB) } == 0
  }

  deinit { close(descriptor) }

  /// Removes the file: what it locked is gone.
  func remove() { unlink(path) }

  /// Removes the file if this made it: the store was refused, and nothing shall have changed.
  func undo() { if !wasThere { unlink(path) } }
}

/// Who may read and write a store's files: their owner, and their group for reading.
enum StoreAccess {
  static let mode: mode_t = 0o640

  /// Whatever the umask says. What root makes belongs to the owner of the other file, or else of
  /// the directory: the tracker that runs as somebody else must not be locked out.
  static func give(_ descriptor: Int32, to other: String) {
    fchmod(descriptor, mode)
    var status = stat()
    guard geteuid() == 0,
      stat(other, &status) == 0 || stat(Disk.directory(of: other), &status) == 0
    else { return }
    _ = fchown(descriptor, status.st_uid, status.st_gid)
  }

  /// Takes back what an earlier version gave to everybody.
  static func tighten(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & 0o777 & ~mode != 0 else { return }
    chmod(path, status.st_mode & mode)
  }
}

/// Repeats a system call that a signal has interrupted.
func retrying(_ call: () -> Int32) -> Int32 {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}

extension StoreError {
  /// For a code of `errno`.
  init(_ path: String, code: Int32) {
    let kind: Kind =
      switch code {
      case EROFS, EACCES, EPERM: .readOnly
      case ENOSPC, EDQUOT: .diskFull
      case EIO: .inputOutput
      default: .cannotOpen
      }
    self.init(kind, path: path, detail: String(cString: strerror(code)))
  }
}
