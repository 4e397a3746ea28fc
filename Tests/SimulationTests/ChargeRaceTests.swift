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
    /// Differences from the true charge each minute, standard deviations: to the dangerous side
    /// where it is believed to be fuller, to the other where cold may hide some of it.
    var tooHigh: [Double] = []
    var tooLow: [Double] = []

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
    var newSettings: NewSettings? { world.newSettings }

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

    mutating func inspect(_ tracker: borrowing Tracker) { world.inspect(tracker) }

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
  private func race(
    seed: UInt64, factor: Double, pack: String? = nil, _ scenario: Scenario = Scenario(),
    resistance: Int32 = 3
  ) throws -> Errors {
    var description = try BoardDescription.load(named: Self.path("boards/pi-zero-2w-sim7600"))
    if let pack { description.board.battery = try Pack(pack, on: description).battery }
    var truth = description.board
    truth.scale("loads.board", by: factor)
    truth.scale("loads.receiverTracking", by: factor)
    // Most cells have more than the best one.
    truth.battery.cellMilliohms = resistance * truth.battery.chemistry.usualMilliohms
    var configuration = Configuration()
    configuration.receiverUse = description.receiverUse
    let device = UniqueID(high: 0, low: 1)
    let store = try CaptureStore.open(.memory, for: .device(device), at: UTC(milliseconds: 0))
    var world = try World(
      trace: TracePlayer(path: Self.path("traces/race.nmea")), board: truth,
      sensor: description.batterySensor, scenario: scenario, store: store, seed: seed,
      variation: Variation(seed: seed))
    world.use(configuration)
    var tracker = Tracker(
      board: description.board, configuration: configuration,
      identity: Identity(device: device, team: InlineText("Test"), seed: seed), at: .start)
    let bands = Bands()
    world.beginLooking { tracker, world in bands.look(tracker, world) }
    var host = Watch(world, description.board.battery)
    TrackerCore.run(&tracker, in: &host)
    var errors = host.errors
    (errors.tooHigh, errors.tooLow) = (bands.tooHigh, bands.tooLow)
    return errors
  }

  /// What is written down each minute.
  private final class Bands {
    var tooHigh: [Double] = []
    var tooLow: [Double] = []

    func look(_ tracker: borrowing Tracker, _ world: borrowing World) {
      guard let charge = tracker.charge else { return }
      let error = Double(charge.charge) - world.battery.percent * 10_000
      tooHigh.append(error / Double(charge.deviation))
      tooLow.append(-error / Double(tracker.board.battery.deviationAbove(charge)))
    }
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

  static let batteries: [(name: String, pack: String?, weakCell: Int32, celsius: Int32)] = [
    ("Li-ion", nil, 100, 20), ("Li-ion at 0 degrees", nil, 100, 0),
    ("NiMH with a weak cell", "8 nimh-aa", 70, 20), ("alkaline", "8 alkaline-aa", 100, 20),
  ]

  /// `bench --charges N` has the same for more batteries and more that differs.
  @Test(arguments: batteries)
  func `Bands hold what they say, within five points`(
    _ battery: (name: String, pack: String?, weakCell: Int32, celsius: Int32)
  ) throws {
    var scenario = Scenario()
    scenario.weakCellPercent = battery.weakCell
    scenario.batteryCelsius = [Window(from: 0, to: nil, content: battery.celsius)]
    var tooHigh: [Double] = []
    var tooLow: [Double] = []
    for (seed, factor) in [(11, 0.9), (12, 1), (13, 1.1), (14, 1)] as [(UInt64, Double)] {
      let errors = try race(
        seed: seed, factor: factor, pack: battery.pack, scenario,
        resistance: battery.pack == nil ? 3 : 1)
      tooHigh += errors.tooHigh
      tooLow += errors.tooLow
    }
    #expect(tooHigh.count > 1000, again)
    for (band, quantile) in [(80, 1.2816), (90, 1.6449)] {
      let high = tooHigh.count { $0 > quantile } * 100 / tooHigh.count
      let low = tooLow.count { $0 > quantile } * 100 / tooLow.count
      let text = "\(battery.name): of the band of \(band) % \(high) % too high, \(low) % too low"
      #expect(high + low <= 100 - band + 5, "\(text); \(again)")
      #expect(high <= (100 - band) / 2 + 5, "\(text); \(again)")
    }
  }

  @Test func `The tracker knows what the simulator's cells hold back`() {
    let all: [Chemistry] = [
      .other, .alkaline, .lithium, .nickelMetalHydride, .lithiumIon, .lithiumIronPhosphate,
    ]
    for chemistry in all {
      let cell = CellFigures.of(chemistry)
      let known = Double(chemistry.lag.drawn.count) / 3_600_000
      guard cell.availableShare < 1, cell.recoveryPerHour > 0 else {
        #expect(known == 0, "\(chemistry); \(again)")
        continue
      }
      let drawn = (1 - cell.availableShare) / (cell.availableShare * cell.recoveryPerHour)
      // Less than a tenth of an hour is next to nothing.
      #expect(abs(drawn - known) < 0.1, "\(chemistry): \(drawn) h; \(again)")
      let settling = Double(chemistry.lag.settling.count) / 3_600_000
      #expect(known == 0 || abs(settling * cell.recoveryPerHour - 1) < 0.01, "\(chemistry)")
    }
  }

  private static func text(_ errors: Errors, _ what: String) -> String {
    "\(what): the estimate is off by \(Errors.rms(errors.estimated)) percent, the voltage by "
      + "\(Errors.rms(errors.byVoltage)); \(errors.remembered.count { abs($0) <= 2 }) of "
      + "\(errors.remembered.count) within two deviations"
  }
}
