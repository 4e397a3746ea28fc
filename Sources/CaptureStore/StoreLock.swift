internal import Glibc
internal import SystemCalls

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
    // Through a link somebody could have root make a file anywhere.
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
  }

  /// Takes the lock, or leaves the reason in `errno`.
  ///
  /// It is tried again for half a second: a process that this one has just started holds copies of
  /// its files, the lock's of a store closed meanwhile among them, until it has become its program.
  private static func lock(_ descriptor: Int32) -> Bool {
    for attempt in 0..<25 {
      if attempt > 0 { usleep(20_000) }
      if retryingOnInterrupt({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 { return true }
      if errno != EWOULDBLOCK { return false }
    }
    errno = EWOULDBLOCK
    return false
  }

  /// Whether nobody holds the lock of a store at this moment.
  static func isFree(store: String) -> Bool {
    let descriptor = retryingOnInterrupt { Glibc.open(store + ".lock", O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { return errno == ENOENT }
    defer { close(descriptor) }
    return retryingOnInterrupt { flock(descriptor, LOCK_EX | LOCK_NB) } == 0
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
  /// the directory: the tracker that runs as somebody else must not be locked out. The group is the
  /// directory's, as far as the process may give it.
  static func give(_ descriptor: Int32, _ path: String, like other: String? = nil) {
    fchmod(descriptor, mode)
    var status = stat()
    let model = other.map { stat($0, &status) == 0 } ?? false
    guard model || stat(directory(of: path), &status) == 0 else { return }
    _ = fchown(descriptor, geteuid() == 0 ? status.st_uid : uid_t.max, status.st_gid)
  }

  /// Takes back what an earlier version gave to everybody. A file of the process's own group, as
  /// SQLite makes them, becomes its directory's; another group was somebody's choice.
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
