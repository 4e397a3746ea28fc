public import Wording

/// A command line that is not valid. One line: what is wrong, and what to do.
public struct UsageError: Error, Sendable, Equatable, Worded {
  public let texts: Texts
  public init(_ texts: Texts) { self.texts = texts }
  /// In words that are the same in each language, or that exist in one only.
  public init(_ text: String) { texts = text.texts }
}

/// Reads the words of a command line, `--name value` or `--name=value`.
public struct ArgumentReader {
  private var words: ArraySlice<String>
  private(set) var name = ""
  private var inlineValue: String?

  public init(_ words: [String]) { self.words = words[...] }

  /// The next option's name; a value after `=` is kept for `value`.
  public mutating func next() -> String? {
    guard let word = words.popFirst() else { return nil }
    name = word
    inlineValue = nil
    if word.hasPrefix("--"), let equals = word.firstIndex(of: "=") {
      name = String(word[..<equals])
      inlineValue = String(word[word.index(after: equals)...])
    }
    return name
  }

  /// The value of the option last returned by `next`.
  ///
  /// - Parameter wanted: the expected value, for the error.
  public mutating func value(_ wanted: some TextArgument) throws(UsageError) -> String {
    let value = inlineValue ?? words.popFirst()
    guard let value, !value.isEmpty else {
      throw UsageError(UsagePhrase.needsValue.texts(name, wanted))
    }
    return value
  }

  /// The value of the option last returned by `next`, as a whole number.
  public mutating func number(_ range: ClosedRange<Int64>) throws(UsageError) -> Int64 {
    let wanted = UsagePhrase.wholeNumber.texts("\(range.lowerBound)", "\(range.upperBound)")
    let text = try value(wanted)
    guard let number = Int64(text), range.contains(number) else {
      throw UsageError(UsagePhrase.give.texts(name, text, wanted))
    }
    return number
  }

  /// For an option without a value.
  public func refuseValue() throws(UsageError) {
    if let inlineValue {
      throw UsageError(UsagePhrase.takesNoValue.texts(name, inlineValue))
    }
  }
}
