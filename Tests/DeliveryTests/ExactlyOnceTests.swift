import CaptureStore
import Courier
import Foundation
import HTTPTransfer
import MachineAccess
import TestSupport
import Testing
import TrackerCore
import Uplink

/// A whole walk over real sockets to the real basecamp, which does everything wrong that it can.
@Suite(.serialized, .blocking) struct ExactlyOnceTests {
  static let captures: UInt32 = 10_000

  /// Before anything is done, after everything is done, in part, late, with the wrong word.
  static let faults = [
    "503 6%", "reset 6%", "cut-answer 6%", "504-after 6%", "500-after 3%", "partial 4%",
    "portal 3%", "unauthorised 4%", "late 20ms 10%", "503 4% on queries", "reset 4% on queries",
    "cut-answer 4% on queries", "portal 4% on queries", "unauthorised 3% on queries",
  ]

  @Test(arguments: [true, false])
  func `Each of 10 000 captures arrives once, whatever goes wrong`(
    _ hasGlobalIDs: Bool
  ) throws {
    let folder = try ScratchFolder()
    let password = try folder.write("password", "Senglars-2012\n")
    var words = ["--user", "team", "--password-file", password, "--fault-seed", "2012"]
    words += Self.faults.flatMap { ["--fault", $0] }
    if !hasGlobalIDs { words.append("--no-global-ids") }
    let camp = try CampServer(folder, words)
    let again = Comment(rawValue: "repeat with: swift test --filter ExactlyOnceTests")

    var settings = ArcGISConfiguration(address: try LayerAddress(camp.layer))
    settings.credentials = .user(
      name: "team", password: Secret("Senglars-2012"), tokenURL: nil)
    let store = try CaptureStore.open(.file(folder.path("race.store")), at: Walk.start)
    try Walk.fill(store, Self.captures)
    let sum = try deliver(store, ArcGISDialogue(settings))

    #expect(store.tally.pending == 0 && store.tally.setAside == 0, again)
    #expect(store.tally.acknowledged == Int(Self.captures), again)
    #expect(sum.pushed == Int(Self.captures), again)
    // Enough went wrong for the test to mean something.
    #expect(sum.requests > 150, again)
    let token = try camp.token(user: "team", password: "Senglars-2012")
    #expect(try camp.count(token: token) == Int(Self.captures), again)
    let there = try camp.identifiers(token: token)
    let wanted = (1...Self.captures).map { UniqueID(device: store.device, sequence: $0) }
    #expect(there.count == wanted.count && Set(there) == Set(wanted), again)
  }

  /// A timeout is the worst of losses: the server may act after it was asked what it has. Only a
  /// layer that refuses a second copy is safe from it.
  @Test func `What a server does after the client has gone counts once with GlobalIDs`() throws {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder, ["--fault", "late 900ms every 3rd"])
    let store = try CaptureStore.open(.file(folder.path("race.store")), at: Walk.start)
    try Walk.fill(store, 1000)
    let dialogue = try ArcGISDialogue(
      ArcGISConfiguration(address: LayerAddress(camp.layer)))
    let sum = try deliver(store, dialogue, timeout: Milliseconds(600))
    let again = Comment(rawValue: "repeat with: swift test --filter ExactlyOnceTests")
    #expect(sum.pushed == 1000 && store.tally.acknowledged == 1000, again)
    #expect(sum.requests > 12, again)
    // What is still under way comes to its end.
    usleep(1_000_000)
    #expect(try camp.count() == 1000, again)
  }

  /// With neither GlobalIDs nor luck: the server acts up to a second after the client has gone, and
  /// a person repeats the command.
  @Test func `What a server does after the client has gone counts once without them, too`() throws {
    let folder = try ScratchFolder()
    let camp = try CampServer(
      folder, ["--no-global-ids", "--fault", "late 1500ms every 3rd"])
    let store = try CaptureStore.open(.file(folder.path("race.store")), at: Walk.start)
    try Walk.fill(store, 600)
    let dialogue = try ArcGISDialogue(
      ArcGISConfiguration(address: LayerAddress(camp.layer)))
    // Both generous: a busy machine must not make the server later than it is believed to be.
    let sum = try deliver(
      store, dialogue, timeout: Milliseconds(500), mayActFor: .seconds(6), skipsWaits: false)
    let again = Comment(rawValue: "repeat with: swift test --filter ExactlyOnceTests")
    #expect(sum.pushed == 600 && store.tally.acknowledged == 600, again)
    usleep(2_000_000)
    #expect(try camp.count() == 600, again)
  }

  /// Delivers as a person with patience does: again after giving up, and what was set aside gets
  /// another chance.
  private func deliver(
    _ store: CaptureStore, _ dialogue: ArcGISDialogue, timeout: Milliseconds = .seconds(10),
    mayActFor: Milliseconds = .minutes(10), skipsWaits: Bool = true
  ) throws -> DeliveryReport {
    var network = HTTPClientConfiguration()
    network.totalTimeout = timeout
    let sender = try RequestSender(network)
    let clock = BootClock()
    var skipped = Milliseconds(0)
    let environment = DeliveryEnvironment(
      now: { HostTime(utc: clock.hostTime.utc, uptime: clock.hostTime.uptime + skipped) },
      boot: "one",
      wait: { time in
        if skipsWaits {
          skipped = skipped + time
        } else {
          usleep(UInt32(clamping: time.count * 1000))
        }
      }, perform: sender.perform)
    var bounds = DeliveryBounds()
    bounds.mayActFor = mayActFor
    var delivery = Delivery(store, dialogue, bounds: bounds, environment: environment)
    var sum = DeliveryReport()
    for _ in 0..<40 where store.tally.pending + store.tally.setAside > 0 {
      let report = try delivery.run()
      sum.pushed += report.pushed
      sum.setAside += report.setAside
      sum.requests += report.requests
      if report.left == 0 { try store.requeue(at: Walk.start) }
    }
    return sum
  }
}
