import ControlRoom
import Reports
import Simulation
import TestSupport
import Testing
import TrackerCore

/// Who is ahead, and who is behind the timetable.
@Suite struct RankingTests {
  /// - Returns: what a team delivers that starts at a minute and walks for four hours.
  private static func walk(
    _ code: String, from start: Double, kilometresPerHour pace: Double
  ) -> [DeliveredCapture] {
    var team = ScriptedTeam(code)
    return team.walk(start...start + 240, from: 0, kilometresPerHour: pace)
  }

  private static func room(_ arrivals: [DeliveredCapture], _ plan: RacePlan) -> Room {
    var room = Room(plan)
    for arrival in arrivals { _ = room.take([arrival]) }
    return room
  }

  private static func timetable(_ text: String) throws -> CoursePlan {
    try CoursePlan(try Timetable(Array(text.utf8)), on: Race.course())
  }

  private static func minutes(_ time: Milliseconds?) -> Double? {
    time.map { Double($0.count) / 60_000 }
  }

  @Test func `First is who has passed the furthest place, and got there in the least time`() throws
  {
    // After four hours the first two are beyond Bescanó (km 20), the others beyond Amer (km 10).
    let arrivals = [("a", 6.0), ("b", 5.4), ("c", 4.5), ("d", 3.0), ("e", 2.0)].flatMap {
      Self.walk($0, from: 0, kilometresPerHour: $1)
    }
    let room = Self.room(arrivals, RacePlan(course: Race.course()))
    let rows = ["a", "b", "c", "d", "e"].map { room.row($0) }
    #expect(rows.map { $0?.standing?.rank } == [1, 2, 3, 4, nil])
    #expect(rows.map(\.?.rankedAt) == ["Bescanó", "Bescanó", "Amer", "Amer", nil])
    #expect(rows[0]?.standing?.behind == .seconds(0))
    // 20 km at 6 and at 5.4 km/h, 10 km at 6 and at 3 km/h.
    for (index, behind) in [(1, 22.2), (2, 33.3), (3, 100.0)] {
      let found = try #require(Self.minutes(rows[index]?.standing?.behind))
      #expect(abs(found - behind) < 4, "\(index): \(found)")
    }
  }

  @Test func `A team's time runs from its own start`() throws {
    let arrivals =
      Self.walk("early", from: 0, kilometresPerHour: 5)
      + Self.walk("late", from: 40, kilometresPerHour: 5)
      + Self.walk("fast", from: 40, kilometresPerHour: 5.5)
    let room = Self.room(arrivals, RacePlan(course: Race.course()))
    #expect(room.row("fast")?.standing?.rank == 1)
    #expect(room.row("early")?.standing == room.row("late")?.standing)
    #expect(room.row("early")?.standing?.rank == 2)
    // Unless the plan says when it was to start.
    let gun = try Self.timetable("place,time\nSortida,2026-04-18T08:00:00Z\nAmer,2:00\n")
    let timed = Self.room(arrivals, RacePlan(course: Race.course(), timetable: gun))
    #expect(timed.row("early")?.standing?.rank == 1)
    #expect(timed.row("late")?.standing?.rank == 3)
  }

  @Test func `A copied card is not ranked, and holds back nobody`() throws {
    var copy = ScriptedTeam("a", device: 4711)
    let arrivals =
      Self.walk("a", from: 0, kilometresPerHour: 6) + copy.walk(0...200, from: 0)
      + Self.walk("b", from: 0, kilometresPerHour: 5)
    let timetable = try Self.timetable("place,time\nAmer,2:00\n")
    let room = Self.room(arrivals, RacePlan(course: Race.course(), timetable: timetable))
    #expect(room.needs("a").contains(.cloned))
    #expect(room.row("a")?.standing == nil && room.row("b")?.standing?.rank == 1)
    #expect(room.row("a")?.behindPlan == nil && room.row("b")?.behindPlan != nil)
  }

  @Test(arguments: Share.of(Array(UInt64(1)...12), atOnce: 4))
  func `Any order of arrivals gives the same ranking, and nobody falls back to an earlier place`(
    _ seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed, stream: 703)
    let arrivals = (0..<6).flatMap { number in
      Self.walk(
        "\(number)", from: Double(random.whole(in: 0...40)),
        kilometresPerHour: 3 + 3 * random.unit())
    }
    let plan = RacePlan(
      course: Race.course(), timetable: try Self.timetable("place,time\nAmer,2:00\nBescanó,4:00\n"))
    func table(_ room: Room) -> [String] {
      room.board.rows.map { row in
        "\(row.tracker) \(row.rankedAt ?? "") \(row.standing.debugDescription) "
          + row.behindPlan.debugDescription
      }.sorted()
    }
    let inOrder = Self.room(arrivals.sorted { $0.at < $1.at }, plan)
    #expect(Set(inOrder.board.rows.compactMap(\.standing?.rank)).count >= 5)
    var mixed = Room(plan)
    var places: [String: Int] = [:]
    for arrival in arrivals.shuffled(using: &random) {
      _ = mixed.take([arrival])
      let place = mixed.row(arrival.tracker)?.standing?.place ?? 0
      #expect(place >= places[arrival.tracker] ?? 0, "seed \(seed): \(arrival.tracker)")
      places[arrival.tracker] = place
    }
    #expect(
      table(mixed) == table(inOrder), "repeat with: SHARE=all swift test --filter RankingTests")
  }

  // MARK: The timetable

  @Test func `Behind the timetable is what the last place says, or the wait for the next one`()
    throws
  {
    let timetable = try Self.timetable(
      "place,time,team\nAmer,1:40,\nBescanó,6:00,\nAmer,2:30,Fast\n")
    let plan = RacePlan(
      course: Race.course(), teams: [RosterTeam(number: "7", name: "Fast")], timetable: timetable)
    func behind(_ code: String, _ hours: Double, _ pace: Double) -> Double? {
      var team = ScriptedTeam(code)
      let arrivals = team.walk(0...hours * 60, from: 0, kilometresPerHour: pace)
      return Self.minutes(Self.room(arrivals, plan).row(code)?.behindPlan)
    }
    // The time runs from where the start's circle ends, to where that of a place begins.
    for (code, hours, pace, expected) in [
      ("8", 3.0, 5.0, 18.0), ("8", 1.5, 5.0, nil), ("8", 3.0, 3.0, 78.0), ("7", 3.0, 5.0, -32.0),
    ] {
      let found = behind(code, hours, pace)
      #expect((found == nil) == (expected == nil), "\(code) \(hours) \(pace)")
      if let found, let expected { #expect(abs(found - expected) < 4, "\(code): \(found)") }
    }
    var team = ScriptedTeam("8")
    let row = Self.room(team.walk(0...180, from: 0), plan).row("8")
    let planned = try #require(row?.planned)
    #expect(abs((planned - Race.at(361)).count) < 60_000)
  }

  @Test func `A timetable informs: with another one the diary goes on`() throws {
    var before = RacePlan(course: Race.course(closes: 200))
    before.timetable = try Self.timetable("place,time\nAmer,1:00\n")
    let room = Self.room(Self.walk("a", from: 0, kilometresPerHour: 3), before)
    var diary: [DiaryEntry] = []
    var again = Room(before)
    for arrival in Self.walk("a", from: 0, kilometresPerHour: 3) { diary += again.take([arrival]) }
    #expect(!room.alarms.isEmpty)
    var after = before
    after.timetable = try Self.timetable("place,time\nAmer,9:00\n")
    let resumed = Room.resume(diary, after)
    #expect(resumed.written.isEmpty && resumed.room.alarms == room.alarms)
    #expect(resumed.room.row("a")?.behindPlan != room.row("a")?.behindPlan)
  }
}
