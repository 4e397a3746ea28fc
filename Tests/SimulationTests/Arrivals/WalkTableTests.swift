import Foundation
import Reports
import Statistics
import Testing
import TrackerCore
import Wording

/// What `stats --course` and `compare --course` print of two teams of the race, in each language.
@Suite struct WalkTableTests {
  private static let again = "repeat with: swift test --filter WalkTableTests"

  private static func walk(_ number: Int, _ team: String) -> Walk {
    Walk(
      team: team,
      points: RaceFixture.source(number).captures.compactMap { TrackPoint($0.capture) })
  }

  private static func expect(_ text: String, _ name: String, _ language: Language) throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Tables/\(name)-\(language.code).txt")
    if ProcessInfo.processInfo.environment["WRITE_TABLES"] != nil {
      try Data(text.utf8).write(to: file)
    }
    let golden = try String(contentsOf: file, encoding: .utf8)
    #expect(text == golden, "\(name) \(language); to change it: WRITE_TABLES=1 \(again)")
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 79 }, "\(text); \(again)")
  }

  @Test(arguments: Language.all)
  func `Statistics along the course read as the golden ones`(language: Language) throws {
    let statistics = SessionStatistics(
      Self.walk(3, "").points, every: 20_000, on: RaceFixture.course)
    try Self.expect(StatisticsText(statistics, in: language).text, "stats", language)
  }

  @Test(arguments: Language.all)
  func `A comparison of two teams reads as the golden one`(language: Language) throws {
    let comparison = ComparedWalks.comparison(
      [("2027.db", Self.walk(3, "Els Senglars")), ("2026.csv", Self.walk(5, ""))],
      on: RaceFixture.course, every: 20_000)
    try Self.expect(
      CourseComparisonText(comparison, in: language).text, "compare", language)
  }

  @Test(arguments: Language.all)
  func `A comparison with a plan reads as the golden one`(language: Language) throws {
    let plan = try Timetable(
      Array("place,time\nOlot,2026-04-18T08:00:00Z\nAmer,6:30\nGirona,14:00\nfinish,26:00".utf8))
    let comparison = try ComparedWalks.comparison(
      "2027.db", Self.walk(3, "Els Senglars"), with: plan, on: RaceFixture.course)
    try Self.expect(
      CourseComparisonText(comparison, in: language).text, "plan", language)
  }
}
