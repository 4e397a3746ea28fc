import JSONReading
import Wording

extension FileNode {
  /// Checks that this is an object with no other keys than these.
  ///
  /// - Throws: for the first unknown key, with the nearest known one.
  public func checkKeys(_ known: [String]) throws(FileError) {
    guard case .object(let members) = value else {
      throw error("is \(value.summary); write an object { … } with \(listed(known))")
    }
    var unknown: [FileNode] = []
    for (key, value) in members where !known.contains(key) { unknown.append(child(key, value)) }
    // Dictionary order differs between runs; the file's order does not.
    let first = unknown.min { a, b in (a.line ?? 0, a.place) < (b.line ?? 0, b.place) }
    guard let first else { return }
    let name = String(first.place.dropFirst(place.isEmpty ? 0 : place.count + 1))
    if let near = nearest(to: name, in: known) {
      throw first.error("is not a known key; did you mean \(quoted(near))?")
    }
    throw first.error("is not a known key; remove it, or use \(listed(known))")
  }

  /// The member of an object, if it exists.
  public func optional(_ key: String) -> FileNode? {
    guard case .object(let members) = value, let member = members[key] else { return nil }
    return child(key, member)
  }

  /// The member of an object.
  ///
  /// - Parameter example: an example of the member, as written in a file.
  /// - Throws: if it is missing, with the line of the object.
  public func required(_ key: String, like example: String) throws(FileError) -> FileNode {
    if let member = optional(key) { return member }
    var missing = error(FilePhrase.missing.texts(key, example))
    missing.keyPath = singleLine(keyPath.isEmpty ? key : "\(keyPath).\(key)")
    throw missing
  }

  /// The elements of a list of at most `limit`.
  public func elements(atMost limit: Int) throws(FileError) -> [FileNode] {
    guard case .list(let values) = value else {
      throw error("is \(value.summary); write a list [ … ]")
    }
    guard values.count <= limit else {
      throw error("has \(values.count) elements; \(limit) are allowed")
    }
    return values.enumerated().map { child($0.offset, $0.element) }
  }

  public func boolean() throws(FileError) -> Bool {
    guard case .boolean(let boolean) = value else {
      throw error("is \(value.summary); write true or false")
    }
    return boolean
  }

  /// A text that is not blank, of at most `limit` bytes in UTF-8.
  public func text(atMost limit: Int, like example: String) throws(FileError) -> String {
    guard case .text(let text) = value else {
      throw error("is \(value.summary); write a text, for example \"\(example)\"")
    }
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw error("is empty; write for example \"\(example)\"")
    }
    guard text.utf8.count <= limit else {
      throw error("has \(text.utf8.count) bytes; \(limit) are allowed, shorten it")
    }
    guard singleLine(text) == text else {
      throw error("has a control character; write it on one line, without tabs")
    }
    return text
  }

  /// A whole number without a unit, such as a count or a code.
  public func integer<Number: FixedWidthInteger>(
    in range: ClosedRange<Number>, _ reason: String = ""
  ) throws(FileError) -> Number {
    let bounds = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    guard let integer = value.wholeNumber else {
      throw error("is \(value.summary); write \(bounds)")
    }
    guard let number = Number(exactly: integer), range.contains(number) else {
      throw error("\(integer) is out of range; write \(bounds)\(because(reason))")
    }
    return number
  }

  /// One of several words.
  public func choice<Choice>(_ choices: [(word: String, choice: Choice)]) throws(FileError)
    -> Choice
  {
    let words = choices.map(\.word)
    guard case .text(let text) = value else {
      let choice = FilePhrase.write.texts(listedTexts(words, or: true))
      throw error(FilePhrase.whatIsIt.texts(value.summaryTexts, choice))
    }
    if let match = choices.first(where: { $0.word == text }) { return match.choice }
    if let near = nearest(to: text, in: words) {
      throw error(FilePhrase.nearChoice.texts(quoted(text), quoted(near)))
    }
    throw error(FilePhrase.notAChoice.texts(quoted(text), listedTexts(words, or: true)))
  }
}

func because(_ reason: String) -> String { reason.isEmpty ? "" : " (\(reason))" }
