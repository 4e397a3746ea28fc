import NMEA
import Testing

/// From sentences to epochs: one report per instant.
@Suite struct EpochTests {
  private func rmc(_ time: String, _ date: String = "230394", status: String = "A") -> String {
    sentence("GPRMC,\(time),\(status),4807.038,N,01131.000,E,010.0,084.4,\(date),,,A")
  }

  private func gga(_ time: String, quality: Int = 1, used: String = "08") -> String {
    sentence("GPGGA,\(time),4807.0381,N,01131.0001,E,\(quality),\(used),0.9,545.4,M,46.9,M,,")
  }

  private let gsa = sentence("GPGSA,A,3,04,05,09,12,24,,,,,,,,2.5,1.3,2.1")
  private let vtg = sentence("GPVTG,054.7,T,034.4,M,005.5,N,010.2,K,A")
  private let gsv = sentence("GPGSV,1,1,03,01,40,083,46,02,17,308,41,12,07,344,39")

  @Test("All sentences of an instant make one epoch, in whatever order")
  func order() {
    let parts = [rmc("123519"), gga("123519"), gsa, vtg, gsv]
    var first: Epoch?
    for shift in 0..<parts.count {
      let turned = Array(parts[shift...] + parts[..<shift])
      for list in [turned, turned.reversed()] {
        let result = decode(list.joined())
        #expect(result.epochs.count == 1)
        if first == nil { first = result.epochs.first }
        #expect(result.epochs.first == first)
      }
    }
    #expect(first?.mode == .threeDimensional)
    #expect(first?.latitude == 481_173_017)
    #expect(first?.altitudeMillimetres == 545_400)
    #expect(first?.speedMillimetresPerSecond == 5144)
    #expect(first?.satellitesUsed == 8)
    #expect(first?.satellitesInView == 3)
    #expect(first?.bestSignalDecibelHertz == 46)
    #expect(first?.utcMilliseconds == 764_426_119_000)
  }

  @Test("Another time of day begins the next epoch, less than ten milliseconds do not")
  func times() {
    #expect(decode(rmc("123519") + gga("123520")).epochs.count == 2)
    #expect(decode(rmc("123519.30") + gga("123519.303")).epochs.count == 1)
    #expect(decode(rmc("123519.30") + rmc("123519.31")).epochs.count == 2)
    #expect(decode(rmc("123519") + gga("123519") + rmc("123519")).epochs.count == 1)
  }

  @Test("GSA and GSV before the first time of a cycle belong to it, also from the second on")
  func leading() {
    let text = ["123519", "123520", "123521"].map { gsa + gsv + self.rmc($0) + self.gga($0) }
    let result = decode(text.joined())
    #expect(result.epochs.count == 3)
    #expect(result.epochs.allSatisfy { $0.satellitesInView == 3 })
  }

  @Test("A log that begins in mid-cycle makes one epoch of each instant")
  func midCycle() {
    let gll = sentence("GPGLL,4807.038,N,01131.000,E,123519,A,A")
    let result = decode(gsa + gsv + rmc("123519") + vtg + gga("123519") + gsa + gsv + gll)
    #expect(result.epochs.count == 1)
  }

  @Test("A cold start without any time gives an epoch for each cycle")
  func cold() {
    let cycle =
      sentence("GPGGA,,,,,,0,,,,M,,M,,") + sentence("GPGLL,,,,,,V,N")
      + sentence("GPGSA,A,1,,,,,,,,,,,,,,,") + sentence("GPRMC,,V,,,,,,,,,,N")
    let result = decode(cycle + cycle + cycle)
    #expect(result.epochs.count == 3)
    #expect(result.epochs.allSatisfy { $0.mode == .noFix && $0.utcMilliseconds == nil })
    // What the first fix finds open does not make it void.
    #expect(decode(cycle + rmc("123519")).epochs.last?.mode == .twoDimensional)
  }

  @Test("A void status or quality takes the position away")
  func void() {
    for text in [rmc("123519", status: "V") + gsa, gga("123519", quality: 0) + gsa] {
      let epoch = decode(text).epochs.first
      #expect(epoch?.mode == .noFix)
      #expect(epoch?.latitude == nil)
      #expect(epoch?.speedMillimetresPerSecond == nil)
    }
  }

  @Test("Speed comes from VTG where RMC has none")
  func speed() {
    #expect(decode(gga("123519") + vtg).epochs.first?.speedMillimetresPerSecond == 2829)
    #expect(decode(vtg + rmc("123519")).epochs.first?.speedMillimetresPerSecond == 5144)
  }

  @Test("The date is carried over midnight, and a date of its own wins")
  func midnight() {
    let result = decode(
      rmc("235958") + gga("235959") + gga("000000") + gga("000001") + rmc("000002", "240394"))
    #expect(result.epochs.map(\.dayNumber) == [8847, 8847, 8848, 8848, 8848])
    #expect(result.epochs.map(\.isDateCarried) == [false, true, true, true, false])
    #expect(decode(gga("120000")).epochs.first?.dayNumber == nil)
  }

  @Test("A ZDA sent ahead of its second opens no epoch, and gives the date")
  func zdaAhead() {
    let text =
      sentence("GPZDA,235959,23,03,1994,00,00") + gga("235958")
      + sentence("GPZDA,000000,24,03,1994,00,00") + gga("235959")
      + sentence("GPZDA,000001,24,03,1994,00,00") + gga("000000")
    let result = decode(text)
    #expect(result.epochs.map(\.dayNumber) == [8847, 8847, 8848])
  }

  @Test("ZDA alone still tells the time")
  func zdaAlone() {
    let result = decode(
      sentence("GPZDA,160012.71,11,03,2004,-1,00") + sentence("GPZDA,160013.71,11,03,2004,-1,00"))
    #expect(result.epochs.count == 2)
    #expect(result.epochs.first?.utcMilliseconds == 1_079_020_812_710)
  }

  @Test("A leap second is kept as such")
  func leapSecond() {
    let epoch = decode(rmc("235960.25", "311216")).epochs.first
    #expect(epoch?.timeOfDayMilliseconds == 86_400_250)
  }

  @Test("The mode is what GSA says, also in epochs between two GSA")
  func carriedMode() {
    let two = sentence("GPGSA,A,2,04,05,09,,,,,,,,,,2.5,1.3,2.1")
    let modes = decode(rmc("123519") + two + rmc("123520") + rmc("123521") + gsa + rmc("123522"))
      .epochs.map(\.mode)
    #expect(
      modes == [.twoDimensional, .twoDimensional, .threeDimensional, .threeDimensional])
  }

  @Test("Flushing closes the open epoch, once")
  func flush() {
    var decoder = Decoder()
    let bytes = Array(rmc("123519").utf8)
    var position = 0
    #expect(decoder.next(in: bytes.span, from: &position) == nil)
    #expect(position == bytes.count)
    #expect(decoder.hasOpenEpoch)
    #expect(decoder.flush() != nil)
    #expect(!decoder.hasOpenEpoch)
    #expect(decoder.flush() == nil)
  }
}
