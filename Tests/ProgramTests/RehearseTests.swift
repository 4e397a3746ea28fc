import ControlRoom
import Foundation
import TestSupport
import Testing
import TrackerCore
import Wording

@testable import Simulation
@testable import tracker_sim

/// How what the control room said is compared with what is true.
@Suite struct RehearseTests {
  private static let begin = UTC(milliseconds: 1_776_499_200_000)
  private static func at(_ minute: Int) -> UTC { begin + .minutes(Int64(minute)) }

  /// - Parameter contacts: minute and promised minute of each.
  private static func team(
    _ number: String, tracker: String? = nil, _ contacts: [(Int, Int)], _ truth: TeamTruth
  ) -> RehearsedTeam {
    let deliveries = contacts.enumerated().map { index, contact in
      Delivery(
        at: at(contact.0), tracker: tracker ?? number, team: "Equip",
        id: UniqueID(high: 1, low: UInt64(index)), taken: at(contact.0),
        position: Coordinate(latitude: 421_000_000, longitude: 25_000_000),
        promise: at(contact.1))
    }
    return RehearsedTeam(number: number, name: "Equip", deliveries: deliveries, truth: truth)
  }

  /// Two hours: A's tracker breaks, B is in a valley, C gives up, D and E have one card.
  private static let race = RehearsedRace(
    begin: begin, end: at(120),
    teams: [
      team(
        "A", [(10, 30), (25, 45)],
        TeamTruth(
          start: begin, periods: [.init(from: at(27), until: nil, cause: .smashed)])),
      team(
        "B", [(20, 40), (70, 200)],
        TeamTruth(
          start: begin, periods: [.init(from: at(30), until: at(60), cause: .deadZone)])),
      team(
        "C", [(10, 60), (50, 100), (80, 119)],
        TeamTruth(
          start: begin, gaveUp: at(15),
          stops: [.init(from: at(15), until: nil, metres: 900, isAtPlace: false)])),
      team("D", [(10, 30), (13, 30), (100, 130)], TeamTruth(start: begin, isCloned: true)),
      team("E", tracker: "D", [(12, 30)], TeamTruth(start: begin, isCloned: true)),
    ])

  private static let log = RoomLog(
    raised: [
      .init(at: at(49), need: .silent, subject: .tracker("A"), since: at(45)),
      .init(at: at(61), need: .silent, subject: .tracker("B"), since: at(40)),
      .init(at: at(63), need: .standing, subject: .tracker("C"), since: at(15)),
      .init(at: at(64), need: .silent, subject: .everyone, since: at(64)),
      .init(at: at(70), need: .cloned, subject: .tracker("D"), since: at(12)),
    ],
    minutes: (0...120).map { minute in
      var silent: [String: SilenceClass.Kind] = [:]
      if minute >= 52 { silent["A"] = .unknown }
      if (45..<70).contains(minute) { silent["B"] = minute < 60 ? .deadZone : .unknown }
      return .init(at: at(minute), first: minute > 100 ? "B" : "A", silent: silent)
    }, past: ["B": [PastSilence(from: at(40), until: at(70), kind: .deadZone)]])

  private static let score = RaceScore(race, log)

  @Test
  func `A silence lasts from the broken promise to the next contact, and is judged by minutes`()
    throws
  {
    let silences = Self.score.silences
    try #require(silences.map(\.tracker) == ["A", "B"])
    let (broken, valley) = (silences[0], silences[1])
    #expect(broken.from == Self.at(45) && broken.until == Self.at(120))
    #expect(broken.cause == .smashed && broken.first == .planned && broken.last == .unknown)
    // From 50 to 119, and right from 52 on.
    #expect(broken.minutes == 70 && broken.rightMinutes == 68)
    #expect(valley.cause == .deadZone && valley.first == .deadZone && valley.last == .unknown)
    // From 45 to 69, and right until 60.
    #expect(valley.minutes == 25 && valley.rightMinutes == 15)
  }

  @Test func `What the room knows of a silence in the end counts apart, and by all that held`() {
    let silences = Self.score.silences
    #expect(silences.map(\.afterwards) == [.unknown, .deadZone])
    #expect(silences.map(\.causes) == [[.smashed], [.deadZone]])
    #expect(silences.allSatisfy(RaceScore.isRightAfterwards))
    var silence = silences[1]
    (silence.causes, silence.afterwards) = ([.deadZone, .server], .server)
    #expect(RaceScore.isRightAfterwards(silence))
    silence.afterwards = .unknown
    #expect(!RaceScore.isRightAfterwards(silence))
  }

  @Test func `Who would not be heard either if it lived cannot be known of yet`() {
    let truth = TeamTruth(
      start: Self.begin,
      periods: [
        .init(from: Self.at(27), until: nil, cause: .smashed),
        .init(from: Self.at(40), until: Self.at(90), cause: .deadZone),
        .init(from: Self.at(100), until: Self.at(130), cause: .server),
      ])
    let team = Self.team("A", [(10, 30), (25, 45)], truth)
    // Out of the valley at 90 and 20 min to the next contact: then the server is down until 130.
    #expect(team.heardAgain(after: team.contacts[1]) == Self.at(130 + 38 + 20))
    let open = Self.team(
      "A", [(10, 30)], TeamTruth(start: Self.begin, periods: [truth.periods[0]]))
    #expect(open.heardAgain(after: open.contacts[0]) == Self.at(30))
  }

  @Test func `What has stopped for good counts with the time until its alarm`() {
    #expect(Self.score.silentStops == [.init(tracker: "A", from: Self.at(45), delay: .minutes(4))])
    #expect(
      Self.score.teamStops == [.init(tracker: "C", from: Self.at(15), delay: .minutes(48))])
  }

  @Test func `An alarm without a reason in what is true is a false one`() {
    let subjects = Self.score.falseAlarms.map(\.subject)
    #expect(subjects == [.tracker("B"), .everyone])
  }

  @Test func `Alarms are counted in any ten minutes`() {
    #expect(Self.score.alarms == 5 && Self.score.worstAlarms == 4)
    #expect(abs(Self.score.meanAlarms - 5.0 / 12) < 1e-9)
  }

  @Test func `The most urgent team is the one that truth says, from when it could be known`() {
    // A from 50 on, to the end: 50...119, of which B is first from 101 on. Before, in 18...49, only
    // the copied card.
    #expect(Self.score.urgentMinutes == 70 + 32 && Self.score.firstMinutes == 51)
  }

  @Test func `A tracker without positions is mute until it says in the end that it is stopped`() {
    let truth = TeamTruth(
      start: Self.begin,
      periods: [
        .init(from: Self.at(27), until: nil, cause: .noFix),
        .init(from: Self.at(110), until: nil, cause: .over),
      ])
    let mute = Self.team("A", [(10, 30), (25, 45), (110, 110)], truth)
    var deliveries = mute.deliveries
    (deliveries[2].promise, deliveries[2].silence) = (nil, "stoppedByPerson")
    let race = RehearsedRace(
      begin: Self.begin, end: Self.at(120),
      teams: [RehearsedTeam(number: "A", name: "Equip", deliveries: deliveries, truth: truth)])
    let score = RaceScore(race, Self.log)
    #expect(score.silentStops == [.init(tracker: "A", from: Self.at(45), delay: .minutes(4))])
    // From 50 to 109.
    #expect(score.urgentMinutes == 60)
  }

  @Test(arguments: [(42, 0), (35, 1)])
  func `Who has told of its arrival owes nothing more`(contact: Int, silences: Int) {
    let truth = TeamTruth(
      start: Self.begin, arrival: Self.at(40),
      periods: [.init(from: Self.at(50), until: nil, cause: .battery)])
    let mute = Self.team("A", [(10, 50), (contact, 60)], truth)
    let stopped = Self.race.teams[2]
    let race = RehearsedRace(begin: Self.begin, end: Self.at(120), teams: [mute, stopped])
    let minutes = (0...120).map { RoomLog.Minute(at: Self.at($0), first: "A") }
    let score = RaceScore(race, RoomLog(raised: [], minutes: minutes))
    #expect(score.silences.count(where: { $0.tracker == "A" }) == silences)
    // Nobody can know that the silent tracker has arrived: it may come before who gave up.
    #expect(score.knowableMinutes == 35 && score.knowableFirstMinutes == 35 * silences)
  }

  @Test func `Who gives up in the valley is rightly missed, and cannot be seen to stand`() {
    let truth = TeamTruth(
      start: Self.begin, gaveUp: Self.at(15),
      periods: [.init(from: Self.at(12), until: nil, cause: .deadZone)])
    let missed = Self.team("A", [(10, 30)], truth)
    let mute = Self.team(
      "B", [(10, 40)],
      TeamTruth(
        start: Self.begin, periods: [.init(from: Self.at(20), until: nil, cause: .smashed)]))
    let race = RehearsedRace(begin: Self.begin, end: Self.at(120), teams: [missed, mute])
    let alarm = RoomLog.Raised(
      at: Self.at(34), need: .silent, subject: .tracker("A"), since: Self.at(30))
    let minutes = (0...120).map { RoomLog.Minute(at: Self.at($0), first: "A") }
    let score = RaceScore(race, RoomLog(raised: [alarm], minutes: minutes))
    #expect(score.falseAlarms.isEmpty && score.teamStops.isEmpty)
    #expect(score.knowableMinutes == 75 && score.knowableFirstMinutes == 75)
  }

  @Test func `What the room got wrong is a line each`() {
    let lines = RaceFlaws(11, Self.race, Self.log, Self.score).lines
    #expect(
      lines == """
        11,false_alarm,B,2026-04-18 08:40:00,2026-04-18 09:01:00,silent,deadZone
        11,false_alarm,,2026-04-18 09:04:00,2026-04-18 09:04:00,silent,
        11,not_first,D,2026-04-18 08:18:00,2026-04-18 08:27:00,A,
        11,not_first,A,2026-04-18 09:41:00,2026-04-18 10:00:00,B,smashed

        """)
  }

  @Test func `A team that finds a place closed comes before a copied card`() {
    var truth = TeamTruth(start: Self.begin)
    truth.missesClosing = true
    let teams = Self.race.teams.filter(\.truth.isCloned) + [Self.team("F", [(10, 200)], truth)]
    let race = RehearsedRace(begin: Self.begin, end: Self.at(120), teams: teams)
    let minutes = (0...120).map { RoomLog.Minute(at: Self.at($0), first: "F") }
    let score = RaceScore(race, RoomLog(raised: [], minutes: minutes))
    #expect(score.firstMinutes == 0 && score.knowableMinutes > 90)
    #expect(score.knowableFirstMinutes == score.knowableMinutes)
  }

  @Test(arguments: [
    (Need.silent, [Int](27...120), "A"), (.standing, [Int](55...120), "C"),
    (.offCourse, [], "A"), (.battery, [], "B"), (.late, [], "C"), (.incomplete, [], "A"),
    (.emergency, [], "C"),
  ])
  func `A team's alarm has a reason from when there is one`(
    need: Need, minutes: [Int], code: String
  ) throws {
    let found = (0...120).filter { minute in
      let alarm = RoomLog.Raised(
        at: Self.at(minute), need: need, subject: .tracker(code), since: Self.at(0))
      return RaceScore.hasReason(alarm, Self.race)
    }
    #expect(found == minutes)
  }

  @Test func `Over several races figures have their distribution, and the table adds up`() throws {
    let figures = RehearsalFigures([Self.score, Self.score])
    var total = 0
    for cause in RehearsalFigures.causes {
      for stated in RaceScore.Stated.allCases { total += figures.count(cause, stated, \.last) }
    }
    #expect(total == 4 && figures.silences.count == 4)
    let figure = figures.figure(RehearseOptions())
    func real(_ path: String) -> Double? {
      if case .real(let value, _) = figure[path: path] { value } else { nil }
    }
    #expect(real("silences.right_percent") == 50 && real("silences.right_at_first_percent") == 50)
    #expect(real("silences.right_minutes_percent").map { abs($0 - 83 * 100 / 95.0) < 1e-9 } == true)
    #expect(real("silent_for_good.in_time_percent") == 100)
    #expect(real("false_alarms.mean") == 2 && real("worst_10_min.max") == 4)
    #expect(figure[path: "silences.in_the_end.deadZone.unknown"] == .whole(2))
    #expect(figure[path: "false_alarms.by_need.silent"] == .whole(4))
  }

  @Test func `Percentiles are by nearest rank`() {
    let spread = RehearsalFigures.Spread((1...20).map(Double.init).reversed())
    #expect(spread.percentile(50) == 10 && spread.percentile(95) == 19)
    #expect(spread.mean == 10.5 && spread.most == 20 && spread.least == 1)
    #expect(RehearsalFigures.Spread([]).percentile(95) == nil)
  }

  // MARK: The program

  private static let small = ["rehearse", "--teams", "2", "--seed", "11"]

  @Test func `The same seed gives the same figures, whatever the number of threads`() throws {
    let one = try ProgramRun(Self.small + ["--json", "--threads", "1"])
    let folder = try ScratchFolder()
    let flaws = folder.path("flaws")
    let two = try ProgramRun(Self.small + ["--json", "--threads", "2", "--flaws", flaws])
    #expect(one.code == 0 && one.errors.isEmpty, "\(one.command): \(one.errors)")
    #expect(one.output == two.output, "\(one.command)")
    let list = try String(contentsOfFile: flaws, encoding: .utf8)
    #expect(list.hasPrefix(RaceFlaws.header))
    let value = try JSONSerialization.jsonObject(with: Data(one.output.utf8))
    let figures = try #require(value as? [String: Any])
    let silences = try #require(figures["silences"] as? [String: Any])
    for table in ["in_the_end", "at_first"] {
      let rows = try #require(silences[table] as? [String: [String: Int]])
      let sum = rows.values.reduce(0) { $0 + $1.values.reduce(0, +) }
      #expect(sum == silences["count"] as? Int, "\(table); \(one.command)")
    }
  }

  @Test func `A limit that is missed is the exit code, and one that does not exist is refused`()
    throws
  {
    let kept = try ProgramRun(Self.small + ["--expect", "alarms.mean <= 1000"])
    #expect(kept.code == 0 && kept.errors.isEmpty, "\(kept.command): \(kept.errors)")
    let missed = try ProgramRun(Self.small + ["--expect", "alarms.mean > 1000"])
    #expect(missed.code == 1 && missed.errors.contains("alarms.mean > 1000"), "\(missed.command)")
    let refused = try ProgramRun(["rehearse", "--expect", "alarm.mean <= 1"])
    #expect(refused.isRefusal && refused.errors.contains("no figure"), "\(refused.errors)")
  }

  @Test func `Coverage is written after the race and used before it, but not of another course`()
    throws
  {
    let folder = try ScratchFolder()
    let file = folder.path("coverage")
    let first = try ProgramRun(Self.small + ["--coverage-out", file])
    #expect(first.code == 0 && first.errors.isEmpty, "\(first.command): \(first.errors)")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.utf8.count == 138 && text.contains("+"))
    let second = try ProgramRun(Self.small + ["--coverage", file, "--valley", "11"])
    #expect(second.code == 0 && second.errors.isEmpty, "\(second.command): \(second.errors)")
    let other = try folder.write("other", "00000000" + text.dropFirst(8))
    let third = try ProgramRun(Self.small + ["--coverage", other])
    #expect(third.code == 0 && third.output == first.output, "\(third.command)")
    #expect(third.errors.contains("of another course"), "\(third.errors)")
  }

  @Test(arguments: [Language.catalan, .spanish, .english, .french])
  func `The text has every language, within 80 columns`(language: Language) {
    let text = RehearsalText(
      figures: RehearsalFigures([Self.score]), options: RehearseOptions(), language: language
    ).text
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(text)")
    #expect(!text.contains("{"), "\(text)")
  }
}
