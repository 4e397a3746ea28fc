import Foundation
import TestSupport
import Testing
import TrackerCore

@testable import CardStore

/// The firmware, its emulator killed at random instants, and started again on the same card where
/// the trace goes on.
@Suite(
  .enabled(if: Firmware.isBuildable, "\(Firmware.lacksTarget)"),
  .enabled(if: Firmware.emulator != nil, "needs qemu-system-arm"),
  .serialized, .blocking)
struct FirmwareKillTests {
  static let cuts = 6

  /// `SHARE=all` lives thirty of them.
  @Test(arguments: Share.of(Array(UInt64(1)...30)))
  func `What it has announced is on the card after a cut, once`(_ seed: UInt64) throws {
    let again = "SHARE=all swift test --filter FirmwareTests.FirmwareKillTests, life \(seed)"
    let built = try Firmware.built.get()
    try #require(built.code == 0, "\(built.errors)\n\(Firmware.again)")
    let folder = try ScratchFolder()
    var world = try PacedWorld.ofTrace("rest-40min", in: folder).writingMuch()
    world.record()
    try world.insertCard(in: folder)

    var chance = SplitMix64(seed: seed)
    var announced: [UInt32: Substring] = [:]
    for part in 0..<Self.cuts {
      let length = world.count / Self.cuts
      let emulator = try world.part(part * length..<(part + 1) * length)
        .start(WholeTrackerTests.board, in: folder)
      // Some are announced; then at any instant: one of four is between the blocks of a state.
      let count = Int.random(in: 1...20, using: &chance)
      try eventually("\(count) captures, or its end; \(again)", pause: 0.001) {
        try announcements(in: folder).count >= count || !emulator.isRunning
      }
      Thread.sleep(forTimeInterval: Double.random(in: 0...0.05, using: &chance))
      emulator.end()

      for (sequence, trigger) in try announcements(in: folder) {
        #expect(announced[sequence] == nil, "\(sequence) twice; \(again)")
        announced[sequence] = trigger
      }
      try expectCard(in: folder, toHave: announced, again)
    }
    #expect(!announced.isEmpty, "\(again)")
    // What each life had recorded before its end is what it did.
    let replay = try ProgramResult("tracker-sim", ["replay", folder.path("card")])
    #expect(replay.code == 0, "\(replay.errors)\(again)")
    let lives = replay.output.matches(of: /effects: identical/).count
    #expect(lives == Self.cuts, "\(lives): \(replay.output)\(again)")

    // Who has only the card can still hand its captures in.
    let camp = try CampServer(folder, errors: .none)
    let handedIn = try ProgramResult(
      "trackerctl",
      ["import", folder.path("card"), "--server", "\(camp.services)/TrailWalker/FeatureServer/0"])
    let all = CardStore(try CardImage(folder.path("card"))).nextSequence - 1
    #expect(
      handedIn.output == "imported \(all), 0 already there\n", "\(handedIn.errors)\(again)")
  }

  private func announcements(in folder: ScratchFolder) throws -> [(UInt32, Substring)] {
    try String(contentsOf: folder.url.appendingPathComponent("screen"), encoding: .utf8)
      .matches(of: /captured ([0-9]+): (.+)\r\n/).compactMap { match in
        UInt32(match.1).map { ($0, match.2) }
      }
  }

  private func expectCard(
    in folder: ScratchFolder, toHave announced: [UInt32: Substring], _ again: String
  ) throws {
    var store = CardStore(try CardImage(folder.path("card")))
    let finding = store.finding
    try #require(finding == .mounted, "\(again)")
    var captures: [Capture] = []
    for key in 0...store.lastKey.number {
      if let capture = store.capture(CaptureKey(key)) { captures.append(capture) }
    }
    // Nobody has taken any: all numbers are there, each once, and the next is new.
    #expect(captures.map(\.sequence) == Array(1..<store.nextSequence), "\(again)")
    for (sequence, trigger) in announced {
      let capture = captures.first { $0.sequence == sequence }
      #expect(capture.map { "\($0.trigger.name)" } == String(trigger), "\(sequence); \(again)")
    }
  }
}
