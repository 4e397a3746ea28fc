import NMEA
import Testing

/// Sentences that end where their fields would begin, wherever in a buffer they stand. Addresses
/// are read eight bytes at a time without a check, so a length counts from the sentence's own `$`.
@Suite struct ShortSentenceTests {
  private let gga = sentence("GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,")

  @Test func `A sentence without a field is ignored, first in the buffer or not, and last in it`() {
    for (before, accepted) in [
      ("", UInt32(0)), ("\r\n", 0), (gga, 1), ("noise\r\n", 0), ("noise", 0), ("$GP", 0),
      (gga + gga, 2),
    ] {
      for end in ["", "\r\n"] {
        let short = sentence("GPRMC,").replacing("\r\n", with: "")
        #expect(short.utf8.count == 10)
        let text = before + short + end
        for chunk in [1, 9, Int.max] {
          let counts = decode(Array(text.utf8)) { chunk }.counts
          #expect(counts.ignored == 1 && counts.malformed == 0, "\(text), \(chunk); \(counts)")
          #expect(counts.accepted == accepted, "\(text), \(chunk); \(counts)")
        }
        #expect(throws: SentenceError.unsupported, "\(text)") { try parseLine(text) }
      }
    }
  }

  @Test func `Every shorter one is ignored or no sentence, and nothing behind its end is read`() {
    let whole = "GPRMC,,V,,,,,,,,,,N"
    for count in 0..<whole.utf8.count {
      let line = sentence(String(whole.prefix(count))).replacing("\r\n", with: "")
      // What follows in memory would make an address of it.
      let memory = Array(("noise " + line + "GPRMC,,V,,,,,,,,,,N*53\r\n").utf8)
      let span = memory.span.extracting(0..<line.utf8.count + 6)
      var error: SentenceError?
      var kind: Sentence?
      do throws(SentenceError) { kind = try Sentence(parsing: span) } catch let one { error = one }
      if count < 7 {
        #expect(error == .unsupported, "\(line)")
      } else {
        #expect(kind != nil, "\(line)")
      }
      let glance = LinePeek(lastIn: span, from: 6)
      #expect(glance.isSentence && (glance.kind != nil) == (count >= 7), "\(line)")
      #expect(glance.end == span.count)
    }
  }

  private func parseLine(_ text: String) throws -> Sentence {
    let line = Array(text.utf8)
    return try Sentence(parsing: line.span)
  }
}
