import NMEA
import Testing

/// Vectors for each kind of sentence: valid ones, valid with the checksum that a device sent, and
/// invalid ones.
@Suite struct SentenceTests {
  static let valid = [
    "GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W",
    "GPRMC,123519.00,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W,A",
    "GNRMC,123519.00,A,4807.03812345,N,01131.00012345,E,,,230394,,,A,V",
    "GPRMC,,V,,,,,,,,,,N",
    "GPRMC,235960,A,4807.038,N,01131.000,E,0.0,0.0,311216,,,A",
    "GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,",
    "GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,-3.25,M",
    "GPGGA,123519,4807.038,N,01131.000,E,1",
    "GPGGA,,,,,,0,,,,M,,M,,",
    "GNGNS,224749.00,3333.4268304,N,11153.3538273,W,DAN,19,0.6,406.110,-26.294,6.0,0138,S",
    "GPGLL,4916.45,N,12311.12,W,225444,A",
    "GPGLL,4916.45,N,12311.12,W",
    "GPGLL,,,,,,V,N",
    "GPZDA,160012.71,11,03,2004,-1,00",
    "GPZDA,,,,,,",
    "GPGSA,A,3,04,05,,09,12,,,24,,,,,2.5,1.3,2.1",
    "GNGSA,A,3,67,83,76,82,68,,,,,,,,1.56,0.91,1.27,2",
    "GPGSA,A,1,,,,",
    "GPGSV,2,1,08,01,40,083,46,02,17,308,41,12,07,344,39,14,22,228,45",
    "GPGSV,1,1,00",
    "GPGSV,1,1,01,21,,,31,1",
    "GPVTG,054.7,T,034.4,M,005.5,N,010.2,K",
    "GPVTG,054.7,T,034.4,M,005.5,N,010.2,K,A",
    "GPVTG,054.7,034.4,005.5,010.2",
    "GPVTG,,T,,M,,N,,K,N",
    "BDRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,,",
    "IIRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,,",
  ]

  @Test("A valid sentence is decoded", arguments: valid)
  func accepts(_ body: String) throws {
    _ = try parse(body)
  }

  @Test(
    "A device's own line is decoded",
    arguments: [
      "$GPRMC,095255.810,V,2712.6404,S,15303.1201,E,0.00,0.00,080407,,,A*6E",
      "$GPGGA,202640.000,4404.1306,N,12118.8515,W,2,10,0.98,1127.7,M,-19.6,M,0000,0000*6C",
      "$GNGLL,4404.14066,N,12118.85481,W,171925.00,A,A*66",
      "$GNGSA,A,3,67,83,76,82,68,,,,,,,,1.56,0.91,1.27*1d",
      "$GPVTG,000.0,T,357.0,M,000.0,N,0000.1,K,A*13",
      "$GPZDA,202640.000,13,04,2015,,*54",
    ])
  func acceptsLine(_ line: String) throws {
    _ = try parse(line)
  }

  @Test(
    "A field out of its range makes a sentence malformed",
    arguments: [
      "GPRMC,243519,A,4807.038,N,01131.000,E,022.4,084.4,230394,,",
      "GPRMC,126019,A,4807.038,N,01131.000,E,022.4,084.4,230394,,",
      "GPRMC,123560,A,4807.038,N,01131.000,E,022.4,084.4,230394,,",
      "GPRMC,12351,A,4807.038,N,01131.000,E,022.4,084.4,230394,,",
      "GPRMC,123519,A,9000.001,N,01131.000,E,022.4,084.4,230394,,",
      "GPRMC,123519,A,4860.000,N,01131.000,E,022.4,084.4,230394,,",
      "GPRMC,123519,A,4807.038,N,18000.001,E,022.4,084.4,230394,,",
      "GPRMC,123519,A,4807.038,X,01131.000,E,022.4,084.4,230394,,",
      "GPRMC,123519,A,4807.038,N,01131.000,E,fast,084.4,230394,,",
      "GPRMC,123519,A,4807.038,N,01131.000,E,022.4,360.1,230394,,",
      "GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,310294,,",
      "GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,231394,,",
      "GPRMC,123519,A,48.07.038,N,01131.000,E,022.4,084.4,230394,,",
      "GPRMC,123519,A,4807.038,N,99999999999999999999.0,E,022.4,084.4,230394,,",
      "GPGGA,123519,4807.038,N,01131.000,E,1,999,0.9,545.4,M,,M,,",
      "GPGGA,123519,4807.038,N,01131.000,E,1,08,-1,545.4,M,,M,,",
      "GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,99999999,M,,M,,",
      "GPZDA,160012.71,31,02,2004,-1,00",
    ])
  func malformed(_ body: String) {
    #expect(throws: SentenceError.malformed) { try parse(body) }
  }

  @Test("What is no sentence is told apart from what is damaged or unknown")
  func errors() {
    #expect(throws: SentenceError.notASentence) { try parse("$") }
    #expect(throws: SentenceError.notASentence) { try parse("$GPRMC") }
    #expect(throws: SentenceError.checksumMismatch) { try parse("$GPRMC,,V,,,,,,,,,,N*54") }
    #expect(throws: SentenceError.unsupported) { try parse("PMTK705,AXN_1.30,0145") }
    #expect(throws: SentenceError.unsupported) { try parse("SDDBT,7.7,f,2.3,M,1.3,F") }
  }

  @Test("RMC holds time, date, position, speed and course in exact integers")
  func rmc() throws {
    let rmc = try #require(
      try parse("GPRMC,123519.2599,A,4807.0380001,N,01131.0005,W,022.4,084.45,230394,003.1,W,D")
        .rmc)
    #expect(rmc.timeOfDayMilliseconds == 45_319_259)
    #expect(rmc.isValid)
    // 48 + 7.0380001/60 and 11 + 31.0005/60 degrees; 22.4 * 1852 / 3.6 = 11523.55 mm/s.
    #expect(rmc.position == Position(latitude: 481_173_000, longitude: -115_166_750))
    #expect(rmc.speedMillimetresPerSecond == 11_524)
    #expect(rmc.trackMillidegrees == 84_450)
    #expect(rmc.dayNumber == 8847)
    #expect(rmc.modeIndicator == UInt8(ascii: "D"))
  }

  @Test("Two-digit years from 80 on belong to the last century")
  func years() throws {
    for (text, day) in [("010180", 3652), ("311299", 10956), ("010100", 10957), ("311279", 40176)] {
      let rmc = try #require(try parse("GPRMC,,V,,,,,,,\(text),,").rmc)
      #expect(rmc.dayNumber == Int32(day), "\(text)")
    }
  }

  @Test(
    "Minutes become 1e-7 degree, rounded half away from zero, with any number of decimals",
    arguments: [
      ("0000.00003", 5), ("0000.000003", 1), ("0000.0000029", 0), ("0000.00000299999999999", 0),
      ("0000.000003000000000000001", 1), ("0000", 0), ("0000.", 0), ("0001.5", 250_000),
      ("8959.999999999", 900_000_000), ("9000.0000", 900_000_000), ("012.0", 2_000_000),
    ])
  func minutes(_ field: String, _ units: Int) throws {
    let gll = try #require(try parse("GPGLL,\(field),S,\(field),W,225444,A").gll)
    #expect(gll.position?.latitude == Int32(-units))
    #expect(gll.position?.longitude == Int32(-units))
  }

  @Test("Altitude, HDOP and satellites of GGA keep their sign and scale")
  func gga() throws {
    let gga = try #require(
      try parse("GPGGA,000000.999,0000.0,N,00000.0,E,2,12,0.995,-12.3455,M,46.9,M,,").gga)
    #expect(gga.timeOfDayMilliseconds == 999)
    #expect(gga.quality == 2)
    #expect(gga.satellitesUsed == 12)
    #expect(gga.hdopHundredths == 100)
    #expect(gga.altitudeMillimetres == -12_346)
  }

  @Test("GSA counts the satellites that are named, however the places are filled")
  func gsa() throws {
    let lists = [
      ("04,05,,09,12,,,24,,,,", 5), ("00,00,00,00,00,00,00,00,00,00,00,00", 0),
      ("4,5,6,,,,,,,,,", 3), ("201,202,,,,,,,,,,", 2), (",,,,,,,,,,,", 0),
      ("1,02,003,,,,,,,,,", 3),
    ]
    for (list, count) in lists {
      let gsa = try #require(try parse("GPGSA,A,3,\(list),2.5,1.3,2.1").gsa)
      #expect(gsa.satellitesUsed == UInt8(count), "\(list)")
      #expect(gsa.hdopHundredths == 130)
      #expect(gsa.mode == .threeDimensional)
    }
  }

  @Test("GSV knows the strongest signal, with a signal number at the end and without")
  func gsv() throws {
    let lists = [
      ("3,1,12,01,40,083,46,02,17,308,41,12,07,344,39,14,22,228,45", 12, 46),
      ("3,3,9,1,40,83,6,2,17,308,41,1", 9, 41), ("1,1,01,21,,,31,1", 1, 31), ("1,1,00,1", 0, nil),
      ("3,2,12,20,10,017,,30,56,301,33,88,88,888,,07,01,002,00", 12, 33), ("1,1,00", 0, nil),
      // Without a signal, and with the strongest in the last of fields of odd widths.
      ("3,1,12,01,40,083,,02,17,308,", 12, nil), ("3,1,2,1,4,8,9,2,1,3,4,3,7,3,37", 2, 37),
      ("1,1,03,1,4,8,7,2,1,3,8,3,7,3,9", 3, 9), ("1,1,2,1,40,83,,2,17,308,9,", 2, 9),
      // With commas where those of usual widths are, and others between them.
      ("1,1,02,5,,,3,12,,,40", 2, 40),
    ]
    for (list, count, best) in lists {
      let gsv = try #require(try parse("GPGSV,\(list)").gsv)
      #expect(gsv.satellitesInView == UInt8(count), "\(list)")
      #expect(gsv.bestSignalDecibelHertz == best.map(UInt8.init), "\(list)")
    }
  }

  @Test("VTG is read with its units, without them, and from km/h alone")
  func vtg() throws {
    for body in [
      "GPVTG,054.7,T,034.4,M,005.5,N,010.2,K,A", "GPVTG,054.7,034.4,005.5,010.2",
      "GPVTG,054.7,T,,M,,N,10.186,K",
    ] {
      let vtg = try #require(try parse(body).vtg)
      #expect(vtg.trackMillidegrees == 54_700, "\(body)")
      #expect(vtg.speedMillimetresPerSecond == 2829, "\(body)")
    }
  }
}
