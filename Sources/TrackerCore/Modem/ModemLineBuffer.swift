/// Collects a modem's bytes into lines. A line beyond the bound is cut; its tail is thrown away.
struct ModemLineBuffer: Sendable, Equatable {
  private var bytes = InlineArray<128, UInt8>(repeating: 0)
  private(set) var count = 0

  /// Takes one byte; true when it ended a line that is not empty. Call `clear` after reading it.
  mutating func append(_ byte: UInt8) -> Bool {
    if byte == 0x0D || byte == 0x0A { return count > 0 }
    if count < Bounds.modemLineBytes {
      bytes[count] = byte
      count += 1
    }
    return false
  }

  mutating func clear() { count = 0 }

  func matches(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && begins(with: text)
  }

  func begins(with text: StaticString) -> Bool {
    guard count >= text.utf8CodeUnitCount else { return false }
    for index in 0..<text.utf8CodeUnitCount where bytes[index] != text.utf8Start[index] {
      return false
    }
    return true
  }

  /// The decimal number at `start`, spaces before it allowed; at most 9 digits.
  func integer(after start: Int) -> Int32? {
    var index = start
    while index < count && bytes[index] == 0x20 { index += 1 }
    var value: Int32 = 0
    var digits = 0
    while index < count && bytes[index] >= 0x30 && bytes[index] <= 0x39 && digits < 9 {
      value = value * 10 + Int32(bytes[index] - 0x30)
      digits += 1
      index += 1
    }
    return digits > 0 ? value : nil
  }

  func firstComma(after start: Int) -> Int? {
    var index = start
    while index < count {
      if bytes[index] == 0x2C { return index }
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
