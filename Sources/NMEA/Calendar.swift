/// Days since 1970-01-01 of a date in the Gregorian calendar, `nil` when there is no such date.
///
/// Method: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil; years here
/// are never negative.
public func dayNumber(year: Int32, month: Int32, day: Int32) -> Int32? {
  if year < 1900 || year > 2999 || month < 1 || month > 12 || day < 1 { return nil }
  let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  let lengths: (february: Int32, short: Int32, long: Int32) = (isLeap ? 29 : 28, 30, 31)
  let length =
    switch month {
    case 2: lengths.february
    case 4, 6, 9, 11: lengths.short
    default: lengths.long
    }
  if day > length { return nil }
  let shifted = month > 2 ? year : year &- 1
  let era = shifted / 400
  let yearOfEra = shifted &- era &* 400
  let monthFromMarch = month > 2 ? month &- 3 : month &+ 9
  let dayOfYear = (153 &* monthFromMarch &+ 2) / 5 &+ day &- 1
  let dayOfEra = yearOfEra &* 365 &+ yearOfEra / 4 &- yearOfEra / 100 &+ dayOfYear
  return era &* 146_097 &+ dayOfEra &- 719_468
}
