import Foundation
import TestSupport
import Testing

/// Each trouble on demand, as a client sees it.
@Suite(.blocking) struct FaultTests {
  /// What came of one edit: the HTTP status, the ArcGIS error, or how the connection ended.
  static func send(_ camp: CampServer, _ number: Int) throws -> String {
    do {
      let answer = try WireClient(port: camp.port).request(
        "POST", "\(OpenCamp.layer)/addFeatures",
        form: ["f": "json", "features": Captures.text(number..<number + 2)])
      if answer.status != 200 { return "\(answer.status)" }
      if answer.text.contains("<html") { return "html" }
      if answer.text.contains("\"code\":498") { return "498" }
      if answer.text.contains("\"error\":{\"code\":400") { return "400" }
      return answer.text.contains("\"success\":false") ? "partial" : "ok"
    } catch let problem as Problem {
      return problem.description
    }
  }

  @Test(arguments: [
    ("503 every 3rd", ["ok", "ok", "503"], 4), ("504-after every 3rd", ["ok", "ok", "504"], 6),
    ("portal every 3rd", ["ok", "ok", "html"], 4),
    ("unauthorised every 3rd", ["ok", "ok", "498"], 4),
    ("reject-request 400 every 3rd", ["ok", "ok", "400"], 4),
    ("partial every 3rd", ["ok", "ok", "partial"], 4),
    ("cut-answer every 3rd", ["ok", "ok", "closed"], 6),
    ("reset every 3rd", ["ok", "ok", "reset"], 4),
  ])
  func `A fault comes when it should, and stores what it should`(
    _ fault: String, _ outcomes: [String], _ stored: Int
  ) throws {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder, ["--fault", fault])
    for (number, outcome) in outcomes.enumerated() {
      let seen = try Self.send(camp, number * 2)
      #expect(seen == outcome, "\(number); \(camp.command)")
    }
    // Queries are spared: the faults are for edits.
    #expect(try camp.count() == stored, "\(camp.command)")
  }

  @Test func `A partial failure without rollback refuses one and keeps the others`() throws {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder, ["--fault", "partial every 1st"])
    let answer = try camp.post(
      "\(OpenCamp.layer)/addFeatures",
      ["features": Captures.text(0..<10), "rollbackOnFailure": "false"])
    #expect(addResults(answer).filter { !$0.isDone }.map(\.code) == [1000])
    #expect(try camp.count() == 9)
  }

  @Test func `A delay holds up its own request and no other`() throws {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder, ["--fault", "late 3s every 1st"])
    let slow = try WireClient(port: camp.port)
    let start = ContinuousClock.now
    let body = WireClient.encoded(["f": "json", "features": Captures.text(0..<1)])
    try slow.send(
      "POST \(OpenCamp.layer)/addFeatures HTTP/1.1\r\nHost: a\r\nContent-Type: "
        + "application/x-www-form-urlencoded\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    #expect(try camp.count() == 0)
    #expect(ContinuousClock.now - start < .seconds(3))
    #expect(try slow.receive().status == 200)
    #expect(ContinuousClock.now - start >= .seconds(3))
  }

  @Test func `A stop does not wait for a delay`() throws {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder, ["--fault", "late 60s every 1st on both"])
    let slow = try WireClient(port: camp.port)
    try slow.send("GET \(OpenCamp.layer)/query?where=1=1&f=json HTTP/1.1\r\nHost: a\r\n\r\n")
    usleep(200_000)
    let start = ContinuousClock.now
    #expect(camp.end() == 0)
    #expect(ContinuousClock.now - start < .seconds(30))
  }

  @Test func `Faults by lot are the same for the same seed`() throws {
    var runs: [[String]] = []
    for seed in ["7", "7", "8"] {
      let folder = try ScratchFolder()
      let camp = try CampServer(
        folder, ["--fault", "503 30%", "--fault", "portal 20%", "--fault-seed", seed])
      runs.append(try (0..<40).map { try Self.send(camp, $0) })
    }
    #expect(runs[0] == runs[1])
    #expect(runs[0] != runs[2])
    #expect(Set(runs[0]) == ["ok", "503", "html"])
  }

  @Test func `A fault on queries leaves edits alone`() throws {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder, ["--fault", "500 every 1st on queries"])
    #expect(try Self.send(camp, 0) == "ok")
    let answer = try WireClient(port: camp.port).request(
      "GET", "\(OpenCamp.layer)/query?where=1=1&f=json")
    #expect(answer.status == 500)
  }
}
