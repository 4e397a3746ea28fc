import Foundation
import ModemTerminal
import Simulation
import TestSupport
import Testing
import TrackerCore
import Uplink

@testable import CardStore

/// The firmware, its emulator killed while it delivers to a real basecamp, and started again on the
/// same card where the trace goes on.
@Suite(
  .enabled(if: Firmware.isBuildable, "\(Firmware.lacksTarget)"),
  .enabled(if: Firmware.emulator != nil, "needs qemu-system-arm"),
  .enabled(if: Tool.url("curl") != nil, "needs Debian's curl"),
  .serialized, .blocking)
struct FirmwareUploadKillTests {
  private static let lives = 6

  /// `SHARE=all` kills twenty trackers.
  @Test(arguments: Share.of(Array(UInt64(1)...20), atOnce: 4))
  func `A kill within an upload loses no capture, and doubles none`(_ seed: UInt64) throws {
    let again = "SHARE=all swift test --filter FirmwareTests.FirmwareUploadKillTests, \(seed)"
    let built = try Firmware.built.get()
    try #require(built.code == 0, "\(built.errors)\n\(Firmware.again)")
    let camp = try CampServer(ScratchFolder())
    let answer = try camp.room("/room/phones", "by=marta&name=Senglars&tracker=7&kind=tracker")
    let key = try #require(answer["key"] as? String, "\(answer)")
    let first = try ScratchFolder()
    var world = try PacedWorld.ofTrace("rest-40min", in: first).sending(every: 20)
    world.deliver(to: "http://127.0.0.1:\(camp.port)/phone/\(key)")
    try world.insertCard(in: first)
    var card = first.path("card")

    var chance = SplitMix64(seed: seed)
    var folders = [first]
    for life in 0..<Self.lives {
      let folder = try ScratchFolder()
      folders.append(folder)
      try FileManager.default.moveItem(atPath: card, toPath: folder.path("card"))
      card = folder.path("card")
      let modem = try ModemPeer(ModemScript(family: .a7670), in: folder)
      let length = world.count / Self.lives
      let part = world.part(life * length..<(life + 1) * length)
      if life == Self.lives - 1 {
        #expect(try part.run(WholeTrackerTests.board, in: folder).code == 0, "\(again)")
        modem.stop()
        continue
      }
      let emulator = try part.start(WholeTrackerTests.board, in: folder)
      let count = Int.random(in: 1...6, using: &chance)
      try eventually("\(count) requests, or its end; \(again)", pause: 0.001) {
        modem.requests.count >= count || !emulator.isRunning
      }
      Thread.sleep(forTimeInterval: Double.random(in: 0...0.03, using: &chance))
      emulator.end()
      modem.stopAfterKill()
    }
    try expectAll(of: card, in: camp, again)
  }

  /// What the card knows to be delivered is in the layer, which has nothing else than its captures,
  /// each once.
  private func expectAll(of card: String, in camp: CampServer, _ again: String) throws {
    var store = CardStore(try CardImage(card))
    let finding = store.finding
    try #require(finding == .mounted, "\(again)")
    var (all, delivered): (Set<String>, Set<String>) = ([], [])
    var sequences: [UInt32] = []
    for number in 1..<store.lastKey.number + 1 {
      let key = CaptureKey(number)
      let capture = store.capture(key)
      guard let capture else { continue }
      let id = UniqueID(device: store.tracker, sequence: capture.sequence).lowercaseText
      sequences.append(capture.sequence)
      all.insert(id)
      if store.standing(of: key) == .delivered { delivered.insert(id) }
    }
    #expect(sequences == Array(1..<store.nextSequence), "\(again)")
    let answer = try camp.post("\(camp.layer)/query", "where=1%3D1&outFields=*&f=json")
    let features = answer["features"] as? [[String: Any]] ?? []
    let stored = features.compactMap { $0["attributes"] as? [String: Any] }
      .compactMap { ($0["UUID"] as? String)?.lowercased() }
    #expect(delivered.count > Self.lives, "\(delivered.count) delivered; \(again)")
    #expect(delivered.subtracting(stored).isEmpty, "lost; \(again)")
    #expect(Set(stored).subtracting(all).isEmpty, "of nobody; \(again)")
    #expect(stored.count == Set(stored).count, "doubled; \(again)")
  }
}
