import FieldConsole
import Testing
import TrackerCore
import Wording

/// The status of a tracker on a course.
@Suite struct CourseStatusTests {
  private let note: Comment = "repeat with: swift test --filter CourseStatusTests"

  private var facts: TrackerFacts {
    var facts = TrackerFacts()
    facts.session.state = .running
    facts.course.done = 38_640
    facts.course.toGo = 62_760
    facts.course.place = "Anglès"
    facts.course.nextPlace = "Bescanó"
    facts.course.nextPlaceMetres = 11_040
    facts.course.arrival = 9_180_000
    facts.course.earliest = 8_340_000
    facts.course.latest = 10_020_000
    facts.course.finishArrival = 61_740_000
    facts.course.finishEarliest = 55_380_000
    facts.course.finishLatest = 68_100_000
    return facts
  }

  private func lines(_ facts: TrackerFacts, _ language: Language = .english) -> [String] {
    StatusScreen.page(of: facts, in: language).text(width: .max).split(separator: "\n").map(
      String.init)
  }

  @Test func `It shows the distance, the next place and the arrivals`() {
    let text = lines(facts)
    for line in [
      "course:         38.6 km done, 62.8 to go; at Anglès",
      "next:           Bescanó in 11.0 km",
      "there:          in 2 h 33 min (4 in 5 between 2 h 19 min and 2 h 47 min)",
      "arrival:        in 17 h 09 min (4 in 5 between 15 h 23 min and 18 h 55 min)",
    ] {
      #expect(text.contains(line), "\(line); \(note)")
    }
  }

  @Test func `Off the course and backwards are said, with since when`() {
    var facts = facts
    (facts.course.offCourseFor, facts.course.offCourseMetres, facts.course.backwardsFor) = (
      720_000, 230, 480_000
    )
    let line = lines(facts).first { $0.hasPrefix("course:") } ?? ""
    #expect(line.hasSuffix("; off the course for 12 min (230 m); moving backwards for 8 min"), note)
  }

  /// When the next place opens and closes, in minutes from now, and what is said of it.
  static let hours: [(opens: Int64?, closes: Int64?, text: String)] = [
    (nil, 200, "closes in 3 h 20 min"), (-60, 200, "closes in 3 h 20 min"),
    (30, 200, "opens in 30 min"), (30, nil, "opens in 30 min"),
    (30, 160, "closes in 2 h 40 min, perhaps before it gets there"),
    (nil, 138, "closes in 2 h 18 min, before it gets there"), (nil, -5, "closed 5 min ago"),
    (-90, 0, "closed 0 s ago"),
  ]

  @Test(arguments: hours)
  func `It says when the next place opens and closes, and whether that is too soon`(
    opens: Int64?, closes: Int64?, text: String
  ) {
    var facts = facts
    facts.course.opens = opens.map { .minutes($0) }
    facts.course.closes = closes.map { .minutes($0) }
    let line = lines(facts).first { $0.hasPrefix("next:") }
    #expect(line == "next:           Bescanó in 11.0 km; \(text)", note)
    #expect((try? TrackerFacts(message: facts.message)) == facts, note)
  }

  @Test func `Without an arrival it says when the next place closes`() {
    var facts = facts
    (facts.course.arrival, facts.course.earliest, facts.course.latest) = (nil, nil, nil)
    facts.course.closes = 600_000
    #expect(lines(facts).contains("next:           Bescanó in 11.0 km; closes in 10 min"), note)
  }

  @Test func `A course that cannot be used is said, with why`() {
    var facts = TrackerFacts()
    facts.course.problem = "a.json5:3: course: walk.gpx has no track".texts
    #expect(
      lines(facts).contains("course:         no: a.json5:3: course: walk.gpx has no track"), note)
    #expect((try? TrackerFacts(message: facts.message)) == facts, note)
  }

  @Test func `Its lines fit a terminal in each language, and go through a socket`() {
    for language in [Language.catalan, .spanish, .english, .french] {
      let more = lines(facts, language).filter { !lines(TrackerFacts(), language).contains($0) }
      #expect(more.count >= 4 && more.allSatisfy { $0.count <= 80 }, "\(more); \(note)")
    }
    #expect((try? TrackerFacts(message: facts.message)) == facts, note)
  }

  @Test func `A tracker that was not near its course yet says so`() {
    var facts = TrackerFacts()
    facts.course.toGo = 100_000
    #expect(lines(facts).contains("course:         not near it yet"), note)
  }

  @Test func `Without a course there is no line about it`() {
    #expect(!lines(TrackerFacts()).contains { $0.hasPrefix("course") || $0.hasPrefix("next:") })
  }
}
