import Testing

@testable import Courses
@testable import TrackerCore

/// Where along a course the network was reached.
@Suite struct CoverageTests {
  private let again: Comment = "repeat with: swift test --filter CoverageTests"

  /// Two kilometres to the east and back over the same road, then one to the north.
  private func course() throws -> MappedCourse {
    try MappedCourse(
      Array(
        """
        {"type": "LineString",
         "coordinates": [[2.8, 42], [2.824, 42], [2.8, 42.0001], [2.8, 42.01]]}
        """.utf8))
  }

  private func parts(_ coverage: CourseCoverage, _ part: CourseCoverage.Part) -> [Int32] {
    (0..<Int32(CourseCoverage.parts)).filter { coverage[$0] == part }
  }

  @Test func `What is found on the way out is known on the way back`() throws {
    let course = try course()
    let length = course.courseLengthMillimetres
    var coverage = CourseCoverage()
    coverage.note(.silent, at: Coordinate(latitude: 420_000_000, longitude: 28_120_000), on: course)
    let silent = parts(coverage, .silent)
    // A kilometre from the start, and a kilometre before the turn's end.
    let out = CourseCoverage.index(along: 990_000, of: length)
    let back = CourseCoverage.index(along: 2_980_000, of: length)
    #expect(silent.contains(out) && silent.contains(back), "\(silent) \(out) \(back); \(again)")
    #expect(silent.count <= 20, "\(silent); \(again)")
    coverage.note(
      .reached, at: Coordinate(latitude: 420_000_000, longitude: 28_120_000), on: course)
    #expect(parts(coverage, .silent).isEmpty && parts(coverage, .reached) == silent, again)
    coverage.note(.silent, at: Coordinate(latitude: 430_000_000, longitude: 28_120_000), on: course)
    #expect(parts(coverage, .reached) == silent && parts(coverage, .silent).isEmpty, again)
  }

  @Test func `It is copied as text, and taken only for the same course`() throws {
    var course = try course()
    var coverage = CourseCoverage()
    for (index, part) in [(0, .reached), (63, .silent), (64, .reached), (127, .silent)]
      as [(Int32, CourseCoverage.Part)]
    {
      coverage[index] = part
    }
    let text = course.text(of: coverage)
    #expect(text.utf8.count == 137 && text.hasSuffix("-") && text.dropFirst(9).first == "+", again)
    course.use(coverage: text)
    #expect(course.coverage == coverage && course.doubts.isEmpty, again)
    for wrong in ["", "x", text + "+", String(text.dropLast()) + "x", "+" + text.dropFirst()] {
      var other = try self.course()
      other.use(coverage: wrong)
      #expect(other.coverage.isEmpty && other.doubts.count == 1, "\(wrong): \(other.doubts)")
    }
    let elsewhere = (text.first == "0" ? "1" : "0") + text.dropFirst()
    var other = try self.course()
    other.use(coverage: elsewhere)
    #expect(other.coverage.isEmpty && other.doubts[0].contains("of another course"), again)
  }

  @Test func `No number traps`() throws {
    var coverage = CourseCoverage([.max, 1, .max, .max])
    #expect(coverage[0] == .reached && coverage[64] == .reached && coverage[65] == .silent, again)
    for index in [Int32.min, -1, 128, .max] {
      coverage[index] = .reached
      #expect(coverage[index] == .unknown, again)
    }
    for along in [Int64.min, -1, 0, 99, 100, Int64.max / 256] {
      let index = CourseCoverage.index(along: along, of: 100)
      #expect((0...127).contains(index), again)
    }
    #expect(CourseCoverage.index(along: 5, of: 0) == -1, again)
    #expect(CourseCoverage(coverage.words) == coverage, again)
  }

  /// The team is at part 10, and comes to the next one each two minutes.
  private func ahead(_ map: String) -> CoverageAhead {
    var coverage = CourseCoverage()
    for (index, symbol) in zip(Int32(10)..., map) {
      coverage[index] = symbol == "+" ? .reached : symbol == "-" ? .silent : .unknown
    }
    return CoverageAhead(coverage: coverage, along: 10_000, length: 128_000, pace: 500)
  }

  @Test func `Between two places that are alike and near each other it is as there`() {
    var coverage = CourseCoverage()
    for (index, part) in [(20, .reached), (24, .reached), (30, .silent), (34, .reached)]
      as [(Int32, CourseCoverage.Part)]
    {
      coverage[index] = part
    }
    let expected = (18...36).map { coverage.expected($0) }
    let symbols = expected.map { $0 == .reached ? "+" : $0 == .silent ? "-" : "." }.joined()
    #expect(symbols == ".+++++++...--...++.", "\(symbols); \(again)")
  }

  // By minutes: 0 and 1 in the first part, 2 and 3 in the second, …

  @Test func `A search in vain is repeated where the network was reached, not where it was not`() {
    #expect(ahead("-..---++").retry(due: 18, from: 1, to: 20) == 12, again)
    #expect(ahead("-----..").retry(due: 8, from: 1, to: 20) == 12, again)
    #expect(ahead("---------------").retry(due: 8, from: 1, to: 20) == 20, again)
    #expect(ahead("-.......+").retry(due: 8, from: 1, to: 20) == 8, again)
    #expect(ahead("").retry(due: 8, from: 1, to: 20) == 8, again)
    #expect(ahead("---------").retry(due: 30, from: 1, to: 30) == 30, again)
  }

  @Test func `A contact that would fall into a hole comes before or after it`() {
    #expect(ahead("+++---++").contact(due: 7, from: 4, to: 14) == 5, again)
    #expect(ahead("+++---++").contact(due: 10, from: 4, to: 20) == 12, again)
    // It would be too soon, or would have to wait too long.
    #expect(ahead("+++---++").contact(due: 7, from: 6, to: 14) == 12, again)
    // A hole without an end may be a wrong map.
    #expect(ahead("+++----------").contact(due: 12, from: 7, to: 20) == 12, again)
    #expect(ahead("+++---++").contact(due: 5, from: 3, to: 10) == 5, again)
    #expect(ahead("").contact(due: 5, from: 3, to: 10) == 5, again)
  }
}
