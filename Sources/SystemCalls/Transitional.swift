public import Glibc

// What programs that call C's library themselves still use.

/// Repeats a system call that was interrupted by a signal.
public func retryingOnInterrupt<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}

/// The time of a clock in milliseconds.
public func milliseconds(of clock: clockid_t) -> Int64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}

extension Descriptor {
  /// - Parameter flags: as C writes them.
  public init(opening path: String, _ flags: Int32, mode: UInt32 = 0) throws(SystemError) {
    try self.init(opening: path, OpenOptions(rawValue: flags), mode: mode)
  }
}

extension SystemError {
  public static var last: SystemError { SystemError(code: errno) }
}

public typealias ReadFailure = ReadError
public typealias SecretFailure = SecretError
