import Courses
import Foundation
import Reports
import Testing
import TrackerCore
import Wording

@testable import Simulation
@testable import bench

/// An organiser's table of forty trackers.
@Suite struct PassageTableTests {
  private static let again = "repeat with: swift test --filter PassageTableTests"
  private static let plan = """
    place,time
    Olot,2026-04-18T08:00:00Z
    Amer,6:30
    Girona,14:00
    finish,26:00
    """

  private static func passed(_ call: TeamWay.Call) -> UTC? {
    if case .passed(let utc, _) = call.state { utc } else { nil }
  }

  @Test func `Forty teams are seen or inferred at each place, when they were there`() throws {
    var sources = (1...38).map { RaceFixture.source($0) }
    sources += (39...40).map { RaceFixture.source($0, isSynth: true) }
    let table = RaceFixture.table(sources)
    #expect(table.ways.count == 40 && table.places.count == 10, "\(Self.again)")
    for (number, source) in zip(1..., sources) {
      let way = try #require(table.ways.first { $0.team == "Team \(number)" })
      let log = RaceFixture.walk(number, isSynth: number > 38)
      #expect(way.isFinished, "\(source.name); \(Self.again)")
      for (index, arrival) in log.arrivals.enumerated() {
        let utc = try #require(
          Self.passed(way.calls[index + 1]), "\(source.name), place \(index + 1); \(Self.again)")
        // One capture in ten minutes.
        #expect(
          abs((utc - arrival).count) <= 16 * 60_000,
          "\(source.name), place \(index + 1): \((utc - arrival).count / 1000) s; \(Self.again)")
      }
    }
  }

  @Test func `A checkpoint that a short cut left out is missing, and no other`() throws {
    // Anglès is at km 38.7: five kilometres are walked two kilometres beside the course.
    let captures = RaceFixture.captures(RaceFixture.walk(7), device: 7, team: "Short") {
      (36_000...41_000).contains($0) ? 2500 : 0
    }
    let table = RaceFixture.table([.init(name: "7.csv", captures: captures)])
    let states = table.ways[0].calls.map(\.state)
    #expect(states[3] == .missing, "\(states); \(Self.again)")
    #expect(states.count { $0 == .missing } == 1, "\(states); \(Self.again)")
  }

  @Test func `Who stopped stands where since when, and what it has not reached is past due`() throws
  {
    var log = RaceFixture.walk(9)
    let stop = try #require(log.reports.firstIndex { $0.metres > 45_000 })
    for index in log.reports.indices where index > stop {
      log.reports[index].metres = log.reports[stop].metres
    }
    let captures = RaceFixture.captures(log, device: 9, team: "Stopped")
    let way = RaceFixture.table(
      [.init(name: "9.csv", captures: captures)], plan: try RaceFixture.plan(Self.plan)
    ).ways[0]
    #expect(abs((way.done ?? 0) - log.reports[stop].metres) < 300, "\(way); \(Self.again)")
    #expect(way.there == log.reports[stop].utc && !way.isFinished, "\(Self.again)")
    // Girona closes at midnight, and the plan's tolerance ends at 22:30.
    let girona = RaceFixture.start + .hours(14) + .minutes(30)
    #expect(way.calls[5].state == .pastDue(girona), "\(way.calls[5]); \(Self.again)")
    #expect(way.calls[4].state == .ahead, "no time is planned for it; \(Self.again)")
  }

  @Test func `Behind and ahead of the plan are told by the team's own start`() throws {
    let text = "place,time,team\nOlot,0:00,\nAmer,6:00,\nOlot,2026-04-18T09:00:00Z,Late\n"
    let plan = try RaceFixture.plan(text)
    let table = RaceFixture.table(
      [RaceFixture.source(3, team: "Late"), RaceFixture.source(4, team: "Other")], plan: plan)
    let late = table.ways[0].calls[2]
    #expect(late.due == RaceFixture.start + .hours(7), "\(late); \(Self.again)")
    let utc = try #require(Self.passed(late))
    #expect(late.behind == utc - (RaceFixture.start + .hours(7)), "\(Self.again)")
    #expect(table.ways[1].calls[2].due != nil, "\(Self.again)")
  }

  @Test
  func `Two trackers with one name are two rows, a cloned card is told, an export twice is one`() {
    let one = RaceFixture.source(1, team: "Same")
    let two = RaceFixture.source(2, team: "Same")
    let clone = PassageTable.Source(
      name: "clone.db",
      captures: RaceFixture.captures(RaceFixture.walk(3), device: 1, team: "Clone"))
    let twice = RaceFixture.table([one, one, two])
    #expect(twice.ways.count == 2 && twice.ways.allSatisfy { $0.clone == nil }, "\(Self.again)")
    let text = twice.text(in: .english)
    #expect(text.pieces(between: "another device has the same name").count == 3, "\(Self.again)")
    let table = RaceFixture.table([one, clone])
    #expect(
      Set(table.ways.map { "\($0.team) \($0.clone ?? "")" }) == ["Same 1.csv", "Clone clone.db"],
      "\(table.ways.map(\.team)); \(Self.again)")
  }

  @Test func `A store beside its export from before the course is one tracker, not a clone`() {
    let export = RaceFixture.source(1)
    var captures = export.captures
    for index in captures.indices {
      captures[index].capture.mark = CourseMark(doneMetres: Int32(index), toGoMetres: 1)
      captures[index].placeName = "Amer"
    }
    let store = PassageTable.Source(name: "1.db", captures: captures)
    for sources in [[export, store], [store, export]] {
      let ways = RaceFixture.table(sources).ways
      #expect(ways.count == 1 && ways[0].clone == nil, "\(Self.again)")
    }
  }

  @Test func `Captures without a trusted date count only as such, and another race's are told`() {
    var captures = RaceFixture.source(1).captures
    for index in captures.indices { captures[index].capture.isTimeTrusted = false }
    let table = RaceFixture.table([.init(name: "1.csv", captures: captures)])
    #expect(table.now == nil && table.ways[0].undated == captures.count, "\(Self.again)")
    #expect(table.text(in: .english).contains("No capture with a trusted date"), "\(Self.again)")
    let far = RaceFixture.captures(RaceFixture.walk(1), device: 1, team: "Far") { _ in 50_000 }
    #expect(RaceFixture.table([.init(name: "", captures: far)]).isElsewhere, "\(Self.again)")
    #expect(!RaceFixture.table([RaceFixture.source(1)]).isElsewhere, "\(Self.again)")
  }

  @Test func `A plan for a place that the course does not have is refused with its line`() {
    let error = #expect(throws: PlanError.self) {
      try RaceFixture.plan("place,time\nAmer,6:30\nParis,9:00\n")
    }
    #expect(
      error?.description.hasPrefix(
        "line 3: 'paris' is not a place of the course, which has Olot (km 0.0), Sant Feliu de ")
        == true, "\(String(describing: error)); \(Self.again)")
    let far = #expect(throws: PlanError.self) { try RaceFixture.plan("km,time\n25,6:30\n") }
    #expect(
      far?.description.hasPrefix("line 2: no place of the course is within 1 km of km 25.0; its ")
        == true, "\(String(describing: far)); \(Self.again)")
  }

  @Test func `A plan in kilometres is that of the places within a kilometre`() throws {
    let source = RaceFixture.source(4)
    let byName = RaceFixture.table(
      [source], plan: try RaceFixture.plan("place,time\nOlot,0:00\nAmer,6:30\nGirona,14:00\n"))
    let byMetres = RaceFixture.table(
      [source], plan: try RaceFixture.plan("km;time\n0;0:00\n30,9;6:30\n57,6;14:00\n"))
    #expect(byName == byMetres && byName.ways[0].calls[2].due != nil, "\(Self.again)")
    #expect(throws: PlanError.self) { try RaceFixture.plan("km,time\n31.3,6:30\n") }
  }

  @Test func `What lies before a tracker that was switched on late is unknown, not past due`()
    throws
  {
    let captures = Array(
      RaceFixture.source(4).captures.drop { capture in
        (capture.capture.utc ?? RaceFixture.start) < RaceFixture.start + .hours(8)
      }.prefix(3))
    let sources = [PassageTable.Source(name: "4.csv", captures: captures)]
    // Each time of the plan is over.
    let plan = "place,time\nOlot,2026-04-18T08:00:00Z\nAmer,0:10\nGirona,0:20\n"
    let way = RaceFixture.table(sources, plan: try RaceFixture.plan(plan)).ways[0]
    #expect((30_600..<57_000).contains(way.done ?? 0), "\(way); \(Self.again)")
    let metres = RaceFixture.course.places.map { $0.place.alongMillimetres / 1000 }
    for (call, metres) in zip(way.calls, metres) {
      let isBehind = metres + 200 < way.done ?? 0
      #expect((call.state == .unknown) == isBehind, "\(metres): \(call); \(Self.again)")
    }
    guard case .pastDue = way.calls[5].state else {
      Issue.record("Girona: \(way.calls[5]); \(Self.again)")
      return
    }
    // When it started nobody knows, if the plan does not say so.
    let without = RaceFixture.table(
      sources, plan: try RaceFixture.plan("place,time\nGirona,0:20\n"))
    #expect(without.ways[0].calls[5].due == nil, "\(without.ways[0].calls[5]); \(Self.again)")
    let text = without.text(in: .english)
    #expect(text.contains("Amer                     km  30.2  unknown\n"), "\(text); \(Self.again)")
    #expect(text.contains("unknown: it is past there"), "\(Self.again)")
  }

  @Test func `A place between two captures with the way beside the course in between is unknown`() {
    let all = RaceFixture.captures(RaceFixture.walk(7), device: 7, team: "Aside") {
      (36_000...41_000).contains($0) ? 2500 : 0
    }
    // The captures end before the next place: it is not missing yet.
    let metres = RaceFixture.walk(7).reports.prefix { $0.metres < 46_000 }.count
    let way = RaceFixture.table([.init(name: "7.csv", captures: Array(all.prefix(metres + 1)))])
      .ways[0]
    #expect(way.calls[3].state == .unknown, "\(way); \(Self.again)")
    #expect(way.calls[4].state == .ahead, "\(way); \(Self.again)")
  }

  @Test func `A name of 500 letters or with line ends widens no table`() throws {
    let long = String(repeating: "x", count: 500) + "\n\u{1B}[31m"
    let json = RaceFixture.geoJSON.replacingOccurrences(of: "Amer", with: String(long.prefix(500)))
    let course = try MappedCourse(Array(json.utf8))
    var source = RaceFixture.source(4)
    source.name = long
    for index in source.captures.indices { source.captures[index].capture.team = InlineText() }
    let text = PassageTable(of: [source], on: course).text(in: .english)
    #expect(text.contains("x…"), "\(text); \(Self.again)")
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 90 }, "\(text); \(Self.again)")
  }

  @Test func `A session before this one does not count, nor what comes after the time asked for`()
    throws
  {
    // The whole race of a fortnight ago, and this one's first hours.
    let now = RaceFixture.start + .hours(6)
    let captures = RaceFixture.captures(RaceFixture.walk(3), device: 3, team: "Twice")
    let before = captures.map {
      var capture = $0
      capture.capture.utc = capture.capture.utc.map { $0 + .hours(-14 * 24) }
      return capture
    }
    var after = captures.map {
      var capture = $0
      capture.capture.sequence += UInt32(before.count)
      return capture
    }
    after[0].capture.trigger = .start
    let way = RaceFixture.table([.init(name: "3.csv", captures: before + after)], at: now).ways[0]
    let only = RaceFixture.table(
      [.init(name: "3.csv", captures: after.filter { $0.capture.utc ?? now <= now })], at: now
    ).ways[0]
    #expect(way.calls.map(\.state) == only.calls.map(\.state), "\(way); \(Self.again)")
    #expect(way.done == only.done && !way.isFinished, "\(way); \(Self.again)")
    #expect((Self.passed(way.calls[1]) ?? now) > RaceFixture.start, "\(way); \(Self.again)")
  }

  @Test func `One tracker with a wrong year does not move the others' present`() throws {
    let sources = (1...4).map { RaceFixture.source($0) }
    let plan = try RaceFixture.plan(Self.plan)
    let right = RaceFixture.table(sources, plan: plan)
    var wrong = sources
    for index in wrong[2].captures.indices {
      guard let utc = wrong[2].captures[index].capture.utc else { continue }
      wrong[2].captures[index].capture.utc = utc + .hours(24 * 365)
    }
    let table = RaceFixture.table(wrong, plan: plan)
    let others = sources.indices.filter { $0 != 2 }.map { sources[$0] }
    #expect(table.now == RaceFixture.table(others, plan: plan).now, "\(Self.again)")
    #expect(table.ways.map(\.isApart) == [false, false, true, false], "\(Self.again)")
    #expect(right.ways.allSatisfy { !$0.isApart }, "\(Self.again)")
    let text = table.text(in: .english)
    #expect(text.contains("days from most others'"), "\(text); \(Self.again)")
  }

  @Test(arguments: Language.all)
  func `The table reads as the golden one`(language: Language) throws {
    let short = RaceFixture.captures(RaceFixture.walk(7), device: 7, team: "Drecera") {
      (36_000...41_000).contains($0) ? 2500 : 0
    }
    let part = RaceFixture.source(5, team: "Els Senglars").captures.prefix(70)
    let table = RaceFixture.table(
      [
        .init(name: "7.csv", captures: short), .init(name: "5.csv", captures: Array(part)),
        RaceFixture.source(2, team: ""),
      ], plan: try RaceFixture.plan(Self.plan))
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Tables/\(language.code).txt")
    let text = table.text(in: language)
    if ProcessInfo.processInfo.environment["WRITE_TABLES"] != nil {
      try Data(text.utf8).write(to: file)
    }
    let golden = try String(contentsOf: file, encoding: .utf8)
    #expect(text == golden, "\(language); to change it: WRITE_TABLES=1 \(Self.again)")
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 90 }, "\(Self.again)")
  }
}
