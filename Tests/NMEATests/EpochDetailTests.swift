import NMEA
import Testing

/// Which sentence of an epoch wins, what is carried on and for how long, and what a void fix takes.
@Suite struct EpochDetailTests {
  private func rmc(_ time: String, status: String = "A", _ motion: String = "010.0,084.4") -> String
  {
    sentence("GPRMC,\(time),\(status),4807.038,N,01131.000,E,\(motion),230394,,,A")
  }

  private func gga(_ time: String, quality: Int = 1, used: String = "08", _ metres: String = "5.4")
    -> String
  {
    sentence("GPGGA,\(time),4807.0381,N,01131.0001,E,\(quality),\(used),0.9,\(metres),M,46.9,M,,")
  }

  private func gsa(_ mode: Int, _ satellites: Int, _ talker: String = "GP") -> String {
    let list =
      String(repeating: "07,", count: satellites)
      + String(repeating: ",", count: 12 - satellites)
    return sentence("\(talker)GSA,A,\(mode),\(list)2.5,1.3,2.1")
  }

  private func vtg(_ track: String, _ knots: String) -> String {
    sentence("GPVTG,\(track),T,,M,\(knots),N,,K,A")
  }

  private func clock(_ second: Int) -> String {
    let (minutes, seconds) = (second / 60, second % 60)
    return "12\(minutes < 10 ? "0" : "")\(minutes)\(seconds < 10 ? "0" : "")\(seconds)"
  }

  @Test func `A void GGA beside a valid RMC takes place, height and motion away`() throws {
    for text in [
      rmc("123519") + gga("123519", quality: 0), gga("123519") + rmc("123519", status: "V"),
      rmc("123519") + gga("123519") + gsa(1, 0),
    ] {
      let epoch = try #require(decode(text + vtg("1", "2")).epochs.first)
      #expect(epoch.mode == .noFix && !epoch.hasPosition, "\(text)")
      #expect(epoch.latitude == nil && epoch.longitude == nil, "\(text)")
      #expect(epoch.altitudeMillimetres == nil && epoch.trackMillidegrees == nil, "\(text)")
      #expect(epoch.speedMillimetresPerSecond == nil && epoch.satellitesUsed == 8, "\(text)")
      #expect(epoch.dayNumber == 8847 || !text.contains("RMC"), "\(text)")
    }
  }

  @Test func `Motion that RMC leaves out comes from VTG, also from one that comes first`() {
    let text = (0..<4).map { vtg("\(10 + $0)", "\($0 + 1).0") + rmc(clock($0), ",") }.joined()
    let epochs = decode(text).epochs
    #expect(epochs.map(\.trackMillidegrees) == [10_000, 11_000, 12_000, 13_000])
    #expect(epochs.map(\.speedMillimetresPerSecond) == [514, 1029, 1543, 2058])
    let after = (0..<3).map { rmc(clock($0), ",") + vtg("\(10 + $0)", "1.0") }.joined()
    #expect(decode(after).epochs.map(\.trackMillidegrees) == [10_000, 11_000, 12_000])
    let own = decode(rmc("123519", "1.0,") + vtg("77", "9.0")).epochs.first
    #expect(own?.speedMillimetresPerSecond == 514 && own?.trackMillidegrees == 77_000)
  }

  @Test func `GSA that comes before the time counts for its own instant, of each system once`() {
    let text = (1...4).map { gsa(3, $0) + vtg("1", "1") + gsa(3, 1, "GL") + rmc(clock($0)) }
    #expect(decode(text.joined()).epochs.map(\.satellitesUsed) == [2, 3, 4, 5])
    let after = (1...4).map { rmc(clock($0)) + gsa(3, $0) + vtg("1", "1") + gsa(3, 1, "GL") }
    #expect(decode(after.joined()).epochs.map(\.satellitesUsed) == [2, 3, 4, 5])
    // GLONASS first, so that it is the one that comes again.
    let turned = (1...4).map { gsa(3, $0, "GL") + vtg("1", "1") + gsa(3, 1) + rmc(clock($0)) }
    #expect(decode(turned.joined()).epochs.map(\.satellitesUsed) == [2, 3, 4, 5])
    let modes = (0...3).map { gsa($0 % 2 + 2, 5) + rmc(clock($0)) }
    let expected: [FixMode] = [.twoDimensional, .threeDimensional, .twoDimensional]
    #expect(decode(modes.joined()).epochs.map(\.mode) == expected + [.threeDimensional])
    let views = (1...4).map { second in
      sentence("GPGSV,1,1,0\(second),01,40,083,46") + vtg("1", "1")
        + sentence("GLGSV,1,1,09,01,40,083,46") + rmc(clock(second))
    }
    #expect(decode(views.joined()).epochs.map(\.satellitesInView) == [10, 11, 12, 13])
  }

  @Test func `Without any time a kind that comes again takes its values into the next epoch`() {
    let void = sentence("GPRMC,,V,,,,,,,,,,N")
    let text = (1...4).map { sentence("GPGSV,1,1,0\($0),01,40,083,4\($0)") + void }.joined()
    let epochs = decode(text).epochs
    #expect(epochs.map(\.satellitesInView) == [1, 2, 3, 4])
    #expect(epochs.map(\.bestSignalDecibelHertz) == [41, 42, 43, 44])
  }

  @Test func `The mode of a GSA is carried on for sixty epochs, and not into one without a fix`() {
    let text = rmc(clock(0)) + gsa(3, 5) + (1...70).map { rmc(clock($0)) }.joined()
    let modes = decode(text).epochs.map(\.mode)
    #expect(modes.count == 71)
    #expect(modes.firstIndex(of: .twoDimensional) == 62, "\(modes.map(\.rawValue))")
    #expect(modes[62...].allSatisfy { $0 == .twoDimensional })
    let gap = rmc(clock(0)) + gsa(3, 5) + rmc(clock(1), status: "V") + rmc(clock(2))
    #expect(decode(gap).epochs.map(\.mode) == [.threeDimensional, .noFix, .twoDimensional])
  }

  @Test func `GGA alone places nobody with fewer than three satellites, and in height with four`() {
    for (used, mode) in [("02", FixMode.noFix), ("03", .twoDimensional), ("04", .threeDimensional)]
    {
      #expect(decode(gga("123519", used: used)).epochs.first?.mode == mode, "\(used)")
    }
    #expect(decode(gga("123519", used: "")).epochs.first?.mode == .twoDimensional)
    #expect(decode(gga("123519", used: "08", "")).epochs.first?.mode == .twoDimensional)
    #expect(decode(gga("123519", used: "02") + rmc("123519")).epochs.first?.hasPosition == true)
    // GSA says 2D while there is a height: from the second such epoch on that is 3D.
    let text = (0..<3).map { gga(clock($0)) + gsa(2, 5) }.joined()
    let modes = decode(text).epochs.map(\.mode)
    #expect(modes == [.twoDimensional, .threeDimensional, .threeDimensional])
  }

  @Test func `The position is GGA's before RMC's before GLL's, in whatever order they come`() {
    let gll = sentence("GPGLL,4807.0379,N,01131.0009,E,123519,A,A")
    let (r, g) = (rmc("123519"), gga("123519"))
    for text in [r + g + gll, gll + g + r, g + r + gll, gll + r + g] {
      #expect(decode(text).epochs.first?.latitude == 481_173_017, "\(text)")
    }
    for text in [r + gll, gll + r] {
      #expect(decode(text).epochs.first?.latitude == 481_173_000, "\(text)")
    }
    #expect(decode(gll).epochs.first?.latitude == 481_172_983)
  }

  @Test func `Of several GGA of an instant the largest count of satellites stays`() {
    for counts in [["05", "11"], ["11", "05"], ["11", "11"]] {
      let text = counts.map { gga("123519", used: $0) }.joined()
      #expect(decode(text).epochs.map(\.satellitesUsed) == [11], "\(counts)")
    }
  }

  @Test func `A void GLL with a time makes its epoch void, one without a time does not`() {
    for (time, mode) in [("123519", FixMode.noFix), ("", .twoDimensional)] {
      let gll = sentence("GPGLL,4807.038,N,01131.000,E,\(time),V,N")
      #expect(decode(rmc("123519") + gll).epochs.first?.mode == mode, "\(time)")
    }
  }

  @Test func `The time is that of RMC, GGA or GNS, whatever a ZDA sent ahead says`() {
    let text = (0..<3).map { sentence("GPZDA,\(clock($0 + 1)),23,03,1994,,") + gga(clock($0)) }
    let times = decode(text.joined()).epochs.map(\.timeOfDayMilliseconds)
    #expect(times == [43_200_000, 43_201_000, 43_202_000])
  }

  @Test func `Each line is counted once, as what it is`() {
    let text =
      // Control characters alone are a blank line.
      "\u{1}\u{2}\r\nnoise\r\n$GPGGA,12\u{1},3\r\n$GPRMC\r\n"
      + sentence("GPRMC,990000,A,,,,,,,,,,") + sentence("GPZDA,123519,31,02,2004")
      + sentence("GPTXT,1") + rmc("123519") + "$GPGGA,12" + sentence("GPGLL,,,,,123519,V")
    for chunk in [1, 3, Int.max] {
      let counts = decode(Array(text.utf8)) { chunk }.counts
      #expect(counts.garbage == 3 && counts.malformed == 2 && counts.ignored == 1, "\(counts)")
      #expect(counts.accepted == 2 && counts.truncated == 1 && counts.rejected == 6, "\(counts)")
    }
  }

  @Test func `A place before the bytes is their beginning, and kept bytes distinguish decoders`() {
    let (one, other) = (Array("$GPGGA,1".utf8), Array("$GPGGA,2".utf8))
    var decoders = [Decoder(), Decoder(), Decoder()]
    for (index, bytes) in [one, one, other].enumerated() {
      var position = index == 0 ? -5 : 0
      #expect(decoders[index].next(in: bytes.span, from: &position) == nil && position == 8)
    }
    #expect(decoders[0] == decoders[1] && decoders[0] != decoders[2] && decoders[0] != Decoder())
  }

  @Test func `Rejected is the sum of all that is wrong`() {
    var counts = SentenceCounts()
    (counts.accepted, counts.ignored) = (1000, 2000)
    (counts.checksumMismatch, counts.checksumMissing, counts.malformed) = (1, 2, 4)
    (counts.truncated, counts.tooLong, counts.garbage) = (8, 16, 32)
    #expect(counts.rejected == 63)
  }
}
