import NMEA
import TrackerCore

/// The sentences of a report, as u-blox receivers write them, with and without a fix (u-blox 6
/// Receiver Description, GPS.G6-SW-10018, chapter "NMEA Protocol").
extension SentenceWriter {
  /// Writes one kind of sentence and calls `finished` after each line.
  mutating func write(
    _ kind: SynthSentence, _ report: Report, _ constellations: Constellations,
    finished: (inout SentenceWriter) -> Void
  ) {
    let talker: StaticString = constellations == .gps ? "GP" : "GN"
    switch kind {
    case .rmc: writeRMC(report, talker)
    case .vtg: writeVTG(report, talker)
    case .gga: writeGGA(report, talker)
    case .gll: writeGLL(report, talker)
    case .gns: writeGNS(report, talker, constellations)
    case .zda: writeZDA(report, talker)
    case .gsa:
      if constellations == .gpsAndGLONASS {
        writeGSA(report, talker) { !$0.isGLONASS }
        finished(&self)
        writeGSA(report, talker) { $0.isGLONASS }
      } else {
        writeGSA(report, talker) { _ in true }
      }
    case .gsv:
      writeGSV(report.satellites.filter { !$0.isGLONASS }, "GP", finished: finished)
      if constellations == .gpsAndGLONASS {
        finished(&self)
        writeGSV(report.satellites.filter(\.isGLONASS), "GL", finished: finished)
      }
    }
    finished(&self)
  }

  private mutating func writeRMC(_ report: Report, _ talker: StaticString) {
    begin(talker, "RMC")
    time(report)
    text(report.hasFix ? "A" : "V")
    position(report)
    if report.hasFix {
      decimal(report.knotsThousandths, places: 3)
      track(report)
    } else {
      empty(2)
    }
    if let date = report.date {
      number(Int(date.day), width: 2)
      digits(Int(date.month), width: 2)
      digits(Int(date.year % 100), width: 2)
    } else {
      empty()
    }
    // Magnetic variation: unknown.
    empty(2)
    text(report.hasFix ? "A" : "N")
    end()
  }

  private mutating func writeGGA(_ report: Report, _ talker: StaticString) {
    begin(talker, "GGA")
    time(report)
    position(report)
    text(report.hasFix ? "1" : "0")
    number(min(report.used, 12), width: 2)
    decimal(report.dilution.horizontal.hundredths, places: 2)
    height(report)
    if report.hasFix {
      text("M")
      decimal(Self.geoidSeparationTenths, places: 1)
      text("M")
    } else {
      empty(3)
    }
    // Age and station of differential corrections: none.
    empty(2)
    end()
  }

  private mutating func writeGNS(
    _ report: Report, _ talker: StaticString, _ constellations: Constellations
  ) {
    begin(talker, "GNS")
    time(report)
    position(report)
    let both = constellations == .gpsAndGLONASS
    text(report.hasFix ? (both ? "AA" : "AN") : "NN")
    number(min(report.used, 99), width: 2)
    decimal(report.dilution.horizontal.hundredths, places: 2)
    height(report)
    if report.hasFix {
      decimal(Self.geoidSeparationTenths, places: 1)
    } else {
      empty()
    }
    empty(2)
    end()
  }

  private mutating func writeGLL(_ report: Report, _ talker: StaticString) {
    begin(talker, "GLL")
    position(report)
    time(report)
    text(report.hasFix ? "A" : "V")
    text(report.hasFix ? "A" : "N")
    end()
  }

  private mutating func writeVTG(_ report: Report, _ talker: StaticString) {
    begin(talker, "VTG")
    if report.hasFix {
      track(report)
      text("T")
      empty()
      text("M")
      decimal(report.knotsThousandths, places: 3)
      text("N")
      // mm/s x 3.6 is m/h: thousandths of km/h.
      decimal((Int(report.speedMillimetresPerSecond) * 18 + 2) / 5, places: 3)
      text("K")
      text("A")
    } else {
      empty(8)
      text("N")
    }
    end()
  }

  private mutating func writeZDA(_ report: Report, _ talker: StaticString) {
    begin(talker, "ZDA")
    time(report)
    if let date = report.date {
      number(Int(date.day), width: 2)
      number(Int(date.month), width: 2)
      number(Int(date.year), width: 4)
    } else {
      empty(3)
    }
    text("00")
    text("00")
    end()
  }

  private mutating func writeGSA(
    _ report: Report, _ talker: StaticString, _ belongs: (Satellite) -> Bool
  ) {
    begin(talker, "GSA")
    text("A")
    number(Int(report.mode.rawValue))
    // Twelve fields for satellites, whatever the receiver has.
    var written = 0
    for satellite in report.satellites where satellite.isUsed && belongs(satellite) && written < 12
    {
      number(satellite.number, width: 2)
      written += 1
    }
    empty(12 - written)
    decimal(min(report.dilution.position, 99.99).hundredths, places: 2)
    decimal(report.dilution.horizontal.hundredths, places: 2)
    decimal(min(report.dilution.vertical, 99.99).hundredths, places: 2)
    end()
  }

  private mutating func writeGSV(
    _ satellites: [Satellite], _ talker: StaticString, finished: (inout SentenceWriter) -> Void
  ) {
    let sentences = max(1, (satellites.count + 3) / 4)
    for sentence in 0..<sentences {
      if sentence > 0 { finished(&self) }
      begin(talker, "GSV")
      number(sentences)
      number(sentence + 1)
      number(satellites.count, width: 2)
      for satellite in satellites.dropFirst(sentence * 4).prefix(4) {
        number(satellite.number, width: 2)
        number(Int(satellite.elevation.rounded()), width: 2)
        number(Int(satellite.azimuth.rounded()) % 360, width: 3)
        if let signal = satellite.signal { number(signal, width: 2) } else { empty() }
      }
      end()
    }
  }
}

// Fields that several sentences share.
extension SentenceWriter {
  /// Height of the geoid above the ellipsoid in north-eastern Catalonia, from memory: unverified,
  /// but irrelevant here.
  private static var geoidSeparationTenths: Int { 490 }

  private mutating func time(_ report: Report) {
    guard let utc = report.utcMilliseconds else { return empty() }
    let millisecond = Int(utc % 86_400_000)
    number(millisecond / 3_600_000, width: 2)
    digits(millisecond / 60_000 % 60, width: 2)
    fixed(millisecond % 60_000 / 10, places: 2, width: 2)
  }

  private mutating func position(_ report: Report) {
    guard report.hasFix else { return empty(4) }
    angle(report.latitude, degreeWidth: 2, positive: "N", negative: "S")
    angle(report.longitude, degreeWidth: 3, positive: "E", negative: "W")
  }

  private mutating func height(_ report: Report) {
    guard report.hasFix else { return empty() }
    let millimetres = Int(report.altitudeMillimetres)
    decimal((millimetres + (millimetres < 0 ? -50 : 50)) / 100, places: 1)
  }

  private mutating func track(_ report: Report) {
    guard let track = report.trackMillidegrees else { return empty() }
    decimal((Int(track) + 5) / 10 % 36_000, places: 2)
  }
}

extension Report {
  fileprivate var date: CivilTime? {
    utcMilliseconds.flatMap { CivilTime(UTC(milliseconds: $0)) }
  }

  /// A knot is 1852 m/h, exactly.
  fileprivate var knotsThousandths: Int { (Int(speedMillimetresPerSecond) * 3600 + 926) / 1852 }
}

extension Double {
  fileprivate var hundredths: Int { Int((self * 100).rounded()) }
}
