import ControlRoom
import Foundation
import SystemCalls
import TestSupport
import Testing
import TrackerCore

@testable import Basecamp

/// Who is told outside of the control room, and when.
@Suite(.blocking) struct AlertTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static let noon = UTC(milliseconds: 1_776_499_200_000)

  /// A room with an emergency since noon.
  private func room() -> Room {
    var room = Room(RacePlan())
    var capture = DeliveredCapture(
      at: Self.noon, tracker: "7", team: "Els Senglars", id: UniqueID(high: 1, low: 1),
      taken: Self.noon, position: Coordinate(latitude: 421_000_000, longitude: 25_000_000))
    capture.isEmergency = true
    _ = room.take([capture])
    return room
  }

  private static let patience = Escalation.Patience(usual: .minutes(5), emergency: .minutes(3))

  /// Who is told at a time, of three.
  private static func due(
    _ room: Room, _ escalation: inout Escalation, _ minutes: Int64
  ) -> [Int] {
    escalation.due(room.alarms, persons: 3, patience: patience, at: noon + .minutes(minutes))
      .keys.sorted()
  }

  @Test func `One person after another is told of an alarm until somebody takes it`() throws {
    // Overdue since noon.
    var room = Room(RacePlan())
    var capture = DeliveredCapture(
      at: Self.noon + (0 - .minutes(34)), tracker: "7", id: UniqueID(high: 1, low: 1),
      taken: Self.noon + (0 - .minutes(34)),
      position: Coordinate(latitude: 421_000_000, longitude: 25_000_000))
    capture.promise = Self.noon + (0 - .minutes(19))
    _ = room.take([capture])
    _ = room.advance(to: Self.noon)
    let alarm = try #require(room.alarms.first)
    let late = (alarm.raisedAt - Self.noon).count / 60_000
    var escalation = Escalation()
    func due(_ minutes: Int64) -> [Int] { Self.due(room, &escalation, late + minutes) }
    #expect(due(0) == [] && due(4) == [])
    #expect(due(5) == [0] && due(6) == [])
    _ = try room.act(.see(alarm: 1), by: "Pau", at: Self.noon + .minutes(7))
    #expect(due(10) == [1], "who has only seen it has not taken it")
    #expect(due(15) == [2])
    #expect(due(20) == [] && due(500) == [], "all have been told")
    var other = Escalation()
    #expect(Self.due(room, &other, late + 10) == [1])
    _ = try room.act(.take(alarm: 1), by: "Pau", at: Self.noon + .minutes(11))
    #expect(Self.due(room, &other, late + 15) == [])
  }

  @Test func `Of an emergency one after another is told, and the first again, until it is read`()
    throws
  {
    var room = room()
    var escalation = Escalation()
    #expect(
      [0, 2, 3, 4, 6, 9].map { Self.due(room, &escalation, $0) } == [[], [], [0], [], [1], [2]])
    _ = try room.act(.see(alarm: 1), by: "Pau", at: Self.noon + .minutes(10))
    #expect([12, 15, 17].map { Self.due(room, &escalation, $0) } == [[0], [1], []])
    #expect(Self.due(room, &escalation, 24 * 60) == [2], "the one whose turn it is after a pause")
    _ = try room.act(.take(alarm: 1), by: "Pau", at: Self.noon + .minutes(24 * 60 + 1))
    #expect(Self.due(room, &escalation, 24 * 60 + 9) == [])
  }

  @Test func `Where somebody cannot be told of an emergency the next is told at once, once round`()
    throws
  {
    let room = room()
    var escalation = Escalation()
    func told(_ minutes: Int64) -> [Int] { Self.due(room, &escalation, minutes) }
    #expect(told(3) == [0] && told(3) == [])
    escalation.fail([1])
    #expect(told(3) == [1] && told(3) == [])
    escalation.fail([1])
    #expect(told(4) == [2])
    escalation.fail([1])
    #expect(told(5) == [], "all have failed: it is tried again with the next turn")
    #expect(told(6) == [0])
    escalation.fail([1])
    #expect(told(6) == [1])
    #expect(told(9) == [2] && told(12) == [0])
  }

  @Test func `A command that fails is followed by the next person's`() throws {
    var settings = CampSettings(directory: folder.path("camp"))
    settings.address.port = 0
    let out = folder.path("told")
    settings.alerts = [
      "exit 3", "exec /nowhere/program", "cat > \(out).part && mv \(out).part \(out)",
    ]
    settings.emergencyPatience = .seconds(20)
    let camp = try OpenCamp(settings)
    let answer = try WireClient(port: camp.port).request(
      "POST", "\(OpenCamp.layer)/addFeatures",
      form: ["f": "json", "features": "[\(Sent(trigger: "emergency").feature)]"])
    try #require(answer.text.contains("\"success\":true"), "\(answer.text)")
    // By the time alone it would be the third's turn after a minute.
    try eventually("the third person", within: 55) { FileManager.default.fileExists(atPath: out) }
  }

  @Test func `Each emergency has a text of its own, and each person is told in turn`() throws {
    var settings = CampSettings(directory: folder.path("camp"))
    settings.address.port = 0
    let out = try folder.write("told", "")
    settings.alerts = ["a", "b"].map { "{ echo \($0); cat; echo; } | tr '\\n' '~' >> \(out)" }
    // Longer than from one look to the next: else it may always be the same person's turn.
    settings.emergencyPatience = .seconds(2)
    settings.patience.look = 20
    let camp = try OpenCamp(settings)
    let both = [
      Sent(trigger: "emergency"), Sent(device: "8", team: "Fagedes", trigger: "emergency"),
    ]
    let list = "[\(both.map(\.feature).joined(separator: ","))]"
    let answer = try WireClient(port: camp.port).request(
      "POST", "\(OpenCamp.layer)/addFeatures", form: ["f": "json", "features": list])
    try #require(answer.text.contains("\"success\":true"), "\(answer.text)")
    func told(_ person: String) -> [Substring] {
      let text = (try? String(contentsOfFile: out, encoding: .utf8)) ?? ""
      return text.replacingOccurrences(of: "~~", with: "\n").split(separator: "\n")
        .filter { $0.hasPrefix("\(person)~SOS! ") }
    }
    try eventually("both, and one of them again") {
      told("a").count >= 2 && told("b").count >= 2 && told("a").count + told("b").count >= 6
    }
    for text in told("a") + told("b") {
      #expect(text.contains("Els Senglars") != text.contains("Fagedes"), "\(text)")
    }
  }

  @Test func `The command gets the team and its number`() throws {
    var settings = CampSettings(directory: folder.path("camp"))
    settings.address.port = 0
    let out = folder.path("told")
    settings.alerts = ["cat > \(out).part && mv \(out).part \(out)"]
    settings.emergencyPatience = 1000
    settings.patience.look = 20
    // What a name could do in a mailer: begin a line, and turn one around.
    settings.teams = [
      RosterTeam(number: "7", name: "Els\n~Senglars\u{202E}", phone: "600 111 222")
    ]
    let camp = try OpenCamp(settings)
    let feature = Sent(promise: 20, trigger: "emergency").feature
    let answer = try WireClient(port: camp.port).request(
      "POST", "\(OpenCamp.layer)/addFeatures", form: ["f": "json", "features": "[\(feature)]"])
    try #require(answer.text.contains("\"success\":true"), "\(answer.text)")
    try eventually("the command") { FileManager.default.fileExists(atPath: out) }
    let text = try String(contentsOfFile: out, encoding: .utf8)
    let begin =
      "SOS! Nobody has taken alarm 1. Els ~Senglars (600 111 222), 42.12885, 2.48833: the team "
      + "asked for help at "
    let end = text.dropFirst(begin.count)
    let zone = localTime(at: KernelTimer.date.milliseconds / 1000).zone
    #expect(text.hasPrefix(begin) && !zone.isEmpty && end.hasSuffix(" \(zone)\n"), "\(text)")
    // The capture was taken a minute ago, perhaps yesterday.
    let clock = end.split(separator: " ").dropLast().last
    #expect(clock?.count == 5 && clock?.contains(":") == true, "\(text)")
  }

  @Test func `The beat needs no login and tells nothing else`() throws {
    let store = try AccessStore(folder: folder.path("camp"))
    try store.add(.init(name: "marta", role: .control, place: nil), password: "x")
    let camp = try CampServer(folder)
    let beat = try camp.get("/room/beat")
    #expect(Set(beat.keys) == ["updated", "written"], "\(beat); \(camp.command)")
    #expect(beat["written"] as? Bool == true)
  }

  // MARK: The watchdog

  @Test func `A server that stops is told of, and again when it is back`() throws {
    let camp = try CampServer(folder)
    let told = try folder.write("told", "")
    let watch = try RunningProgram(
      [
        Built.program("basecamp").path, "watch", "http://127.0.0.1:\(camp.port)/", "--alert",
        "cat >> \(told)", "--silence", "1",
        "--language", "en",
      ])
    defer { watch.end() }
    kill(camp.id, SIGSTOP)
    func text() -> String { (try? String(contentsOfFile: told, encoding: .utf8)) ?? "" }
    try eventually(text()) { text().contains("does not answer: ") }
    kill(camp.id, SIGCONT)
    try eventually(text()) { text().contains("answers again\n") }
    #expect(text().split(separator: "\n").count == 2, "\(text())")
  }

  @Test(arguments: [
    ["watch"], ["watch", "http://127.0.0.1:1"], ["watch", "basecamp", "--alert", "cat"],
    ["watch", "http://a", "--alert", "cat", "--silence", "0"],
  ])
  func `Wrong use of the watchdog is one line and code 2`(_ arguments: [String]) throws {
    try expectRefusal(arguments, naming: "basecamp")
  }
}
