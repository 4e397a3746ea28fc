public import JSONReading
import SystemCalls
public import Wording

/// One place in a settings file: its value, and its position for errors.
public struct FileNode: Sendable {
  /// The data shared by all places of a file.
  struct File: Sendable {
    var path: String
    var outline: JSONOutline
    /// For a file put together from several: where each place comes from. Empty for others.
    var origins: [String: Origin] = [:]
  }

  /// A line of a file.
  struct Origin: Sendable, Equatable, CustomStringConvertible {
    var path: String
    /// `nil` for the file as a whole.
    var line: Int?

    var description: String { line.map { "\(path):\($0)" } ?? path }
  }

  let file: File
  /// The path of this place in the outline.
  let place: String
  /// The path that errors show; empty for the whole file.
  public internal(set) var keyPath: String
  public let value: JSONValue

  /// Reads a JSON5 file.
  ///
  /// - Throws: `FileError` if it cannot be read, is empty, or is not valid JSON5.
  public static func load(path: String) throws(FileError) -> FileNode {
    try parse(try readFile(path), path: path)
  }

  /// Reads JSON5 text; `path` is for errors only.
  public static func parse(_ bytes: [UInt8], path: String) throws(FileError) -> FileNode {
    guard bytes.count <= FileBounds.bytes else {
      throw FileError(path: path, message: "is larger than 1 MiB; use a JSON5 file")
    }
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
      throw FileError(path: path, message: "is not text; use a JSON5 file in UTF-8")
    }
    guard text.contains(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }) else {
      throw FileError(path: path, message: "is empty; write { … } with at least one key")
    }
    do {
      let (value, outline) = try JSONOutline.read(bytes)
      return FileNode(
        file: File(path: path, outline: outline), place: "", keyPath: "", value: value)
    } catch {
      throw FileError(error, in: bytes, path: path)
    }
  }

  /// The line of this place; `nil` for the whole file.
  public var line: Int? { origin.line }

  /// The file and line of this place, or of the nearest place around it that was written.
  var origin: Origin {
    if file.origins.isEmpty { return Origin(path: file.path, line: file.outline.lines[place]) }
    var place = place[...]
    while !place.isEmpty {
      if let origin = file.origins[String(place)] { return origin }
      place = place[..<(place.lastIndex { $0 == "." || $0 == "[" } ?? place.startIndex)]
    }
    return Origin(path: file.path, line: nil)
  }

  /// An error about this place that only somebody who writes files can cause: in English.
  public func error(_ message: String) -> FileError { error(message.texts) }

  /// An error about this place that a person on a console can cause, too.
  public func error(_ message: Texts) -> FileError {
    let origin = origin
    return FileError(
      path: origin.path, line: origin.line, keyPath: singleLine(keyPath), message: message)
  }

  func child(_ key: String, _ value: JSONValue) -> FileNode {
    FileNode(
      file: file, place: place.isEmpty ? key : "\(place).\(key)",
      keyPath: keyPath.isEmpty ? key : "\(keyPath).\(key)", value: value)
  }

  func child(_ index: Int, _ value: JSONValue) -> FileNode {
    FileNode(
      file: file, place: "\(place)[\(index)]", keyPath: "\(keyPath)[\(index)]", value: value)
  }
}

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

/// Why a file cannot be used: one line that says what, where and what to do.
///
///     boards/x/board.json5:14: loads.board: "75 mV" is not a current; write for example "75 mA"
public struct FileError: Error, Sendable, Equatable, Worded {
  /// As given by the user, or as found.
  public var path: String
  /// Counts from 1; `nil` for the file as a whole.
  public var line: Int?
  /// Dotted, with indices: `coverage[2].from`. Empty for the file as a whole.
  public var keyPath: String
  /// What is wrong and what to do about it.
  public var message: Texts

  public init(path: String, line: Int? = nil, keyPath: String = "", message: Texts) {
    self.path = path
    self.line = line
    self.keyPath = keyPath
    self.message = message
  }

  /// - Parameter message: of what only somebody who writes files can cause, in English.
  init(path: String, line: Int? = nil, keyPath: String = "", message: String) {
    self.init(path: path, line: line, keyPath: keyPath, message: message.texts)
  }

  public var texts: Texts {
    let place = line.map { "\(path):\($0)" } ?? path
    let subject = keyPath.isEmpty ? place.texts : place.texts.colon(keyPath)
    return subject.colon(message).map(singleLine)
  }
}

/// `text` in quotes, short and on one line, for an error message.
func quoted(_ text: String) -> String {
  let limit = 60
  let shown = text.count > limit ? text.prefix(limit) + "…" : text[...]
  return "\"\(singleLine(String(shown)))\""
}

/// `text` with control characters as escapes, so that a file's content cannot break the line of an
/// error or control the terminal.
func singleLine(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    let isControl = scalar.properties.generalCategory == .control
    let isSeparator = scalar.value == 0x2028 || scalar.value == 0x2029
    if isControl || isSeparator {
      result += scalar.escaped(asASCII: true)
    } else {
      result.unicodeScalars.append(scalar)
    }
  }
  return result
}

/// Reads a settings file.
///
/// - Throws: for errors of the system, and if it is a directory or too large.
func readFile(_ path: String) throws(FileError) -> [UInt8] {
  do throws(ReadError) {
    return try readWhole(path, atMost: FileBounds.bytes)
  } catch {
    switch error {
    case .system(let error): throw fileError(path, code: error.code)
    case .tooLarge:
      throw FileError(
        path: path, message: "is larger than 1 MiB; use a JSON5 file, which has a few kilobytes")
    }
  }
}

/// The error for an `errno`, with what to do.
func fileError(_ path: String, code: Int32) -> FileError {
  let message =
    switch code {
    case Errno.noSuchFile: "does not exist; check the name and the current directory"
    case Errno.notFolder: "does not exist: part of the path is not a directory; check the path"
    case Errno.isFolder: "is a directory; use the file inside it"
    case Errno.accessDenied, Errno.notPermitted:
      "is not readable; allow it with chmod a+r, or run as its owner"
    case Errno.timedOut: "is a pipe that nobody writes to; give a file"
    case Errno.nameTooLong, Errno.tooManyLinks: "is not a usable path; check the name"
    default: "cannot be read: \(reason(of: code)); check the disk"
    }
  return FileError(path: path.isEmpty ? "(no path)" : path, message: message)
}
