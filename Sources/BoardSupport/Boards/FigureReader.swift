import JSONReading
import TrackerCore

/// Reads the numbers of a board file, each an object with a value and its source, and collects the
/// sources.
struct FigureReader {
  private(set) var figures: [Figure] = []

  /// The value of a figure. Errors show the figure's key, which is what people know, and the line
  /// of the value.
  ///
  /// - Parameter keys: further keys of the figure besides `value`, `source` and `unverified`.
  mutating func figure(
    _ parent: FileNode, _ key: String, like example: String, and keys: [String] = []
  ) throws(FileError) -> FileNode {
    let shape = "{ value: \(example), source: \"…\" }"
    let node = try parent.required(key, like: shape)
    guard case .object = node.value else {
      throw node.error("is \(node.value.summary); a number needs its source: \(shape)")
    }
    try node.checkKeys(["value", "source", "unverified", "within"] + keys)
    let source = try source(try node.required("source", like: "\"\(Self.exampleSource)\""))
    let isUnverified = try node.optional("unverified")?.boolean() ?? false
    var within: Int32?
    if let node = node.optional("within") {
      guard isUnverified else {
        throw node.error("is how far an unverified figure may be off; add unverified: true")
      }
      within = try node.quantity(.percentage, in: 1...90, "of the figure, either way")
    }
    var value = try node.required("value", like: example)
    value.keyPath = node.keyPath
    figures.append(
      Figure(
        keyPath: node.keyPath, text: Self.text(value.value), source: source,
        isUnverified: isUnverified, withinPercent: within))
    return value
  }

  /// Collects the source of a statement that is not a number, beside its value.
  mutating func statement(
    _ node: FileNode, _ key: String, _ text: String
  ) throws(FileError) {
    let source = try source(try node.required("source", like: "\"\(Self.exampleSource)\""))
    figures.append(
      Figure(keyPath: "\(node.keyPath).\(key)", text: text, source: source, isUnverified: false))
  }

  private static let exampleSource = "maker, manual, edition"

  /// One source, or a list of them.
  private func source(_ node: FileNode) throws(FileError) -> String {
    guard case .list = node.value else {
      return try node.text(atMost: 200, like: Self.exampleSource)
    }
    let sources = try node.elements(atMost: 10)
    guard !sources.isEmpty else { throw node.error("is empty; say where the number is from") }
    var texts: [String] = []
    for source in sources { texts.append(try source.text(atMost: 200, like: Self.exampleSource)) }
    return texts.joined(separator: "; ")
  }

  mutating func quantity(
    _ parent: FileNode, _ key: String, _ dimension: Dimension, in range: ClosedRange<Int32>,
    _ reason: String = ""
  ) throws(FileError) -> Int32 {
    let value = try figure(parent, key, like: "\"\(dimension.example)\"")
    return try value.quantity(dimension, in: range, reason)
  }

  mutating func duration(
    _ parent: FileNode, _ key: String, in range: ClosedRange<Milliseconds>, _ reason: String = ""
  ) throws(FileError) -> Milliseconds {
    try figure(parent, key, like: "\"12 s\"").duration(in: range, reason)
  }

  mutating func integer(
    _ parent: FileNode, _ key: String, in range: ClosedRange<Int32>, and keys: [String] = []
  ) throws(FileError) -> Int32 {
    try figure(parent, key, like: "1", and: keys).integer(in: range)
  }

  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .text(let text): singleLine(text)
    case .whole(let whole): "\(whole)"
    case .boolean(let boolean): "\(boolean)"
    case .list(let values): values.map(text).joined(separator: ", ")
    case .real, .object, .null: value.wholeNumber.map { "\($0)" } ?? value.summary
    }
  }
}
