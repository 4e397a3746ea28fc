import LeanUplink
import Testing
import TrackerCore

@testable import Uplink

/// What statuses and codes mean, at the ends of their ranges.
@Suite struct FailureTests {
  static let codes: [(codes: [Int32], failure: @Sendable (Int32) -> Failure)] = [
    ([498, 499], { _ in .tokenRefused }),
    ([401, 403], { _ in .unauthorised }),
    ([404, 405, 410, 421, 2001], { .misdirected(code: $0) }),
    (
      [407, 408, 425, 429, 503, 511],
      { .busy(status: $0, retryAfter: 7000, mayHaveApplied: false) }
    ),
    (
      [500, 501, 502, 505, 510, 512, 599],
      {
        .busy(status: $0, retryAfter: 7000, mayHaveApplied: true)
      }
    ),
    (
      [400, 402, 406, 409, 411, 413, 420, 422, 424, 426, 428, 430, 497, 1000, 1999, 2000, 2002]
        + [2999, -2, -2_147_217_395, .min],
      { .refused(code: $0) }
    ),
    ([504, 0, -1, 1, 100, 200, 399, 600, 999, 3000, .max], { _ in .unclear }),
  ]

  @Test func `Each code has one meaning`() {
    for row in Self.codes {
      for code in row.codes {
        #expect(Failure.of(code: code, retryAfter: 7000) == row.failure(code), "\(code)")
      }
    }
  }

  @Test
  func `A status of success is not a failure, and a number that is not a status proves nothing`() {
    func failure(_ status: Int32) -> Failure? {
      Failure(status: status, headers: [HTTPHeader("RETRY-after", "7")], at: Sample.now)
    }
    for status: Int32 in [200, 201, 298, 299] { #expect(failure(status) == nil, "\(status)") }
    for status: Int32 in [.min, -1, 0, 99, 100, 199, 300, 302, 306, 309, 399, 504, 600, 999] {
      #expect(failure(status) == .unclear, "\(status)")
    }
    for status: Int32 in [307, 308] {
      #expect(
        failure(status) == .busy(status: status, retryAfter: nil, mayHaveApplied: false))
    }
    #expect(failure(503) == .busy(status: 503, retryAfter: 7000, mayHaveApplied: false))
    #expect(failure(599) == .busy(status: 599, retryAfter: 7000, mayHaveApplied: true))
  }

  @Test func `Blanks around and within a header's value make no difference`() {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    let own = HTTPHeader("Date", "\tSun,  06 Nov 1994\t08:48:37 GMT ")
    for (value, wait) in [
      (" \t120 ", Milliseconds.minutes(2)), ("120\t", .minutes(2)), ("0", 0),
      (date.replacing(" ", with: " \t"), .minutes(1)),
    ] {
      let headers = [HTTPHeader("X-Retry-After", "9"), HTTPHeader("Retry-After", value), own]
      #expect(RetryAfter.wait(in: headers, at: Sample.now) == wait, "\(value)")
    }
  }

  @Test func `An answer may begin with any blank, and with the mark of UTF-8`() {
    for text in ["{}", " \t\r\n{}", "\t{}", "\r{}", "\n{}", "\u{FEFF}{}"] {
      #expect(Answer.decode(EditAnswer.self, from: Array(text.utf8)) != nil, "\(text)")
    }
    for text in ["", " ", "[]", "x{}", "\u{B}{}", "{", "{}{"] {
      #expect(Answer.decode(EditAnswer.self, from: Array(text.utf8)) == nil, "\(text)")
    }
  }

  private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  @Test func `Dates are written and read alike, at both ends of each month for 130 years`() throws {
    let names = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    var days: Int64 = 0
    for year in 1970...2101 {
      let isLeap = year % 4 == 0 && year != 2100
      for (index, name) in names.enumerated() {
        let length = index == 1 && isLeap ? 29 : lengths[index]
        for day in [1, length] {
          let utc = UTC(milliseconds: (days + Int64(day) - 1) * 86_400_000 + 86_399_000)
          let (dd, mm) = (two(day), two(index + 1))
          #expect(HTTPDate.iso8601(utc) == "\(year)-\(mm)-\(dd)T23:59:59.000Z")
          #expect(
            HTTPDate.parse("Xxx, \(dd) \(name) \(year) 23:59:59 GMT") == utc, "\(year) \(name)")
        }
        days += Int64(length)
      }
    }
  }

  @Test(arguments: [
    "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1969 08:49:37 GMT", "Sun, 06 Nov 3000 08:49:37 GMT",
    "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 -1:00:00 GMT",
    "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
    "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 08:49:37:00 GMT",
    "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nox 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49:37 GMT GMT",
  ])
  func `A date out of range is refused`(_ text: String) { #expect(HTTPDate.parse(text) == nil) }
}
