/// The text of a line that a person edits, and the cursor in it.
///
/// It consists of Unicode scalars, so that a terminal's columns can be counted without a table of
/// all grapheme clusters; a mark that combines with a letter goes with it.
struct EditedLine: Equatable, Sendable {
  private(set) var scalars: [Unicode.Scalar] = []
  /// 0 to `scalars.count`
  private(set) var cursor = 0
  private(set) var byteCount = 0

  init() {}

  /// What does not fit, or is not text, is left out. The cursor is at the end.
  init(_ text: String, atMost limit: Int) {
    for scalar in text.unicodeScalars where scalar.isShown { insert(scalar, atMost: limit) }
  }

  var text: String { String(String.UnicodeScalarView(scalars)) }
  var beforeCursor: String { String(String.UnicodeScalarView(scalars[..<cursor])) }

  /// - Returns: whether there was room for it, in bytes of UTF-8.
  @discardableResult
  mutating func insert(_ scalar: Unicode.Scalar, atMost limit: Int) -> Bool {
    let size = UTF8.width(scalar)
    guard byteCount + size <= limit else { return false }
    scalars.insert(scalar, at: cursor)
    cursor += 1
    byteCount += size
    return true
  }

  // MARK: Moving

  mutating func moveLeft() { cursor = left }
  mutating func moveRight() { cursor = right }
  mutating func moveHome() { cursor = 0 }
  mutating func moveEnd() { cursor = scalars.count }

  private var left: Int {
    var index = cursor
    while index > 0 {
      index -= 1
      if scalars[index].columns > 0 { break }
    }
    return index
  }

  private var right: Int {
    var index = min(cursor + 1, scalars.count)
    while index < scalars.count, scalars[index].columns == 0 { index += 1 }
    return index
  }

  // MARK: Erasing

  mutating func eraseLeft() { erase(left..<cursor) }
  mutating func eraseRight() { erase(cursor..<right) }
  mutating func eraseToStart() { erase(0..<cursor) }
  mutating func eraseToEnd() { erase(cursor..<scalars.count) }

  /// The word before the cursor, with the spaces after it.
  mutating func eraseWord() {
    var start = cursor
    while start > 0, scalars[start - 1] == " " { start -= 1 }
    while start > 0, scalars[start - 1] != " " { start -= 1 }
    erase(start..<cursor)
  }

  private mutating func erase(_ range: Range<Int>) {
    for scalar in scalars[range] { byteCount -= UTF8.width(scalar) }
    scalars.removeSubrange(range)
    cursor = range.lowerBound
  }
}

extension Unicode.Scalar {
  /// Whether it is text: no control character, which would reach the terminal.
  public var isShown: Bool {
    switch properties.generalCategory {
    case .control, .surrogate, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: false
    default: true
    }
  }

  /// How many columns of a terminal it takes: 0 to 2. The wide ones are the blocks of East Asian
  /// scripts and of pictures (Unicode Standard Annex 11, W and F).
  var columns: Int {
    guard value >= 0x300 else { return 1 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    switch value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
