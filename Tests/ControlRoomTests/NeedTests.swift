import ControlRoom
import Testing
import TrackerCore

/// What needs a human beside silence.
@Suite struct NeedTests {
  private var room = Room(RacePlan(course: Race.course()))
  private var walker = ScriptedTeam("7")

  @Test mutating func `An emergency comes first, and no other arrival ends it`() {
    var lost = ScriptedTeam("2")
    for minute in stride(from: 0.0, through: 60, by: 10) {
      lost.capture(minute, km: 3, east: minute < 20 ? 0 : 900)
    }
    room.feed(lost.contact(60))
    walker.capture(61, km: 4) { $0.isEmergency = true }
    room.feed(walker.contact(61))
    #expect(room.board.rows.first?.tracker == "7")
    #expect(room.needs("7").first == .emergency)
    walker.capture(70, km: 5)
    room.feed(walker.contact(70))
    #expect(room.open.contains { $0.need == .emergency })
  }

  @Test mutating func `An emergency without a trusted time counts`() {
    walker.capture(10, km: 4) {
      $0.isEmergency = true
      $0.taken = nil
    }
    room.feed(walker.contact(10))
    #expect(room.open.map(\.need) == [.emergency])
    #expect(room.row("7")?.undated == 1)
  }

  @Test mutating func `A second emergency is another alarm`() throws {
    walker.capture(10, km: 4) { $0.isEmergency = true }
    room.feed(walker.contact(10))
    _ = try room.act(.resolve(alarm: 1, reason: "phoned"), by: "Marta", at: Race.at(15))
    walker.capture(20, km: 4)
    room.feed(walker.contact(20))
    #expect(room.open.isEmpty)
    walker.capture(22, km: 4) { $0.isEmergency = true }
    room.feed(walker.contact(22))
    #expect(room.open.map(\.number) == [2])
  }

  @Test mutating func `What a tracker goes on to take is the same emergency until it is over`()
    throws
  {
    for minute in stride(from: 10.0, through: 14, by: 1) {
      walker.capture(minute, km: 4) { $0.isEmergency = true }
    }
    room.feed(walker.contact(14))
    _ = try room.act(.resolve(alarm: 1, reason: "phoned"), by: "Marta", at: Race.at(15))
    // It has not heard of that yet.
    walker.capture(16, km: 4) { $0.isEmergency = true }
    room.feed(walker.contact(17))
    #expect(room.open.isEmpty)
    walker.capture(18, km: 4) { $0.trigger = .emergencyOver }
    walker.capture(19, km: 4) { $0.isEmergency = true }
    room.feed(walker.contact(19))
    #expect(room.open.map(\.number) == [2], "raised again after it was over")
  }

  @Test mutating func `Raised again after somebody has taken it, nobody has read it`() throws {
    walker.capture(10, km: 4) { $0.isEmergency = true }
    room.feed(walker.contact(10))
    _ = try room.act(.take(alarm: 1), by: "Marta", at: Race.at(11))
    walker.capture(12, km: 4) { $0.isEmergency = true }
    walker.capture(13, km: 4) { $0.trigger = .emergencyOver }
    room.feed(walker.contact(13))
    #expect(room.open.map(\.number) == [1], "the same one goes on, and is over")
    walker.capture(20, km: 4) { $0.isEmergency = true }
    room.feed(walker.contact(20))
    walker.capture(21, km: 4) { $0.isEmergency = true }
    room.feed(walker.contact(21))
    #expect(room.open.map(\.number) == [1, 2])
    #expect(room.open.map(\.state) == [.taken(by: "Marta"), .raised])
  }

  @Test mutating func `Captures of an emergency without a time are one emergency`() throws {
    for minute in stride(from: 10.0, through: 14, by: 1) {
      walker.capture(minute, km: 4) {
        $0.isEmergency = true
        $0.taken = nil
      }
      room.feed(walker.contact(minute))
      if minute == 11 { _ = try room.act(.take(alarm: 1), by: "Marta", at: Race.at(11.5)) }
    }
    #expect(room.open.map(\.number) == [1])
    walker.capture(15, km: 4) {
      $0.trigger = .emergencyOver
      $0.taken = nil
    }
    walker.capture(16, km: 4) {
      $0.isEmergency = true
      $0.taken = nil
    }
    room.feed(walker.contact(16))
    #expect(room.open.map(\.number) == [1, 2], "raised again after it was over")
  }

  @Test mutating func `However old it is and however many send, an emergency is an alarm`() {
    _ = room.take(
      (0..<6_010).map { number in
        DeliveredCapture(
          at: Race.at(1), tracker: "made up \(number)", id: UniqueID(high: 9, low: UInt64(number)),
          taken: Race.at(1), position: Race.position(1))
      })
    #expect(room.board.rows.count == 6_000)
    walker.capture(2, km: 4) { $0.isEmergency = true }
    room.feed(walker.contact(24 * 60))
    #expect(room.open.contains { $0.need == .emergency && $0.trackers == ["7"] })
  }

  @Test mutating func `A call after half an hour without one is another emergency`() throws {
    walker.capture(10, km: 4) { $0.isEmergency = true }
    room.feed(walker.contact(10))
    _ = try room.act(.resolve(alarm: 1, reason: "phoned"), by: "Marta", at: Race.at(15))
    walker.capture(45, km: 4) { $0.isEmergency = true }
    room.feed(walker.contact(45))
    #expect(room.open.contains { $0.need == .emergency })
  }

  @Test mutating func `An emergency that the team has withdrawn stays until a person confirms`() {
    walker.capture(10, km: 4) { $0.isEmergency = true }
    walker.capture(11, km: 4) { $0.trigger = .emergencyOver }
    room.feed(walker.contact(12))
    #expect(room.open.map(\.need) == [.emergency])
    #expect(
      room.open.first?.evidence == .helpOver(asked: Race.at(10), over: Race.at(11)))
  }

  @Test mutating func `A team that stays where nobody rests has stopped`() {
    room.feed(walker.walk(0...60, from: 1))
    for minute in stride(from: 70.0, through: 110, by: 10) { walker.capture(minute, km: 6.5) }
    room.feed(walker.contact(110))
    #expect(room.needs("7").isEmpty)
    walker.capture(120, km: 6.5)
    room.feed(walker.contact(120))
    #expect(room.needs("7") == [.standing])
    walker.capture(130, km: 7)
    room.feed(walker.contact(130))
    #expect(room.needs("7").isEmpty)
  }

  @Test mutating func `At a checkpoint a team may sleep`() {
    room.feed(walker.walk(0...60, from: 4.9))
    for minute in stride(from: 70.0, through: 290, by: 10) { walker.capture(minute, km: 10) }
    room.feed(walker.contact(290))
    #expect(!room.needs("7").contains(.standing))
    walker.capture(310, km: 10)
    room.feed(walker.contact(310))
    #expect(room.needs("7").contains(.standing))
  }

  @Test mutating func `Before the start a team waits`() {
    for minute in stride(from: 0.0, through: 120, by: 10) { walker.capture(minute, km: 0) }
    room.feed(walker.contact(120))
    #expect(room.needs("7").isEmpty)
  }

  @Test mutating func `Who has not walked yet has not stopped`() {
    var room = Room(RacePlan())
    for minute in stride(from: 0.0, through: 120, by: 10) { walker.capture(minute, km: 5) }
    room.feed(walker.contact(120))
    #expect(room.needs("7").isEmpty)
  }

  @Test mutating func `A team off the course needs a human, one that was there for a bar does not`()
  {
    room.feed(walker.walk(0...60, from: 1))
    walker.capture(70, km: 7, east: 500)
    room.feed(walker.contact(70))
    #expect(room.needs("7").isEmpty)
    walker.capture(81, km: 7, east: 900)
    room.feed(walker.contact(81))
    #expect(room.needs("7") == [.offCourse])
    walker.capture(95, km: 7.2)
    walker.capture(105, km: 8)
    room.feed(walker.contact(105))
    #expect(room.needs("7").isEmpty)
  }

  @Test mutating func `A team that walks back needs a human`() {
    room.feed(walker.walk(0...60, from: 1))
    for step in 1...3 { walker.capture(60 + Double(step) * 10, km: 6 - Double(step) * 0.8) }
    room.feed(walker.contact(90))
    #expect(room.needs("7") == [.backwards])
  }

  @Test mutating func `A place that closes before a team can be there needs a human`() throws {
    var room = Room(RacePlan(course: Race.course(closes: 300)))
    room.feed(walker.walk(0...200, from: 0, kilometresPerHour: 2))
    let concern = try #require(room.row("7")?.concerns.first { $0.need == .late })
    guard case .late("Bescanó", let closes, let earliest) = concern.evidence else {
      Issue.record("\(concern)")
      return
    }
    #expect(closes == Race.at(300) && earliest > closes)
    var fast = ScriptedTeam("8")
    room.feed(fast.walk(0...200, from: 0, kilometresPerHour: 5))
    #expect(room.needs("8").isEmpty)
  }

  @Test
  mutating func
    `A team that rests at a place is late for the next only once the rest has been long`()
  {
    var room = Room(RacePlan(course: Race.course(closes: 250)))
    for minute in stride(from: 0.0, through: 110, by: 10) {
      walker.capture(minute, km: minute / 12)
    }
    // In the circle, before its middle: the rest that it takes there is not still to come, too.
    walker.capture(119, km: 9.92)
    room.feed(walker.contact(119))
    #expect(room.row("7")?.next?.place == "Bescanó")
    #expect(room.needs("7").isEmpty)
    for minute in stride(from: 125.0, through: 155, by: 10) { walker.capture(minute, km: 9.93) }
    room.feed(walker.contact(155))
    #expect(room.needs("7") == [.late])
  }

  @Test mutating func `A battery that ends long before the finish needs a human`() {
    for step in 0...10 {
      walker.battery = 60 - Double(step) * 3
      walker.capture(Double(step) * 20, km: 1 + Double(step) * 0.7)
    }
    room.feed(walker.contact(200))
    #expect(room.needs("7").contains(.battery))
    var other = ScriptedTeam("8")
    for step in 0...10 {
      other.battery = 60 - Double(step) * 0.2
      other.capture(Double(step) * 20, km: 1 + Double(step))
    }
    room.feed(other.contact(200))
    #expect(!room.needs("8").contains(.battery))
  }

  @Test(arguments: [(true, PlannedSilence.none, [Need.standing]), (false, .stoppedByPerson, [])])
  mutating func `Who walks no more needs no battery`(
    _ stands: Bool, _ said: PlannedSilence, _ needs: [Need]
  ) {
    for step in 0...10 {
      walker.battery = 60 - Double(step) * 3
      walker.capture(Double(step) * 20, km: 1 + Double(stands ? min(step, 5) : step) * 0.7)
    }
    room.feed(walker.contact(200, said))
    #expect(room.needs("7") == needs)
  }

  @Test mutating func `A copied card needs a human, a replaced board does not`() {
    var copy = ScriptedTeam("7", device: 99)
    walker.capture(0, km: 1)
    walker.capture(10, km: 1.5)
    room.feed(walker.contact(10))
    copy.capture(20, km: 2)
    copy.capture(30, km: 3)
    room.feed(copy.contact(30))
    #expect(room.needs("7").isEmpty)
    walker.capture(25, km: 2.4)
    room.feed(walker.contact(40))
    #expect(room.needs("7") == [.cloned])
  }

  @Test mutating func `Where two devices of one card are says nothing of either`() {
    var copy = ScriptedTeam("7", device: 99)
    for step in 0...8 {
      walker.capture(Double(step) * 20, km: 2 + Double(step))
      copy.capture(Double(step) * 20 + 10, km: 1, east: 2000)
      room.feed(walker.contact(Double(step) * 20) + copy.contact(Double(step) * 20 + 10))
    }
    #expect(room.needs("7") == [.cloned])
  }

  @Test mutating func `Beside a checkpoint a team may sleep, too`() {
    room.feed(walker.walk(0...60, from: 4.9))
    for minute in stride(from: 70.0, through: 150, by: 10) {
      walker.capture(minute, km: 9.85, east: 60)
    }
    room.feed(walker.contact(150))
    #expect(!room.needs("7").contains(.standing))
  }

  @Test mutating func `Captures that do not come in three contacts have been set aside`() {
    for minute in 1...6 { walker.capture(Double(minute) * 10, km: Double(minute)) }
    let late = walker.waiting.remove(at: 2)
    room.feed(walker.contact(60))
    for minute in 7...9 {
      #expect(room.needs("7").isEmpty, "it may be to come")
      walker.capture(Double(minute) * 10, km: Double(minute))
      room.feed(walker.contact(Double(minute) * 10))
    }
    #expect(room.row("7")?.concerns.map(\.evidence) == [.passedOver(captures: 1)])
    // Somebody has the tracker send it again.
    walker.waiting.append(late)
    room.feed(walker.contact(100))
    #expect(room.needs("7").isEmpty)
  }

  @Test mutating func `A refused capture says where the team is, asks for help, and is told of`() {
    walker.capture(10, km: 1) { ($0.refusal, $0.isEmergency) = ("It is too long.", true) }
    let refused = walker.contact(10)
    room.feed(refused)
    #expect(
      room.row("7")?.concerns.map(\.evidence)
        == [.asksForHelp(at: Race.at(10)), .refused(captures: 1, reason: "It is too long.")])
    #expect(room.row("7")?.position == refused.first?.position)
    // It was stored after all.
    var stored = refused[0]
    (stored.refusal, stored.at) = (nil, Race.at(20))
    room.feed([stored])
    #expect(room.needs("7") == [.emergency])
  }

  @Test mutating func `A tracker that replaces another one counts its captures anew`() {
    for minute in 1...3 { walker.capture(Double(minute) * 10, km: Double(minute)) }
    var other = ScriptedTeam("7", device: 99)
    for minute in 4...9 { other.capture(Double(minute) * 10, km: Double(minute)) }
    room.feed(walker.contact(30) + other.contact(90))
    #expect(room.needs("7").isEmpty)
    for minute in 10...12 { other.capture(Double(minute) * 10, km: Double(minute)) }
    other.waiting.remove(at: 1)
    room.feed(other.contact(120))
    #expect(room.needs("7").isEmpty)
    for minute in 13...15 {
      other.capture(Double(minute) * 10, km: Double(minute))
      room.feed(other.contact(Double(minute) * 10))
      let isPassed = minute == 15
      #expect(
        room.needs("7") == (isPassed ? [.incomplete] : []), "one that is late comes in the next")
    }
  }

  @Test mutating func `A team that was never heard has a row`() {
    var room = Room(
      RacePlan(teams: [RosterTeam(number: "12", name: "Els Senglars", phone: "600 000 000")]))
    #expect(room.board.rows.map(\.name) == ["Els Senglars"])
    #expect(room.row("12")?.heard == nil)
    room.feed(walker.contact(0))
    walker.capture(0, km: 1)
    room.feed(walker.contact(1))
    #expect(room.board.rows.map(\.name) == ["Els Senglars", "Team 7"])
  }
}
