import BoardSupport
import CaptureStore
import Foundation
import Testing
import TrackerCore

@testable import Simulation

/// What the tracker believes of its battery over a whole race, against the simulator's truth.
@Suite struct ChargeRaceTests {
  private let again: Comment = "repeat with: swift test --filter ChargeRaceTests"

  /// Differences from the true charge, percent, at each capture and at each time that the charge
  /// was remembered.
  struct Errors {
    var estimated: [Double] = []
    var byVoltage: [Double] = []
    /// In standard deviations.
    var remembered: [Double] = []
    /// Percent.
    var deviations: [Double] = []

    static func rms(_ errors: [Double]) -> Double {
      (errors.map { $0 * $0 }.reduce(0, +) / Double(max(1, errors.count))).squareRoot()
    }
  }

  /// A world whose battery is looked at.
  struct Watch: TrackerCore.Host, ~Copyable {
    var world: World
    let battery: Battery
    var errors = Errors()

    init(_ world: consuming World, _ battery: Battery) {
      self.world = world
      self.battery = battery
    }

    var now: Instant { world.now }

    mutating func wait(
      until deadline: Instant?, filling buffer: inout MutableSpan<UInt8>
    ) -> Arrival { world.wait(until: deadline, filling: &buffer) }

    mutating func restart(_ tracker: inout Tracker) { world.restart(&tracker) }

    mutating func push(_ effect: Effect) {
      let truth = world.battery.percent
      switch effect {
      case .store(let capture):
        if let percent = capture.batteryPercent, let millivolts = capture.batteryMillivolts {
          errors.estimated.append(Double(percent) - truth)
          errors.byVoltage.append(Double(battery.percent(atMillivolts: millivolts)) - truth)
        }
      default: break
      }
      world.push(effect)
    }

    mutating func remember(_ memory: Memory) {
      if let charge = memory.charge {
        let error = Double(charge.charge) / 10_000 - world.battery.percent
        errors.remembered.append(error / (Double(charge.deviation) / 10_000))
        errors.deviations.append(Double(charge.deviation) / 10_000)
      }
      world.remember(memory)
    }
  }

  private static func path(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../\(name)").path
  }

  /// - Parameter factor: how much more the parts draw than the tracker's board file says.
  private func race(seed: UInt64, factor: Double, pack: String? = nil) throws -> Errors {
    var description = try BoardDescription.load(named: Self.path("boards/pi-zero-2w-sim7600"))
    if let pack { description.board.battery = try Pack(pack, on: description).battery }
    var truth = description.board
    truth.scale("loads.board", by: factor)
    truth.scale("loads.receiverTracking", by: factor)
    // Most cells have more than the best one.
    truth.battery.cellMilliohms = 3 * truth.battery.chemistry.usualMilliohms
    var configuration = Configuration()
    configuration.receiverUse = description.receiverUse
    let device = UniqueID(high: 0, low: 1)
    let store = try CaptureStore.open(.memory, for: .device(device), at: UTC(milliseconds: 0))
    var world = try World(
      trace: TracePlayer(path: Self.path("traces/race.nmea")), board: truth,
      sensor: description.batterySensor, scenario: Scenario(), store: store, seed: seed,
      variation: Variation(seed: seed))
    world.use(configuration)
    var tracker = Tracker(
      board: description.board, configuration: configuration,
      identity: Identity(device: device, team: InlineText("Test"), seed: seed), at: .start)
    var host = Watch(world, description.board.battery)
    TrackerCore.run(&tracker, in: &host)
    return host.errors
  }

  @Test func `It is near the truth, and knows how near`() throws {
    for (seed, factor) in [(1, 0.8), (2, 1), (3, 1.2), (4, 1)] as [(UInt64, Double)] {
      let errors = try race(seed: seed, factor: factor)
      let own = Errors.rms(errors.estimated)
      let text = Self.text(errors, "seed \(seed), factor \(factor)")
      #expect(errors.estimated.count > 50 && own < 5, "\(text); \(again)")
      #expect(errors.remembered.count > 30, "\(text); \(again)")
      let certain = errors.remembered.count { abs($0) <= 2 }
      #expect(certain * 10 >= errors.remembered.count * 9, "\(text); \(again)")
      // Not by claiming to know nothing.
      let deviation = errors.deviations.reduce(0, +) / Double(max(1, errors.deviations.count))
      #expect(deviation < 5, "\(deviation) percent; \(again)")
    }
  }

  @Test func `Where the voltage says little it is nearer than the voltage`() throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      let errors = try race(seed: seed, factor: 1, pack: "1s6p lifepo4")
      let (own, voltage) = (Errors.rms(errors.estimated), Errors.rms(errors.byVoltage))
      let text = Self.text(errors, "seed \(seed)")
      #expect(own < voltage, "\(text); \(again)")
    }
  }

  private static func text(_ errors: Errors, _ what: String) -> String {
    "\(what): the estimate is off by \(Errors.rms(errors.estimated)) percent, the voltage by "
      + "\(Errors.rms(errors.byVoltage)); \(errors.remembered.count { abs($0) <= 2 }) of "
      + "\(errors.remembered.count) within two deviations"
  }
}
