public import Wording

/// A command line that is not valid. One line: what is wrong, and what to do.
public struct UsageError: Error, Sendable, Equatable, Worded {
  public let texts: Texts
  public init(_ texts: Texts) { self.texts = texts }
  /// In words that are the same in each language, or that exist in one only.
  public init(_ text: String) { texts = text.texts }
}
