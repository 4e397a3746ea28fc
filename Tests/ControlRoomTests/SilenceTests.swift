import ControlRoom
import Testing
import TrackerCore

/// Why a tracker is silent, and when that needs a human.
@Suite struct SilenceTests {
  private var room = Room(RacePlan(course: Race.course()))

  /// Others who are heard all the time, far behind.
  private static func company(
    _ minutes: ClosedRange<Double>, count: Int = 3, kilometresPerHour pace: Double = 2
  ) -> [DeliveredCapture] {
    (1...count).flatMap { number in
      var walker = ScriptedTeam("company \(number)")
      let first = minutes.lowerBound + Double(number * 5)
      return walker.walk(first...minutes.upperBound, from: 0.3, kilometresPerHour: pace)
    }
  }

  @Test func `A team is due at its promise and not before`() {
    var walker = ScriptedTeam("7")
    _ = walker.walk(0...60, from: 1)
    // The last contact was at 60 and promised 80.
    var early = Room(RacePlan(course: Race.course()))
    early.feed((walker.delivered + Self.company(0...200)).filter { $0.at < Race.at(83.9) })
    _ = early.advance(to: Race.at(83.9))
    #expect(early.row("7")?.silence == .planned(.none))
    #expect(early.open.isEmpty)
    _ = early.advance(to: Race.at(84))
    #expect(early.row("7")?.silence == .unknown)
    early.feed(Self.company(0...200).filter { $0.at > Race.at(84) && $0.at < Race.at(86) })
    #expect(early.open.map(\.subject) == [.tracker("7")])
    #expect(early.open.map(\.need) == [.silent])
    #expect(early.open.first?.since == Race.at(80))
  }

  @Test mutating func `Without a promise nobody is due`() {
    var walker = ScriptedTeam("7")
    walker.capture(0, km: 1)
    room.feed(walker.contact(0, promise: nil) + Self.company(0...600))
    _ = room.advance(to: Race.at(600))
    #expect(room.row("7")?.silence == .planned(.none))
    #expect(!room.open.contains { $0.subject == .tracker("7") })
  }

  @Test(arguments: [PlannedSilence.finished, .stoppedByPerson])
  mutating func `A silence that the tracker has told of is planned`(_ stated: PlannedSilence) {
    var walker = ScriptedTeam("7")
    walker.capture(0, km: 1)
    room.feed(walker.contact(0, promise: 20, stated) + Self.company(0...100))
    #expect(room.row("7")?.silence == .planned(stated))
    #expect(!room.open.contains { $0.subject == .tracker("7") })
  }

  @Test mutating func `A tracker that saves its reserve keeps its promises`() {
    var walker = ScriptedTeam("7")
    walker.capture(0, km: 1)
    let company = Self.company(0...100)
    room.feed((walker.contact(0, promise: 60, .reserve) + company).filter { $0.at < Race.at(63) })
    #expect(room.row("7")?.silence == .planned(.reserve))
    room.feed(company.filter { $0.at >= Race.at(63) })
    #expect(room.open.contains { $0.subject == .tracker("7") })
  }

  @Test mutating func `Who has arrived may be silent`() {
    var walker = ScriptedTeam("7")
    room.feed(walker.walk(0...60, from: 25.5) + Self.company(0...200))
    #expect(room.row("7")?.isFinished == true)
    #expect(room.row("7")?.silence == .planned(.finished))
    #expect(!room.open.contains { $0.subject == .tracker("7") })
  }

  @Test mutating func `An alarm of silence ends by itself when the tracker is heard`() throws {
    var walker = ScriptedTeam("7")
    room.feed(walker.walk(0...60, from: 1) + Self.company(0...100))
    #expect(room.open.count == 1)
    walker.capture(101, km: 8)
    room.feed(walker.contact(101))
    let alarm = try #require(room.alarms.first)
    guard case .cleared(let at) = alarm.state else {
      Issue.record("\(alarm.state)")
      return
    }
    #expect(at == Race.at(101))
  }

  // MARK: Dead zones

  /// Two teams that were silent between km 12 and 16.
  private static func pioneers() -> [DeliveredCapture] {
    (1...2).flatMap { number in
      var walker = ScriptedTeam("pioneer \(number)")
      let begin = Double(number * 3)
      // At 5 km/h it is at km 12 after 60 min, and at km 16 after 108.
      return walker.walk(
        begin...begin + 220, from: 7, silentFrom: begin + 55, silentTo: begin + 110)
    }
  }

  @Test mutating func `Where others were silent a third one may be`() throws {
    var walker = ScriptedTeam("7")
    // Company that never gets there: where it is heard would be no hole.
    let others = Self.pioneers() + Self.company(0...700, kilometresPerHour: 1)
    let own = walker.walk(300...350, from: 7)
    room.feed((others + own).filter { $0.at < Race.at(371) })
    // The last contact was at km 10.3, and promised 360.
    _ = room.advance(to: Race.at(371))
    guard case .deadZone(let until) = try #require(room.row("7")).silence else {
      Issue.record("\(room.row("7").debugDescription)")
      return
    }
    // From km 10.3 at 340 to km 16.4 at 0.6 of a usual 1.2 m/s takes 141 min, which is later than
    // the forecast's band ends, and it makes contact each 20.
    #expect(until > Race.at(495) && until < Race.at(510))
    #expect(!room.open.contains { $0.subject == .tracker("7") })
    // It should be out of there.
    room.feed(others.filter { $0.at >= Race.at(371) })
    #expect(room.row("7")?.silence == .unknown)
    let alarm = try #require(room.open.first { $0.subject == .tracker("7") })
    #expect(alarm.raisedAt >= until && alarm.raisedAt < until + .minutes(15))
  }

  @Test mutating func `Its own silence alone makes no dead zone of a place`() {
    var walker = ScriptedTeam("7")
    let own = walker.walk(0...220, from: 7, silentFrom: 55, silentTo: 110)
    room.feed((own + Self.company(0...300)).filter { $0.at < Race.at(90) })
    #expect(room.row("7")?.silence == .unknown)
  }

  @Test mutating func `Nor does it where it has been silent itself before`() {
    var walker = ScriptedTeam("7")
    var own = walker.walk(0...110, from: 7, silentFrom: 55, silentTo: 110)
    for (minute, km) in [(120.0, 15.5), (140, 13.5), (160, 11.5)] {
      walker.capture(minute, km: km)
    }
    own += walker.contact(160)
    room.feed((own + Self.company(0...300)).filter { $0.at < Race.at(190) })
    #expect(room.row("7")?.silence == .unknown)
  }

  @Test mutating func `What an earlier race has found out about coverage is believed`() throws {
    var first = Room(RacePlan(course: Race.course()))
    first.feed(Self.pioneers() + Self.company(0...300))
    var course = Race.course()
    course.coverage = try #require(first.coverage)
    var later = Room(RacePlan(course: course))
    var walker = ScriptedTeam("7")
    later.feed(
      (walker.walk(300...350, from: 7) + Self.company(300...700)).filter { $0.at < Race.at(371) })
    _ = later.advance(to: Race.at(371))
    #expect(later.row("7")?.silence.kind == .deadZone)
  }

  @Test func `A race's coverage goes to the next one as the line that trackers take`() throws {
    var first = Room(RacePlan(course: Race.course()))
    first.feed(Self.pioneers() + Self.company(0...300))
    let text = try #require(first.coverageText)
    var plan = RacePlan(course: Race.course())
    #expect(plan.use(coverage: text + "\n") == nil)
    #expect(plan.course?.coverage == first.coverage)
    var other = RacePlan(course: Race.course())
    let foreign = "00000000" + text.dropFirst(8)
    #expect(other.use(coverage: foreign)?.contains("of another course") == true)
    for bad in ["", "x", String(text.dropLast()), text.replacing("-", with: "?")] {
      #expect(other.use(coverage: bad)?.hasPrefix("coverage is not used: ") == true)
    }
    #expect(other.course?.coverage.isEmpty == true)
    var none = RacePlan()
    #expect(none.use(coverage: text) == "coverage is not used: give a course")
  }

  @Test mutating func `A hole that others have contact in is none`() {
    var walker = ScriptedTeam("7")
    var heard: [DeliveredCapture] = []
    for number in 1...5 {
      var other = ScriptedTeam("other \(number)")
      let begin = Double(number * 4)
      heard += other.walk(begin...begin + 220, from: 7 + Double(number) * 0.3)
    }
    let own = walker.walk(300...350, from: 7)
    room.feed(
      (Self.pioneers() + heard + own + Self.company(0...700)).filter { $0.at < Race.at(371) })
    _ = room.advance(to: Race.at(371))
    #expect(room.row("7")?.silence == .unknown)
  }

  @Test mutating func `Who was heard behind a hole is not in it, though its last capture is`() {
    let others = Self.pioneers() + Self.company(0...700, kilometresPerHour: 1)
    var walker = ScriptedTeam("7")
    var own = walker.walk(300...350, from: 7)
    // Its receiver breaks at km 13.7, in the hole, and it is heard when it is out of there.
    for (minute, km) in [(360.0, 12.0), (370, 12.8), (380, 13.7)] { walker.capture(minute, km: km) }
    own += walker.contact(420)
    room.feed((others + own).filter { $0.at < Race.at(450) })
    #expect(room.row("7")?.silence == .unknown)
    #expect(room.open.contains { $0.subject == .tracker("7") && $0.since == Race.at(440) })
  }

  // MARK: Battery

  @Test mutating func `A battery that was to end explains a silence and still needs a human`() {
    var walker = ScriptedTeam("7")
    var arrivals: [DeliveredCapture] = []
    for step in 0...12 {
      walker.battery = 30 - Double(step) * 2.3
      walker.capture(Double(step) * 20, km: 1 + Double(step))
      arrivals += walker.contact(Double(step) * 20)
    }
    room.feed(arrivals + Self.company(0...300))
    #expect(room.row("7")?.silence == .battery)
    let alarm = room.open.first { $0.subject == .tracker("7") && $0.need == .silent }
    #expect(
      alarm?.evidence == .silent(heard: Race.at(240), promise: Race.at(260), batteryPercent: 2))
  }

  // MARK: Many at once

  private static func field(_ count: Int, _ minutes: ClosedRange<Double>) -> [ScriptedTeam] {
    (0..<count).map { number in
      var walker = ScriptedTeam("team \(number)")
      _ = walker.walk(
        minutes.lowerBound + Double(number)...minutes.upperBound, from: Double(number) * 0.9)
      return walker
    }
  }

  @Test mutating func `A server that hears nobody is one alarm`() throws {
    let teams = Self.field(20, 0...120)
    room.feed(teams.flatMap(\.delivered))
    _ = room.advance(to: Race.at(180))
    #expect(room.alarms.map(\.subject) == [.everyone])
    #expect(teams.allSatisfy { room.row($0.code)?.silence.kind == .server })
  }

  @Test mutating func `After an outage each tracker has the time of a contact to come back`() {
    var teams = Self.field(20, 0...120)
    room.feed(teams.flatMap(\.delivered))
    _ = room.advance(to: Race.at(180))
    // All but two come back within 20 min.
    for index in teams.indices.dropFirst(2) {
      teams[index].capture(180 + Double(index), km: 16 + Double(index) * 0.7)
      room.feed(teams[index].contact(180 + Double(index), promise: 90))
    }
    guard case .cleared = room.alarms[0].state else {
      Issue.record("\(room.alarms[0].state)")
      return
    }
    #expect(room.open.isEmpty)
    _ = room.advance(to: Race.at(260))
    #expect(room.open.map(\.subject) == [.tracker("team 0"), .tracker("team 1")])
  }

  @Test mutating func `Several that are silent on one stretch are one alarm`() throws {
    var arrivals: [DeliveredCapture] = Self.company(0...200, count: 6)
    for number in 0..<4 {
      var walker = ScriptedTeam("valley \(number)")
      arrivals += walker.walk(0...Double(60 + number), from: 15 + Double(number) * 0.5)
    }
    room.feed(arrivals)
    let group = (0..<4).map { "valley \($0)" }
    #expect(room.open.map(\.subject) == [.stretch(group)])
    #expect(group.allSatisfy { room.row($0)?.silence.kind == .network })
  }

  @Test mutating func `The second one that falls silent at a place makes it a hole`() {
    let company = Self.company(0...200)
    var (first, second) = (ScriptedTeam("first"), ScriptedTeam("second"))
    // Both are heard short of km 5, as the company is.
    let arrivals =
      company + first.walk(0...60, from: 0) + second.walk(30...90, from: 0)
    room.feed(arrivals.filter { $0.at < Race.at(110) })
    #expect(room.open.map(\.subject) == [.tracker("first")])
    room.feed(arrivals.filter { $0.at >= Race.at(110) })
    #expect(room.row("first")?.silence.kind == .network)
    #expect(room.open.map(\.subject) == [.stretch(["first", "second"])])
  }

  @Test mutating func `Who misses its usual contact speaks for a hole before its promise`() {
    let company = Self.company(0...200)
    var (first, second) = (ScriptedTeam("first"), ScriptedTeam("second"))
    // Both are heard each 20 min, promise 35 and are silent from km 7 on.
    let arrivals =
      company + first.walk(0...80, from: 0, promise: 35)
      + second.walk(10...90, from: 0, promise: 35)
    room.feed(arrivals.filter { $0.at < Race.at(128) })
    #expect(room.row("first")?.silence.kind == .network)
    #expect(room.row("second")?.silence.kind == .planned)
    #expect(room.open.map(\.subject) == [.stretch(["first"])])
    room.feed(arrivals.filter { $0.at >= Race.at(128) })
    #expect(room.alarms.map(\.subject) == [.stretch(["first", "second"])])
  }

  @Test
  mutating func `A server that is down is no valley, though the whole field is close together`() {
    // Twenty teams within four kilometres, each where others have been heard.
    let teams = (0..<20).flatMap { number in
      var walker = ScriptedTeam("team \(number)")
      return walker.walk(Double(number)...150, from: Double(19 - number) * 0.09)
    }
    room.feed(teams)
    _ = room.advance(to: Race.at(190))
    #expect(room.alarms.map(\.subject) == [.everyone])
  }

  @Test mutating func `A field that walks into a valley is no server that is down`() {
    // Thirty teams within an hour, and all are silent from km 10 on.
    let teams = (0..<30).map { number in
      var walker = ScriptedTeam("team \(number)")
      let begin = Double(number)
      return walker.walk(begin...begin + 115, from: 0)
    }
    room.feed(teams.flatMap(\.self))
    _ = room.advance(to: Race.at(240))
    #expect(!room.alarms.contains { $0.subject == .everyone })
    #expect(room.row("team 20")?.silence.kind == .network)
    let stretches = room.open.filter { $0.need == .silent }.map(\.subject)
    #expect(stretches == [.stretch((0..<30).map { "team \($0)" }.sorted())])
  }

  @Test mutating func `Who comes out of a hole while the server is down waits for it, too`() throws
  {
    let begin = 300.0
    let others = Self.pioneers() + Self.company(0...420, kilometresPerHour: 1)
    var walker = ScriptedTeam("7")
    let own = walker.walk(begin...begin + 50, from: 7)
    // Nobody is heard from 420 to 560, which is when it should be out of there.
    let teams = (0..<20).flatMap { number in
      var team = ScriptedTeam("team \(number)")
      return team.walk(
        300 + Double(number)...420, from: 17 + Double(number) * 0.4, kilometresPerHour: 1)
    }
    room.feed(others + own + teams)
    _ = room.advance(to: Race.at(540))
    #expect(room.open.contains { $0.subject == .everyone })
    #expect(!room.alarms.contains { $0.subject == .tracker("7") })
    #expect(room.row("7")?.silence.kind == .server)
  }

  @Test mutating func `Who was heard after an outage has no excuse`() {
    var teams = Self.field(20, 0...120)
    room.feed(teams.flatMap(\.delivered))
    _ = room.advance(to: Race.at(180))
    for index in teams.indices {
      teams[index].capture(180 + Double(index), km: 12 + Double(index) * 0.9)
      room.feed(teams[index].contact(180 + Double(index), promise: index == 3 ? 10 : 90))
    }
    _ = room.advance(to: Race.at(215))
    #expect(room.open.map(\.subject) == [.tracker("team 3")])
  }

  // MARK: What they were

  @Test mutating func `Once it is heard again the room knows where it was in vain`() {
    room.feed(Self.pioneers() + Self.company(0...300))
    let past = room.pastSilences(of: "pioneer 1")
    #expect(past.map(\.kind) == [.deadZone])
    #expect(past.first?.from == Race.at(63) && past.first.map { $0.until > Race.at(110) } == true)
  }

  @Test mutating func `Where all others were heard its silence has another cause`() {
    var arrivals = Self.company(0...300)
    for number in 1...5 {
      var other = ScriptedTeam("other \(number)")
      let begin = Double(number * 4)
      arrivals += other.walk(begin...begin + 220, from: 7 + Double(number) * 0.3)
    }
    var walker = ScriptedTeam("7")
    arrivals += walker.walk(0...220, from: 7, silentFrom: 55, silentTo: 110)
    room.feed(arrivals)
    #expect(room.pastSilences(of: "7").map(\.kind) == [.unknown])
  }

  @Test mutating func `A silence in an outage is the server's`() {
    var teams = Self.field(20, 0...120)
    room.feed(teams.flatMap(\.delivered))
    for index in teams.indices {
      teams[index].capture(180 + Double(index), km: 12 + Double(index) * 0.9)
      room.feed(teams[index].contact(180 + Double(index)))
    }
    let kinds = teams.flatMap { room.pastSilences(of: $0.code).map(\.kind) }
    #expect(kinds == Array(repeating: .server, count: 20))
  }
}
