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
