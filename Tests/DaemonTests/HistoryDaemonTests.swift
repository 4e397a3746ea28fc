import Foundation
import TestSupport
import Testing

/// A real control room asks a real tracker for positions between its captures.
@Suite(.blocking) struct HistoryDaemonTests {
  private func walk(
    _ settings: [String: String] = ["remote": "['history']"]
  ) throws -> (run: DaemonRun, camp: CampServer) {
    let run = try DaemonRun(["--speed", "60"])
    run.arguments += ["--record", run.path("day.nmea")]
    let camp = try CampServer(folder: run.folder)
    run.server = camp.layer
    run.settings["capture"] = "{ policy: 'standard', interval: '2 min' }"
    run.settings["transmit"] = "{ interval: '2 min' }"
    run.settings["bearer"] = "'none'"
    for (key, value) in settings { run.settings[key] = value }
    run.line.walk(speed: 60)
    try run.startAndWait()
    try run.wait("outcome=\"answered", times: 3)
    return (run, camp)
  }

  @Test func `Positions of every ten seconds come after captures, and survive a kill`() throws {
    let (run, camp) = try walk()
    let tracker = try run.device()
    let taken = try camp.taken(of: tracker)
    let (first, last) = (try #require(taken.first), try #require(taken.last))
    try camp.ask("history \(first) \(last) 10 s", of: tracker)
    try camp.ask("history \(last) \(first) 10 s", of: tracker)
    try eventually("\(try camp.histories(of: tracker))\n\(run.logText)") {
      let all = try camp.histories(of: tracker)
      return all.count == 2 && all[0].result.hasPrefix("sent ")
        && all[1].result.hasPrefix("refused: it ends before")
    }
    let told = try camp.histories(of: tracker)[0]
    let words = told.result.split { !$0.isNumber }.compactMap { Int($0) }
    // A trace that was recorded has a position for nearly all of them.
    #expect(words[0] == told.count && told.count > taken.count, "\(told); \(run.command)")
    #expect(words[0] * 10 >= words[1] * 9, "\(told.result); \(run.command)")
    let captures = try camp.taken(of: tracker).count
    #expect(captures < told.count, "histories are no captures; \(run.command)")

    try camp.ask("history \(first) \(last) 5 s", of: tracker)
    try eventually("the price: \(try camp.histories(of: tracker))") {
      try camp.histories(of: tracker)[2].result.isEmpty == false
    }
    run.end()
    try run.startAndWait()
    try eventually("\(try camp.histories(of: tracker))\n\(run.logText)") {
      try camp.histories(of: tracker)[2].result.hasPrefix("sent ")
    }
    let again = try camp.histories(of: tracker)[2]
    #expect(again.result.contains("sent \(again.count) of"), "\(again); \(run.command)")
  }

  @Test func `A recording of garbage leaves the captures`() throws {
    let (run, camp) = try walk()
    let tracker = try run.device()
    run.end()
    for name in ["day.nmea", "day.nmea.1"] {
      var bytes = try Data(contentsOf: URL(fileURLWithPath: run.path("day.nmea")))
      if bytes.count > 600 {
        bytes.replaceSubrange(500..<bytes.count, with: (500..<bytes.count).map { UInt8($0 & 0xFF) })
      }
      try bytes.write(to: URL(fileURLWithPath: run.path(name)))
    }
    try run.startAndWait()
    let taken = try camp.taken(of: tracker)
    let (first, last) = (try #require(taken.first), try #require(taken.last))
    try camp.ask("history \(first) \(last) 10 s", of: tracker)
    try eventually("\(try camp.histories(of: tracker))\n\(run.logText)") {
      try camp.histories(of: tracker)[0].result.hasPrefix("sent ")
    }
    let told = try camp.histories(of: tracker)[0]
    // The last capture may be more than half a step after the last slot.
    #expect(
      told.count >= taken.count - 1 && told.result.contains("not recorded"),
      "\(told), captures: \(taken); \(run.command)")
  }

  @Test func `A tracker that does not allow it says so`() throws {
    let (run, camp) = try walk(["remote": "['capture']"])
    let tracker = try run.device()
    try camp.ask("history 2012-10-06T08:00:00Z 2012-10-06T08:10:00Z 10 s", of: tracker)
    try eventually("\(try camp.histories(of: tracker))\n\(run.logText)") {
      try camp.histories(of: tracker)[0].result.contains("does not allow history")
    }
  }
}

extension CampServer {
  fileprivate func ask(_ text: String, of tracker: String) throws {
    let form = "tracker=\(tracker)&order=1&by=Marta&text=" + text.replacing(" ", with: "+")
    let answer = try room("/room/messages", form)
    guard answer["messages"] != nil else { throw Problem("\(answer)") }
  }

  /// Of each request what became of it, and how many positions are here.
  fileprivate func histories(of tracker: String) throws -> [(result: String, count: Int)] {
    let answer = try room("/room/history?tracker=\(tracker)")
    return (answer["histories"] as? [[String: Any]] ?? []).map {
      ($0["result"] as? String ?? "", ($0["positions"] as? [Any])?.count ?? -1)
    }
  }

  /// When captures were taken, to the second.
  fileprivate func taken(of tracker: String) throws -> [String] {
    let answer = try room("/room/team?tracker=\(tracker)")
    return (answer["captures"] as? [[String: Any]] ?? [])
      .compactMap { $0["taken"] as? String }.sorted()
  }
}
