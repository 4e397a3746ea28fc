import JSONReading
import TrackerCore
import Wording

extension FileNode {
  private static let example = "2026-04-19T14:00"
  /// Plausible years; others are typing errors.
  private static let years: ClosedRange<Int32> = 2000...2099

  /// A zone's name, for example `"Europe/Madrid"`.
  func timeZone() throws(FileError) -> IANAZone {
    let text = try text(atMost: 60, like: "Europe/Madrid")
    if let zone = IANAZone(text) { return zone }
    guard IANAZone.areInstalled else {
      throw error("this machine has no time zones; install the package tzdata")
    }
    throw error(
      "\(quoted(text)) is not a time zone; write a name from the IANA database, for example "
        + "\"Europe/Madrid\"")
  }

  /// A date and time: `"2026-04-19T14:00"` or `"2026-04-19 14:00:00"` in a zone, or with an offset
  /// from UTC: `"2026-04-19T14:00+02:00"`, `"2026-04-19T12:00Z"`.
  ///
  /// - Parameter zone: for a time without an offset.
  func date(in zone: IANAZone?) throws(FileError) -> UTC {
    let example = FilePhrase.example.texts(quoted(Self.example))
    let form = example + ", " + FilePhrase.orSet.texts
    guard case .text(let text) = value else {
      throw error(FilePhrase.whatIsIt.texts(value.summaryTexts, form))
    }
    guard let written = WrittenDate(text) else {
      throw error(FilePhrase.notADate.texts(quoted(text)).semicolon(form))
    }
    guard let time = written.time, Self.years.contains(written.year) else {
      throw error(FilePhrase.noSuchTime.texts(quoted(text)).semicolon(form))
    }
    if let offset = written.offsetSeconds {
      return time.utc + .seconds(-offset)
    }
    guard let zone else {
      throw error(FilePhrase.whichZone.texts(quoted(text), quoted(text + "+02:00")))
    }
    let moments = zone.moments(of: time)
    guard let first = moments.first else {
      throw error(FilePhrase.skipped.texts(quoted(text), zone.name))
    }
    guard moments.count == 1 else {
      let offsets = moments.map { WrittenDate.offset((time.utc - $0).count / 1000) }
      let both = listed(plain: offsets.map { quoted(text + $0) }, or: true)
      throw error(FilePhrase.repeated.texts(quoted(text), zone.name, both))
    }
    return first
  }
}

extension FileNode {
  /// A date as `date(in:)` reads it, with its offset: `2026-04-19T14:00:00+02:00`, or
  /// `2026-04-19T12:00:00Z` without a zone.
  static func text(of utc: UTC, in zone: IANAZone?) -> String {
    let offset = zone?.offsetSeconds(at: utc) ?? 0
    guard let time = CivilTime(utc + .seconds(offset)) else { return "" }
    var bytes: [UInt8] = []
    time.forEachByte { bytes.append($0) }
    let text = String(decoding: bytes.prefix(19), as: UTF8.self)
    return text + (zone == nil ? "Z" : WrittenDate.offset(offset))
  }
}

/// A date, a time and an offset as written.
private struct WrittenDate {
  var year: Int32
  /// `nil` if there is no such day or time.
  var time: CivilTime?
  var offsetSeconds: Int64?

  init?(_ text: String) {
    var digits = DigitReader(bytes: Array(text.utf8))
    guard let year = digits.number(4), digits.skip("-"), let month = digits.number(2),
      digits.skip("-"), let day = digits.number(2), digits.skip("T") || digits.skip(" "),
      let hour = digits.number(2), digits.skip(":"), let minute = digits.number(2)
    else { return nil }
    var second: Int32 = 0
    if digits.skip(":") {
      guard let given = digits.number(2) else { return nil }
      second = given
    }
    if digits.skip("Z") {
      offsetSeconds = 0
    } else if let sign = digits.skip("+") ? 1 : digits.skip("-") ? -1 as Int64 : nil {
      guard let hours = digits.number(2), hours <= 14 else { return nil }
      _ = digits.skip(":")
      guard let minutes = digits.isAtEnd ? 0 : digits.number(2), minutes < 60 else { return nil }
      offsetSeconds = sign * (Int64(hours) * 3600 + Int64(minutes) * 60)
    }
    guard digits.isAtEnd else { return nil }
    self.year = year
    time = CivilTime(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second)
  }

  /// `+02:00`
  static func offset(_ seconds: Int64) -> String {
    let minutes = seconds.magnitude / 60
    let two = { (number: UInt64) in number < 10 ? "0\(number)" : "\(number)" }
    return (seconds < 0 ? "-" : "+") + two(minutes / 60) + ":" + two(minutes % 60)
  }
}

/// Reads numbers of fixed width and the characters between them.
private struct DigitReader {
  var bytes: [UInt8]
  private var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }

  mutating func number(_ width: Int) -> Int32? {
    guard bytes.count - position >= width else { return nil }
    var number: Int32 = 0
    for byte in bytes[position..<position + width] {
      guard (0x30...0x39).contains(byte) else { return nil }
      number = number * 10 + Int32(byte - 0x30)
    }
    position += width
    return number
  }

  mutating func skip(_ sign: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: sign) else { return false }
    position += 1
    return true
  }
}
