import Foundation
import ModemTerminal
import Testing
import TrackerCore

@testable import ModemDialogues
@testable import Simulation

let emulatorAgain: Comment = "repeat with: swift test --filter ModemEmulatorTests"

/// The tracker and modems as the manuals have them, the nasty ones included.
@Suite struct ModemFamilyTests {
  static let families: [(name: String, family: ModemFamily)] = [
    ("sim5320", .sim5320), ("sim7600", .sim7600), ("a7670", .a7670), ("generic", .generic),
  ]
  static let nasty = [
    "mute-after-reboot", "report-in-answer", "registration-denied", "sim-removed", "pin-needed",
    "tls-refused", "network-lost", "answers-lost", "pin-repeated", "line-refused", "lte-only",
    "unregistered", "echo-locked", "pin-without-ok", "operator-locked", "emergency-only",
    "silent", "chunked-answers", "no-route", "no-route-old", "slow-requests", "brown-out",
    "apn-refused", "tight-answers", "signal-refused", "numeric-answers", "quiet-answers",
    "continue-first", "report-before-data", "tries-not-told", "slow-answers", "baud-falls",
    "texts-delivered", "texts-insisted", "radio-off-refused", "radio-off-by-key", "no-data",
    "name-unknown",
  ]

  @Test func `Every script can be read, and none is forgotten here`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: ModemScript.folder.path)
    #expect(files.sorted() == Self.nasty.map { "\($0).script" }.sorted(), emulatorAgain)
    for name in Self.families.map(\.name) + Self.nasty {
      let script = try ModemScript(named: name)
      #expect(script.blocks.count > 5 && !script.boots.isEmpty, "\(name); \(emulatorAgain)")
    }
  }

  @Test(arguments: nasty)
  func `Every script begins with what it does, without the others`(_ name: String) throws {
    let file = ModemScript.folder.appendingPathComponent("\(name).script")
    let text = try String(contentsOf: file, encoding: .utf8)
    let first = text.prefix { $0 != "\n" }
    #expect(first.hasPrefix("# ") && first.count > 20, "\(name): \(first); \(emulatorAgain)")
    #expect(!first.hasPrefix("# The same"), "\(name): \(first); \(emulatorAgain)")
  }

  @Test(arguments: families.indices)
  func `Every word of a family's table is understood by its modem`(_ number: Int) throws {
    let (name, family) = Self.families[number]
    let formatter = ModemCommandFormatter(
      family: family, accessPoint: AccessPointName(Array("internet".utf8).span))
    var raw: UInt8 = 0
    while let command = ModemCommand(rawValue: raw) {
      raw += 1
      // Without LTE there is no registration in it.
      if family == .sim5320 && command == .epsRegistration { continue }
      guard let line = formatter.line(of: command) else { continue }
      var modem = ModemEmulator(try ModemScript(named: name), isOn: true)
      modem.receive((0..<line.count).map { line[$0] }, at: .start)
      let said = String(decoding: modem.takeOutput(), as: UTF8.self)
      #expect(said.contains("\r\nOK\r\n"), "\(name) to \(command): \(said); \(emulatorAgain)")
    }
  }

  @Test(arguments: families.indices)
  func `From power-on to the first delivery and to rest`(_ number: Int) throws {
    let (name, family) = Self.families[number]
    var desk = try Desk(name, family)
    desk.run(seconds: 200)
    #expect(desk.received == [1] && desk.queue.isEmpty, "\(name); \(emulatorAgain)")
    #expect(!desk.modem.isOn && desk.tracker.modemPhase == .off, "\(name); \(emulatorAgain)")
    #expect(desk.notes.contains(.subscriber(InlineText("214070000000001"))), emulatorAgain)
    #expect(desk.notes.contains { if case .signal = $0 { true } else { false } }, emulatorAgain)
    let recoveries = desk.notes.contains { if case .modemRecovery = $0 { true } else { false } }
    #expect(!recoveries, "\(name); \(emulatorAgain)")
    #expect(
      desk.modem.heard.contains("AT+CGDCONT=1,\"IP\",\"internet\""), "\(name); \(emulatorAgain)")
    desk.run(seconds: 3600)
    #expect(desk.received == [1, 2, 3, 4, 5, 6, 7], "\(name); \(emulatorAgain)")
  }

  @Test(arguments: 1...2)
  func `The modem's own HTTP brings everything home`(_ number: Int) throws {
    let (name, family) = Self.families[number]
    var desk = try Desk(name, family) { $0.bearer = .modem }
    desk.run(seconds: 3600)
    #expect(desk.received == [1, 2, 3, 4, 5, 6] && desk.queue.isEmpty, "\(name); \(emulatorAgain)")
    #expect(desk.modem.heard.filter { $0 == "AT+HTTPTERM" }.count == 6, emulatorAgain)
  }

  @Test func `A modem that is mute after its start is power-cycled, and then delivers`() throws {
    var desk = try Desk("mute-after-reboot", .sim7600)
    desk.run(seconds: 600)
    #expect(desk.notes.contains(.modemRecovery(.powerCycle)), emulatorAgain)
    #expect(desk.received.first == 1 && desk.modem.boots >= 2, emulatorAgain)
    desk.run(seconds: 1800)
    #expect(desk.received == [1, 2, 3, 4] && desk.queue.isEmpty, emulatorAgain)
  }

  @Test func `Reports and pieces and late answers are told apart`() throws {
    var desk = try Desk("report-in-answer", .sim7600)
    desk.run(seconds: 300)
    #expect(desk.received == [1], emulatorAgain)
    let numbers: [Note] = desk.notes.filter {
      switch $0 {
      case .subscriber, .equipment: true
      default: false
      }
    }
    // The late answer was the first question's: nobody takes the SIM's number for the modem's.
    #expect(numbers.contains(.equipment(InlineText("351602000330570"))), emulatorAgain)
    #expect(!numbers.contains(.equipment(InlineText("214070000000001"))), emulatorAgain)
    #expect(!numbers.contains(.subscriber(InlineText("351602000330570"))), emulatorAgain)
    #expect(!desk.notes.contains(.modemRecovery(.powerCycle)), emulatorAgain)
  }

  @Test func `A network that refuses is named, and used when it does not any more`() throws {
    var desk = try Desk("registration-denied", .sim7600)
    desk.run(seconds: 900)
    #expect(desk.told(.registrationDenied) && desk.received.isEmpty, emulatorAgain)
    desk.modem.set("paid", true)
    desk.run(seconds: 1800)
    #expect(desk.queue.isEmpty && desk.received.sorted() == Array(1...5), emulatorAgain)
  }

  @Test func `A SIM that is taken out is missed, and welcome when it is back`() throws {
    var desk = try Desk("sim-removed", .sim7600) { $0.betweenUploads = .attached }
    desk.run(seconds: 120)
    #expect(desk.effects.contains(.note(.modem(.checkingSIM))), emulatorAgain)
    desk.run(seconds: 900)
    #expect(desk.tracker.modemPhase == .attached, emulatorAgain)
    #expect(desk.received == [1, 2], emulatorAgain)
    let identities = desk.notes.filter { if case .subscriber = $0 { true } else { false } }
    #expect(identities.count == 2, "it may be another SIM; \(emulatorAgain)")
  }

  @Test func `A SIM that wants its PIN gets it at every start`() throws {
    var desk = try Desk("pin-needed", .sim7600, simPIN: .untried)
    desk.pin = "0742"
    desk.run(seconds: 1500)
    #expect(desk.received == [1, 2, 3] && !desk.isPINTried, emulatorAgain)
    #expect(desk.modem.heard.filter { $0.hasPrefix("AT+CPIN=") }.count == 3, emulatorAgain)
  }

  @Test func `A wrong PIN never costs the last try, however often the program is restarted`() throws
  {
    var desk = try Desk("pin-needed", .sim7600, simPIN: .untried)
    desk.pin = "1111"
    desk.run(seconds: 7200)
    #expect(desk.told(.simRefused) && desk.isPINTried, emulatorAgain)
    #expect(entered(desk) == ["AT+CPIN=\"1111\""], emulatorAgain)
    var conditions = desk.modem.conditions
    for restart in 1...4 {
      desk = try Desk("pin-needed", .sim7600, simPIN: .tried)
      for name in conditions { desk.modem.set(name, true) }
      desk.pin = "1111"
      desk.run(seconds: 3600)
      #expect(entered(desk).count == (restart == 1 ? 1 : 0), "\(restart); \(emulatorAgain)")
      conditions = desk.modem.conditions
    }
    #expect(conditions.contains("twoWrong") && !conditions.contains("blocked"), emulatorAgain)
    #expect(desk.told(.simLastTry) && desk.tracker.sendReason == .simLastTry, emulatorAgain)
    // The right one, and a person's order.
    desk.pin = "0742"
    desk.handle(.commandGiven(.tryPIN, from: .script))
    desk.run(seconds: 900)
    #expect(!desk.received.isEmpty && !desk.isPINTried, emulatorAgain)
  }

  @Test(arguments: [false, true])
  func `After a power cut between the PIN and READY the SIM's own counter decides`(
    _ isUncounted: Bool
  ) throws {
    var desk = try Desk("pin-needed", .sim7600, simPIN: .tried)
    desk.modem.set("uncounted", isUncounted)
    desk.pin = "0742"
    desk.run(seconds: 900)
    #expect(desk.received.isEmpty == isUncounted, emulatorAgain)
    guard isUncounted else { return }
    #expect(desk.tracker.sendReason == .simUncertain && entered(desk).isEmpty, emulatorAgain)
    desk.handle(.commandGiven(.tryPIN, from: .script))
    desk.run(seconds: 900)
    #expect(!desk.received.isEmpty && !desk.isPINTried, emulatorAgain)
  }

  private func entered(_ desk: Desk) -> [String] {
    desk.modem.heard.filter { $0.hasPrefix("AT+CPIN=") }
  }

  @Test func `TLS that does not come about backs off, and nothing has been sent`() throws {
    var desk = try Desk("tls-refused", .sim7600) {
      $0.bearer = .modem
      $0.textAfter = .hours(1)
      $0.textTo = PhoneNumber(Array("+34600000000".utf8).span)
    }
    desk.run(seconds: 1800)
    #expect(desk.told(.backingOff(status: 0)) && desk.received.isEmpty, emulatorAgain)
    #expect(desk.modem.requests.isEmpty && desk.modem.texts.isEmpty, emulatorAgain)
    let reconciled = desk.effects.contains { if case .reconcile = $0 { true } else { false } }
    #expect(!reconciled, "it is certain that nothing was sent; \(emulatorAgain)")
    // The short message goes over the same line, between two attempts.
    desk.run(seconds: 3600)
    #expect(desk.modem.texts == ["Desk 42.00000 2.00000"], emulatorAgain)
    #expect(desk.notes.contains(.textFinished(wasSent: true)), emulatorAgain)
  }

  @Test func `Where data is dead an answer by text message reaches the team, and leaves the SIM`()
    throws
  {
    var desk = try Desk("tls-refused", .sim7600) {
      $0.bearer = .modem
      $0.textTo = Desk.number
    }
    desk.run(seconds: 60)
    // It may be of last year.
    desk.modem.deliver("OK Last Year", from: "+34600000000")
    desk.modem.deliver("Your balance is 3 EUR", from: "Operator")
    desk.handle(.commandGiven(.raiseEmergency, from: .console))
    desk.run(seconds: 120) { !$0.modem.texts.isEmpty }
    #expect(desk.tracker.memory.emergency?.person.isEmpty == true, emulatorAgain)
    desk.modem.deliver("OK Mallory", from: "+34600000001")
    desk.modem.deliver("ok Marta", from: "600000000")
    desk.run(seconds: 300) { $0.tracker.memory.emergency?.stage == .read }
    #expect(desk.tracker.memory.emergency?.person == InlineText("Marta"), emulatorAgain)
    desk.run(seconds: 300)
    #expect(desk.modem.storedTexts == 2, "the others' stay; \(emulatorAgain)")
    // Its line is as it was: it is still spoken to.
    #expect(!desk.notes.contains(.modemRecovery(.powerCycle)), emulatorAgain)
  }

  @Test func `A network that goes during an upload makes nothing arrive twice`() throws {
    var desk = try Desk("network-lost", .sim7600) { $0.bearer = .modem }
    desk.run(seconds: 400)
    #expect(desk.received == [1] && desk.queue.isEmpty, emulatorAgain)
    let reconciled = desk.effects.contains { if case .reconcile = $0 { true } else { false } }
    #expect(reconciled && desk.modem.requests.map(\.method) == [.post, .get], emulatorAgain)
    desk.run(seconds: 1800)
    #expect(desk.received == [1, 2, 3, 4], emulatorAgain)
  }

  @Test func `Twice the same day is the same day`() throws {
    var logs: [[Effect]] = []
    for _ in 0..<2 {
      var desk = try Desk("network-lost", .sim7600) { $0.bearer = .modem }
      desk.run(seconds: 3000)
      logs.append(desk.effects)
    }
    #expect(logs[0] == logs[1] && logs[0].count > 100, emulatorAgain)
  }
}
