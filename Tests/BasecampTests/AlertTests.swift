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

  @Test func `One person after another is told of an alarm until somebody takes it`() throws {
    var room = room()
    var escalation = Escalation()
    func due(_ minutes: Int64) -> [Int] {
      escalation.due(
        room.alarms, persons: 3, patience: .minutes(5), at: Self.noon + .minutes(minutes)
      ).keys.sorted()
    }
    #expect(due(0) == [] && due(4) == [])
    #expect(due(5) == [0] && due(6) == [])
    _ = try room.act(.see(alarm: 1), by: "Pau", at: Self.noon + .minutes(7))
    #expect(due(10) == [1], "who has only seen it has not taken it")
    _ = try room.act(.take(alarm: 1), by: "Pau", at: Self.noon + .minutes(11))
    #expect(due(15) == [] && due(500) == [])
  }

  @Test func `After a pause of the server only the one whose turn it is is told`() {
    var escalation = Escalation()
    let due = escalation.due(
      room().alarms, persons: 3, patience: .minutes(5), at: Self.noon + .minutes(11))
    #expect(due.keys.sorted() == [1])
    let last = escalation.due(
      room().alarms, persons: 3, patience: .minutes(5), at: Self.noon + .minutes(400))
    #expect(last.keys.sorted() == [2])
  }

  @Test func `The command gets the team and its number`() throws {
    var settings = CampSettings(directory: folder.path("camp"))
    settings.address.port = 0
    let out = folder.path("told")
    settings.alerts = ["cat > \(out).part && mv \(out).part \(out)"]
    settings.alertPatience = 50
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
