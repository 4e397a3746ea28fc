import Testing
import TrackerCore

@testable import ControlRoom

/// Teams of the table of which nothing comes.
@Suite struct UnheardTests {
  private static func room(teams: [String] = ["7", "8", "9"]) -> Room {
    var plan = RacePlan(course: Race.course(opens: 0))
    plan.teams = teams.map { RosterTeam(number: $0, name: "Team \($0)") }
    return Room(plan)
  }

  @Test func `Who is not heard within half an hour of the start needs a human, in one alarm`() {
    var room = Self.room()
    #expect(room.advance(to: Race.at(-60)).isEmpty)
    #expect(room.advance(to: Race.at(29)).isEmpty)
    var walker = ScriptedTeam("7")
    walker.capture(5, km: 0.3)
    room.feed(walker.contact(6, promise: nil))
    #expect(room.open.isEmpty)
    _ = room.advance(to: Race.at(31))
    #expect(room.open.map(\.need) == [.unheard] && room.open.first?.trackers == ["8", "9"])
    #expect(room.open.first?.raisedAt == Race.at(30) && room.open.first?.since == Race.start)
    #expect(room.needs("8") == [.unheard] && room.needs("7").isEmpty)
    var late = ScriptedTeam("8")
    late.capture(40, km: 1)
    room.feed(late.contact(41, promise: nil))
    #expect(room.open.map(\.number) == [1] && room.open.first?.trackers == ["9"])
    room.use([])
    _ = room.advance(to: Race.at(42))
    #expect(room.open.isEmpty)
  }

  @Test func `A team that did not start is closed once, and stays so`() throws {
    var room = Self.room(teams: ["8"])
    _ = room.advance(to: Race.at(40))
    _ = try room.act(.resolve(alarm: 1, reason: "did not start"), by: "Marta", at: Race.at(41))
    _ = room.advance(to: Race.at(600))
    #expect(room.open.isEmpty && room.alarms.count == 1)
  }

  @Test func `The hours of last year's course raise nothing`() {
    var room = Self.room()
    _ = room.advance(to: Race.at(366 * 24 * 60))
    #expect(room.alarms.isEmpty)
  }

  @Test func `The diary replays to the same alarm`() throws {
    var room = Self.room()
    var written = room.advance(to: Race.at(10))
    written += room.advance(to: Race.at(35))
    var walker = ScriptedTeam("7")
    walker.capture(45, km: 3)
    written += room.take(walker.contact(46))
    let again = try Room(Self.room().plan).replay(written[...])
    #expect(again.alarms.map(\.topic) == room.alarms.map(\.topic) && !room.alarms.isEmpty)
    #expect(again.board == room.board)
  }
}
