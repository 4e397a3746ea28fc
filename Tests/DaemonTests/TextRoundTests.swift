import Foundation
import ModemTerminal
import Simulation
import TestSupport
import Testing

/// From a team's call for help to a person who reads it and back where only text messages get
/// through: the real daemon and basecamp, each with a modem on a pseudo-terminal.
@Suite(.serialized, .blocking) struct TextRoundTests {
  @Test func `With dead data a call reaches the room, and its answer the team, by text message`()
    throws
  {
    let rig = try ModemRig("sim7600", speed: 20, forward: { _ in .unreachable })
    defer { rig.stop() }
    let (modem, run) = (rig.modem, rig.run)
    let office = try ModemTerminal(try ModemScript(named: "generic"))
    defer { office.stop() }
    let camp = try CampServer(
      try ScratchFolder(), ["--language", "en", "--modem", office.path])
    run.settings["textTo"] = "'+34600000000'"
    try run.startAndWait()
    try run.wait("captured", seconds: 60)
    _ = try run.ask("emergency")
    try eventually("no call went out; \(run.command)") { !modem.texts.isEmpty }

    // The network between the two.
    office.deliver(try #require(modem.texts.first), from: "+34611111111")
    func alarm() throws -> [String: Any]? {
      (try camp.room("/room/state")["alarms"] as? [[String: Any]])?.first
    }
    try eventually("no alarm; \(camp.command)") { try alarm() != nil }
    #expect(try alarm()?["need"] as? String == "emergency", "\(camp.command)")
    let answer = try camp.room("/room/act", "take=1&by=Marta")
    #expect(answer["error"] == nil, "\(answer)")
    try eventually("no answer went out; \(camp.command)") { !office.texts.isEmpty }
    let text = try #require(office.texts.first)
    #expect(text.hasPrefix("OK Marta #"), "\(text)")
    modem.deliver(text, from: "600000000")

    try run.wait("emergency stage=read", seconds: 60)
    #expect(try run.status().contains("read by Marta"), "\(run.command)")
    try eventually("the call stays in the room's modem") { office.storedTexts == 0 }
    try eventually("the answer stays in the team's modem") { modem.storedTexts == 0 }

    let end = try camp.room("/room/act", "resolve=1&by=Pau&text=at+CP4")
    #expect(end["error"] == nil, "\(end)")
    try eventually("the end is not told; \(camp.command)") { office.texts.count == 2 }
    modem.deliver(try #require(office.texts.last), from: "600000000")
    try run.wait("it is over", seconds: 60)
    try run.wait("emergency stage=ended", seconds: 60)
    try eventually("whoever got the call does not hear that") {
      modem.texts.last?.hasPrefix("SOS over:") == true
    }
  }

  @Test func `A modem that is unplugged, locked, mute or full is named, and the room goes on`()
    throws
  {
    let office = try ModemTerminal(try ModemScript(named: "generic"))
    defer { office.stop() }
    office.set("locked")
    let camp = try CampServer(
      try ScratchFolder(), ["--language", "en", "--modem", office.path])
    func problem() throws -> String { try camp.room("/room/state")["problem"] as? String ?? "" }
    try eventually("the PIN") { try problem().contains("take its PIN off") }
    office.set("locked", false)
    try eventually("it works") { try problem().isEmpty }
    office.unplug()
    try eventually("the port") { try problem().contains("plug it in") }
    try office.plug()
    for _ in 0..<20 { office.deliver("Buy now!", from: "Shop") }
    try eventually("the store") { try problem().contains("no room for further") }
    office.set("noSIM")
    office.unplug()
    try office.plug()
    try eventually("the SIM") { try problem().contains("no SIM that can be read") }
  }
}
