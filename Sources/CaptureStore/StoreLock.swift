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
    let descriptor = retrying { Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644) }
    guard descriptor >= 0 else { throw StoreError(store, code: errno) }
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

  deinit { close(descriptor) }

  /// Removes the file if this made it: the store was refused, and nothing shall have changed.
  func undo() { if !wasThere { unlink(path) } }
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
