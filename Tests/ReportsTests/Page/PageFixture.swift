import Testing
import TrackerCore
import Wording

@testable import Reports

let repeatPageTests: Comment = "repeat with: swift test --filter ReportsTests.*Page"

/// Runs that nobody ran, for their pages.
enum PageFixture {
  static let start = UTC(milliseconds: 1_776_542_400_000)  // 2026-04-18T20:00:00Z

  /// A walk to the east with a capture every ten minutes, each sent half a minute later but the
  /// last.
  static func history(
    _ captures: Int, team: String = "Els Senglars", limit: Int = 2048, altitudes: [Int32] = []
  ) -> RunHistory {
    let history = RunHistory(limit: limit)
    history.pushed(.note(.clockTrusted(start)), at: .start)
    for index in 0..<captures {
      let at = Instant.start + .minutes(Int64(index) * 10)
      let name = Array(team.utf8)
      var capture = Capture(
        sequence: UInt32(index + 1), utc: start + (at - .start), isTimeTrusted: true,
        position: position(index), team: InlineText(name.span), trigger: .interval)
      capture.batteryPercent = 80
      if index < altitudes.count { capture.altitudeMillimetres = altitudes[index] }
      history.pushed(.store(capture), at: at)
      history.arrived(
        .event(.captureStored(sequence: capture.sequence, queue: QueueCounts(pending: 1))), at: at)
      for (offset, phase) in [ModemPhase.starting, .searching, .inUse, .off].enumerated() {
        history.pushed(.note(.modem(phase)), at: at + .seconds(Int64(offset) * 10))
      }
      guard index < captures - 1 else { continue }
      history.delivered(CaptureKey(UInt32(index + 1)), at: at + .seconds(30))
      history.arrived(.event(.queueChanged(QueueCounts(pending: 0))), at: at + .seconds(30))
    }
    return history
  }

  static func position(_ index: Int) -> Coordinate {
    Coordinate(latitude: 421_000_000, longitude: 25_000_000 + Int32(index) * 60_000)
  }

  static func facts(
    _ history: RunHistory, hours: Int64 = 6, in language: Language = .english
  ) -> PageFacts {
    PageFacts(
      figures: figures(taken: Int(history.stored)), history: history, end: .start + .hours(hours),
      language: language, zone: PageZone(name: "Europe/Madrid") { _ in 7200 })
  }

  static func figures(taken: Int, silences: [Figure] = []) -> Figure {
    .object([
      .init("trace", .text("walk.nmea")), .init("ended", .text("stillPending")),
      .init("duration_s", .real(3600, decimals: 3)), .init("drain_s", .real(1, decimals: 3)),
      .init(
        "captures",
        .object([
          .init("taken", .integer(taken)), .init("acknowledged", .integer(max(0, taken - 1))),
          .init("pending", .integer(min(1, taken))), .init("set_aside", .integer(0 as Int)),
          .init("standing_reason", .text("noFix")),
        ])),
      .init("silence", .list(silences)),
      .init("energy", .object([.init("consumed_mwh", .real(12.5, decimals: 3))])),
    ])
  }

  static func silence(_ from: Double, _ to: Double, _ reason: String = "noFix") -> Figure {
    .object([
      .init("of", .text("capturing")), .init("from", .real(from, decimals: 3)),
      .init("to", .real(to, decimals: 3)), .init("reason", .text(reason)),
    ])
  }
}
