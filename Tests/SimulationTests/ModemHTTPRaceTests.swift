import Foundation
import Testing
import TrackerCore

@testable import Simulation

/// The modem's own HTTP in trouble, in the simulator: several requests to a whole server for each
/// upload, and for how long the radio is on.
@Suite struct ModemHTTPRaceTests {
  struct Row: Sendable {
    var script: String
    var condition: String?
    var isDelivered: Bool
    /// Whether the layer refuses second copies; without GlobalIDs each upload asks it first.
    var takesGlobalIDs = true
    /// The radio's seconds at the most, in 40 minutes or, where nothing is delivered, in 190.
    var radioSeconds: Int64
  }

  static let rows = [
    Row(script: "chunked-answers", isDelivered: true, radioSeconds: 140),
    Row(script: "no-route", isDelivered: false, radioSeconds: 780),
    Row(script: "no-route-old", isDelivered: false, radioSeconds: 1900),
    Row(script: "slow-requests", isDelivered: true, radioSeconds: 640),
    Row(script: "slow-requests", isDelivered: true, takesGlobalIDs: false, radioSeconds: 900),
    Row(script: "slow-requests", condition: "stuck", isDelivered: false, radioSeconds: 2100),
    Row(script: "brown-out", isDelivered: false, radioSeconds: 560),
    Row(script: "apn-refused", isDelivered: false, radioSeconds: 490),
  ]

  @Test(arguments: rows.indices, [false, true])
  func `Each upload ends before the tracker judges it, and the radio's time is bounded`(
    _ number: Int, _ isAlwaysOn: Bool
  ) throws {
    let row = Self.rows[number]
    let folder = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let file = folder.appendingPathComponent("traces/modems/\(row.script).script")
    var text = try String(contentsOf: file, encoding: .utf8)
    if let condition = row.condition {
      text +=
        "\nat boot\n0 ms ! set starting\n0 ms ! set \(condition)\n11 s RDY\n"
        + "11 s ! clear starting\n12 s +CPIN: READY\n"
    }
    var race = Race()
    race.isModemAlwaysOn = isAlwaysOn
    race.configuration.bearer = .modem
    race.scenario.modemScript = try ModemScript(text, name: row.script)
    race.scenario.service.takesGlobalIDs = row.takesGlobalIDs
    let result = try race.run()
    let what =
      "\(row.script) \(row.condition ?? ""), always on: \(isAlwaysOn); "
      + "repeat with: swift test --filter ModemHTTPRaceTests"
    #expect(result.intrusions == 0, "the tracker spoke while a request was open; \(what)")
    #expect((result.pending == 0) == row.isDelivered, "\(result.pending); \(what)")
    #expect(result.duplicates == 0, "\(what)")
    let radioSeconds = result.radioOn.count / 1000
    #expect(radioSeconds <= row.radioSeconds, "on for \(radioSeconds) s; \(what)")
    if row.isDelivered {
      let limit = Milliseconds.seconds(row.script == "slow-requests" ? 150 : 30)
      // The last capture, at the stop, waits for the reconnect floor.
      let longest = result.latencies.dropLast().max() ?? 0
      #expect(longest <= limit || !row.takesGlobalIDs, "after \(longest); \(what)")
    }
  }
}
