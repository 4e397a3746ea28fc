import NMEA
import Testing

/// From bytes to lines: what ends a line, what is damaged, and what is counted as what.
@Suite struct FramingTests {
  static let rmc = "GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,,"
  static let gga = "GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,"

  @Test func `What another decoder has counted can be counted on from`() {
    let line = Array(sentence("GPZDA,100000.00,18,04,2026,00,00").utf8)
    var (before, decoder) = (Decoder(), Decoder())
    for _ in 0..<2 {
      var position = 0
      _ = before.next(in: line.span, from: &position)
    }
    decoder.countOn(from: before.counts)
    var position = 0
    _ = decoder.next(in: line.span, from: &position)
    #expect(before.counts.accepted == 2 && decoder.counts.accepted == 3)
  }

  @Test("CR, LF and CRLF end a line alike")
  func lineEnds() {
    for end in ["\r", "\n", "\r\n", "\n\r", "\r\n\r\n"] {
      let line = sentence(Self.rmc).replacing("\r\n", with: end)
      let result = decode(line + line + line)
      #expect(result.counts.accepted == 3)
      #expect(result.counts.rejected == 0)
      #expect(result.epochs.count == 1)
    }
  }

  @Test("A lower-case checksum is as good")
  func lowerCase() {
    #expect(decode("$GNGSA,A,3,67,83,76,82,68,,,,,,,,1.56,0.91,1.27*1d\n").counts.accepted == 1)
  }

  @Test("A wrong checksum rejects the sentence")
  func mismatch() {
    let result = decode(sentence(Self.rmc).replacing("4807", with: "4808"))
    #expect(result.counts.checksumMismatch == 1)
    #expect(result.epochs.isEmpty)
  }

  @Test("A missing checksum is accepted until the stream has shown one on that kind")
  func missing() {
    let bare = "$\(Self.rmc)\r\n"
    var result = decode(bare + bare)
    #expect(result.counts.accepted == 2)
    result = decode(bare + sentence(Self.rmc) + bare + "$\(Self.gga)\r\n")
    #expect(result.counts.accepted == 3)
    #expect(result.counts.checksumMissing == 1)
  }

  @Test("A sentence whose line end was lost does not take the next with it")
  func lostEnd() {
    let cut = "$GPGGA,123519,4807.0"
    for body in [Self.rmc, Self.gga] {
      let result = decode(cut + sentence(body))
      #expect(result.counts.accepted == 1)
      #expect(result.counts.truncated == 1)
    }
    let whole = sentence(Self.gga).replacing("\r\n", with: "")
    let result = decode(whole + sentence(Self.rmc))
    #expect(result.counts.accepted == 2)
    #expect(result.counts.rejected == 0)
  }

  @Test("A cut sentence whose checksum agrees by chance does not either")
  func lostEndByChance() {
    // The XOR of what stands before the second `$`, that included, is zero: so the whole agrees.
    for head in ["GPGGA,123519,4807.", "GPTXT,123519,4807."] {
      let sum = head.utf8.reduce(UInt8(ascii: "$"), ^)
      let cut = "$" + head + String(UnicodeScalar(sum ^ 0x35)) + "5"
      #expect(cut.utf8.dropFirst().reduce(UInt8(ascii: "$"), ^) == 0)
      let counts = decode(cut + sentence(Self.rmc)).counts
      #expect(counts.accepted == 1 && counts.truncated == 1 && counts.ignored == 0, "\(head)")
    }
  }

  @Test("Binary data before a sentence is garbage, and the sentence counts")
  func binary() {
    let ubx: [UInt8] = [0xB5, 0x62, 0x01, 0x07, 0x5C, 0x00, 0x24, 0xFF, 0x80, 0x00, 0x2A, 0x31]
    let result = decode(ubx + Array(sentence(Self.rmc).utf8) + ubx + [0x0A])
    #expect(result.counts.accepted == 1)
    #expect(result.counts.garbage >= 2)
    #expect(result.epochs.count == 1)
  }

  @Test("Comments and blank lines are not counted")
  func comments() {
    let result = decode("# $GPRMC is what this log holds\n\r\n   \n" + sentence(Self.rmc))
    var expected = SentenceCounts()
    expected.accepted = 1
    #expect(result.counts == expected)
  }

  @Test("A line of 512 bytes is judged, one of 513 is too long")
  func bound() {
    let room = NMEABounds.lineBytes - sentence("GPTXT,").utf8.count + 2
    let fits = sentence("GPTXT," + String(repeating: "x", count: room))
    #expect(fits.utf8.count - 2 == NMEABounds.lineBytes)
    let tooLong = sentence("GPTXT," + String(repeating: "x", count: room + 1))
    for chunk in [1, 7, 1000] {
      let result = decode(Array((fits + tooLong + sentence(Self.rmc)).utf8)) { chunk }
      #expect(result.counts.ignored == 1)
      #expect(result.counts.tooLong == 1)
      #expect(result.counts.accepted == 1)
    }
  }

  @Test("A line that never ends is thrown away, and the next sentence counts")
  func endless() {
    let noise = String(repeating: "Ab3,", count: 5000)
    let result = decode("$" + noise + sentence(Self.rmc))
    #expect(result.counts.accepted == 1)
    #expect(result.counts.garbage + result.counts.tooLong == 1)
  }

  @Test("The last line counts without its end if its checksum is whole, else as truncated")
  func last() {
    let line = sentence(Self.rmc).replacing("\r\n", with: "")
    #expect(decode(line).epochs.count == 1)
    let cut = decode(String(line.dropLast()))
    #expect(cut.epochs.isEmpty)
    #expect(cut.counts.truncated == 1)
  }

  @Test("Sentences of other kinds and talkers are ignored, not rejected")
  func ignored() {
    let text =
      sentence("PMTK705,AXN") + sentence("GPTXT,01,01,02,ANTSTATUS=OK") + sentence("SDDBT,7.7,f")
      + "!AIVDM,1,1,,A,14eG;o@034o8sd<L9i:a;WF>062D,0*7D\r\n"
    #expect(decode(text).counts.ignored == 4)
    #expect(decode(text).counts.rejected == 0)
  }

  @Test("However a stream is cut, the epochs and counts are the same")
  func split() {
    var bytes: [UInt8] = []
    var random = Seeded(state: 7)
    let pieces = [
      sentence(Self.rmc), sentence(Self.gga), "$GPGGA,1235", "# a comment $ in it\n", "\r\n",
      sentence("GPRMC,123520,A,4807.038,N,01131.000,E,022.4,084.4,230394,,"),
      "\\s:gnss,c:1349517600123*00\\" + sentence(Self.gga), "noise", "$", "\n",
      String(repeating: "$GPTXT,long,", count: 60), String(repeating: "long#", count: 300),
      "#" + String(repeating: "long comment ", count: 60) + "\n",
    ]
    for _ in 0..<400 {
      bytes += Array(pieces[random.below(pieces.count)].utf8)
      if random.below(4) == 0 { bytes.append(UInt8(truncatingIfNeeded: random.next())) }
    }
    let whole = decode(bytes)
    #expect(whole.counts.accepted > 50)
    for chunk in [1, 2, 3, 17, 64, 511, 512, 513] {
      #expect(decode(bytes) { chunk } == whole, "chunks of \(chunk)")
    }
    for seed in 0..<20 {
      var lengths = Seeded(state: UInt64(seed))
      #expect(decode(bytes) { 1 + lengths.below(200) } == whole, "seed \(seed)")
    }
  }
}
