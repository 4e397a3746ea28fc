import Foundation
import TestSupport
import Testing

/// What a control room sees of a real tracker at a real basecamp.
@Suite(.blocking) struct SilenceDaemonTests {
  @Test func `A server has promise and trigger of each capture, and after a stop the silence`()
    throws
  {
    let run = try DaemonRun(["--speed", "60"])
    let camp = try CampServer(folder: run.folder)
    run.server = camp.layer
    run.settings["capture"] = "{ policy: 'standard', interval: '30 s' }"
    run.settings["transmit"] = "{ interval: '2 h' }"
    run.settings["bearer"] = "'none'"
    run.line.walk(speed: 60)
    try run.startAndWait()
    try run.wait("outcome=\"answered")
    try run.wait("captured sequence=4")
    #expect(try run.ask("stop").code == 0, "\(run.command)")
    var rows: [String] = []
    try eventually("the rest arrives: \(rows)\n\(run.logText)") {
      rows = try camp.features()
      return rows.count >= 4
    }
    let first = rows.filter { $0.contains("Motiu=start") }
    #expect(first.count == 1, "\(rows); \(run.command)")
    #expect(
      first.allSatisfy {
        $0.contains("Silenci=<null>") && $0.firstMatch(of: /ProperContacte=\d{13}/) != nil
      }, "\(rows); \(run.command)")
    #expect(
      rows.contains {
        $0.contains("Motiu=interval") && $0.contains("ProperContacte=<null>")
          && $0.contains("Silenci=stoppedByPerson")
      }, "\(rows); \(run.command)")
  }
}
