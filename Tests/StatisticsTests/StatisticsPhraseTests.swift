import Statistics
import TestSupport
import Testing
import TrackerCore
import Wording

@Suite struct StatisticsPhraseTests {
  private let again: Comment = "repeat with: swift test --filter StatisticsPhraseTests"

  @Test func `No text lacks a translation or an argument`() {
    #expect(
      problems(
        of: StatisticsPhrase.self,
        sameAsEnglish: [
          "distance", "altitude", "note", "min/km", "km/h max", "altitude m",
        ]) == [], again)
  }

  @Test(arguments: Language.all)
  func `No line is wider than a terminal`(_ language: Language) {
    var points = Fixture.walk(seconds: 3000)
    points += Fixture.points([(90_000, 30 * 3600, 2500), (190_000, 60 * 3600, -20)])
    points[1].position.latitude += 40_000
    points[5].utc = points[4].utc
    points[8].utc = points[2].utc
    points[9].utc = nil
    let text = StatisticsText(SessionStatistics(points), in: language).text
    for line in text.split(separator: "\n") {
      #expect(line.count <= 79, "\(line); \(again)")
    }
  }
}
