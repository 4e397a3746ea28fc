internal import Glibc

/// Why a system call failed.
public struct SystemError: Error, Sendable, Equatable {
  /// A code of `errno`.
  public var code: Int32

  public init(code: Int32) { self.code = code }

  /// That of the call that has just failed on this thread.
  public static var last: SystemError { SystemError(code: errno) }

  /// What the system calls it, `No such file or directory`.
  public var reason: String { SystemCalls.reason(of: code) }
}

/// What the system calls a code of `errno`, `No such file or directory`.
public func reason(of code: Int32) -> String { String(cString: strerror(code)) }
