public import SystemCalls

public enum InputFile {
  /// Reads a small file.
  public static func bytes(of path: String, atMost limit: Int) throws(FileAccessError) -> [UInt8] {
    do throws(ReadError) {
      return try readWhole(path, atMost: limit)
    } catch { throw FileAccessError(error, path, atMost: limit) }
  }

  /// Reads a file without waiting for a pipe's writer or reading a device: a daemon reads it while
  /// it works, too.
  public static func regularBytes(
    of path: String, atMost limit: Int
  ) throws(FileAccessError) -> [UInt8] {
    let kind: FileStatus.Kind
    do throws(SystemError) { kind = try FileStatus(path).kind } catch {
      throw FileAccessError("cannot read", path, code: error.code)
    }
    guard kind == .file || kind == .folder else {
      throw FileAccessError("cannot read", path, reason: "it is no regular file: use one")
    }
    return try bytes(of: path, atMost: limit)
  }
}

/// A failed file operation, described in one line.
public struct FileAccessError: Error, CustomStringConvertible {
  var path: String
  /// What failed, for example "cannot write".
  var operation: String
  var reason: String
  /// Whether the reader of the output has gone away, like `head`, which is not an error.
  public var isClosedPipe = false

  public init(_ operation: String, _ path: String, reason: String) {
    self.operation = operation
    self.path = path
    self.reason = reason
  }

  /// - Parameter code: the value of `errno`.
  public init(_ operation: String, _ path: String, code: Int32) {
    self.init(operation, path, reason: Self.text(of: code))
    isClosedPipe = code == Errno.brokenPipe
  }

  /// A file that could not be read whole.
  public init(_ error: ReadError, _ path: String, atMost limit: Int) {
    switch error {
    case .system(let error): self.init("cannot read", path, code: error.code)
    case .tooLarge:
      self.init("cannot read", path, reason: "larger than \(limit >> 20) MiB: use a smaller file")
    }
  }

  private static func text(of code: Int32) -> String {
    switch code {
    case Errno.noSpace: "no space left: free some, or write elsewhere"
    case Errno.noSuchFile: "no such file or directory: check the path"
    case Errno.accessDenied, Errno.notPermitted:
      "permission denied: change the permissions, or choose another path"
    case Errno.isFolder: "it is a directory: use a file"
    case Errno.timedOut: "nobody writes to this pipe: start its writer, or use a file"
    case Errno.inputOutput: "\(SystemCalls.reason(of: code)): check the disk"
    default: SystemCalls.reason(of: code)
    }
  }

  public var description: String { "\(operation) \(path): \(reason)" }
}

/// Runs an operation on a file; a system error becomes one about that file.
public func writing(
  _ path: String, _ body: () throws(SystemError) -> Void
) throws(FileAccessError) {
  do throws(SystemError) { try body() } catch {
    throw FileAccessError("cannot write", path, code: error.code)
  }
}

/// Writes a text to a file that does not exist yet, so that nothing is overwritten. It is on the
/// disk when this returns: a stick may be pulled out then.
///
/// - Throws: EEXIST, or another error; then the file does not exist.
public func writeNewFile(_ text: String, to path: String) throws(SystemError) {
  try writeDurably(Array(text.utf8), to: path, mode: 0o640)
}
