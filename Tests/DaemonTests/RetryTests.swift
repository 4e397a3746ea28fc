import CaptureStore
import Foundation
import Testing
import TrackerCore

/// Captures that were set aside, in the hands of a running tracker.
@Suite(.serialized, .blocking) struct RetryTests {
  @Test func `A running tracker puts back what was set aside`() throws {
    let run = try DaemonRun()
    run.settings["startsBySelf"] = "false"
    do {
      let store = try CaptureStore.open(
        .file(run.path("queue.db")), at: UTC(milliseconds: 1_349_517_600_000))
      for sequence in 1...4 as ClosedRange<UInt32> {
        try store.append(
          Capture(
            sequence: sequence, utc: nil, isTimeTrusted: false,
            position: Coordinate(latitude: 418_000_000, longitude: 21_000_000),
            team: InlineText(), trigger: .interval),
          at: UTC(milliseconds: 1_349_517_600_000))
      }
      try store.setAside([1, 2, 3], code: 1016, at: UTC(milliseconds: 1_349_517_600_000))
    }
    try run.startAndWait()
    let one = try run.ask("retry", "2")
    #expect(one.code == 0 && one.output == "1 put back\n", "\(one); \(run.command)")
    let status = try run.ask("status").output
    #expect(status.contains("2 waiting, 2 set aside, 0 delivered"), "\(status)")
    let again = try run.ask("retry", "2")
    #expect(again.code == 2 && again.output.contains("is not set aside"), "\(again)")
    let wrong = try run.ask("retry", "all:1")
    #expect(wrong.code == 2 && wrong.output.contains("write the number"), "\(wrong)")
    let all = try run.ask("retry")
    #expect(all.code == 0 && all.output == "2 put back\n", "\(all); \(run.command)")
    run.end(SIGTERM)
    #expect(try CaptureStore.openForReading(run.path("queue.db")).tally.pending == 4)
  }
}
