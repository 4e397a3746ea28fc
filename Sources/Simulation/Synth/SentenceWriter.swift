import NMEA
public import TrackerCore

/// Writes NMEA 0183 sentences, with fields from integers, checksum and CR LF.
struct SentenceWriter {
  private(set) var bytes: [UInt8] = []
  private var start = 0

  /// The bytes of the last sentence in `bytes`.
  var sentenceStart: Int { start }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
  mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }
  mutating func append(raw: some Collection<UInt8>) { bytes.append(contentsOf: raw) }

  /// Replaces the last sentence with other bytes.
  mutating func replaceSentence(with damaged: [UInt8]) {
    bytes.replaceSubrange(start..., with: damaged)
  }

  mutating func begin(_ talker: StaticString, _ kind: StaticString) {
    start = bytes.count
    bytes.append(UInt8(ascii: "$"))
    append(talker)
    append(kind)
  }

  /// `*`, the exclusive or of all bytes between `$` and `*` in upper-case hex, CR LF.
  mutating func end() {
    var sum: UInt8 = 0
    for index in (start + 1)..<bytes.count { sum ^= bytes[index] }
    bytes.append(UInt8(ascii: "*"))
    bytes.append(Self.hexDigit(sum >> 4))
    bytes.append(Self.hexDigit(sum & 15))
    bytes.append(13)
    bytes.append(10)
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? 48 + value : 55 + value
  }

  mutating func empty(_ count: Int = 1) {
    for _ in 0..<count { bytes.append(UInt8(ascii: ",")) }
  }

  mutating func text(_ text: StaticString) {
    empty()
    append(text)
  }

  /// A whole number, padded with zeros to `width` digits.
  mutating func number(_ value: Int, width: Int = 1) {
    empty()
    digits(value, width: width)
  }

  /// `value` / 10^`places`: 12345 with three places is `12.345`.
  mutating func decimal(_ value: Int, places: Int, width: Int = 1) {
    empty()
    fixed(value, places: places, width: width)
  }

  /// A number without a comma before it, for fields with several parts.
  mutating func fixed(_ value: Int, places: Int, width: Int) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    let scale = Self.powersOfTen[places]
    let magnitude = abs(value)
    digits(magnitude / scale, width: width)
    bytes.append(UInt8(ascii: "."))
    digits(magnitude % scale, width: places)
  }

  /// `ddmm.mmmmm,N` from 1e-7 degree: exact integers, rounded once to 1e-5 minute (2 cm).
  mutating func angle(
    _ value: Int32, degreeWidth: Int, positive: StaticString, negative: StaticString
  ) {
    let minutes = (abs(Int(value)) * 60 + 50) / 100
    empty()
    digits(minutes / 6_000_000, width: degreeWidth)
    fixed(minutes % 6_000_000, places: 5, width: 2)
    text(value < 0 ? negative : positive)
  }

  mutating func digits(_ value: Int, width: Int) {
    var divisor = Self.powersOfTen[width - 1]
    while value / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      bytes.append(48 + UInt8(truncatingIfNeeded: value / divisor % 10))
      divisor /= 10
    }
  }

  private mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  private static let powersOfTen = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000]
}

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

/// Times as typed by people.
public enum TimeText {
  /// A length of time: `0`, `2:30` (hours:minutes), `2:30:15`, `40min`, `1h30min`, `5s`, `200ms`.
  ///
  /// At most 1000 hours.
  public static func length(_ text: some StringProtocol) -> Milliseconds? {
    if text.utf8.contains(UInt8(ascii: ":")) { return clock(text) }
    if text == "0" { return 0 }
    var rest = text[...]
    var total: Int64 = 0
    while !rest.isEmpty {
      let digits = rest.prefix(while: isDigit)
      rest = rest.dropFirst(digits.count)
      let unit = rest.prefix(while: { !isDigit($0) })
      rest = rest.dropFirst(unit.count)
      guard let count = number(digits), let scale = scale(of: unit) else { return nil }
      total += count * scale
    }
    return text.isEmpty || total > 3_600_000_000 ? nil : Milliseconds(total)
  }

  /// `2026-04-18T08:00:00Z`
  static func text(_ start: UTC) -> String {
    guard let time = CivilTime(start) else { return "" }
    let parts = [time.month, time.day, time.hour, time.minute, time.second].map(padded)
    return "\(time.year)-\(parts[0])-\(parts[1])T\(parts[2]):\(parts[3]):\(parts[4])Z"
  }

  private static func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func scale(of unit: some StringProtocol) -> Int64? {
    switch unit {
    case "ms": 1
    case "s": 1000
    case "min": 60_000
    case "h": 3_600_000
    default: nil
    }
  }

  private static func clock(_ text: some StringProtocol) -> Milliseconds? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3, parts.dropFirst().allSatisfy({ $0.count == 2 })
    else { return nil }
    let seconds = parts.count == 3 ? number(parts[2]) : 0
    guard let hours = number(parts[0]), hours <= 1000, let minutes = number(parts[1]),
      minutes < 60, let seconds, seconds < 60
    else { return nil }
    return Milliseconds((hours * 3600 + minutes * 60 + seconds) * 1000)
  }

  /// A period: `FROM-TO` or `FROM+LENGTH`, for example `2:00:00-2:04:00` or `3:00:00+40min`.
  public static func span(_ text: String) -> TimeSpan? {
    if let sign = text.firstIndex(of: "+") {
      guard let from = length(text[..<sign]), let long = length(text[text.index(after: sign)...]),
        long > 0
      else { return nil }
      return TimeSpan(from: from, to: from + long)
    }
    guard let sign = text.firstIndex(of: "-"), let from = length(text[..<sign]),
      let to = length(text[text.index(after: sign)...]), to > from
    else { return nil }
    return TimeSpan(from: from, to: to)
  }

  private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }

  /// A whole number of one to nine digits.
  private static func number(_ text: some StringProtocol) -> Int64? {
    guard (1...9).contains(text.utf8.count), text.allSatisfy(isDigit) else { return nil }
    return Int64(text)
  }
}

/// A part of a trace, counted from its beginning; `to` is exclusive.
public struct TimeSpan: Sendable, Equatable {
  var from: Milliseconds
  var to: Milliseconds

  public init(from: Milliseconds, to: Milliseconds) {
    self.from = from
    self.to = to
  }

  func contains(_ moment: Milliseconds) -> Bool { from <= moment && moment < to }
}

extension [TimeSpan] {
  func contain(_ moment: Milliseconds) -> Bool { contains { $0.contains(moment) } }
}
