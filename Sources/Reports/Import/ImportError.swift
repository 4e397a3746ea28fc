/// Why a file cannot be imported: one line that says what, where and what to do, to follow the
/// file's name.
public struct ImportError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The first line is 1.
  public var line: Int
  /// Offset from the start of the file.
  public var byte: Int
  /// What is wrong, and after a semicolon what to do.
  public var message: String

  public var description: String { "line \(line) (byte \(byte)): \(message)" }
}

/// A place in a file.
struct FilePlace: Equatable {
  var line = 1
  var byte = 0

  func error(_ message: String) -> ImportError {
    ImportError(line: line, byte: byte, message: message)
  }

  /// The file ends here, before its end.
  func cut(_ detail: String) -> ImportError {
    error("the file is truncated: \(detail); copy or export it again")
  }

  /// The end of `bytes`.
  static func end(of bytes: [UInt8]) -> FilePlace {
    FilePlace(line: 1 + bytes.count(where: { $0 == 0x0A }), byte: bytes.count)
  }
}
