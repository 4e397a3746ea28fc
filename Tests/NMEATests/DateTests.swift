import NMEA
import Testing

/// Dates: every day that there is, and none that there is not.
@Suite struct DateTests {
  static let lengths: [Int32] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  /// Years of 29 February. What ends in 00 is one in every four hundred years only.
  static let leapYears: Set<Int32> = Set(stride(from: 1904, through: 2996, by: 4))
    .subtracting([2100, 2200, 2300, 2500, 2600, 2700, 2900])

  @Test func `Days follow each other from 1900 to 2999, over the ends of months and years`() {
    var next: Int32 = -25_567
    for year in Int32(1900)...2999 {
      for (index, usual) in Self.lengths.enumerated() {
        let month = Int32(index) + 1
        let length = month == 2 && Self.leapYears.contains(year) ? 29 : usual
        let first = dayNumber(year: year, month: month, day: 1)
        let last = dayNumber(year: year, month: month, day: length)
        #expect(first == next && last == next + length - 1, "\(year)-\(month)")
        #expect(dayNumber(year: year, month: month, day: length + 1) == nil, "\(year)-\(month)")
        #expect(dayNumber(year: year, month: month, day: 0) == nil, "\(year)-\(month)")
        next += length
      }
    }
    #expect(dayNumber(year: 1970, month: 1, day: 1) == 0)
    #expect(dayNumber(year: 1899, month: 12, day: 31) == nil)
    #expect(dayNumber(year: 3000, month: 1, day: 1) == nil)
    #expect(dayNumber(year: 2024, month: 0, day: 1) == nil)
    #expect(dayNumber(year: 2024, month: 13, day: 1) == nil)
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
              let expected = dayNumber(year: Int32(year), month: Int32(month), day: Int32(day))
              #expect(try date(body) == expected && expected != nil, "\(body)")
            }
          }
        }
      }
    }
  }

  @Test func `A date of zeros is none, half a one is none either`() throws {
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
