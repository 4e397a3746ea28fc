import ControlRoom
import Courses
import Reports
import TestSupport
import Testing
import TrackerCore
import Wording

@testable import Simulation
@testable import tracker_sim

/// How what the control room said of places, hours and ranks is compared with what is true.
@Suite struct CourseScoreTests {
  private static let begin = UTC(milliseconds: 1_776_499_200_000)
  private static func at(_ minutes: Double) -> UTC {
    begin + Milliseconds(Int64(minutes * 60_000))
  }

  private static func position(_ km: Double) -> Coordinate {
    Coordinate(
      latitude: 420_000_000 + Int32((km * 1000 / 111_070 * 1e7).rounded()), longitude: 25_000_000)
  }

  /// 20 km to the north, with a place at 10 km that closes after two hours.
  private static func course() throws -> MappedCourse {
    func point(_ km: Double) -> String { "[2.5, \(Double(position(km).latitude) / 1e7)]" }
    func place(_ name: String, _ kind: String, _ km: Double, _ more: String = "") -> String {
      """
      {"type": "Feature", "properties": {"name": "\(name)", "kind": "\(kind)"\(more)},
       "geometry": {"type": "Point", "coordinates": \(point(km))}}
      """
    }
    let line = (0...40).map { point(Double($0) / 2) }.joined(separator: ", ")
    let json = """
      {"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {},
       "geometry": {"type": "LineString", "coordinates": [\(line)]}},
      \(place("Sortida", "start", 0)),
      \(place("Amer", "checkpoint", 10, ", \"closes\": \"2026-04-18T10:00:00Z\"")),
      \(place("Arribada", "finish", 20))]}
      """
    return try MappedCourse(Array(json.utf8))
  }

  /// A team that walks evenly from minute 0 on, heard every 10 minutes for three hours.
  private static func team(
    _ number: String, _ pace: Double, _ change: (inout TeamTruth) -> Void = { _ in }
  ) throws -> RehearsedTeam {
    let device = UniqueID(high: UInt64(number.utf8.first ?? 0), low: 7)
    let deliveries = (0...18).map { step -> Delivery in
      let minute = Double(step) * 10
      return Delivery(
        at: at(minute), tracker: number, team: number,
        id: UniqueID(device: device, sequence: UInt32(step + 1)), taken: at(minute),
        position: position(min(20, minute / 60 * pace)), promise: at(minute + 20))
    }
    var truth = TeamTruth(start: begin)
    truth.passages = try course().places.map { place in
      let km = Double(place.place.alongMillimetres / 1000 - place.place.radiusMetres) / 1000
      let minute = max(0, km) / pace * 60
      return minute <= 180 ? at(minute) : nil
    }
    change(&truth)
    return RehearsedTeam(number: number, name: number, deliveries: deliveries, truth: truth)
  }

  private static func score(_ teams: [RehearsedTeam], _ timetable: String? = nil) throws
    -> CourseScore
  {
    var plan = RacePlan(course: try course())
    plan.timetable = try timetable.map {
      try CoursePlan(try Timetable(Array($0.utf8)), on: try course())
    }
    let race = RehearsedRace(begin: begin, end: at(180), teams: teams)
    return CourseScore(race, RoomLog(of: race, plan), plan)
  }

  @Test func `A team that misses a closing counts, with the time that people had to act`() throws {
    let score = try Self.score([try Self.team("A", 6), try Self.team("B", 4)])
    #expect(score.late.count == 1)
    let lead = try #require(score.late.first?.lead)
    #expect(.minutes(10) < lead && lead < .minutes(110), "\(lead)")
  }

  @Test func `A team that gave up or fell silent before the closing is not late`() throws {
    let (gone, silent) = (
      try Self.team("B", 4) { $0.gaveUp = Self.at(100) },
      try Self.team("C", 4) {
        $0.periods = [.init(from: Self.at(100), until: nil, cause: .smashed)]
      }
    )
    #expect(try Self.score([gone, silent]).late.isEmpty)
    let later = try Self.team("B", 4) { $0.gaveUp = Self.at(130) }
    #expect(try Self.score([later]).late.count == 1)
  }

  @Test func `A passage that nothing was delivered after is none that the room misses`() throws {
    // Its last capture is from minute 180, at km 12.
    func missed(finished minute: Double) throws -> Int {
      try Self.score([Self.team("B", 4) { $0.passages[2] = Self.at(minute) }]).missedPassages
    }
    #expect(try missed(finished: 185) == 0)
    #expect(try missed(finished: 175) == 1)
  }

  @Test func `Passages, ranks and the plan are compared with the truth`() throws {
    let teams = [try Self.team("A", 6), try Self.team("B", 4), try Self.team("C", 5)]
    let score = try Self.score(teams, "place,time\nAmer,2:00\n")
    #expect(score.passageErrors.count == 3 && score.missedPassages == 0)
    #expect(score.passageErrors.allSatisfy { $0 < .minutes(2) }, "\(score.passageErrors)")
    #expect(score.planErrors.count == 3)
    #expect(score.planErrors.allSatisfy { $0 < .minutes(4) }, "\(score.planErrors)")
    #expect(score.pairs == 3 && score.rightPairs == 3)
    // What is true otherwise is a fault of the room's.
    let wrong = try Self.team("B", 4) { truth in
      truth.passages = truth.passages.map { $0.map { $0 + Milliseconds(-3_600_000) } }
    }
    let other = try Self.score([teams[0], wrong, teams[2]])
    #expect(other.rightPairs < other.pairs)
    #expect(other.passageErrors.contains { $0 > .minutes(50) })
  }
}
