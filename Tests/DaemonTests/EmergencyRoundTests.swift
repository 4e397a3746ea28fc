import Foundation
import TestSupport
import Testing

/// From a team's call for help to a person who reads it, and back: the real daemon with a modem on
/// a pseudo-terminal, basecamp, and a browser.
@Suite(
  .serialized, .blocking,
  .enabled(
    if: DrivenBrowser.isPossible, "needs chromium and libjs-leaflet; .ci/readers installs them"))
struct EmergencyRoundTests {
  @Test func `A call sounds in the room, and the tracker tells who has read it and ended it`()
    throws
  {
    let rig = try ModemRig("sim7600", speed: 10)
    defer { rig.stop() }
    let (camp, modem, run) = (rig.camp, rig.modem, rig.run)
    run.settings["capture"] = "{ policy: 'standard', interval: '10 min' }"
    run.settings["transmit"] = "{ interval: '10 min' }"
    let folder = try ScratchFolder()
    let browser = try DrivenBrowser(folder)
    try browser.enterRoom(of: camp, as: "Marta")

    try run.startAndWait()
    try run.wait("captured sequence=")
    #expect(try run.ask("emergency").code == 0, "\(run.command)")
    #expect(try run.status().contains("EMERGENCY"), "\(run.command)")
    try eventually("the siren; \(run.command)\n\(run.logText)") {
      try browser.siren() == "sounds"
    }
    try eventually("whose it is") {
      try browser.text("#siren").contains("EMERGENCY: Els Caminants. Nobody has read it.")
    }
    #expect(try !run.status().contains("read by"), "nobody has; \(run.command)")

    try browser.readEmergency()
    try eventually("the tracker's word; \(run.command)\n\(run.logText)") {
      try run.status().contains("read by Marta")
    }
    #expect(try browser.siren().isEmpty)
    try eventually("the room's") {
      try browser.text("#alarms").contains("the tracker has it since")
    }

    try browser.click("[data-key^=resolve]")
    try browser.type("picked up", into: "#reason")
    try browser.click("#why button[value=close]")
    try run.wait("emergency stage=ended")
    let messages = try ProgramResult(
      "trackerctl", ["messages", "--store", run.path("queue.db")]
    ).output
    #expect(messages.contains("Marta") && messages.contains("picked up"), "\(messages)")
    #expect(try !run.status().contains("EMERGENCY"), "\(run.command)")
    run.end(SIGTERM)
    try run.expectOnce(camp.identifiers())
    #expect(modem.heard.contains { $0.hasPrefix("AT+HTTPACTION") }, "by the modem; \(run.command)")
  }
}
