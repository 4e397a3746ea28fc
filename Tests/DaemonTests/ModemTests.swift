import CaptureStore
import Foundation
import ModemTerminal
import Simulation
import Testing
import TrackerCore
import Uplink

/// The real daemon with a modem on a pseudo-terminal that speaks as the manuals say.
@Suite(.serialized, .blocking) struct DaemonModemTests {
  @Test func `Captures reach basecamp by the modem's own HTTP commands`() throws {
    let rig = try ModemRig("sim7600")
    defer { rig.stop() }
    let (camp, modem, run) = (rig.camp, rig.modem, rig.run)
    try run.startAndWait()
    try run.wait("upload finished outcome=\"answered", times: 3)
    run.end(SIGTERM)
    try run.expectOnce(camp.identifiers())
    #expect(modem.heard.contains { $0.hasPrefix("AT+HTTPACTION") }, "\(modem.heard)")
  }

  @Test func `Answers without a length are read, and the captures delivered`() throws {
    let rig = try ModemRig("sim7600")
    defer { rig.stop() }
    let (camp, modem, run) = (rig.camp, rig.modem, rig.run)
    modem.set("chunked")
    try run.startAndWait()
    try run.wait("upload finished outcome=\"answered", times: 2)
    run.end(SIGTERM)
    try run.expectOnce(camp.identifiers())
  }

  @Test(arguments: ["baud-falls", "numeric-answers", "texts-delivered", "tight-answers"])
  func `A modem that differs by little from its manual delivers`(_ script: String) throws {
    let rig = try ModemRig(script)
    defer { rig.stop() }
    let (camp, modem, run) = (rig.camp, rig.modem, rig.run)
    try run.startAndWait()
    try run.wait("upload finished outcome=\"answered", times: 2, seconds: 60)
    run.end(SIGTERM)
    try run.expectOnce(camp.identifiers())
    let refused = run.logText.contains("the modem restarted by itself") && script != "baud-falls"
    #expect(!refused && !modem.heard.isEmpty, "\(run.command)")
  }

  static let troubles: [(script: String, words: String)] = [
    ("no-route", "no connection to the server (modem code 714)"),
    ("brown-out", "its supply is probably too weak; check battery and cable"),
    ("apn-refused", "the modem opens no data connection; check the access point (apn)"),
    ("sim7600", "perhaps a network's login page (captive portal)"),
  ]

  @Test(arguments: troubles.indices)
  func `Why the modem's own requests fail is shown in the status`(_ number: Int) throws {
    let (script, words) = Self.troubles[number]
    let portal = HTTPReply.response(
      status: 302, headers: [HTTPHeader("Location", "http://portal.example/login")], body: [])
    let rig = try ModemRig(script, forward: { _ in portal })
    defer { rig.stop() }
    let (camp, run) = (rig.camp, rig.run)
    try run.startAndWait()
    try run.wait("upload finished outcome=", seconds: 60)
    let status = try run.ask("status").output
    let problem = status.split(separator: "\n").first { $0.hasPrefix("last problem:") } ?? ""
    #expect(problem.contains(words), "\(status) \(run.command)")
    if script == "apn-refused" { try run.wait("the modem refuses the access point; correct apn") }
    run.end(SIGTERM)
    #expect(try camp.identifiers().isEmpty, "\(run.command)")
  }

  @Test func `Over an interface of the system a contact opens it, delivers and closes it`() throws {
    let rig = try ModemRig("sim7600")
    defer { rig.stop() }
    let (camp, modem, run) = (rig.camp, rig.modem, rig.run)
    run.settings["bearer"] = "'interface'"
    let (up, down) = (run.path("up"), run.path("down"))
    run.settings["network"] =
      "{ interface: 'lo', up: ['touch', '\(up)'], down: ['touch', '\(down)'] }"
    try run.startAndWait()
    try run.wait("upload finished outcome=\"answered", times: 2)
    #expect(FileManager.default.fileExists(atPath: up), "\(run.command)")
    #expect(FileManager.default.fileExists(atPath: down), "\(run.command)")
    run.end(SIGTERM)
    try run.expectOnce(camp.identifiers())
    #expect(!modem.heard.contains { $0.hasPrefix("AT+HTTP") }, "\(run.command)")
  }

  @Test func `An interface that is not there is stated as no bearer`() throws {
    let rig = try ModemRig("sim7600")
    defer { rig.stop() }
    let (camp, run) = (rig.camp, rig.run)
    run.settings["bearer"] = "'interface'"
    run.settings["network"] = "{ interface: 'nowan7', up: ['/nowhere/pppd'] }"
    try run.startAndWait()
    try run.wait("the link's command failed")
    try run.wait("sending reason=noBearer")
    #expect(try camp.identifiers().isEmpty, "\(run.command)")
  }

  @Test(arguments: ["line-refused", "lte-only", "unregistered"])
  func `A modem that refuses questions about its registration delivers`(_ script: String) throws {
    let rig = try ModemRig(script)
    defer { rig.stop() }
    let (camp, modem, run) = (rig.camp, rig.modem, rig.run)
    run.settings["bearer"] = "'interface'"
    run.settings["network"] = "{ interface: 'lo' }"
    try run.startAndWait()
    try run.wait("upload finished outcome=\"answered", times: 2)
    run.end(SIGTERM)
    try run.expectOnce(camp.identifiers())
    let lines = modem.heard.filter { $0 == "AT+CREG?;+CGREG?;+CEREG?" }
    #expect(lines.count == 1, "\(run.command)")
  }

  static let faults: [(script: String, reason: String, words: String)] = [
    ("silent", "modemSilent", "the modem does not answer; check its power, cable and port"),
    ("operator-locked", "operatorLocked", "cure=\"modem locked to an operator: change SIM\""),
    ("emergency-only", "registrationDenied", "sending reason=registrationDenied"),
  ]

  @Test(arguments: faults.indices)
  func `What keeps a modem from its network is named, with a cure`(_ number: Int) throws {
    let (script, reason, words) = Self.faults[number]
    let rig = try ModemRig(script)
    defer { rig.stop() }
    let run = rig.run
    try run.startAndWait()
    try run.wait("sending reason=\(reason)")
    try run.wait(words)
    let status = try run.ask("status").output
    // What the modem does; its port is there and not worth a line.
    #expect(status.components(separatedBy: "\nmodem:").count == 2, "\(status) \(run.command)")
    #expect(!status.contains("\nmodem port:"), "\(status) \(run.command)")
  }

  @Test(arguments: ["pin-needed", "pin-repeated", "echo-locked", "pin-without-ok"])
  func `A PIN is entered once it is asked for, and stands in no log`(_ kind: String) throws {
    let rig = try ModemRig(kind)
    defer { rig.stop() }
    let (camp, modem, run) = (rig.camp, rig.modem, rig.run)
    modem.set("locked")
    try writePIN("0742", run)
    run.arguments += ["--record", run.path("day.nmea")]
    try run.startAndWait()
    try run.wait("upload finished outcome=\"answered", times: 2)
    run.end(SIGTERM)
    try run.expectOnce(camp.identifiers())
    #expect(modem.heard.filter { $0.hasPrefix("AT+CPIN=") } == ["AT+CPIN=\"0742\""])
    let record = try String(contentsOfFile: run.path("day.nmea"), encoding: .isoLatin1)
    // As a word: identifiers and instants may hold any digits.
    let words = (run.logText + record).split { !$0.isLetter && !$0.isNumber }
    let lines = (run.logText + record).split(whereSeparator: \.isNewline)
    let found = lines.filter { $0.contains("0742") }
    #expect(!words.contains("0742"), "\(found); \(run.command)")
  }

  @Test func `A wrong PIN never costs the last try, however often the daemon is killed`() throws {
    let rig = try ModemRig("pin-needed")
    defer { rig.stop() }
    let (camp, modem, run) = (rig.camp, rig.modem, rig.run)
    modem.set("locked")
    try writePIN("9999", run)
    for round in 1...4 {
      try run.startAndWait()
      try run.wait(round < 3 ? "reason=simRefused" : "reason=simLastTry")
      run.end(SIGKILL)
    }
    #expect(modem.heard.filter { $0.hasPrefix("AT+CPIN=") }.count == 2, "\(run.command)")
    // The cure that is named: the right PIN, and an order for the try that is left.
    try writePIN("0742", run)
    try run.startAndWait()
    try run.wait("cure=\"last PIN try left")
    #expect(try run.ask("status").output.contains("trackerctl pin try"))
    #expect(try run.ask("pin", "try").code == 0, "\(run.command)")
    try run.wait("upload finished outcome=\"answered")
    run.end(SIGTERM)
    try run.expectOnce(camp.identifiers())
  }

  @Test func `When nothing gets through for hours one text message has the position`() throws {
    let rig = try ModemRig("sim7600", speed: 200, forward: { _ in .unreachable })
    defer { rig.stop() }
    let (modem, run) = (rig.modem, rig.run)
    run.settings["textAfter"] = "'1 h'"
    run.settings["textTo"] = "'+34600000000'"
    try run.startAndWait()
    try run.wait("short message sent=true", seconds: 60)
    #expect(modem.texts.count == 1, "\(modem.texts)")
    #expect(modem.texts.first?.hasPrefix("Els Caminants 42.") == true, "\(modem.texts)")
  }

  @Test func `With dead data a team sees who has answered its call by text message`() throws {
    let rig = try ModemRig("sim7600", speed: 20, forward: { _ in .unreachable })
    defer { rig.stop() }
    let (modem, run) = (rig.modem, rig.run)
    run.settings["textTo"] = "'+34600000000'"
    modem.deliver("OK Mallory", from: "+34600000001")
    try run.startAndWait()
    try run.wait("captured", seconds: 60)
    _ = try run.ask("emergency")
    try run.wait("short message sent=true", seconds: 60)
    #expect(modem.texts.first?.hasPrefix("SOS Els Caminants") == true, "\(modem.texts)")
    modem.deliver("OK Marta", from: "600 000 000".replacing(" ", with: ""))
    try run.wait("emergency stage=read", seconds: 60)
    let status = try run.ask("status").output
    #expect(status.contains("Marta"), "\(status) \(run.command)")
    try run.wait("short messages ignored count=1", seconds: 10)
    #expect(modem.storedTexts == 1, "the other one's stays; \(run.command)")
  }

  @Test func `A modem that is unplugged and comes back delivers again`() throws {
    let rig = try ModemRig("sim7600")
    defer { rig.stop() }
    let (camp, modem, run) = (rig.camp, rig.modem, rig.run)
    try run.startAndWait()
    // A terminal of another test may have the same number for a moment, and its modem be mute: a
    // fault pause takes 30 s at this speed.
    let patience = 90.0
    for round in 1...3 {
      let done = run.logText.components(separatedBy: "outcome=\"answered").count - 1
      try run.wait("outcome=\"answered", times: done + 1, seconds: patience)
      modem.unplug()
      try run.wait("line lost line=modem", times: round, seconds: patience)
      try modem.plug()
    }
    let done = run.logText.components(separatedBy: "outcome=\"answered").count - 1
    try run.wait("outcome=\"answered", times: done + 1, seconds: patience)
    run.end(SIGTERM)
    try run.expectOnce(camp.identifiers())
  }

  private func writePIN(_ pin: String, _ run: DaemonRun) throws {
    let file = run.path("secrets")
    try Data("pin = \(pin)\n".utf8).write(to: URL(fileURLWithPath: file))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    run.settings["secrets"] = "'\(file)'"
  }
}
