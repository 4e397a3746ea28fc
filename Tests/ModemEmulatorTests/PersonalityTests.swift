import Testing
import TrackerCore

@testable import Simulation

/// Two hours with modems that differ by little from what the manuals say, or misbehave: everything
/// is delivered, and the radio is on for no longer than that takes.
@Suite struct PersonalityTests {
  struct Row: Sendable {
    var script: String
    var bearers = [Bearer.interface, .modem]
    /// The radio's seconds for each capture, at most.
    var radioSeconds: Int64 = 45
  }

  static let rows = [
    Row(script: "tight-answers"), Row(script: "signal-refused", radioSeconds: 55),
    // The first start takes three tries.
    Row(script: "numeric-answers"), Row(script: "quiet-answers", radioSeconds: 55),
    Row(script: "continue-first", bearers: [.modem]),
    Row(script: "report-before-data", bearers: [.modem]), Row(script: "tries-not-told"),
    Row(script: "slow-answers", bearers: [.interface], radioSeconds: 50),
    Row(script: "slow-answers", bearers: [.modem], radioSeconds: 180),
    Row(script: "baud-falls", radioSeconds: 25),
    Row(script: "texts-delivered"), Row(script: "texts-insisted"),
    Row(script: "radio-off-refused"), Row(script: "radio-off-by-key", radioSeconds: 60),
  ]

  @Test(arguments: rows.indices)
  func `It delivers, and does not keep its radio on`(_ number: Int) throws {
    let row = Self.rows[number]
    let script = try ModemScript(named: row.script)
    for bearer in row.bearers {
      var board = Board.desk(.sim7600)
      if script.restsWithRadioOff { board.modem.rest = .radioOff }
      board.modem.hasPowerKey = script.hasKey
      let simPIN: PINState = script.pin == nil ? .absent : .untried
      var desk = try Desk(
        row.script, .sim7600, simPIN: simPIN, baud: 115_200, board: board, isOn: !script.hasKey
      ) {
        $0.bearer = bearer
        $0.reconnectFloor = .minutes(10)
        $0.transmitInterval = .minutes(10)
      }
      desk.pin = script.pin
      desk.run(seconds: 7200)
      let what = "\(row.script) \(bearer): \(desk.radioSeconds) s; \(emulatorAgain)"
      #expect(desk.received.count >= 11 && desk.queue.count <= 1, "\(desk.received) \(what)")
      #expect(Set(desk.received).count == desk.received.count, "twice; \(what)")
      #expect(desk.radioSeconds <= row.radioSeconds * Int64(desk.received.count), "\(what)")
      #expect(desk.modem.heard.count { $0.hasPrefix("AT+CPIN=") } <= 13, "\(what)")
    }
  }

  @Test(arguments: [Bearer.interface, .modem])
  func `One that comes back at another rate delivers in the same contact`(
    _ bearer: Bearer
  ) throws {
    // Behind a power key, which would have to wait for the floor.
    var desk = try Desk("baud-falls", .sim7600, baud: 115_200) {
      $0.bearer = bearer
      $0.reconnectFloor = .minutes(10)
    }
    desk.run(seconds: 300) { !$0.received.isEmpty }
    #expect(desk.received == [1], "\(desk.now), \(desk.radioSeconds) s; \(emulatorAgain)")
    #expect(desk.radioSeconds <= 150, "\(desk.radioSeconds) s; \(emulatorAgain)")
    #expect(!desk.notes.contains(.modemRecovery(.powerCycle)), emulatorAgain)
  }

  @Test func `A slow one is asked only for what is needed while its radio is on`() throws {
    var board = Board.desk(.sim7600)
    board.modem.rest = .radioOff
    var desk = try Desk("slow-answers", .sim7600, baud: 115_200, board: board) {
      $0.bearer = .interface
      $0.reconnectFloor = .minutes(10)
      $0.transmitInterval = .minutes(10)
    }
    desk.run(seconds: 3600)
    #expect(desk.received.count >= 5 && desk.modem.boots == 1, emulatorAgain)
    let heard = desk.modem.heard
    let contact = heard.lastIndex(of: "ATE0").map { Array(heard[$0...]) } ?? []
    let questions = contact.filter { !$0.hasPrefix("AT+CREG?") && !$0.hasPrefix("AT+CGDCONT=") }
    #expect(
      questions == ["ATE0", "AT+CMEE=1", "AT+CBC", "AT+CFUN=1", "AT+CPIN?", "AT+CFUN=4"],
      "\(heard); \(emulatorAgain)")
  }

  @Test func `A PIN is not entered twice where the tries left are not told and it was refused`()
    throws
  {
    var desk = try Desk("tries-not-told", .sim7600, simPIN: .untried)
    desk.pin = "1111"
    desk.run(seconds: 7200)
    #expect(desk.told(.simRefused), emulatorAgain)
    #expect(desk.modem.heard.count { $0.hasPrefix("AT+CPIN=") } == 1, emulatorAgain)
  }

  @Test func `Texts are told to be stored once in a contact, where that is refused too`() throws {
    var desk = try Desk("texts-insisted", .sim7600) {
      $0.reconnectFloor = .minutes(10)
      $0.transmitInterval = .minutes(10)
    }
    desk.run(seconds: 3600)
    let told = desk.modem.heard.count { $0.hasPrefix("AT+CNMI=") }
    #expect(told == desk.received.count, "\(told); \(emulatorAgain)")
    #expect(!desk.notes.contains(.modemRestarted), emulatorAgain)
  }

  @Test func `One that nothing switches off is named, until its radio is off`() throws {
    var board = Board.desk(.sim7600)
    board.modem.rest = .radioOff
    board.modem.hasPowerKey = false
    var desk = try Desk("radio-off-by-key", .sim7600, board: board, isOn: true)
    desk.run(seconds: 300)
    #expect(desk.notes.count { $0 == .radioStaysOn } >= 1, emulatorAgain)
    #expect(desk.tracker.modemPhase == .stillOn, emulatorAgain)
    board.modem.hasFlightMode = true
    desk = try Desk("radio-off-by-key", .sim7600, board: board, isOn: true)
    desk.run(seconds: 300)
    #expect(!desk.notes.contains(.radioStaysOn), "the pin does it; \(emulatorAgain)")
    #expect(desk.tracker.modemPhase == .off, emulatorAgain)
  }
}
