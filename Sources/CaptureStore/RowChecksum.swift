/// A 64-bit checksum of a row, over the type and content of each value in order.
///
/// Each step is a bijection of the sum for any word, and of the word for any sum (the finaliser of
/// MurmurHash3, Appleby 2011): rows that differ in one word never have the same checksum; others
/// have it with a probability of 2^-64.
struct RowChecksum: Equatable {
  private var sum: UInt64 = 0x5452_4B52_0000_0001

  /// The type of a value.
  enum Kind: UInt64 {
    case null = 1
    case integer
    case text
    case other
  }

  var value: Int64 { Int64(bitPattern: sum) }

  private mutating func add(_ word: UInt64) {
    var mixed = sum ^ word
    mixed ^= mixed >> 33
    mixed = mixed &* 0xFF51_AFD7_ED55_8CCD
    mixed ^= mixed >> 33
    mixed = mixed &* 0xC4CE_B9FE_1A85_EC53
    sum = mixed ^ mixed >> 33
  }

  mutating func addNull() { add(Kind.null.rawValue) }

  mutating func add(_ number: Int64) {
    add(Kind.integer.rawValue)
    add(UInt64(bitPattern: number))
  }

  mutating func add(text bytes: UnsafeRawBufferPointer) {
    add(bytes, .text)
  }

  /// Blobs, which our tables do not use.
  mutating func add(other bytes: UnsafeRawBufferPointer) {
    add(bytes, .other)
  }

  private mutating func add(_ bytes: UnsafeRawBufferPointer, _ kind: Kind) {
    add(kind.rawValue | UInt64(bytes.count) << 8)
    var place = 0
    while place + 8 <= bytes.count {
      add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
      place += 8
    }
    var rest: UInt64 = 0
    while place < bytes.count {
      rest = rest << 8 | UInt64(bytes[place])
      place += 1
    }
    add(rest)
  }
}
