import Glibc
public import SystemCalls

/// A failed file operation, described in one line.
public struct FileProblem: Error, CustomStringConvertible {
  public var path: String
  /// What failed, for example "cannot write".
  public var operation: String
  public var reason: String
  /// The reader of the output has gone away, like `head`; this is not an error.
  public var isClosedPipe = false

  public init(_ operation: String, _ path: String, reason: String) {
    self.operation = operation
    self.path = path
    self.reason = reason
  }

  /// - Parameter code: the value of `errno`.
  public init(_ operation: String, _ path: String, code: Int32) {
    self.init(operation, path, reason: Self.text(of: code))
    isClosedPipe = code == EPIPE
  }

  private static func text(of code: Int32) -> String {
    switch code {
    case ENOSPC: "no space left: free some, or write elsewhere"
    case ENOENT: "no such file or directory: check the path"
    case EACCES, EPERM: "permission denied: change the permissions, or choose another path"
    case EISDIR: "it is a directory: use a file"
    default: SystemCalls.reason(of: code)
    }
  }

  public var description: String { "\(operation) \(path): \(reason)" }
}

/// Does what changes a file; an error of the system is told as one about that file.
public func writing(
  _ path: String, _ body: () throws(SystemError) -> Void
) throws(FileProblem) {
  do throws(SystemError) { try body() } catch {
    throw FileProblem("cannot write", path, code: error.code)
  }
}
