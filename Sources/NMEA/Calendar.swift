/// A day of the Gregorian calendar, in the years 0 to 9999.
///
/// Method: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil and
/// civil_from_days.
public struct CalendarDate: Sendable, Equatable {
  /// 0...9999
  public let year: Int32
  /// 1...12
  public let month: Int32
  /// 1...31
  public let day: Int32

  /// `nil` when there is no such day.
  public init?(year: Int32, month: Int32, day: Int32) {
    if year < 0 || year > 9999 || month < 1 || month > 12 || day < 1 { return nil }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths: (february: Int32, short: Int32, long: Int32) = (isLeap ? 29 : 28, 30, 31)
    let length =
      switch month {
      case 2: lengths.february
      case 4, 6, 9, 11: lengths.short
      default: lengths.long
      }
    if day > length { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Day numbers of 0000-01-01 and 9999-12-31.
  private static let dayNumbers: ClosedRange<Int32> = -719_528...2_932_896
  /// Days from 0000-03-01 to 1970-01-01: the algorithm's years begin in March.
  private static let daysTo1970: Int32 = 719_468

  /// - Parameter dayNumber: days since 1970-01-01; `nil` outside the years 0 to 9999.
  public init?(dayNumber: Int32) {
    guard Self.dayNumbers.contains(dayNumber) else { return nil }
    // Add one 400-year era so that nothing is negative.
    let shifted = dayNumber &+ Self.daysTo1970 &+ 146_097
    let era = shifted / 146_097 &- 1
    let dayOfEra = shifted % 146_097
    let yearOfEra =
      (dayOfEra &- dayOfEra / 1460 &+ dayOfEra / 36_524 &- dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra &- (365 &* yearOfEra &+ yearOfEra / 4 &- yearOfEra / 100)
    let monthFromMarch = (5 &* dayOfYear &+ 2) / 153
    day = dayOfYear &- (153 &* monthFromMarch &+ 2) / 5 &+ 1
    month = monthFromMarch < 10 ? monthFromMarch &+ 3 : monthFromMarch &- 9
    year = yearOfEra &+ era &* 400 &+ (monthFromMarch < 10 ? 0 : 1)
  }

  /// Days since 1970-01-01.
  public var dayNumber: Int32 {
    let shifted = (month > 2 ? year : year &- 1) &+ 400
    let era = shifted / 400 &- 1
    let yearOfEra = shifted % 400
    let monthFromMarch = month > 2 ? month &- 3 : month &+ 9
    let dayOfYear = (153 &* monthFromMarch &+ 2) / 5 &+ day &- 1
    let dayOfEra = yearOfEra &* 365 &+ yearOfEra / 4 &- yearOfEra / 100 &+ dayOfYear
    return era &* 146_097 &+ dayOfEra &- Self.daysTo1970
  }
}

/// Supplies the date for epochs that come without one.
struct CalendarCarry: Sendable, Equatable {
  private var day: Int32?
  private var timeOfDay: Int32?

  /// Records a date that came with a time of day.
  mutating func note(day: Int32, at timeOfDay: Int32) {
    self.day = day
    self.timeOfDay = timeOfDay
  }

  /// Gives the epoch a date if it has none: the last known one, or the day before or after it,
  /// whichever puts the two instants within twelve hours of each other.
  mutating func complete(_ epoch: inout Epoch) {
    guard let time = epoch.timeOfDayMilliseconds else {
      if let own = epoch.dayNumber { (day, timeOfDay) = (own, nil) }
      return
    }
    if epoch.dayNumber == nil, let day {
      let apart = timeOfDay.map { time &- $0 } ?? 0
      let step: Int32 = apart < -43_200_000 ? 1 : apart > 43_200_000 ? -1 : 0
      epoch.dayNumber = day &+ step
      epoch.isDateCarried = true
    }
    if let own = epoch.dayNumber { note(day: own, at: time) }
  }
}
