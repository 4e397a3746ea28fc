import ControlRoom
import Testing
import TrackerCore

/// What people do with alarms, and what is written down of it.
@Suite struct DiaryTests {
  private static let plan = RacePlan(course: Race.course(closes: 300))

  /// A room with a diary: a lost team, silences, and people who act.
  private static func evening(ticking: Bool = false) throws -> (Room, [DiaryEntry]) {
    var room = Room(plan)
    var diary: [DiaryEntry] = []
    var arrivals: [DeliveredCapture] = []
    for number in 0..<5 {
      var walker = ScriptedTeam("team \(number)")
      arrivals += walker.walk(Double(number)...Double(100 + number * 40), from: 0)
      walker.capture(300, km: 12, east: 400)
      walker.capture(315, km: 12, east: 700)
      arrivals += walker.contact(315 + Double(number))
    }
    var acts: [(UTC, Act, String)] = [
      (Race.at(170), .see(alarm: 1), "Marta"), (Race.at(171), .take(alarm: 1), "Pau"),
      (Race.at(172), .note(tracker: "team 0", text: "rings, nobody answers; \"té\" <b>"), "Pau"),
      (Race.at(190), .resolve(alarm: 1, reason: "at the bar"), "Pau"),
    ]
    for arrival in arrivals.sorted(by: { $0.at < $1.at }) {
      while let (at, act, person) = acts.first, at <= arrival.at {
        diary += try room.act(act, by: person, at: at)
        acts.removeFirst()
      }
      if ticking {
        diary += room.advance(to: arrival.at + .seconds(-30))
        diary += room.advance(to: arrival.at + .seconds(-1))
      }
      diary += room.take([arrival])
    }
    diary += room.advance(to: Race.at(400))
    return (room, diary)
  }

  private static func read(_ diary: [DiaryEntry]) throws -> [DiaryEntry] {
    var chain = DiaryChain()
    return try diary.map { entry throws in try chain.read(entry.line, hash: entry.hash) }
  }

  @Test func `A diary that is read again gives the same room`() throws {
    let (room, diary) = try Self.evening()
    #expect(diary.count > 40)
    #expect(room.alarms.count > 3)
    let read = try Self.read(diary)
    #expect(read.map(\.line) == diary.map(\.line))
    var again = try Room.replay(read, Self.plan)
    _ = again.advance(to: Race.at(400))
    #expect(again.board.figure.json == room.board.figure.json)
    #expect(again.alarms == room.alarms)
    #expect(again.diary == room.diary)
  }

  @Test func `How often the host tells the time changes nothing`() throws {
    let (room, diary) = try Self.evening()
    let (other, ticked) = try Self.evening(ticking: true)
    #expect(ticked.map(\.line) == diary.map(\.line))
    #expect(other.board.figure.json == room.board.figure.json)
  }

  @Test(arguments: [0, 7, -1])
  func `A changed, missing or swapped entry is found`(_ index: Int) throws {
    let (_, diary) = try Self.evening()
    let place = index < 0 ? diary.count - 2 : index
    for change in 0..<3 {
      var lines = diary.map { ($0.line, $0.hash) }
      switch change {
      case 0: lines[place].0 = lines[place].0.replacing("1", with: "2")
      case 1: lines.remove(at: place)
      default: lines.swapAt(place, place + 1)
      }
      var chain = DiaryChain()
      let problem = #expect(throws: DiaryError.self) {
        for (line, hash) in lines { _ = try chain.read(line, hash: hash) }
      }
      #expect(problem?.entry == place + 1)
    }
  }

  @Test func `A diary on another course is refused`() throws {
    let (_, diary) = try Self.evening()
    let read = try Self.read(diary)
    let problem = #expect(throws: DiaryError.self) {
      _ = try Room.replay(read, RacePlan(course: nil))
    }
    #expect(problem?.texts.english.contains("use the course") == true)
  }

  // MARK: Acts

  private func standing() -> Room {
    var room = Room(RacePlan(course: Race.course()))
    var walker = ScriptedTeam("7")
    for minute in stride(from: 0.0, through: 40, by: 10) {
      walker.capture(minute, km: 1 + minute / 12)
    }
    room.feed(walker.contact(40, promise: nil))
    for minute in stride(from: 50.0, through: 110, by: 10) { walker.capture(minute, km: 5) }
    room.feed(walker.contact(110, promise: nil))
    return room
  }

  @Test func `An alarm is seen, taken and closed`() throws {
    var room = standing()
    #expect(room.open.map(\.need) == [.standing])
    _ = try room.act(.see(alarm: 1), by: "Marta", at: Race.at(111))
    #expect(room.alarms[0].state == .seen(by: "Marta"))
    _ = try room.act(.take(alarm: 1), by: "Pau", at: Race.at(112))
    #expect(room.alarms[0].state == .taken(by: "Pau"))
    _ = try room.act(.see(alarm: 1), by: "Marta", at: Race.at(113))
    #expect(room.alarms[0].state == .taken(by: "Pau"))
    _ = try room.act(.resolve(alarm: 1, reason: "asleep"), by: "Pau", at: Race.at(114))
    #expect(room.alarms[0].state == .resolved(by: "Pau", reason: "asleep"))
    #expect(room.open.isEmpty)
  }

  @Test func `A closed alarm comes again only for something new`() throws {
    var room = standing()
    _ = try room.act(.resolve(alarm: 1, reason: "asleep"), by: "Pau", at: Race.at(114))
    var walker = ScriptedTeam("7")
    walker.sequence = 12
    for minute in stride(from: 120.0, through: 200, by: 10) { walker.capture(minute, km: 5) }
    room.feed(walker.contact(200, promise: nil))
    #expect(room.open.isEmpty)
    walker.capture(210, km: 6)
    for minute in stride(from: 220.0, through: 300, by: 10) { walker.capture(minute, km: 7) }
    room.feed(walker.contact(300, promise: nil))
    #expect(room.open.map(\.number) == [2])
  }

  @Test func `Long texts are cut, and replay as they were cut`() throws {
    var room = standing()
    let long = String(repeating: "é", count: 1 << 20)
    let entries =
      try room.act(.note(tracker: long, text: long), by: long, at: Race.at(111))
      + room.act(.resolve(alarm: 1, reason: long), by: long, at: Race.at(112))
    #expect(entries.allSatisfy { $0.line.utf8.count < 4_000 })
    guard case .resolved(let person, let reason) = room.alarms[0].state else {
      Issue.record("\(room.alarms[0].state)")
      return
    }
    #expect(person.count == 500 && reason.count == 500)
  }

  @Test func `What cannot be done says why`() throws {
    var room = standing()
    func problem(_ act: Act) -> String? {
      var other = room
      let error = #expect(throws: ActError.self) {
        _ = try other.act(act, by: "Pau", at: Race.at(120))
      }
      return error?.texts.english
    }
    #expect(problem(.take(alarm: 9)) == "there is no alarm 9")
    #expect(problem(.take(alarm: 0)) == "there is no alarm 0")
    #expect(problem(.resolve(alarm: 1, reason: "  ")) == "say why the alarm is closed")
    _ = try room.act(.resolve(alarm: 1, reason: "asleep"), by: "Marta", at: Race.at(114))
    #expect(problem(.take(alarm: 1)) == "alarm 1 was closed by Marta already")
  }
}
