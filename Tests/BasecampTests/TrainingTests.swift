import Foundation
import TestSupport
import Testing

/// Made-up races that `tracker-sim rehearse --server` sends to a real basecamp.
@Suite(.blocking) struct TrainingTests {
  private let folder: ScratchFolder
  private static let course = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../traces/race.geojson").standardized.path

  init() throws { folder = try ScratchFolder() }

  private static func words(_ port: UInt16, teams: Int, _ more: [String]) -> [String] {
    [
      "rehearse", "--teams", "\(teams)", "--seed", "7", "--server", "http://127.0.0.1:\(port)",
    ] + more
  }

  /// Reads on until it has said something.
  private func listen(_ program: RunningProgram, for part: String) throws {
    var said = ""
    while !said.contains(part) { said += try program.line() }
  }

  @Test func `A whole race arrives in the room, with a call for help, and once more as another`()
    throws
  {
    let camp = try CampServer(folder, ["--course", Self.course])
    // Four teams are enough for one of them to give up.
    let words = Self.words(camp.port, teams: 4, ["--speed", "10000"])
    var sent = 0
    for _ in 1...2 {
      let run = try ProgramResult("tracker-sim", words)
      #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors); \(run.command)")
      let last = try #require(run.output.split(separator: "\n").last)
      #expect(last.hasSuffix("captures of 4 teams sent, 0 refused"), "\(run.command)")
      let answer = try camp.post(
        "\(OpenCamp.layer)/query", ["where": "1=1", "returnCountOnly": "true"])
      sent += try #require(Int(last.prefix { $0.isNumber }))
      #expect(answer["count"] as? Int == sent, "\(run.command)")
    }
    let state = try camp.get("/room/state")
    #expect(teams(state).count == 4, "\(camp.command)")
    let needs = (state["alarms"] as? [[String: Any]] ?? []).compactMap { $0["need"] as? String }
    #expect(needs.contains("emergency"), "\(needs)")
  }

  @Test func `The course and the teams of the race are written for basecamp`() throws {
    let files = folder.path("training")
    let program = try RunningProgram(
      [Built.program("tracker-sim").path]
        + Self.words(1, teams: 3, ["--speed", "1", "--into", "1", "--files", files]),
      output: .pipe, errors: .asOutput)
    try listen(program, for: "takes nothing: ")
    program.signal(SIGINT)
    #expect(program.wait() == 0)
    let camp = try CampServer(
      folder, ["--course", files + "/course.geojson", "--teams", files + "/teams.csv"])
    let table = teams(try camp.get("/room/state"))
    #expect(table.map { $0["name"] as? String } == ["Equip 1", "Equip 2", "Equip 3"])
    #expect(table.first?["phone"] as? String == "+34 600 000 001", "\(camp.command)")
    let course = try camp.get("/room/course")
    let places = try #require(course["places"] as? [[String: Any]])
    let hours = places.compactMap { $0["closes"] as? String }
    #expect(places.count > 5 && hours.count == places.count - 1 && hours == hours.sorted())
    let file = try String(contentsOfFile: files + "/course.geojson", encoding: .utf8)
    #expect(file.contains("\"opens\""), "the room knows when to miss a team")
    #expect((course["length_m"] as? Int).map { abs($0 - 100_000) < 500 } == true, "\(course)")
  }

  @Test func `While the server is down the race waits, says so once, and goes on`() throws {
    var camp = try CampServer(folder, ["--course", Self.course])
    let network = try HoldingProxy(to: camp.port)
    defer { network.end() }
    camp.end()
    let program = try RunningProgram(
      [Built.program("tracker-sim").path] + Self.words(network.port, teams: 2, ["--into", "2"]),
      output: .pipe, errors: .asOutput)
    try listen(program, for: "takes nothing: ")
    camp = try CampServer(folder, ["--course", Self.course])
    network.lead(to: camp.port)
    try listen(program, for: "takes captures again")
    try eventually("both teams") { teams(try camp.get("/room/state")).count == 2 }
    program.signal(SIGINT)
    try listen(program, for: "of 2 teams sent, 0 refused")
    #expect(program.wait() == 0 && program.hasExited)
    for team in teams(try camp.get("/room/state")) {
      #expect(team["done_m"] is Int && team["promise"] is String, "\(team); \(camp.command)")
    }
  }

  @Test(arguments: [
    "", "ftp://127.0.0.1", "127.0.0.1:8080", "http://", "http://127.0.0.1:8080/x",
    "http://a:b@127.0.0.1:8080",
  ])
  func `What is no server's address is one line and code 2`(_ address: String) throws {
    let run = try ProgramResult("tracker-sim", ["rehearse", "--server", address])
    #expect(run.code == 2 && run.output.isEmpty, "\(run.command)")
    #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    #expect(run.errors.contains("--server"), "\(run.errors)")
  }

  @Test func `A server without such a layer, or with a password, is one line and code 2`() throws {
    let password = try folder.write("password", "correct horse\n")
    #expect(chmod(password, 0o600) == 0)
    let camp = try CampServer(folder, ["--user", "camp", "--password-file", password])
    for end in ["", "/arcgis/rest/services/TrailWalker/FeatureServer/7"] {
      let run = try ProgramResult(
        "tracker-sim",
        ["rehearse", "--teams", "1", "--server", "http://127.0.0.1:\(camp.port)\(end)"])
      #expect(run.code == 2, "\(run.command)")
      #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
      #expect(run.errors.contains("give the address"), "\(run.errors)")
    }
    let address = "http://127.0.0.1:\(camp.port)"
    let open = try folder.write("open", "correct horse\n", mode: 0o644)
    let known = ["rehearse", "--teams", "1", "--server", address, "--user", "camp"]
    for file in [open, folder.path("none"), try folder.write("empty", "")] {
      let run = try ProgramResult("tracker-sim", known + ["--password-file", file])
      #expect(run.code == 2 && run.errors.contains("has no password"), "\(run)")
    }
    let run = try ProgramResult(
      "tracker-sim",
      Self.words(
        camp.port, teams: 1,
        ["--speed", "10000", "--user", "camp", "--password-file", password]))
    #expect(run.code == 0 && run.output.contains("of 1 teams sent, 0 refused"), "\(run)")
  }
}
