/// Collects a modem's bytes into lines. A line beyond the bound is cut; its tail is discarded.
///
/// Bytes that are not printable ASCII (3GPP TS 27.007 modems send nothing else) are line noise or
/// the NULs of a booting modem, and are dropped.
///
/// A report has one blank after its colon here, as 3GPP writes it, even where the modem leaves it
/// out. The body of a short message that the modem delivers is skipped: it may be anything.
struct ModemLineBuffer: Sendable, Equatable {
  private var bytes = InlineArray<128, UInt8>(repeating: 0)
  private(set) var count = 0
  private var skipping = Skipping.nothing

  private enum Skipping: UInt8, Sendable {
    case nothing
    /// The line feed before a body.
    case lineFeed
    case body
  }

  /// Takes one byte; returns whether it ended a line that is not empty. Call `clear` after reading
  /// the line.
  mutating func append(_ byte: UInt8) -> Bool {
    let isEnd = byte == 0x0D || byte == 0x0A
    guard skipping == .nothing else {
      // A body may be empty.
      let isOver = isEnd && (skipping == .body || byte == 0x0D)
      skipping = isOver ? .nothing : .body
      return false
    }
    if isEnd {
      if isDelivery { skipping = byte == 0x0D ? .lineFeed : .body }
      return count > 0
    }
    guard byte >= 0x20 && byte < 0x7F else { return false }
    if byte != 0x20 && isAtValue { put(0x20) }
    put(byte)
    return false
  }

  private mutating func put(_ byte: UInt8) {
    guard count < Bounds.modemLineBytes else { return }
    bytes[count] = byte
    count += 1
  }

  /// Whether what follows is the value of a report, as in `+CSQ:`.
  private var isAtValue: Bool {
    guard count > 1, bytes[0] == 0x2B || bytes[0] == 0x2A else { return false }
    return place(of: 0x3A, after: 0) == count - 1
  }

  /// A short message, or one from the cell: its body is in the next line (3GPP TS 27.005 §3.4.1).
  var isDelivery: Bool { begins(with: "+CMT:") || begins(with: "+CBM:") }

  mutating func clear() { count = 0 }

  /// This is another line: a match that has begun does not go on.
  mutating func restart() {
    count = 0
    skipping = .nothing
  }

  subscript(index: Int) -> UInt8 { index < count ? bytes[index] : 0 }

  func matches(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && begins(with: text)
  }

  func begins(with text: StaticString) -> Bool {
    begins(with: text, from: 0, to: text.utf8CodeUnitCount)
  }

  /// Whether the line begins with one of several texts separated by `|`.
  func begins(withOneOf texts: StaticString) -> Bool {
    var start = 0
    for end in 0...texts.utf8CodeUnitCount
    where end == texts.utf8CodeUnitCount || texts.utf8Start[end] == 0x7C {
      if end > start && begins(with: texts, from: start, to: end) { return true }
      start = end + 1
    }
    return false
  }

  private func begins(with text: StaticString, from start: Int, to end: Int) -> Bool {
    guard count >= end - start else { return false }
    for index in start..<end where bytes[index - start] != text.utf8Start[index] { return false }
    return true
  }

  /// The decimal number at `start`, optionally after spaces; at most 9 digits.
  func integer(after start: Int) -> Int32? {
    var index = start
    while index < count && bytes[index] == 0x20 { index += 1 }
    var value: Int32 = 0
    var digits = 0
    while index < count && bytes[index].isDigit && digits < 9 {
      value = value * 10 + Int32(bytes[index] - 0x30)
      digits += 1
      index += 1
    }
    return digits > 0 ? value : nil
  }

  func firstComma(after start: Int) -> Int? { place(of: 0x2C, after: start) }

  func place(of byte: UInt8, after start: Int) -> Int? {
    var index = start
    while index < count {
      if bytes[index] == byte { return index }
      index += 1
    }
    return nil
  }

  static func == (a: Self, b: Self) -> Bool {
    guard a.count == b.count else { return false }
    for index in 0..<a.count where a.bytes[index] != b.bytes[index] { return false }
    return true
  }
}
