internal import Glibc

/// Why a system call failed.
public struct SystemError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The call, as C names it; empty: not known.
  var operation: String
  /// What it was about; empty: nothing with a path.
  public var path: String
  /// The `errno`.
  public var code: Int32

  public init(_ operation: String = "", _ path: String = "", code: Int32) {
    self.operation = operation
    self.path = path
    self.code = code
  }

  /// The error of the call that has just failed on this thread.
  public static func last(_ operation: String, _ path: String = "") -> SystemError {
    SystemError(operation, path, code: errno)
  }

  /// The same error with what it was about, for a call that does not know the path.
  public func at(_ path: String) -> SystemError { SystemError(operation, path, code: code) }

  /// The system's text, for example `No such file or directory`.
  public var reason: String { SystemCalls.reason(of: code) }

  /// `open /etc/hosts: Permission denied`
  public var description: String {
    let what = [operation, path].filter { !$0.isEmpty }.joined(separator: " ")
    return what.isEmpty ? reason : "\(what): \(reason)"
  }
}

/// The system's text for an `errno`, for example `No such file or directory`.
public func reason(of code: Int32) -> String { String(cString: strerror(code)) }

/// The funnel of all calls that set `errno`: makes one, and makes it again when a signal has
/// interrupted it.
///
/// - Parameter body: returns -1 for a failure.
/// - Returns: what the call returns.
@discardableResult
public func systemCall<Result: SignedInteger>(
  _ operation: String, _ path: String = "", _ body: () -> Result
) throws(SystemError) -> Result {
  while true {
    let result = body()
    guard result == -1 else { return result }
    let code = errno
    guard code == EINTR else { throw SystemError(operation, path, code: code) }
  }
}

/// The values of `errno` that somebody tells apart.
public enum Errno {
  public static let accessDenied = EACCES
  public static let again = EAGAIN
  public static let brokenPipe = EPIPE
  public static let busy = EBUSY
  public static let connectionAborted = ECONNABORTED
  public static let connectionRefused = ECONNREFUSED
  public static let connectionReset = ECONNRESET
  public static let exists = EEXIST
  public static let fileTooLarge = EFBIG
  public static let hostUnreachable = EHOSTUNREACH
  public static let inputOutput = EIO
  public static let invalid = EINVAL
  public static let isFolder = EISDIR
  public static let nameTooLong = ENAMETOOLONG
  public static let networkUnreachable = ENETUNREACH
  public static let noDevice = ENODEV
  public static let noDeviceOrAddress = ENXIO
  public static let noProcess = ESRCH
  public static let noSpace = ENOSPC
  public static let noSuchFile = ENOENT
  public static let notFolder = ENOTDIR
  public static let notPermitted = EPERM
  public static let notTerminal = ENOTTY
  public static let overQuota = EDQUOT
  public static let protocolError = EPROTO
  public static let readOnlyFileSystem = EROFS
  public static let timedOut = ETIMEDOUT
  public static let tooManyLinks = ELOOP
}
