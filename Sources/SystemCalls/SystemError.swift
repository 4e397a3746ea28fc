internal import Glibc

/// Why a system call failed.
public struct SystemError: Error, Sendable, Equatable {
  /// The `errno`.
  public var code: Int32

  public init(code: Int32) { self.code = code }

  /// The error of the call that has just failed on this thread.
  public static var last: SystemError { SystemError(code: errno) }

  /// The system's text, for example `No such file or directory`.
  public var reason: String { SystemCalls.reason(of: code) }
}

/// The system's text for an `errno`, for example `No such file or directory`.
public func reason(of code: Int32) -> String { String(cString: strerror(code)) }
