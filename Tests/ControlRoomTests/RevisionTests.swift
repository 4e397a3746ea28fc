import Simulation
import TestSupport
import Testing
import TrackerCore

@testable import ControlRoom

/// What a server says of captures after it has stored them.
@Suite struct RevisionTests {
  private static let again: Comment = "repeat with: SHARE=all swift test --filter RevisionTests"

  /// Some captures of a race are changed, given to another team, deleted, or come back.
  private static func revisions(
    of arrivals: [DeliveredCapture], _ random: inout SeededGenerator
  ) -> [DeliveredCapture] {
    var revisions: [DeliveredCapture] = []
    func say(_ capture: DeliveredCapture, isGone: Bool = false) {
      var one = capture
      one.revision = Int64(revisions.count + 1)
      one.isGone = isGone
      revisions.append(one)
    }
    let stored = arrivals.filter { $0.refusal == nil }
    for _ in 0..<30 {
      guard var one = stored.randomElement(using: &random) else { continue }
      switch random.whole(in: 0...3) {
      case 0:
        one.position = Race.position(30 * random.unit())
        one.taken = one.taken.map { $0 + .minutes(Int64(random.whole(in: 0...40))) }
        one.promise = nil
        say(one)
      case 1: say(one, isGone: true)
      case 2:
        say(one, isGone: true)
        one.tracker = random.whole(in: 0...1) == 0 ? "team 5" : "another"
        say(one)
      default:
        say(one, isGone: true)
        say(one)
      }
    }
    return revisions
  }

  @Test(arguments: Share.of(Array(UInt64(1)...12), atOnce: 3))
  func `Any order of what is said of captures, at first and since, ends in the same board`(
    _ seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed, stream: 702)
    let arrivals = ArrivalOrderTests.race(seed).sorted { $0.at < $1.at }
    let all = arrivals + Self.revisions(of: arrivals, &random)
    let inOrder = ArrivalOrderTests.end(all)
    #expect(
      inOrder.board.json != ArrivalOrderTests.end(arrivals).board.json, Self.again)
    for _ in 0..<3 {
      let mixed = ArrivalOrderTests.end(all.shuffled(using: &random))
      #expect(mixed.board.json == inOrder.board.json, Self.again)
      #expect(mixed.coverage == inOrder.coverage, Self.again)
    }
  }

  @Test(arguments: Share.of(Array(UInt64(1)...6), atOnce: 2))
  func `What is gone leaves nothing behind`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed, stream: 703)
    // Without numbers, of which none may be missing.
    let arrivals = ArrivalOrderTests.race(seed).filter { $0.refusal == nil }.map { arrival in
      var one = arrival
      one.sequence = nil
      return one
    }
    // Of one team all.
    let ids = Set(
      arrivals.filter {
        !$0.isEmergency && ($0.tracker == "team 0" || random.whole(in: 0...4) == 0)
      }.map(\.id))
    var gone = arrivals.filter { ids.contains($0.id) }
    for index in gone.indices { (gone[index].revision, gone[index].isGone) = (1, true) }
    let without = ArrivalOrderTests.end(arrivals.filter { !ids.contains($0.id) })
    let room = ArrivalOrderTests.end((arrivals + gone).shuffled(using: &random))
    #expect(room.board.json == without.board.json, Self.again)
    #expect(room.story(of: "team 0") == nil && room.row("team 0") == nil, Self.again)
    #expect(room.coverage == without.coverage, Self.again)
  }

  @Test func `A team of which all is gone has never been heard`() {
    var room = Room(RacePlan(teams: [RosterTeam(number: "7", name: "Els Senglars")]))
    var walker = ScriptedTeam("7")
    walker.capture(0, km: 1)
    let arrivals = walker.contact(0, promise: 20)
    room.feed(arrivals)
    _ = room.advance(to: Race.at(40))
    #expect(room.open.map(\.need) == [.silent])
    for var one in arrivals {
      (one.revision, one.isGone) = (1, true)
      _ = room.take([one])
    }
    #expect(room.row("7")?.heard == nil && room.row("7")?.name == "Els Senglars")
    #expect(room.open == [])
  }

  @Test func `A deleted capture is none that its tracker has set aside`() {
    var room = Room(RacePlan(course: Race.course()))
    var walker = ScriptedTeam("7")
    let arrivals = walker.walk(0...120, from: 0)
    room.feed(arrivals)
    var one = arrivals[4]
    (one.revision, one.isGone) = (1, true)
    _ = room.take([one])
    #expect(room.needs("7") == [])
    // Nor does it hide those that are.
    var other = Room(RacePlan(course: Race.course()))
    other.feed(arrivals.filter { $0.sequence != arrivals[4].sequence })
    #expect(other.needs("7") == [.incomplete])
  }

  @Test(arguments: [true, false])
  func `A call for help stays as it came, whatever a server says of it later`(_ isFirst: Bool) {
    for isGone in [true, false] {
      var room = Room(RacePlan(course: Race.course()))
      var walker = ScriptedTeam("7")
      walker.capture(0, km: 1) { ($0.isEmergency, $0.trigger) = (true, .emergency) }
      let call = walker.contact(0)
      var said = call[0]
      (said.revision, said.isGone, said.isEmergency, said.trigger) = (1, isGone, false, .interval)
      room.feed([])
      for one in isFirst ? [said] + call : call + [said] { _ = room.take([one]) }
      #expect(room.needs("7") == [.emergency] && room.open.map(\.need) == [.emergency])
      // What it says of the place is taken.
      var moved = call[0]
      (moved.revision, moved.position) = (2, Race.position(3))
      _ = room.take([moved])
      #expect(room.row("7")?.position == Race.position(3) && room.needs("7") == [.emergency])
    }
  }

  /// A card that has lost captures gives their identifiers away again.
  @Test(arguments: [-40, 40], [Trigger.interval, .emergencyOver])
  func `A call with another capture's identifier is heard, and in any order the board is the same`(
    _ minutes: Int64, _ trigger: Trigger
  ) {
    var walker = ScriptedTeam("7")
    walker.capture(60, km: 1) { $0.trigger = trigger }
    let usual = walker.contact(60)[0]
    var (call, changed) = (usual, usual)
    (call.isEmergency, call.trigger, call.position) = (true, .emergency, Race.position(3))
    call.at = usual.at + .minutes(minutes)
    call.taken = usual.taken.map { $0 + .minutes(minutes) }
    (changed.revision, changed.position) = (1, Race.position(5))
    // What a server says of the end of a call counts more than what came.
    for all in [[usual, call]] + (trigger == .interval ? [[usual, call, changed]] : []) {
      let orders = all.indices.flatMap { shift in
        [Array(all[shift...] + all[..<shift]), Array((all[shift...] + all[..<shift]).reversed())]
      }
      let rooms = orders.map { ArrivalOrderTests.end($0) }
      #expect(Set(rooms.map(\.board.json)).count == 1, Self.again)
      #expect(rooms[0].needs("7").contains(.emergency), Self.again)
      #expect(rooms[0].row("7")?.position == Race.position(3), Self.again)
    }
  }

  @Test func `A diary with what was changed and deleted makes the same room again`() throws {
    var random = SeededGenerator(seed: 1, stream: 704)
    let arrivals = ArrivalOrderTests.race(1).sorted { $0.at < $1.at }
    let plan = RacePlan(course: Race.course(closes: 300))
    var room = Room(plan)
    var entries: [DiaryEntry] = []
    for arrival in arrivals { entries += room.take([arrival]) }
    for one in Self.revisions(of: arrivals, &random) { entries += room.take([one]) }
    entries += room.advance(to: Race.at(700))
    var chain = DiaryChain()
    let kept = entries.map { chain.seal($0, salt: "salt") }
    let read = try DiaryEntry.all(of: kept)
    var again = try Room(plan).replay(read[...])
    #expect(again.advance(to: Race.at(700)) == [], Self.again)
    #expect(again.board == room.board && again.alarms == room.alarms, Self.again)
    let acts = DiaryRecord.all(read).filter { $0.kind == .arrived }.map(\.act)
    #expect(Set(acts) == [nil, "changed", "deleted"])
  }
}
