import Testing
import TrackerCore

@testable import Simulation

/// An hour with a modem whose own HTTP meets trouble, and which rests with its radio off: what is
/// delivered, what a status would say, and for how long the radio is on.
@Suite struct ModemHTTPHourTests {
  struct Row: Sendable {
    var script: String
    var condition: String?
    /// Captures of the hour that are delivered, of six.
    var delivered = 0
    /// The radio's seconds at the most.
    var radioSeconds: Int64
    /// In the reason that a request failed; `nil`: none fails.
    var problem: String?
    var note: Note?
  }

  static let rows = [
    Row(script: "chunked-answers", delivered: 6, radioSeconds: 20),
    // Eight requests of 30 s, and the waits of 15 and 30 s between them.
    Row(
      script: "no-route", radioSeconds: 450,
      problem: "no connection to the server (modem code 714)"),
    // The same with 120 s each: the modem cannot be told otherwise.
    Row(
      script: "no-route-old", radioSeconds: 1300,
      problem: "no connection to the server (modem code 714)"),
    Row(script: "slow-requests", delivered: 6, radioSeconds: 330),
    Row(
      script: "slow-requests", condition: "stuck", radioSeconds: 1300,
      problem: "no connection to the server (modem code 714)"),
    // Nine starts of 12 to 30 s.
    Row(
      script: "brown-out", radioSeconds: 320, problem: "its supply is probably too weak",
      note: .modemRestarted),
    Row(
      script: "apn-refused", radioSeconds: 250, problem: "check the access point (apn)",
      note: .accessPointRefused),
  ]

  private func desk(_ row: Row) throws -> Desk {
    let family = row.script == "chunked-answers" ? ModemFamily.a7670 : .sim7600
    var board = Board.desk(family)
    board.modem.rest = .radioOff
    board.modem.hasPowerKey = false
    var desk = try Desk(row.script, family, baud: 115_200, board: board, isOn: true) {
      $0.bearer = .modem
      $0.reconnectFloor = .minutes(10)
      $0.transmitInterval = .minutes(10)
    }
    if let condition = row.condition { desk.modem.set(condition) }
    return desk
  }

  @Test(arguments: rows.indices)
  func `A request ends with the modem's own reason, and the radio's time is bounded`(
    _ number: Int
  ) throws {
    let row = Self.rows[number]
    var desk = try desk(row)
    desk.run(seconds: 3600)
    let what = "\(row.script) \(row.condition ?? ""); \(emulatorAgain)"
    #expect(desk.queue.count == 6 - row.delivered, "\(what)")
    #expect(desk.received == Array([1, 2, 3, 4, 5, 6].prefix(row.delivered)), "\(what)")
    #expect(desk.radioSeconds <= row.radioSeconds, "on for \(desk.radioSeconds) s; \(what)")
    if let problem = row.problem {
      #expect(!desk.problems.isEmpty, "\(what)")
      #expect(desk.problems.allSatisfy { $0.contains(problem) }, "\(desk.problems); \(what)")
    } else {
      #expect(desk.problems == [], "\(what)")
    }
    if let note = row.note { #expect(desk.notes.contains(note), "\(what)") }
    #expect(desk.intrusions == 0, "the tracker spoke while the line was the host's; \(what)")
    let recovers = desk.notes.contains { if case .modemRecovery = $0 { true } else { false } }
    #expect(!recovers, "it was taken for mute; \(what)")
  }

  @Test func `A modem that restarts when it sends is begun anew at its SIM, and delivers later`()
    throws
  {
    var desk = try desk(Row(script: "brown-out", radioSeconds: 0))
    desk.run(seconds: 300) { $0.notes.contains(.modemRestarted) }
    let restartedAt = desk.now
    desk.run(seconds: 60) { $0.tracker.modemPhase == .checkingSIM }
    // Its next word comes 12 s after its start.
    #expect(desk.now - restartedAt <= .seconds(2), emulatorAgain)
    desk.modem.set("charged")
    desk.run(seconds: 120)
    #expect(desk.received == [1] && desk.queue.isEmpty, emulatorAgain)
  }
}
