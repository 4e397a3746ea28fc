import NMEA
import Testing

/// Damaged input of every sort: nothing of it may trap. (Memory is bounded by construction: the
/// decoder is one value of fixed size.)
@Suite struct SentenceFuzzTests {
  static let reproduce = "swift test --filter SentenceFuzzTests"

  private static let seeds =
    SentenceTests.valid.map { Array(sentence($0).utf8) } + [
      Array("\\s:gnss,c:1349517600123*5e\\$GPGLL,,,,,,V,N*64\r\n".utf8),
      Array("$GPRMC,235959.9999999999,A,8959.9999999999,S,17959.9999,W,99999.9,360.0,311299,".utf8),
      Array("$GPGGA,,9999999999.9,N,999999999.9,E,9,255,999999999.9,-999999999.99999,M*00\n".utf8),
      Array("#,$!*\\\r\n\u{0}*A$GPGSV,9,9,999,,,,,,,,,,,,,,,,,,,,,,,,*7F\r".utf8),
    ]

  @Test("A million mutated inputs do not trap, and every byte is consumed")
  func mutated() {
    var random = Seeded(state: 0x5EED)
    var decoder = Decoder()
    var epochs = 0
    var input: [UInt8] = []
    input.reserveCapacity(512)
    for round in 0..<1_000_000 {
      input.removeAll(keepingCapacity: true)
      var bits = random.next()
      input.append(contentsOf: Self.seeds[Int(truncatingIfNeeded: bits % UInt64(Self.seeds.count))])
      bits &>>= 8
      // One to three bytes are changed, a stretch is left out, or another sentence follows.
      for _ in 0...Int(truncatingIfNeeded: bits & 1) {
        bits = random.next()
        let index = Int(truncatingIfNeeded: bits % UInt64(input.count))
        let byte = UInt8(truncatingIfNeeded: bits &>> 32)
        switch bits &>> 40 & 7 {
        case 0: input[index] = byte
        case 1: input[index] ^= 1 &<< (byte & 7)
        case 2: input[index] = UInt8(ascii: ",")
        case 3: input[index] = UInt8(ascii: "$")
        case 4: input[index] = UInt8(ascii: "9")
        case 5: input.removeSubrange(index..<min(input.count, index + Int(byte & 15)))
        case 6: input.insert(byte, at: index)
        default: input.removeLast(min(input.count - 1, Int(byte & 31)))
        }
        if input.isEmpty { input.append(byte) }
      }
      if round & 1 == 0 { repairChecksum(&input) }
      var position = 0
      while decoder.next(in: input.span, from: &position) != nil { epochs += 1 }
      guard position == input.count else {
        Issue.record("round \(round): not used up; \(Self.reproduce)")
        return
      }
    }
    while decoder.finish() != nil { epochs += 1 }
    #expect(epochs > 1000, "\(Self.reproduce)")
    #expect(decoder.counts.accepted > 100_000, "\(Self.reproduce)")
    #expect(decoder.counts.malformed > 10_000, "\(Self.reproduce)")
    #expect(decoder.counts.checksumMismatch > 10_000, "\(Self.reproduce)")
  }

  @Test("Whatever the bytes, it makes no difference how they are cut")
  func cut() {
    var random = Seeded(state: 99)
    let marks = Array("$$$$,,*#!\\\r\n\n 0123A\u{0}\u{7f}".utf8)
    for round in 0..<300 {
      var bytes: [UInt8] = []
      let isLong = round % 3 == 0
      while bytes.count < 3000 {
        switch random.below(isLong ? 40 : 4) {
        case 0: bytes += Self.seeds[random.below(Self.seeds.count)]
        case 1: bytes.append(UInt8(truncatingIfNeeded: random.next()))
        case 2: bytes.append(marks[random.below(marks.count)])
        case 3: bytes += Self.seeds[random.below(Self.seeds.count)].dropLast(random.below(20))
        default: bytes.append(UInt8(ascii: "a"))
        }
      }
      let whole = decode(bytes)
      for length in [1, 5, 600] {
        let parts = decode(bytes) { 1 + random.below(length) }
        #expect(parts == whole, "round \(round), up to \(length) bytes; \(Self.reproduce)")
      }
    }
  }

  /// Makes the checksum agree, so that damage reaches the fields.
  private func repairChecksum(_ input: inout [UInt8]) {
    guard let star = input.lastIndex(of: UInt8(ascii: "*")), star + 2 < input.count else { return }
    var sum: UInt8 = 0
    var index = 1
    while index < star {
      sum ^= input[index]
      index += 1
    }
    let digits: StaticString = "0123456789ABCDEF"
    input[star + 1] = digits.utf8Start[Int(sum &>> 4)]
    input[star + 2] = digits.utf8Start[Int(sum & 15)]
  }
}
