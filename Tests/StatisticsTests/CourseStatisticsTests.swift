import Courses
import Statistics
import Testing
import TrackerCore
import Wording

@Suite struct CourseStatisticsTests {
  private let again: Comment = "repeat with: swift test --filter CourseStatisticsTests"

  /// A zigzag of 12 legs of 500 m to the north-east and the south-east; Amer is after 3 km.
  private static let course: MappedCourse = {
    let corners = (0...12).map { corner in
      "[\(2.5 + Double(corner) * 0.003621),\(42 + (corner % 2 == 0 ? 0 : 0.0036))]"
    }
    let json = """
      {"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":
      {"type":"LineString","coordinates":[\(corners.joined(separator: ","))]}},
      {"type":"Feature","properties":{"name":"Amer","kind":"checkpoint"},"geometry":
      {"type":"Point","coordinates":\(corners[6])}}]}
      """
    return try! MappedCourse(Array(json.utf8))
  }()

  /// Where the course is after so many metres.
  private func place(_ metres: Double) -> Coordinate {
    let points = Self.course.points
    let next = points.firstIndex { Double($0.alongMillimetres) >= metres * 1000 } ?? 0
    guard next > 0 else { return points[0].position }
    let (a, b) = (points[next - 1], points[next])
    let share =
      (metres * 1000 - Double(a.alongMillimetres))
      / Double(b.alongMillimetres - a.alongMillimetres)
    func between(_ a: Int32, _ b: Int32) -> Int32 { a + Int32(Double(b - a) * share) }
    return Coordinate(
      latitude: between(a.position.latitude, b.position.latitude),
      longitude: between(a.position.longitude, b.position.longitude))
  }

  /// A walk at 1 m/s along the course, a capture every so many seconds.
  private func walk(
    _ metres: ClosedRange<Double>, every seconds: Double, isTimed: Bool = true
  ) -> [TrackPoint] {
    stride(from: metres.lowerBound, through: metres.upperBound, by: seconds).map {
      TrackPoint(
        place($0), utc: isTimed ? Fixture.start + Milliseconds(Int64($0 * 1000)) : nil)
    }
  }

  @Test func `Captures ten minutes apart are too short in straight lines, and exact on the course`()
    throws
  {
    let found = SessionStatistics(walk(0...5400, every: 600), every: 1000, on: Self.course)
    #expect(found.whole.metres < 4000, "\(found.whole.metres); \(again)")
    let along = try #require(found.course?.metres)
    #expect(abs(along - 5400) < 20, "\(along); \(again)")
    let text = StatisticsText(found, in: .english)
    #expect(text.lines[0].hasPrefix("distance:   at least 3."), "\(text.text); \(again)")
    #expect(
      text.lines[1].hasPrefix("course:     5.4") && text.lines[1].hasSuffix("km 0.0 to km 5.4"),
      "\(text.text); \(again)")
  }

  @Test func `The marks are the course's, each with the time since the one before`() throws {
    let found = try #require(
      SessionStatistics(walk(0...5400, every: 60), every: 2000, on: Self.course).course)
    #expect(found.marks.map { $0.mark.name } == ["", "Amer", ""], "\(found.marks); \(again)")
    // At 1 m/s a metre is a second; the time begins 50 m after the start, and Amer's circle 100 m
    // before it.
    let partials = found.marks.map { Double($0.partial.count) / 1000 }
    for (partial, wanted) in zip(partials, [1950.0, 900, 1100]) {
      #expect(abs(partial - wanted) < 15, "\(partials); \(again)")
    }
    #expect(
      found.marks.allSatisfy { abs(($0.pace ?? 0).count - 1_000_000) < 15_000 },
      "\(found.marks.map(\.pace)); \(again)")
  }

  @Test func `A tracker that was switched on late has gone what lies after that`() throws {
    let found = try #require(
      SessionStatistics(walk(2500...5400, every: 60), on: Self.course).course)
    #expect(abs((found.from ?? 0) - 2500) < 20 && abs((found.metres ?? 0) - 2900) < 30, again)
    let first = try #require(found.marks.first)
    #expect(first.mark.name == "Amer", "\(first); \(again)")
    #expect(abs(first.metres - 400) < 20 && abs(first.partial.count - 400_000) < 20_000, again)
  }

  @Test func `Elsewhere and without times there is no way along the course`() {
    let far = walk(0...3000, every: 60).map {
      TrackPoint(
        Coordinate(latitude: $0.position.latitude + 5_000_000, longitude: $0.position.longitude),
        utc: $0.utc)
    }
    let elsewhere = StatisticsText(SessionStatistics(far, on: Self.course), in: .english)
    #expect(elsewhere.lines[1] == "course:     never on the course", again)
    #expect(elsewhere.text.contains("km/h max"), "its own marks; \(again)")
    let undated = walk(0...3000, every: 60, isTimed: false)
    let text = StatisticsText(SessionStatistics(undated, on: Self.course), in: .english).text
    #expect(!text.contains("course:"), "\(text); \(again)")
  }

  @Test func `A file without times and altitudes has a line instead of empty rows`() {
    let undated = walk(0...5000, every: 50, isTimed: false)
    let text = StatisticsText(SessionStatistics(undated, every: 50), in: .english)
    #expect(
      text.lines.dropFirst() == [
        "note:       the points have no times",
        "note:       nor altitudes: there are no partials to show",
      ], "\(text.text); \(again)")
    #expect(!text.hasTable && text.text.split(separator: "\n").count == 3, again)
    // With altitudes the rows say something.
    let high = undated.map { point in
      var point = point
      point.altitudeMillimetres = 100_000
      return point
    }
    #expect(StatisticsText(SessionStatistics(high), in: .english).hasTable, again)
  }
}
