import NMEA

/// A length of time in milliseconds.
public struct Milliseconds: Sendable, Equatable, Comparable, ExpressibleByIntegerLiteral {
  public var count: Int64

  public init(_ count: Int64) { self.count = count }
  public init(integerLiteral value: Int64) { count = value }

  // Saturating, because a count may come from a server.
  public static func seconds(_ count: Int64) -> Self { Self(count, times: 1000) }
  public static func minutes(_ count: Int64) -> Self { Self(count, times: 60_000) }
  public static func hours(_ count: Int64) -> Self { Self(count, times: 3_600_000) }

  private init(_ count: Int64, times unit: Int64) {
    let (product, isTooLarge) = count.multipliedReportingOverflow(by: unit)
    self.count = isTooLarge ? (count < 0 ? .min : .max) : product
  }

  public static func < (a: Self, b: Self) -> Bool { a.count < b.count }
  public static func + (a: Self, b: Self) -> Self { Self(a.count &+ b.count) }
  public static func - (a: Self, b: Self) -> Self { Self(a.count &- b.count) }
}

/// A point on the monotonic clock: milliseconds since the program started.
///
/// It never steps and is unrelated to the date (`UTC`). The two types cannot be mixed.
public struct Instant: Sendable, Equatable, Comparable {
  public var milliseconds: Int64

  public init(milliseconds: Int64) { self.milliseconds = milliseconds }
  public static let start = Instant(milliseconds: 0)
  /// Never: some 29 000 years from now.
  public static let distantFuture = Instant(milliseconds: 900_000_000_000_000)

  public static func < (a: Self, b: Self) -> Bool { a.milliseconds < b.milliseconds }
  // Wrapping: instants come from outside, and input must never trap.
  public static func + (a: Self, b: Milliseconds) -> Self {
    Self(milliseconds: a.milliseconds &+ b.count)
  }
  public static func - (a: Self, b: Milliseconds) -> Self {
    Self(milliseconds: a.milliseconds &- b.count)
  }
  public static func - (a: Self, b: Self) -> Milliseconds {
    Milliseconds(a.milliseconds &- b.milliseconds)
  }
}

/// A date: milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
public struct UTC: Sendable, Equatable, Comparable {
  public var milliseconds: Int64

  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  public static func < (a: Self, b: Self) -> Bool { a.milliseconds < b.milliseconds }
  public static func + (a: Self, b: Milliseconds) -> Self {
    Self(milliseconds: a.milliseconds &+ b.count)
  }
  public static func - (a: Self, b: Self) -> Milliseconds {
    Milliseconds(a.milliseconds &- b.milliseconds)
  }
}

/// A calendar day and a time of day in the years 0 to 9999, in UTC or local time.
public struct CivilTime: Sendable, Equatable {
  private let date: CalendarDate
  /// 0..<86 400 000
  private let inDay: Int32

  private static let dayMilliseconds: Int64 = 86_400_000

  public var year: Int32 { date.year }
  /// 1...12
  public var month: Int32 { date.month }
  /// 1...31
  public var day: Int32 { date.day }
  /// 0...23
  public var hour: Int32 { inDay / 3_600_000 }
  public var minute: Int32 { inDay / 60_000 % 60 }
  /// 0...59; there are no leap seconds.
  public var second: Int32 { inDay / 1000 % 60 }
  var millisecond: Int32 { inDay % 1000 }

  /// `nil` when there is no such day or time.
  public init?(
    year: Int32, month: Int32, day: Int32, hour: Int32 = 0, minute: Int32 = 0, second: Int32 = 0,
    millisecond: Int32 = 0
  ) {
    guard let date = CalendarDate(year: year, month: month, day: day), (0..<24).contains(hour),
      (0..<60).contains(minute), (0..<60).contains(second), (0..<1000).contains(millisecond)
    else { return nil }
    self.date = date
    inDay = ((hour &* 60 &+ minute) &* 60 &+ second) &* 1000 &+ millisecond
  }

  /// `nil` outside the years 0 to 9999.
  public init?(_ utc: UTC) {
    let (days, rest) = utc.milliseconds.quotientAndRemainder(dividingBy: Self.dayMilliseconds)
    let isBefore = rest < 0
    guard let number = Int32(exactly: isBefore ? days - 1 : days),
      let date = CalendarDate(dayNumber: number)
    else { return nil }
    self.date = date
    inDay = Int32(isBefore ? rest + Self.dayMilliseconds : rest)
  }

  /// The instant at which UTC has this value.
  public var utc: UTC {
    UTC(milliseconds: Int64(date.dayNumber) * Self.dayMilliseconds + Int64(inDay))
  }

  /// Its ASCII characters in the form `2026-04-18T09:30:00.250Z` (RFC 3339).
  public func forEachByte(_ body: (UInt8) -> Void) {
    digits(year, 4, then: "-", body)
    digits(month, 2, then: "-", body)
    digits(day, 2, then: "T", body)
    digits(hour, 2, then: ":", body)
    digits(minute, 2, then: ":", body)
    digits(second, 2, then: ".", body)
    digits(millisecond, 3, then: "Z", body)
  }

  private func digits(
    _ value: Int32, _ count: Int32, then end: Unicode.Scalar, _ body: (UInt8) -> Void
  ) {
    var scale: Int32 = count == 4 ? 1000 : count == 3 ? 100 : 10
    while scale > 0 {
      body(UInt8(truncatingIfNeeded: 48 &+ value / scale % 10))
      scale /= 10
    }
    body(UInt8(truncatingIfNeeded: end.value))
  }
}

/// What the clocks of a host show.
public struct HostTime: Sendable, Equatable {
  /// The date, as far as the machine knows it. It may step.
  public var utc: UTC
  /// On a clock that goes on evenly while the machine runs, also through a restart of the program.
  public var uptime: Milliseconds

  public init(utc: UTC, uptime: Milliseconds) {
    self.utc = utc
    self.uptime = uptime
  }
}
