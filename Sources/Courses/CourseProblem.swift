/// Why a course cannot be read, in one line without the file's name: what is wrong, where, and what
/// to do.
public struct CourseProblem: Error, Sendable, Equatable, CustomStringConvertible {
  public var description: String

  public init(_ description: String) { self.description = description }
}

/// A text from a file, a name or part of a message, for one line: cut to 60 characters, with `?`
/// for what a terminal would act on.
public func printable(_ text: String) -> String {
  String(
    String.UnicodeScalarView(text.unicodeScalars.prefix(60).map { $0.isFitForLine ? $0 : "?" }))
}

extension Unicode.Scalar {
  /// No control character, no end of a line, and nothing that turns the direction of what follows.
  fileprivate var isFitForLine: Bool {
    switch value {
    case 0...0x1F, 0x7F...0x9F, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: false
    default: true
    }
  }
}
