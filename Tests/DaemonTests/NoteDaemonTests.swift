import Foundation
import TestSupport
import Testing

/// Notes between the real daemon and the real room.
@Suite(.blocking) struct NoteDaemonTests {
  @Test func `Both sides write while they do not see each other, and then have the same notes`()
    throws
  {
    let run = try DaemonRun(["--speed", "20"])
    let camp = try CampServer(folder: run.folder)
    run.settings["bearer"] = "'none'"
    run.settings["capture"] = "{ policy: 'standard', interval: '10 s' }"
    let site = "http://127.0.0.1:\(camp.port)"
    let layer = "\(site)/arcgis/rest/services/TrailWalker/FeatureServer/0"
    run.settings["server"] = "{ address: '\(layer)', device: '7' }"
    run.line.walk(speed: 20)
    camp.signal(SIGSTOP)
    try run.startAndWait()
    let store = run.path("queue.db")
    func notes() throws -> String {
      try ProgramResult("trackerctl", ["notes", "--store", store]).output
    }
    func page(_ name: String) throws -> String { try camp.page("\(site)/room/\(name)") }
    #expect(try run.ask("note", "battery changed at CP4", "equipment").code == 0, "\(run.command)")
    #expect(try notes().contains("[waiting]"), "\(run.logText)")
    camp.signal(SIGCONT)
    try eventually("the room knows the team; \(run.logText)") {
      try page("state").contains("Els Caminants")
    }
    let form = "tracker=7&text=bus+at+5&category=route&by=Marta"
    _ = try camp.post("\(site)/room/notes", form)
    // While an emergency stands each contact fetches.
    #expect(try run.ask("emergency").code == 0, "\(run.command)")
    try eventually("the tracker's note in the room; \(run.logText)") {
      try page("notes?tracker=7").contains("battery changed at CP4")
    }
    try eventually("the room's note on the tracker; \(run.logText)") {
      try notes().contains("r1") && notes().contains("bus at 5")
    }
    #expect(try !notes().contains("[waiting]"), "\(run.logText)")
    #expect(try run.ask("note", "r1", "delete").code == 0, "\(run.command)")
    #expect(try run.ask("note", "9", "x").code == 2, "\(run.command)")
    try eventually("the deletion in the room; \(run.logText)") {
      try page("notes?tracker=7").contains("\"deleted\": true")
    }
    run.end(SIGKILL)
    let kept = try notes()
    #expect(kept.contains("battery changed at CP4") && !kept.contains("bus"), "\(kept)")
  }
}
