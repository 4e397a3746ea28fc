import NMEA
import Testing

/// Fields at the ends of their ranges, empty ones, and ones with something behind them.
@Suite struct FieldBoundTests {
  private static func rmc(
    time: String = "123519", status: String = "A", latitude: String = "4807.038,N",
    longitude: String = "01131.000,E", speed: String = "022.4", track: String = "084.4"
  ) -> String {
    "GPRMC,\(time),\(status),\(latitude),\(longitude),\(speed),\(track),230394,,,A"
  }

  private static func gga(used: String = "08", hdop: String = "0.9", metres: String = "545.4")
    -> String
  {
    "GPGGA,123519,4807.038,N,01131.000,E,1,\(used),\(hdop),\(metres)"
  }

  @Test(arguments: [
    rmc(time: "235961"), rmc(time: "225960"), rmc(time: "235860"), rmc(time: "240000"),
    rmc(time: "1235190"), rmc(time: "-12351"), rmc(speed: "100000"), rmc(speed: "-1"),
    rmc(speed: "."), rmc(track: "360.001"), rmc(track: "-0.001"), rmc(track: "+"),
    rmc(latitude: "4807.038,n"), rmc(latitude: "-4807.038,N"), rmc(longitude: "01131.000,O"),
    rmc(latitude: "9000.00001,N"), rmc(longitude: "18000.00001,W"), rmc(latitude: "9100,N"),
    gga(used: "256"), gga(used: "-1"), gga(used: "8."), gga(hdop: "-0.01"),
    gga(metres: "1000000.001"), gga(metres: "-1000000.001"), gga(metres: "545.4x"),
    gga(metres: "1e3"), gga(metres: "--1"), gga(metres: "0000000001"), gga(hdop: "."),
    "GPGGA,123519,4807.038,N,01131.000,E,10", "GPZDA,160012.71,11,03,2004x",
    "GPZDA,160012.71,32,03,2004", "GPZDA,160012.71,11,13,2004", "GPZDA,160012.71,11,03,10000",
    "GPZDA,160012,00,12,0000", "GPGLL,.5,N,01131.000,E", "GPGSV,3,100,12", "GPGSV,3,1,256",
    "GPVTG,054.7,T,034.4,M,005.5x,N,010.2,K",
  ])
  func `One step beyond its range a field makes the sentence malformed`(_ body: String) {
    #expect(throws: SentenceError.malformed, "\(body)") { try parse(body) }
  }

  @Test func `At the ends of their ranges numbers are exact`() throws {
    let fast = try #require(
      try parse(
        Self.rmc(
          time: "235960.9999", status: "D", latitude: "9000.00000,S", longitude: "18000.0,W",
          speed: "99999.999", track: "359.9994")
      ).rmc)
    #expect(fast.timeOfDayMilliseconds == 86_400_999 && fast.isValid)
    #expect(fast.position == Position(latitude: -900_000_000, longitude: -1_800_000_000))
    // 99 999.999 * 1852 / 3.6 mm/s.
    #expect(fast.speedMillimetresPerSecond == 51_444_444 && fast.trackMillidegrees == 359_999)
    for (track, expected) in [("360", 0), ("360.0004", 0), ("0", 0), ("359.9996", 0), ("+1", 1000)]
    {
      #expect(
        try parse(Self.rmc(track: track)).rmc?.trackMillidegrees == Int32(expected), "\(track)")
    }
    let high = try #require(
      try parse(Self.gga(used: "255", hdop: "655.35", metres: "1000000")).gga)
    #expect(high.satellitesUsed == 255 && high.hdopHundredths == 65_535)
    #expect(high.altitudeMillimetres == 1_000_000_000)
    let low = try #require(try parse(Self.gga(used: "0", hdop: "0.0", metres: "-1000000.0004")).gga)
    #expect(low.satellitesUsed == 0 && low.hdopHundredths == 0)
    #expect(low.altitudeMillimetres == -1_000_000_000)
    #expect(try parse(Self.gga(hdop: "655.36")).gga?.hdopHundredths == 65_535)
    #expect(try parse(Self.gga(hdop: ".95", metres: "5.")).gga?.hdopHundredths == 95)
  }

  @Test func `A position with one of its four fields empty is not a position`() throws {
    for body in [
      "GPGLL,,N,01131.000,E,123519,A", "GPGLL,4807.038,,01131.000,E,123519,A",
      "GPGLL,4807.038,N,,E,123519,A", "GPGLL,4807.038,N,01131.000,,123519,A",
    ] {
      let gll = try #require(try parse(body).gll)
      #expect(gll.position == nil && gll.isValid == true, "\(body)")
      #expect(gll.timeOfDayMilliseconds == 45_319_000, "\(body)")
    }
  }

  @Test func `A letter's field may be longer, and the next field is where it is`() throws {
    let body = Self.rmc(status: "Active", latitude: "4807.038,North", longitude: "01131.000,Ea")
    let rmc = try #require(try parse(body).rmc)
    #expect(rmc.isValid && rmc.position == Position(latitude: 481_173_000, longitude: 115_166_667))
    #expect(rmc.trackMillidegrees == 84_400 && rmc.modeIndicator == UInt8(ascii: "A"))
    #expect(try parse(Self.rmc(status: "V")).rmc?.isValid == false)
    #expect(try parse(Self.rmc(status: "")).rmc?.isValid == false)
  }

  @Test func `GSA's dilution stands behind twelve satellites, however wide the fields are`() throws
  {
    for (list, count) in [
      ("04,05,09,,,,,,,,,", 3), ("1,02,003,,,,,,,,,4", 4), ("0,00,000,,,,,,,,,12", 1),
    ] {
      for pdop in ["", "5", "12", "2.5", "99.99"] {
        let gsa = try #require(try parse("GPGSA,A,2,\(list),\(pdop),1.3,2.1").gsa)
        #expect(Int(gsa.satellitesUsed) == count && gsa.hdopHundredths == 130, "\(list) \(pdop)")
        #expect(gsa.mode == .twoDimensional)
      }
    }
    for (mode, expected) in [("1", FixMode.noFix), ("0", nil), ("4", nil), ("E", nil), ("", nil)] {
      #expect(try parse("GPGSA,A,\(mode),,,,,,,,,,,,,,,").gsa?.mode == expected, "\(mode)")
    }
    // 24 places for satellites: HDOP is not where it would be looked for.
    let wide = "GNGSA,A,3," + String(repeating: "07,", count: 24) + "2.5,1.3,2.1"
    #expect(try parse(wide).gsa?.hdopHundredths == nil)
  }

  @Test func `GNS that ends with its modes has a fix if one of them is not N`() throws {
    #expect(decode(sentence("GNGNS,123519,4807.0,N,01131.0,E,,08")).epochs.first?.mode == .noFix)
    for (modes, hasFix) in [("NNN", false), ("NNA", true), ("ANN", true), ("N", false)] {
      let gns = try #require(try parse("GNGNS,123519,4807.038,N,01131.000,E,\(modes)").gns)
      #expect(gns.hasFix == hasFix, "\(modes)")
    }
  }

  @Test func `VTG that its receiver does not vouch for has no values`() throws {
    let vtg = try #require(try parse("GPVTG,054.7,T,034.4,M,005.5,N,010.2,K,N").vtg)
    #expect(vtg.isInvalid && vtg.speedMillimetresPerSecond == nil && vtg.trackMillidegrees == nil)
    let good = try #require(try parse("GPVTG,,T,,M,,N,010.2,K,D").vtg)
    #expect(!good.isInvalid && good.speedMillimetresPerSecond == 2833)
    #expect(good.trackMillidegrees == nil)
  }
}
