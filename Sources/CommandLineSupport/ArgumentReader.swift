/// A command line that is not valid. One line: what is wrong, and what to do.
public struct UsageError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String
  public init(_ description: String) { self.description = description }
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
  public mutating func value(_ wanted: String) throws(UsageError) -> String {
    let value = inlineValue ?? words.popFirst()
    guard let value, !value.isEmpty else {
      throw UsageError("\(name) needs a value: \(wanted)")
    }
    return value
  }

  /// The value of the option last returned by `next`, as a whole number.
  public mutating func number(_ range: ClosedRange<Int64>) throws(UsageError) -> Int64 {
    let wanted = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    let text = try value(wanted)
    guard let number = Int64(text), range.contains(number) else {
      throw UsageError("\(name) '\(text)': give \(wanted)")
    }
    return number
  }

  /// For an option without a value.
  public func refuseValue() throws(UsageError) {
    if let inlineValue { throw UsageError("\(name) takes no value, but got '\(inlineValue)'") }
  }
}
