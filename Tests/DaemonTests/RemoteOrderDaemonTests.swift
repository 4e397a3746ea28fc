import Foundation
import TestSupport
import Testing

/// A real control room orders, and a real tracker obeys or says why not.
@Suite(.blocking) struct RemoteOrderDaemonTests {
  /// A tracker that has delivered its first capture.
  private func walk(
    _ settings: [String: String]
  ) throws -> (run: DaemonRun, camp: CampServer, tracker: String) {
    let run = try DaemonRun(["--speed", "60"])
    let camp = try CampServer(folder: run.folder)
    run.server = camp.layer
    run.settings["capture"] = "{ policy: 'standard', interval: '30 s' }"
    run.settings["transmit"] = "{ interval: '1 min' }"
    run.settings["bearer"] = "'none'"
    for (key, value) in settings { run.settings[key] = value }
    run.line.walk(speed: 60)
    try run.startAndWait()
    try run.wait("outcome=\"answered")
    return (run, camp, try run.device())
  }

  @Test func `The room sees what became of each order, and the tracker tells who gave it`() throws {
    let (run, camp, tracker) = try walk(["remote": "['interval', 'stop']"])
    for order in ["interval 10 s", "interval 5 h", "capture"] {
      try camp.order(order, of: tracker)
    }
    try eventually("in force and refused: \(try camp.results(of: tracker))\n\(run.logText)") {
      let results = try camp.results(of: tracker)
      return results.count == 3 && results[0] == "in force"
        && results[1].hasPrefix("refused: too long") && results[2].hasPrefix("refused: ")
    }
    let settings = try run.ask("get").output
    #expect(settings.contains("10 s") && settings.contains("Marta (room)"), "\(settings)")
    let messages = try run.ask("messages", "--config", run.path("settings.json5")).output
    #expect(messages.contains("interval 10 s (in force)"), "\(messages); \(run.command)")
    // A person at the tracker has the last word.
    #expect(try run.ask("undo", "interval").code == 0, "\(run.command)")
    #expect(try run.ask("get").output.contains("30 s"), "\(run.command)")
  }

  @Test func `A request for a call outlives a crash, and the room learns it was seen`() throws {
    let (run, camp, tracker) = try walk(["remote": "['call']"])
    try camp.order("call", of: tracker)
    try run.wait("the control room asks for a call")
    let status = try run.status()
    #expect(status.contains("undo call"), "\(status); \(run.command)")
    run.end()
    try run.start()
    try run.wait("the control room asks for a call")
    #expect(try camp.results(of: tracker) == ["fetched"], "\(run.command)")
    #expect(try run.ask("undo", "call").code == 0, "\(run.command)")
    try eventually("seen: \(try camp.results(of: tracker))\n\(run.logText)") {
      try camp.results(of: tracker) == ["seen by the team"]
    }
    let again = try run.ask("undo", "call")
    #expect(again.code != 0 && again.output.contains("asks for no call"), "\(again)")
    // The room can take it back.
    try camp.order("call", of: tracker)
    try run.wait("the control room asks for a call", times: 2)
    try camp.order("undo call", of: tracker)
    try eventually("taken back: \(try camp.results(of: tracker))\n\(run.logText)") {
      try camp.results(of: tracker).suffix(2) == ["undone", "in force"]
    }
  }

  @Test func `A server that always says stop gets no more than pauses`() throws {
    let (run, camp, tracker) = try walk(["remote": "['stop']", "remoteLimit": "'5 min'"])
    for round in 1...2 {
      try camp.order("stop", of: tracker)
      try run.wait("session stopped", times: round)
      try run.wait("session started", times: round + 1)
    }
    #expect(try camp.results(of: tracker).first == "in force", "\(run.command)")
  }
}

extension CampServer {
  fileprivate func order(_ text: String, of tracker: String) throws {
    let form = "tracker=\(tracker)&order=1&by=Marta&text=" + text.replacing(" ", with: "+")
    let answer = try room("/room/messages", form)
    guard answer["messages"] != nil else { throw Problem("\(answer)") }
  }

  /// What became of each, as the room tells.
  fileprivate func results(of tracker: String) throws -> [String] {
    let answer = try room("/room/messages?tracker=\(tracker)")
    let messages = answer["messages"] as? [[String: Any]] ?? []
    return messages.map { $0["result"] as? String ?? "" }
  }
}
