import NMEA
import Testing

@Suite struct TagBlockTests {
  private func tag(_ body: String) -> TagBlock? {
    let sum = body.utf8.reduce(UInt8(0), ^)
    let digits = String(sum, radix: 16)
    let line = Array("\\\(body)*\(digits.count < 2 ? "0" : "")\(digits)\\$GPRMC,".utf8)
    return TagBlock(at: 0, in: line.span, to: line.count)
  }

  @Test("A TAG block gives its time in milliseconds, from seconds too")
  func time() {
    #expect(tag("s:gnss,c:1349517600123")?.milliseconds == 1_349_517_600_123)
    #expect(tag("c:1349517600,s:gnss")?.milliseconds == 1_349_517_600_000)
    #expect(tag("s:gnss")?.milliseconds == nil)
    #expect(tag("c:12x4")?.milliseconds == nil)
    #expect(tag("c:")?.milliseconds == nil)
    #expect(tag("c:99999999999999999999")?.milliseconds == nil)
    #expect(tag("c:999999999999999")?.milliseconds == 999_999_999_999_999)
    #expect(tag("c:1000000000000000")?.milliseconds == nil)
    #expect(tag("c:100000000000")?.milliseconds == 100_000_000_000)
    #expect(tag("c:99999999999")?.milliseconds == 99_999_999_999_000)
    #expect(tag("c:5,c:7")?.milliseconds == 7000 && tag("cc:5")?.milliseconds == nil)
  }

  @Test("A TAG block names its source")
  func source() {
    #expect(tag("s:gnss,c:1349517600123")?.source == 3..<7)
    #expect(tag("s:")?.source.isEmpty == true && tag("c:5")?.source.isEmpty == true)
    #expect(tag("c:5,s:a")?.source == 7..<8 && tag("c:5,s:a")?.end == 12)
  }

  @Test("A damaged TAG block is told, and one that does not end is none")
  func damaged() {
    let line = Array("\\c:1349517600*00\\$GPRMC".utf8)
    #expect(TagBlock(at: 0, in: line.span, to: line.count)?.isIntact == false)
    #expect(tag("c:5")?.isIntact == true && tag("c:5*01x")?.isIntact == false)
    for text in ["\\c:5*6Cx\\", "\\c:5*6\\", "\\c:5\\", "\\c:5 *6C\\"] {
      let bytes = Array(text.utf8)
      let block = TagBlock(at: 0, in: bytes.span, to: bytes.count)
      #expect(block?.isIntact == false && block?.end == bytes.count, "\(text)")
    }
    #expect(TagBlock(at: 0, in: line.span, to: 10) == nil)
    #expect(TagBlock(at: 1, in: line.span, to: line.count) == nil)
    #expect(TagBlock(at: -1, in: line.span, to: line.count) == nil)
  }

  @Test("A damaged TAG block is counted and leaves its sentence alone")
  func counted() {
    let result = decode("\\c:1349517600*00\\" + sentence(FramingTests.rmc))
    #expect(result.counts.accepted == 1)
    #expect(result.counts.checksumMismatch == 1)
    #expect(result.epochs.count == 1)
  }
}
