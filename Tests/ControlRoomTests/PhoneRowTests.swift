import Testing
import TrackerCore

@testable import ControlRoom

/// What the room makes of a telephone's app: where it is, and nothing that needs a human.
@Suite struct PhoneRowTests {
  private static let plan = RacePlan(
    course: Race.course(closes: 300), teams: [RosterTeam(number: "7", name: "Els Senglars")])

  /// A telephone that reports each minute.
  private static func phone(
    _ code: String, _ minutes: ClosedRange<Int>, km: (Int) -> Double, battery: Double = 80
  ) -> [DeliveredCapture] {
    minutes.map { minute in
      var arrival = DeliveredCapture(
        at: Race.at(Double(minute) + 0.1), tracker: code, team: "Escombra",
        id: UniqueID(device: Race.device(99), sequence: UInt32(minute)),
        taken: Race.at(Double(minute)), position: Race.position(km(minute)))
      arrival.isFromPhone = true
      arrival.batteryPercent = battery
      return arrival
    }
  }

  @Test func `A phone is on the board with its age, and no silence or standing of it is an alarm`()
    throws
  {
    var room = Room(Self.plan)
    room.feed(Self.phone("phone 1", 0...200) { min(5, Double($0) / 12) })
    _ = room.advance(to: Race.at(60 * 30))
    let row = try #require(room.row("phone 1"))
    #expect(row.isPhone && row.name == "Escombra")
    #expect(row.taken == Race.at(200) && row.heard == Race.at(200.1) && row.promise == nil)
    #expect(row.concerns.isEmpty && row.standing == nil && row.silence == .planned(.none))
    #expect(!room.alarms.contains { $0.trackers.contains("phone 1") })
  }

  @Test func `A phone that goes flat, off the course or too late raises no alarm`() {
    var room = Room(Self.plan)
    room.feed(Self.phone("phone 1", 0...290, km: { Double($0) / 60 }, battery: 3))
    _ = room.advance(to: Race.at(600))
    #expect(room.needs("phone 1") == [] && room.alarms.allSatisfy { $0.need == .unheard })
    // The same of a tracker is one.
    var walker = ScriptedTeam("8")
    walker.battery = 3
    room.feed(walker.walk(600...890, from: 0, kilometresPerHour: 1))
    #expect(!room.needs("8").isEmpty)
  }

  @Test func `A phone under a team's number does not hide that its tracker broke its promise`() {
    var walker = ScriptedTeam("7")
    let walked = walker.walk(0...60, from: 0)
    let others = (1...3).flatMap { number in
      var other = ScriptedTeam("company \(number)")
      return other.walk(Double(number)...200, from: 0.3, kilometresPerHour: 2)
    }
    var room = Room(Self.plan)
    room.feed(walked + others + Self.phone("7", 31...200) { Double($0) / 12 })
    _ = room.advance(to: Race.at(200))
    let row = room.row("7")
    #expect(row?.isPhone == false)
    #expect(row?.heard == walked.last?.at && row?.promise == walked.last?.promise)
    #expect(row?.taken == Race.at(200), "its last position is the phone's")
    #expect(room.needs("7").contains(.silent))
    #expect(!room.needs("7").contains(.cloned) && !room.needs("7").contains(.incomplete))
  }

  @Test func `Text messages after a broken promise leave the room at work`() {
    var walker = ScriptedTeam("7")
    var messages = Self.phone("7", 61...200) { 5 + Double($0 - 60) / 12 }
    for index in messages.indices {
      (messages[index].isFromPhone, messages[index].phone) = (false, "+34600111222")
    }
    var room = Room(Self.plan)
    room.feed(walker.walk(0...60, from: 0) + messages)
    _ = room.advance(to: Race.at(200))
    #expect(room.row("7")?.promise != nil && room.row("7")?.isPhone == false)
  }

  @Test func `A team of the table with a phone has been heard`() {
    var room = Room(
      RacePlan(
        course: Race.course(opens: 0), teams: [RosterTeam(number: "7", name: "Els Senglars")]))
    room.feed(Self.phone("7", 1...20) { Double($0) / 12 })
    _ = room.advance(to: Race.at(120))
    #expect(room.alarms.isEmpty && room.row("7")?.name == "Els Senglars")
  }

  @Test func `The diary tells of a phone, and replays to the same room`() throws {
    var room = Room(Self.plan)
    let diary = room.feed(Self.phone("phone 1", 0...30) { Double($0) / 12 })
    #expect(diary.first { $0.line.contains("\"arrived\"") }?.line.contains("\"phone\"") == true)
    let read = try diary.map { entry in
      let (at, content) = try #require(DiaryText.content(of: entry.line, number: entry.number))
      return DiaryEntry(number: entry.number, at: at, content: content, line: entry.line)
    }
    let again = try Room(Self.plan).replay(read[...])
    #expect(again.board.rows == room.board.rows && again.row("phone 1")?.isPhone == true)
  }
}
