/// Damage to sentences from a bad cable, a wrong baud rate or a binary protocol.
struct LineDamage {
  private let percent: Int
  private var generator: SeededGenerator

  init(percent: Int, seed: UInt64) {
    self.percent = percent
    generator = SeededGenerator(seed: seed, stream: 4)
  }

  /// The sentence (with its CR LF) as it arrives, or `nil` when it is undamaged.
  mutating func damaged(_ sentence: ArraySlice<UInt8>) -> [UInt8]? {
    guard generator.whole(in: 0...99) < percent else { return nil }
    var bytes = Array(sentence)
    switch generator.whole(in: 0...19) {
    case 0...6:
      let position = generator.whole(in: 0...bytes.count - 1)
      bytes[position] ^= 1 << UInt8(generator.whole(in: 0...7))
    case 7...9:
      // The end is lost, including the line end: the next sentence follows at once.
      bytes.removeLast(generator.whole(in: 2...bytes.count - 1))
    case 10...11:
      bytes.removeFirst(generator.whole(in: 1...bytes.count - 3))
    case 12...13:
      // Lost in the middle, as when a buffer overflows.
      let from = generator.whole(in: 1...bytes.count - 4)
      bytes.removeSubrange(from..<generator.whole(in: from + 1...bytes.count - 2))
    case 14...15:
      bytes.insert(contentsOf: binaryFrame(), at: 0)
    case 16:
      // A binary frame pushed into the middle of a sentence.
      bytes.insert(contentsOf: binaryFrame(), at: generator.whole(in: 1...bytes.count - 3))
    case 17...18:
      // A wrong baud rate: random bytes.
      bytes = (0..<generator.whole(in: 20...120)).map { _ in UInt8(generator.whole(in: 0...255)) }
    default:
      // A line that does not end: no CR or LF for kilobytes.
      bytes.removeLast(2)
      let digits = generator.whole(in: 600...3000)
      bytes.append(contentsOf: (0..<digits).map { _ in UInt8(generator.whole(in: 48...57)) })
    }
    return bytes
  }

  /// A complete UBX NAV-POSLLH (0x01 0x02, 28 bytes) with random content and its checksum
  /// (GPS.G6-SW-10018: 8-bit Fletcher over class, id, length and payload).
  private mutating func binaryFrame() -> [UInt8] {
    var body: [UInt8] = [0x01, 0x02, 28, 0]
    for _ in 0..<28 { body.append(UInt8(generator.whole(in: 0...255))) }
    var a: UInt8 = 0
    var b: UInt8 = 0
    for byte in body {
      a &+= byte
      b &+= a
    }
    return [0xB5, 0x62] + body + [a, b]
  }
}
