import BoardSupport
import CaptureStore
import Foundation
import Testing
import TrackerCore

@testable import Simulation

/// What is predicted for a battery two hours after the start, and when it really ends.
@Suite struct BatteryOutlookRaceTests {
  private let again: Comment = "repeat with: swift test --filter BatteryOutlookRaceTests"

  private static let asked = Instant.start + .hours(2)

  /// A world of which the charge is kept that was remembered when the question is asked.
  private struct Watch: TrackerCore.Host, ~Copyable {
    var world: World
    var charge: ChargeRecord?

    init(_ world: consuming World) { self.world = world }

    var now: Instant { world.now }
    var newSettings: NewSettings? { world.newSettings }

    mutating func wait(
      until deadline: Instant?, filling buffer: inout MutableSpan<UInt8>
    ) -> Arrival { world.wait(until: deadline, filling: &buffer) }

    mutating func restart(_ tracker: inout Tracker) { world.restart(&tracker) }

    mutating func push(_ effect: Effect) { world.push(effect) }

    mutating func remember(_ memory: Memory) {
      if now <= asked { charge = memory.charge }
      world.remember(memory)
    }
  }

  private static func path(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../\(name)").path
  }

  @Test(arguments: [30, 40, 50] as [Int32])
  func `A battery ends within a quarter of the time that is to be expected`(
    _ start: Int32
  ) throws {
    let description = try BoardDescription.load(named: Self.path("boards/pi-zero-2w-sim7600"))
    let configuration = Configuration()
    var scenario = Scenario()
    scenario.batteryStartPercent = start
    let device = UniqueID(high: 0, low: 1)
    let store = try CaptureStore.open(.memory, for: .device(device), at: UTC(milliseconds: 0))
    var world = try World(
      trace: TracePlayer(path: Self.path("traces/race.nmea")), board: description.board,
      sensor: description.batterySensor, scenario: scenario, store: store, seed: 1)
    world.use(configuration)
    world.use(description.radio)
    var tracker = Tracker(
      board: description.board, configuration: configuration,
      identity: Identity(device: device, team: InlineText("Test"), seed: 1), at: .start)
    var host = Watch(world)
    TrackerCore.run(&tracker, in: &host)
    let (ending, remembered) = (host.world.ending, host.charge)
    #expect(ending == .batteryEmpty, again)
    let charge = try #require(remembered, again)
    func hours(_ confidence: Int32) throws -> Double {
      let outlook = try #require(
        BatteryOutlook(
          charge, age: Self.asked - (charge.at.at ?? .start), board: description.board,
          configuration: configuration, untilFinish: nil, confidence: confidence))
      return Double(outlook.lasts.count) / 3_600_000
    }
    let real = Double((host.now - Self.asked).count) / 3_600_000
    let (expected, sure) = try (hours(50), hours(95))
    let text =
      "from \(start) percent: \(real) h; expected \(expected) h, with 95 percent certainty "
      + "\(sure) h"
    #expect(abs(expected - real) <= real / 4, "\(text); \(again)")
    #expect(sure < real, "\(text); \(again)")
  }
}
