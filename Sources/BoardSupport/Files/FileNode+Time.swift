import Glibc
import JSONReading
import Synchronization
import SystemCalls
public import TrackerCore
import Wording

extension FileNode {
  /// A time since the start: `"4:30:00"` (hours, minutes, seconds) or a duration.
  public func elapsed() throws(FileError) -> Milliseconds {
    guard case .text(let text) = value, text.contains(":") else {
      return try duration(in: 0...FileBounds.latestElapsed)
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let isShaped =
      parts.count == 3 && (1...4).contains(parts[0].count)
      && parts[1].count == 2 && parts[2].count == 2
    let areDigits = parts.allSatisfy { $0.utf8.allSatisfy { (48...57).contains($0) } }
    guard isShaped && areDigits, let hours = Int64(parts[0]), let minutes = Int64(parts[1]),
      let seconds = Int64(parts[2]), minutes < 60, seconds < 60
    else {
      throw error("\(quoted(text)) is not a time since the start; write for example \"4:30:00\"")
    }
    let result = Milliseconds.hours(hours) + .minutes(minutes) + .seconds(seconds)
    guard result <= FileBounds.latestElapsed else {
      throw error("\(quoted(text)) is out of range; write at most \"1000:00:00\"")
    }
    return result
  }

  /// Midnight UTC of a day, for example `"2026-01-01"`.
  func day() throws(FileError) -> UTC {
    let complaint =
      "write a day from 1980-01-06 (when GPS time began) to 2099-12-31, "
      + "for example \"2026-01-01\""
    guard case .text(let text) = value else { throw error("is \(value.summary); \(complaint)") }
    let numbers = text.split(separator: "-", omittingEmptySubsequences: false).map { Int32($0) }
    guard text.utf8.count == 10, text.utf8.allSatisfy({ $0 == 45 || (48...57).contains($0) }),
      numbers.count == 3, let year = numbers[0], let month = numbers[1], let day = numbers[2],
      let date = CivilTime(year: year, month: month, day: day),
      "1980-01-06" <= text, text <= "2099-12-31"
    else { throw error("\(quoted(text)) is not a valid day; \(complaint)") }
    return date.utc
  }
}

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

/// A time zone of the IANA database, as installed on this machine.
///
/// glibc silently takes an unknown zone for UTC, so the zone's file is checked first.
public struct IANAZone: Sendable, Equatable {
  public let name: String

  /// `nil` when the machine has no such zone.
  public init?(_ name: String) {
    guard Self.isName(name), Self.hasFile(name) else { return nil }
    self.name = name
  }

  /// Whether the machine has any zones at all.
  static var areInstalled: Bool { hasFile("Europe/Madrid") || hasFile("UTC") }

  /// The instants at which local clocks show a time, sorted: usually one, none in the hour that is
  /// skipped in spring, two in the hour that is repeated in autumn.
  func moments(of time: CivilTime) -> [UTC] {
    let wall = time.utc.milliseconds / 1000
    var found: Set<Int64> = []
    Self.withZone(name) {
      // The offset is that of the day before or of the day after, even if it changes in between.
      for day in [-86_400, 0, 86_400] as [Int64] {
        let candidate = wall - Self.offset(at: wall + day)
        if Self.offset(at: candidate) == wall - candidate { found.insert(candidate) }
      }
    }
    return found.sorted().map { UTC(milliseconds: $0 * 1000) }
  }

  /// Seconds east of UTC.
  public func offsetSeconds(at utc: UTC) -> Int64 {
    var offset: Int64 = 0
    Self.withZone(name) { offset = Self.offset(at: utc.milliseconds / 1000) }
    return offset
  }

  /// Seconds east of UTC on this machine's clocks.
  public static func machineOffsetSeconds(at utc: UTC) -> Int64 {
    turn.withLock { _ in localTime(at: utc.milliseconds / 1000).offset }
  }

  /// Seconds east of UTC, in the zone that is set.
  private static func offset(at seconds: Int64) -> Int64 { localTime(at: seconds).offset }

  // MARK: glibc

  private static let turn = Mutex(())

  /// Ensures that TZ is in the environment, with the value that its absence stands for. Call it
  /// before there are other threads, so that later changes do not move memory that they may be
  /// reading.
  public static func prepare() { setenv("TZ", ":/etc/localtime", 0) }

  /// A process has only one zone, so it is changed temporarily.
  private static func withZone(_ name: String, _ body: () -> Void) {
    turn.withLock { _ in
      prepare()
      let old = environmentValue("TZ") ?? ""
      setenv("TZ", ":" + name, 1)
      tzset()
      body()
      setenv("TZ", old, 1)
      tzset()
    }
  }

  private static func isName(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    // Zones in right/ count leap seconds, which dates here do not.
    return name.utf8.count <= 60 && parts.first != "right"
      && parts.allSatisfy { part in
        part.utf8.first.map { $0 < 128 && ($0 | 0x20) >= 0x61 } ?? false
          && part.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20)
              || [0x2B, 0x2D, 0x5F].contains($0)
          }
      }
  }

  private static func hasFile(_ name: String) -> Bool {
    let folder = environmentValue("TZDIR") ?? "/usr/share/zoneinfo"
    let file = try? Descriptor(opening: "\(folder)/\(name)", .read)
    return (try? file?.firstBytes(atMost: 4)) == Array("TZif".utf8)
  }
}
