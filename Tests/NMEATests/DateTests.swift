import NMEA
import Testing

/// Dates: every day that there is, and none that there is not.
@Suite struct DateTests {
  static let lengths: [Int32] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  /// Years of 29 February. What ends in 00 is one in every four hundred years only.
  static let leapYears: Set<Int32> = Set(stride(from: 1904, through: 2996, by: 4))
    .subtracting([2100, 2200, 2300, 2500, 2600, 2700, 2900])

  private func number(year: Int32, month: Int32, day: Int32) -> Int32? {
    CalendarDate(year: year, month: month, day: day)?.dayNumber
  }

  @Test func `Each day number is one day, and those outside of the years are refused`() {
    for number in stride(from: -719_528 as Int32, through: 2_932_896, by: 97) {
      #expect(CalendarDate(dayNumber: number)?.dayNumber == number)
    }
    for (number, year, month, day) in [
      (-719_528, 0, 1, 1), (-719_469, 0, 2, 29), (-719_468, 0, 3, 1), (-1, 1969, 12, 31),
      (0, 1970, 1, 1), (11_016, 2000, 2, 29), (47_540, 2100, 2, 28), (47_541, 2100, 3, 1),
      (2_932_896, 9999, 12, 31),
    ] as [(Int32, Int32, Int32, Int32)] {
      let date = CalendarDate(dayNumber: number)
      #expect(date == CalendarDate(year: year, month: month, day: day), "\(number)")
      #expect(date?.dayNumber == number)
    }
    for number in [-719_529, 2_932_897, .min, .max] as [Int32] {
      #expect(CalendarDate(dayNumber: number) == nil, "\(number)")
    }
  }

  @Test func `ZDA's years are those that a receiver may be in`() throws {
    for year in ["1899", "3000", "0001"] {
      #expect(throws: SentenceError.malformed, "\(year)") { try parse("GPZDA,,31,12,\(year),,") }
    }
  }

  @Test func `Days follow each other from 1900 to 2999, over the ends of months and years`() {
    var next: Int32 = -25_567
    for year in Int32(1900)...2999 {
      for (index, usual) in Self.lengths.enumerated() {
        let month = Int32(index) + 1
        let length = month == 2 && Self.leapYears.contains(year) ? 29 : usual
        let first = number(year: year, month: month, day: 1)
        let last = number(year: year, month: month, day: length)
        #expect(first == next && last == next + length - 1, "\(year)-\(month)")
        #expect(number(year: year, month: month, day: length + 1) == nil, "\(year)-\(month)")
        #expect(number(year: year, month: month, day: 0) == nil, "\(year)-\(month)")
        next += length
      }
    }
    #expect(number(year: 1970, month: 1, day: 1) == 0)
    #expect(number(year: -1, month: 12, day: 31) == nil)
    #expect(number(year: 10_000, month: 1, day: 1) == nil)
    #expect(number(year: 2024, month: 0, day: 1) == nil)
    #expect(number(year: 2024, month: 13, day: 1) == nil)
  }

  @Test func `RMC and ZDA know the last day of each month, and refuse the day after it`() throws {
    for (year, february) in [(2023, 28), (2024, 29), (2000, 29)] {
      for month in 1...12 {
        let length = month == 2 ? february : Int(Self.lengths[month - 1])
        for day in [length, length + 1] {
          let (dd, mm, yy) = (two(day), two(month), two(year % 100))
          let sentences = ["GPRMC,,V,,,,,,,\(dd)\(mm)\(yy),,", "GPZDA,,\(dd),\(mm),\(year),,"]
          for body in sentences {
            if day > length {
              #expect(throws: SentenceError.malformed, "\(body)") { try parse(body) }
            } else {
              let expected = number(year: Int32(year), month: Int32(month), day: Int32(day))
              #expect(try date(body) == expected && expected != nil, "\(body)")
            }
          }
        }
      }
    }
  }

  @Test func `A date of zeros is not a date, nor is half a date`() throws {
    for body in ["GPRMC,,V,,,,,,,000000,,", "GPZDA,,00,00,0000,,", "GPZDA,,31,12,,,"] {
      #expect(try date(body) == nil, "\(body)")
    }
    for body in ["GPRMC,,V,,,,,,,010000,,", "GPZDA,,00,12,2024,,", "GPZDA,,01,13,2024,,"] {
      #expect(throws: SentenceError.malformed, "\(body)") { try parse(body) }
    }
  }

  private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private func date(_ body: String) throws -> Int32? {
    let sentence = try parse(body)
    if let rmc = sentence.rmc { return rmc.dayNumber }
    return try #require(sentence.zda, "\(body)").dayNumber
  }
}
