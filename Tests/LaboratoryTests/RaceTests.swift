import CaptureStore
import Foundation
import TestSupport
import Testing

extension LaboratoryTests {
  @Suite struct VirtualTimeTests {
    /// `LAB_HOURS=1` for a look.
    private static let hours =
      ProcessInfo.processInfo.environment["LAB_HOURS"].flatMap { Int($0) } ?? 32
    private static let again =
      "repeat with: .ci/lab test VirtualTimeTests"

    @Test func `A whole race of 32 hours, walked twice, leaves the same recording byte for byte`()
      throws
    {
      let scratch = try ScratchFolder()
      let trace = scratch.path("race.nmea")
      let made = try ProgramResult(
        "tracker-sim", ["synth", "--duration", "\(Self.hours)h", "--out", trace])
      #expect(made.code == 0, "\(made.errors)")
      let begun = ContinuousClock.now
      let guests = try [guest(trace), guest(trace)]
      // Both at once: each takes one processor.
      for guest in guests { try guest.start() }
      for guest in guests { try guest.finish() }
      // Two minutes on two quiet processors; what else they do is not this test's affair.
      print("two races of \(Self.hours) hours in \(begun.duration(to: .now).components.seconds) s")

      for guest in guests {
        let store = try CaptureStore.openForReading(guest.folder.path("captures.db"))
        let states = try store.page(after: 0, limit: 1000).map(\.state)
        // Every ten minutes, from the first second to the last.
        #expect(states.count == Self.hours * 6 + 1, "\(states.count) captures; \(Self.again)")
        #expect(states.allSatisfy { $0 == .acknowledged }, "\(guest.text("log")); \(Self.again)")
        let parts = try parts(guest)
        let replay = try ProgramResult("tracker-sim", ["replay"] + parts)
        #expect(replay.code == 0, "\(replay.output)\(replay.errors); \(Self.again)")
      }
      let recordings = try guests.map { guest in
        try parts(guest).map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
      }
      #expect(recordings[0] == recordings[1], "the recordings differ; \(Self.again)")
    }

    /// The files of a recording.
    private func parts(_ guest: Guest) throws -> [String] {
      let folder = guest.folder.path("recording")
      return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        .map { "\(folder)/\($0)" }
    }

    private func guest(_ trace: String) throws -> Guest {
      let guest = try Guest("race.sh", [trace], limit: 1200)
      // A minute before the trace begins.
      try guest.useVirtualTime(from: "2026-04-18T07:59:00Z")
      try guest.configure([
        "capture": "{ policy: 'standard', interval: '10 min' }", "bearer": "'none'",
      ])
      return guest
    }
  }
}
