import ControlRoom
import Reports
import Simulation
import TestSupport
import Testing
import TrackerCore

/// Captures come late, twice and in any order.
@Suite struct ArrivalOrderTests {
  /// A race with a hole, a lost team, one that stops and a copied card.
  static func race(_ seed: UInt64) -> [DeliveredCapture] {
    var random = SeededGenerator(seed: seed, stream: 700)
    var arrivals: [DeliveredCapture] = []
    for number in 0..<6 {
      var walker = ScriptedTeam("team \(number)")
      let begin = Double(random.whole(in: 0...40))
      let pace = 3 + 3 * random.unit()
      let hole = begin + Double(random.whole(in: 60...120))
      arrivals += walker.walk(
        begin...begin + 240, from: 0, kilometresPerHour: pace, silentFrom: hole,
        silentTo: hole + Double(random.whole(in: 30...80)))
      if number == 1 {
        for step in 0..<6 { walker.capture(begin + 260 + Double(step) * 10, km: 15, east: 2000) }
        arrivals += walker.contact(begin + 320)
      }
      if number == 2 {
        var copy = ScriptedTeam("team 2", device: 4711)
        arrivals += copy.walk(begin...begin + 100, from: 0)
      }
      if number == 3 {
        walker.capture(begin + 250, km: 12) { $0.isEmergency = true }
        arrivals += walker.contact(begin + 250)
      }
      if number == 4 {
        // The server refuses three, and stores one of them when it comes again.
        for step in 0..<3 {
          walker.capture(begin + 250 + Double(step), km: 12) { $0.refusal = "too long" }
        }
        var refused = walker.contact(begin + 260)
        arrivals += refused
        refused[1].refusal = nil
        refused[1].at = Race.at(begin + 270)
        arrivals.append(refused[1])
      }
    }
    return arrivals
  }

  static func end(_ arrivals: [DeliveredCapture]) -> Room {
    var plan = RacePlan(course: Race.course(closes: 300))
    plan.timetable = try! CoursePlan(
      try! Timetable(Array("place,time\nAmer,2:00\n".utf8)), on: Race.course())
    var room = Room(plan)
    for arrival in arrivals { _ = room.take([arrival]) }
    _ = room.advance(to: Race.at(700))
    return room
  }

  @Test(arguments: Share.of(Array(UInt64(1)...12), atOnce: 4))
  func `Any order of arrivals, with repeats, ends in the same board`(_ seed: UInt64) {
    let arrivals = Self.race(seed)
    let inOrder = Self.end(arrivals.sorted { $0.at < $1.at })
    var random = SeededGenerator(seed: seed, stream: 701)
    var shuffled = arrivals.shuffled(using: &random)
    for _ in 0..<arrivals.count / 3 {
      // A repeat comes later, and is the same otherwise.
      var again = arrivals[random.whole(in: 0...arrivals.count - 1)]
      let contacts = arrivals.filter { $0.tracker == again.tracker && $0.at >= again.at }
      guard let later = contacts.randomElement(using: &random) else { continue }
      (again.at, again.promise, again.silence) = (later.at, later.promise, later.silence)
      shuffled.insert(again, at: random.whole(in: 0...shuffled.count))
    }
    let mixed = Self.end(shuffled)
    #expect(
      mixed.board.json == inOrder.board.json,
      "repeat with: SHARE=all swift test --filter ArrivalOrderTests")
    #expect(mixed.coverage == inOrder.coverage)
  }

  @Test func `A late capture moves nobody back`() {
    var walker = ScriptedTeam("7")
    let early = walker.walk(0...60, from: 0, silentFrom: 15, silentTo: 55)
    var room = Room(RacePlan(course: Race.course()))
    // The contact at 60 sends the newest capture first.
    let last = early.last { $0.taken == Race.at(60) }
    let others = early.filter { $0 != last }.sorted { $0.at < $1.at }
    room.feed(others.filter { $0.at < Race.at(59) } + [last].compactMap(\.self))
    let before = room.row("7")
    #expect(before?.done.map { $0 > 4900 } == true)
    room.feed(others)
    #expect(room.row("7")?.done == before?.done)
    #expect(room.row("7")?.taken == Race.at(60))
  }

  @Test func `A repeat that comes before its original is the later one all the same`() {
    var walker = ScriptedTeam("7")
    for number in 1...4 { walker.capture(Double(number), km: Double(number) * 0.1) }
    walker.waiting.remove(at: 1)
    let arrivals = walker.contact(5)
    var again = arrivals[1]
    again.at = Race.at(20)
    // Of one request with the third capture, the first one would show that the second is missing.
    var third = arrivals[2]
    third.at = Race.at(20)
    let boards = [[arrivals[1], again, third], [again, third, arrivals[1]]].map { order in
      var room = Room(RacePlan())
      for arrival in order { _ = room.take([arrival]) }
      return room.board.json
    }
    #expect(boards[0] == boards[1])
    #expect(!boards[0].contains("incomplete"))
  }

  @Test func `Of two captures with one identifier the one that came first counts`() {
    var walker = ScriptedTeam("7")
    for number in 1...3 { walker.capture(Double(number), km: Double(number)) }
    let arrivals = walker.contact(5)
    // Its card has lost the second one, and another one has its number.
    var other = arrivals[1]
    other.at = Race.at(9)
    other.position.latitude += 90_000
    other.taken = nil
    let orders = [arrivals + [other], [other] + arrivals]
    let rooms = orders.map { order in
      var room = Room(RacePlan(course: Race.course()))
      for arrival in order { _ = room.take([arrival]) }
      return room
    }
    #expect(rooms[0].board.json == rooms[1].board.json)
    #expect(rooms.map { $0.row("7")?.undated } == [0, 0])
  }

  @Test func `Six thousand trackers have a row, and more are counted`() {
    var room = Room(RacePlan())
    _ = room.take(
      (0..<6003).flatMap { number in
        var walker = ScriptedTeam("\(number)", device: UInt64(number))
        walker.capture(0, km: 1)
        return walker.contact(0, promise: nil)
      })
    #expect(room.board.rows.count == 6000)
    #expect(room.refused == 3)
  }

  @Test(arguments: [Int64.min, -1, 0, 1_000, 253_402_300_799_999, .max])
  func `Nonsense in what arrives neither traps nor hangs nor counts`(_ number: Int64) {
    var room = Room(RacePlan(course: Race.course(closes: 300)))
    var walker = ScriptedTeam("7")
    room.feed(walker.walk(0...60, from: 0))
    let before = room.row("7")
    let utc = UTC(milliseconds: number)
    let changes: [(inout DeliveredCapture) -> Void] = [
      { $0.at = utc }, { $0.taken = utc }, { $0.promise = utc },
      { ($0.at, $0.promise) = (utc, utc) },
      { $0.batteryPercent = .nan }, { $0.batteryPercent = Double(number) },
      { $0.position = Coordinate(latitude: .max, longitude: .min) }, { $0.tracker = "" },
      { $0.sequence = .max }, { $0.tracker = String(repeating: "x", count: 100_000) },
    ]
    for change in changes {
      walker.capture(30, km: 2)
      for var arrival in walker.contact(61) {
        change(&arrival)
        _ = room.take([arrival])
      }
    }
    let year = UTC(milliseconds: 253_402_300_799_999)
    _ = room.advance(to: min(max(utc, Race.at(62)), year))
    #expect(room.row("7")?.taken == before?.taken)
    #expect(room.row("7")?.done == before?.done)
    #expect(room.refused > 0)
  }
}
