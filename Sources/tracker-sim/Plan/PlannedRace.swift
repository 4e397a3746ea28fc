import BoardSupport
import CaptureStore
import Simulation
import TrackerCore

/// Everything that the races for one interval have in common.
struct PlannedRaces: Sendable {
  /// With the pack and its charge, as the tracker believes them to be.
  var board: Board
  var radio: RadioFigures
  var doubts: [Doubt]
  /// What is left of the capacity, which the tracker does not know.
  var ageing = 1.0
  var scenario: Scenario
  var configuration: Configuration
  var trace: PreparedTrace
  var finish: Instant
  /// Where a race is broken off; `.distantFuture`: where the trace ends.
  var end = Instant.distantFuture
  /// The pack's voltage at rest as measured; `nil`: it is full.
  var measuredMillivolts: Int32?
}

/// What one race came to.
struct PlannedRace: Sendable {
  /// The time until the battery was empty, or until the race was broken off.
  var lifetime = Milliseconds(0)
  var isDead = false
  /// At the finish, or when the battery was empty before.
  var atFinish = PlanSnapshot()

  func isAlive(at finish: Instant) -> Bool { !isDead || Instant.start + lifetime > finish }

  /// Runs one race.
  static func run(_ races: PlannedRaces, seed: UInt64) throws -> PlannedRace {
    var truth = races.board
    var luck = Luck(seed: seed)
    if races.ageing != 1 { truth.scale("battery.cellCapacity", by: races.ageing) }
    for doubt in races.doubts { truth.scale(doubt.keyPath, by: luck.factor(doubt)) }
    var scenario = races.scenario
    if let measured = races.measuredMillivolts {
      scenario.batteryStartPercent = luck.percent(of: truth.battery, measured: measured)
    }
    let identity = Identity(
      device: UniqueID(high: 0, low: 1), team: InlineText("Plan"), seed: seed,
      simPIN: scenario.sim.state)
    let store = try CaptureStore.open(
      .memory, for: .device(identity.device), at: UTC(milliseconds: 0))
    var world = try World(
      trace: TracePlayer(races.trace), board: truth, scenario: scenario, store: store, seed: seed,
      variation: Variation(seed: seed))
    world.use(races.configuration)
    world.use(races.radio)
    var tracker = Tracker(
      board: races.board, configuration: races.configuration, identity: identity, at: .start)
    var host = PlanHost(world, finish: races.finish, end: races.end)
    TrackerCore.run(&tracker, in: &host)
    if let problem = host.world.storeProblem { throw problem }
    return PlannedRace(
      lifetime: host.world.now - .start, isDead: host.world.ending == .batteryEmpty,
      atFinish: host.atFinish ?? PlanSnapshot(host.world))
  }
}

/// The state of a race at one moment.
struct PlanSnapshot: Sendable {
  var delivered = 0
  var boardJoules = 0.0
  var receiverJoules = 0.0
  var modemJoules = 0.0
  var conversionJoules = 0.0

  init() {}

  init(_ world: borrowing World) {
    delivered = world.tally.acknowledged
    boardJoules = world.meter.boardMillijoules / 1000
    receiverJoules = world.meter.receiverMillijoules / 1000
    modemJoules = world.meter.modemMillijoules / 1000
    conversionJoules = world.meter.conversionMillijoules / 1000
  }
}

/// A world that is looked at when the race finishes, while the tracker goes on.
struct PlanHost: Host, ~Copyable {
  var world: World
  private let finish: Instant
  private let end: Instant
  private(set) var atFinish: PlanSnapshot?

  init(_ world: consuming World, finish: Instant, end: Instant) {
    self.world = world
    self.finish = finish
    self.end = end
  }

  var now: Instant { world.now }

  /// Looks first, and passes on what the world returns: an arrival takes several hundred bytes,
  /// and copies of it were 6 % of a race.
  mutating func wait(
    until deadline: Instant?, filling buffer: inout MutableSpan<UInt8>
  ) -> Arrival {
    if world.now >= finish && atFinish == nil { atFinish = PlanSnapshot(world) }
    if world.now >= end { return .end }
    return world.wait(until: deadline, filling: &buffer)
  }

  mutating func push(_ effect: Effect) { world.push(effect) }
}

/// What is drawn for one race besides the world's `Variation`.
struct Luck {
  private let seed: UInt64
  /// `Variation` uses the streams from 111 on.
  private static let firstStream: UInt64 = 200
  /// How far a multimeter and the rest before the measurement are off, share of the voltage: hand
  /// meters have 0.5 %; an assumption, unverified.
  private static let voltageError = 0.005

  init(seed: UInt64) { self.seed = seed }

  /// Each figure has a stream of its own, so that one more doubt leaves the others as they are.
  mutating func factor(_ doubt: Doubt) -> Double {
    let place = Doubt.keyPaths.firstIndex(of: doubt.keyPath) ?? Doubt.keyPaths.count
    return 1 + Double(doubt.percent) / 100 * spread(UInt64(place))
  }

  mutating func percent(of battery: Battery, measured: Int32) -> Int32 {
    let error = Self.voltageError * spread(100)
    return max(1, Int32(battery.percent(atMillivolts: Int32(Double(measured) * (1 + error)))))
  }

  /// Uniform, -1...1.
  private func spread(_ stream: UInt64) -> Double {
    var generator = SeededGenerator(seed: seed, stream: Self.firstStream + stream)
    return generator.unit() * 2 - 1
  }
}
