/// Why a course cannot be read, in one line without the file's name: what is wrong, where, and what
/// to do.
public struct CourseProblem: Error, Sendable, Equatable, CustomStringConvertible {
  public var description: String

  public init(_ description: String) { self.description = description }
}

/// A text from a file for a message of one line: cut to 60 characters, with control characters as
/// `?`.
public func printable(_ text: String) -> String {
  String(
    text.unicodeScalars.prefix(60).map { $0.value < 32 || $0.value == 127 ? "?" : Character($0) })
}
