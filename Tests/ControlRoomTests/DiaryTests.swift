import Digests
import Simulation
import Testing
import TrackerCore
import Wording

@testable import ControlRoom

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

  private static func kept(_ diary: [DiaryEntry]) -> [KeptEntry] {
    var chain = DiaryChain()
    return diary.map { chain.seal($0, salt: "salt \($0.number)") }
  }

  private static func read(_ kept: [KeptEntry]) throws -> [DiaryEntry] {
    var chain = DiaryChain()
    let entries = try kept.map { entry throws in try chain.read(entry) }
    try chain.finish()
    return entries
  }

  private static func read(_ diary: [DiaryEntry]) throws -> [DiaryEntry] { try read(kept(diary)) }

  @Test func `A diary that is read again walks each way once, not for each arrival`() throws {
    let (room, diary) = try Self.evening()
    let again = try Room(Self.plan).replay(diary[...])
    #expect(room.walks > 40 && again.walks == 5)
    #expect(again.board.rows == room.board.rows)
  }

  @Test func `A diary that is read again gives the same room`() throws {
    let (room, diary) = try Self.evening()
    #expect(diary.count > 40)
    #expect(room.alarms.count > 3)
    let read = try Self.read(diary)
    #expect(read.map(\.line) == diary.map(\.line))
    var again = try Room(Self.plan).replay(read[...])
    _ = again.advance(to: Race.at(400))
    #expect(again.board.json == room.board.json)
    #expect(again.alarms == room.alarms)
    #expect(again.entryCount == room.entryCount)
  }

  @Test func `How often the host tells the time changes nothing`() throws {
    let (room, diary) = try Self.evening()
    let (other, ticked) = try Self.evening(ticking: true)
    #expect(ticked.map(\.line) == diary.map(\.line))
    #expect(other.board.json == room.board.json)
  }

  @Test(arguments: [0, 7, -1])
  func `A changed, missing or swapped entry is found`(_ index: Int) throws {
    let (_, diary) = try Self.evening()
    let place = index < 0 ? diary.count - 2 : index
    for change in 0..<3 {
      var lines = Self.kept(diary)
      switch change {
      case 0: lines[place].line = lines[place].line.replacing("1", with: "2")
      case 1: lines.remove(at: place)
      default: lines.swapAt(place, place + 1)
      }
      var chain = DiaryChain()
      let problem = #expect(throws: DiaryError.self) {
        for line in lines { _ = try chain.read(line) }
      }
      #expect(problem?.entry == place + 1)
    }
  }

  @Test func `A diary on another course is refused`() throws {
    let (_, diary) = try Self.evening()
    let read = try Self.read(diary)
    let problem = #expect(throws: DiaryError.self) {
      _ = try Room(RacePlan(course: nil)).replay(read[...])
    }
    #expect(problem?.texts.english.contains("use the course") == true)
  }

  // MARK: Another plan

  /// What people have done with an alarm: which, who and why.
  private static func states(_ room: Room) -> [String] {
    room.alarms.map { "\($0.need) \($0.subject) \($0.since.milliseconds) \($0.state)" }
  }

  /// Alarms that nobody has touched, as numbers differ.
  private static func board(_ room: Room) -> String { room.board.json }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `Another plan makes the room that has had it from the start, and acts keep their alarms`(
    _ seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed, stream: 702)
    let later = RacePlan(course: Race.course(closes: Double(random.whole(in: 40...110))))
    let (plans, arrivals) = (
      seed % 2 == 0 ? (Self.plan, later) : (RacePlan(course: Race.course()), later),
      try Self.arrivals()
    )
    var room = Room(plans.0)
    var diary: [DiaryEntry] = []
    for (index, arrival) in arrivals.enumerated() {
      diary += room.take([arrival])
      guard index % 7 == 6, let alarm = room.open.randomElement(using: &random) else { continue }
      let act: Act =
        switch random.whole(in: 0...2) {
        case 0: .see(alarm: alarm.number)
        case 1: .take(alarm: alarm.number)
        default: .resolve(alarm: alarm.number, reason: "seen \(index)")
        }
      diary += try room.act(act, by: "Pau \(index)", at: arrival.at)
    }
    let (resumed, written) = Room.resume(try Self.read(diary), plans.1)
    var fresh = Room(plans.1)
    for arrival in arrivals { _ = fresh.take([arrival]) }
    #expect(Self.board(resumed) == Self.board(fresh), "seed \(seed)")
    #expect(resumed.alarms.map(\.need) == fresh.alarms.map(\.need))
    for alarm in room.alarms {
      guard case .resolved = alarm.state else { continue }
      let same = resumed.alarms.filter { $0.topic == alarm.topic }
      #expect(same.isEmpty || same.contains { $0.state == alarm.state }, "seed \(seed): \(alarm)")
    }
    // The diary goes on, and is the same room the next time.
    #expect(written.map(\.number) == [diary.count + 1])
    var longer = diary + written
    var going = resumed
    longer += going.advance(to: Race.at(500))
    let again = Room.resume(try Self.read(longer), plans.1)
    #expect(again.written.isEmpty, "seed \(seed)")
    #expect(Self.states(again.room) == Self.states(going))
    #expect(again.room.entryCount == longer.count)
    // And back to the first plan.
    let back = Room.resume(try Self.read(longer), plans.0)
    #expect(Self.board(back.room) != "" && back.written.count == 1)
  }

  private static func arrivals() throws -> [DeliveredCapture] {
    try evening().1.compactMap { entry in
      if case .arrived(let arrival) = entry.content { arrival } else { nil }
    }
  }

  @Test func `With the same plan nothing is written`() throws {
    let (room, diary) = try Self.evening()
    let (again, written) = Room.resume(try Self.read(diary), Self.plan)
    #expect(written.isEmpty)
    #expect(again.alarms == room.alarms && again.entryCount == diary.count)
  }

  @Test func `An act whose alarm is raised later with the new plan is applied then`() throws {
    var room = Room(RacePlan(course: Race.course(closes: 60)))
    var walker = ScriptedTeam("7")
    let arrivals = walker.walk(0...240, from: 0, kilometresPerHour: 2)
    var diary = room.feed(arrivals.filter { $0.at < Race.at(150) })
    let late = try #require(room.open.first { $0.need == .late })
    diary += try room.act(.take(alarm: late.number), by: "Pau", at: Race.at(151))
    diary += room.feed(arrivals.filter { $0.at > Race.at(151) })
    // With hours that are a little later it is late, too, but not so early.
    let (again, _) = Room.resume(
      try Self.read(diary), RacePlan(course: Race.course(closes: 400)))
    let same = try #require(again.alarms.first { $0.need == .late })
    #expect(same.state == .taken(by: "Pau") || same.since > Race.at(151))
  }

  @Test func `A diary of an earlier version goes on with seals`() throws {
    let (room, diary) = try Self.evening()
    // Its chain covered the lines, and its acts had the numbers of alarms only.
    var hash = String(repeating: "0", count: 64)
    let old = diary.map { entry in
      hash = sha256(hash + entry.line)
      return KeptEntry(number: entry.number, line: entry.line, salt: "", seal: "", hash: hash)
    }
    var chain = DiaryChain()
    var entries = try old.map { entry throws in try chain.read(entry) }
    var (again, written) = Room.resume(entries, Self.plan)
    #expect(written.isEmpty && again.alarms == room.alarms)
    written =
      again.advance(to: Race.at(600))
      + (try again.act(.note(tracker: nil, text: "x"), by: "P", at: Race.at(600)))
    var reader = chain
    let kept = written.map { chain.seal($0, salt: "s") }
    entries += try kept.map { entry throws in try reader.read(entry) }
    #expect(entries.count == again.entryCount)
  }

  // MARK: What can go

  @Test func `A tracker can be erased, and the chain stays whole`() throws {
    var (room, diary) = try Self.evening()
    diary += try room.act(.note(tracker: nil, text: "team 0 is out"), by: "Pau", at: Race.at(401))
    var kept = Self.kept(diary)
    let (changed, impossible) = try DiaryErasure.tracker("team 0", names: ["team 0"]).erase(kept)
    #expect(impossible.isEmpty && changed.count > 10)
    for entry in changed { kept[entry.number - 1] = entry }
    // Without the entry that accounts for it somebody has just taken lines away.
    #expect(throws: DiaryError.self) { _ = try Self.read(kept) }
    let said = DiaryEntry(erased: changed, after: kept.count, at: try #require(room.now))
    var chain = DiaryChain()
    for entry in kept { _ = try chain.read(entry) }
    kept.append(chain.seal(said, salt: "s"))
    let entries = try Self.read(kept)
    #expect(!kept.contains { $0.line.contains("team 0") })
    let (after, written) = Room.resume(entries, Self.plan)
    #expect(written.isEmpty && after.entryCount == kept.count)
    #expect(after.row("team 0") == nil)
    for other in ["team 1", "team 2", "team 3", "team 4"] {
      #expect(after.row(other) == room.row(other))
    }
  }

  @Test func `A person can be erased, and what was done stays`() throws {
    let (room, diary) = try Self.evening()
    var kept = Self.kept(diary)
    let (changed, _) = try DiaryErasure.person("Pau").erase(kept)
    #expect(changed.count == 3)
    for entry in changed { kept[entry.number - 1] = entry }
    var chain = DiaryChain()
    for entry in kept { _ = try chain.read(entry) }
    let said = DiaryEntry(erased: changed, after: kept.count, at: try #require(room.now))
    kept.append(chain.seal(said, salt: "s"))
    let (after, _) = Room.resume(try Self.read(kept), Self.plan)
    #expect(!kept.contains { $0.line.contains("Pau") || $0.line.contains("bar") })
    #expect(after.alarms.first?.state == .resolved(by: "—", reason: "—"))
    #expect(after.board == room.board)
  }

  // MARK: Looking for something

  @Test func `Entries are found by tracker, kind, person and time`() throws {
    let (_, diary) = try Self.evening()
    let records = DiaryRecord.all(diary)
    func count(_ filter: DiaryFilter) -> Int { records.count(where: filter.matches) }
    #expect(count(DiaryFilter()) == diary.count)
    #expect(count(DiaryFilter(person: "Pau")) == 3)
    #expect(count(DiaryFilter(tracker: "team 0", kinds: [.acted])) >= 1)
    #expect(count(DiaryFilter(kinds: [.acted], from: Race.at(171), until: Race.at(172))) == 1)
    let raised = records.filter(DiaryFilter(kinds: [.raised]).matches)
    #expect(raised.first?.need == .silent && raised.first?.trackers.isEmpty == false)
    // What was done with an alarm is about whom the alarm is about.
    let taken = records.first { $0.act == "take" }
    #expect(taken?.trackers == raised.first?.trackers)
  }

  @Test func `The table for spreadsheets has a row for each, and no formulas`() throws {
    var room = standing()
    let entries = try room.act(
      .note(tracker: "7", text: "=1+1, said \"so\""), by: "@Pau", at: Race.at(111))
    let table = DiaryRecord.csv(DiaryRecord.all(entries))
    let row = table.split(separator: "\r\n").last.map(String.init)
    let number = entries[0].number
    #expect(
      row
        == "\(number),2026-04-18 09:51:00 UTC,acted,7,'@Pau,,,note,\"'=1+1, said \"\"so\"\"\"")
  }

  @Test(arguments: [
    (";=1+1", "\";=1+1\""), ("\t=1+1", "\"'\t=1+1\""), (" =1+1", "' =1+1"),
    ("\r\n=1+1", "\"'\r\n=1+1\""), ("=\u{FE0F}1", "'=\u{FE0F}1"),
  ])
  func `No cell begins a formula, whatever a spreadsheet takes for a cell's end`(
    _ text: String, _ cell: String
  ) throws {
    var room = standing()
    let entries = try room.act(.note(tracker: "7", text: text), by: "Pau", at: Race.at(111))
    let table = Array(DiaryRecord.csv(DiaryRecord.all(entries)).utf8)
    #expect(table.suffix(cell.utf8.count + 7).elementsEqual("note,\(cell)\r\n".utf8))
  }

  @Test func `Whoever takes over is told what was and what is open`() throws {
    let (room, diary) = try Self.evening()
    let records = DiaryRecord.all(diary)
    let handover = Handover(since: Race.at(171.5), at: Race.at(400), records, room.alarms)
    #expect(handover.acts.map(\.text).last == "at the bar")
    #expect(handover.open == handover.open.sorted { $0.need < $1.need })
    #expect(handover.open.allSatisfy(\.isOpen) && handover.raised > 0)
  }

  // MARK: Acts

  @Test func `An alarm that has ended by itself cannot be taken, and says so`() throws {
    var room = standing()
    var walker = ScriptedTeam("7")
    walker.sequence = 12
    walker.capture(120, km: 6)
    room.feed(walker.contact(120, promise: nil))
    #expect(room.open.isEmpty)
    let error = #expect(throws: ActError.self) {
      _ = try room.act(.take(alarm: 1), by: "Pau", at: Race.at(121))
    }
    #expect(error?.texts.english.contains("ended by itself at 2026-04-18") == true)
    #expect(room.open.isEmpty)
    _ = try room.act(.resolve(alarm: 1, reason: "was asleep"), by: "Pau", at: Race.at(122))
    #expect(room.open.isEmpty)
  }

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
