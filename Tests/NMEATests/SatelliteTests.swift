import NMEA
import Testing

/// Satellites: how many are in view, how many are used, and how well they stand.
@Suite struct SatelliteTests {
  private let rmc = sentence("GNRMC,123519,A,4807.038,N,01131.000,E,010.0,084.4,230394,,,A")

  private func gsv(_ talker: String, _ inView: Int, best: Int = 30) -> String {
    sentence("\(talker)GSV,1,1,\(inView < 10 ? "0" : "")\(inView),01,40,083,\(best)")
  }

  @Test func `Satellites in view are the sum over three systems, each at its most`() {
    let three = gsv("GP", 9, best: 41) + gsv("GL", 7, best: 44) + gsv("GA", 12, best: 22)
    for text in [rmc + three, three + rmc] {
      let epoch = decode(text).epochs.last
      #expect(epoch?.satellitesInView == 28, "\(text)")
      #expect(epoch?.bestSignalDecibelHertz == 44, "\(text)")
    }
    // A system reports each of its signals: the most that it names counts, wherever it stands.
    for counts in [[9, 4], [4, 9], [9, 9]] {
      let text = counts.map { gsv("GL", $0) }.joined() + gsv("GP", 5) + gsv("GB", 6)
      #expect(decode(rmc + text).epochs.last?.satellitesInView == 20, "\(counts)")
    }
    #expect(decode(rmc + gsv("GP", 0)).epochs.last?.satellitesInView == 0)
    #expect(decode(rmc).epochs.last?.satellitesInView == nil)
  }

  @Test func `More satellites than a byte holds are 255, in every system a full byte`() {
    let all = ["GP", "GL", "GA", "GB", "GQ", "GI", "GN", "II"]
    let full = all.map { sentence("\($0)GSV,1,1,255,01,40,083,30") }.joined()
    #expect(decode(rmc + full).epochs.last?.satellitesInView == 255)
    let each = all.map { gsv($0, 31) }.joined()
    #expect(decode(rmc + each).epochs.last?.satellitesInView == 248)
    let exact = each + sentence("GNGSV,1,1,38,01,40,083,30")
    #expect(decode(rmc + exact).epochs.last?.satellitesInView == 255)
  }

  @Test func `GNS brings satellites, HDOP and altitude into the epoch, from any system`() throws {
    let body =
      "GNGNS,123519.00,4807.0381,N,01131.0001,E,NAN,19,0.65,-406.1105,-26.294,6.0,0138,S"
    let gns = try #require(try parse(body).gns)
    #expect(gns.hasFix == true && gns.satellitesUsed == 19 && gns.hdopHundredths == 65)
    #expect(gns.altitudeMillimetres == -406_111 && gns.timeOfDayMilliseconds == 45_319_000)
    let epoch = try #require(decode(sentence(body)).epochs.first)
    #expect(epoch.satellitesUsed == 19 && epoch.hdopHundredths == 65)
    #expect(epoch.altitudeMillimetres == -406_111 && epoch.mode == .threeDimensional)
    #expect(epoch.latitude == 481_173_017 && epoch.longitude == 115_166_683)

    let none = try #require(decode(sentence(body.replacing("NAN", with: "NNN"))).epochs.first)
    #expect(none.mode == .noFix && none.altitudeMillimetres == nil && none.latitude == nil)
    #expect(none.satellitesUsed == 19 && none.hdopHundredths == 65)
    let empty = try #require(try parse("GNGNS,123519.00,,,,,,,,,,,,").gns)
    #expect(empty.hasFix == nil && empty.satellitesUsed == nil && empty.hdopHundredths == nil)
  }

  @Test func `GSA stands in for the satellites and the HDOP that GGA and GNS leave out`() {
    let gsa = sentence("GNGSA,A,3,04,05,09,12,24,,,,,,,,2.5,1.3,2.1,1")
    let other = sentence("GNGSA,A,3,67,83,,,,,,,,,,,2.5,1.4,2.1,2")
    let epoch = decode(rmc + gsa + other).epochs.last
    #expect(epoch?.satellitesUsed == 7 && epoch?.hdopHundredths == 140)
    let bare = sentence("GPGGA,123519,4807.038,N,01131.000,E,1,,,545.4,M,46.9,M,,")
    let filled = sentence("GPGGA,123519,4807.038,N,01131.000,E,1,11,0.9,545.4,M,46.9,M,,")
    #expect(decode(bare + gsa).epochs.last?.satellitesUsed == 5)
    #expect(decode(bare + gsa).epochs.last?.hdopHundredths == 130)
    #expect(decode(filled + gsa).epochs.last?.satellitesUsed == 11)
    #expect(decode(gsa + filled).epochs.last?.hdopHundredths == 90)
  }
}
