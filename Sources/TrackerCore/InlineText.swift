/// A short UTF-8 text that needs no allocator.
public struct InlineText<let capacity: Int>: Sendable, Equatable {
  private var storage = InlineArray<capacity, UInt8>(repeating: 0)
  // Fixed width, so that the memory layout is the same on every processor.
  private var length: Int32 = 0

  /// Bytes in use.
  public var count: Int { Int(length) }

  public init() {}

  /// Keeps the longest prefix of `bytes` that fits and does not cut a UTF-8 character.
  public init(_ bytes: Span<UInt8>) {
    var end = min(bytes.count, capacity)
    if end < bytes.count {
      // A continuation byte (0x80 to 0xBF) at the cut belongs to a character that began before it.
      while end > 0 && bytes[end] & 0xC0 == 0x80 { end -= 1 }
    }
    for index in 0..<end { storage[index] = bytes[index] }
    length = Int32(end)
  }

  public init(_ text: StaticString) {
    let length = min(text.utf8CodeUnitCount, capacity)
    for index in 0..<length { storage[index] = text.utf8Start[index] }
    self.length = Int32(length)
  }

  /// Appends a byte; ignored when the text is full.
  public mutating func append(_ byte: UInt8) {
    guard count < capacity else { return }
    storage[count] = byte
    length += 1
  }

  public var isEmpty: Bool { count == 0 }
  public subscript(index: Int) -> UInt8 { index < count ? storage[index] : 0 }

  public static func == (a: Self, b: Self) -> Bool {
    guard a.count == b.count else { return false }
    for index in 0..<a.count where a.storage[index] != b.storage[index] { return false }
    return true
  }
}
