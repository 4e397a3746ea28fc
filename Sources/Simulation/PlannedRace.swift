public import BoardSupport
import CaptureStore
import Synchronization
import SystemCalls
public import TrackerCore

/// Everything that the races for one interval have in common.
public struct PlannedRaces: Sendable {
  /// With the pack and its charge, as the tracker believes them to be.
  public var board: Board
  /// What measures the battery; `nil`: nothing does.
  var sensor: BatterySensor?
  var hasThermometer: Bool
  var radio: RadioFigures
  public var doubts: [Doubt]
  /// What is left of the capacity, which the tracker does not know.
  public var ageing = 1.0
  var scenario: Scenario
  var configuration: Configuration
  var trace: PreparedTrace
  var finish: Instant
  /// Where a race is broken off; `.distantFuture`: where the trace ends.
  public var end = Instant.distantFuture
  /// The pack's voltage at rest as measured; `nil`: it is full.
  public var measuredMillivolts: Int32?

  public init(
    _ board: BoardDescription, _ configuration: Configuration = Configuration(),
    scenario: Scenario = Scenario(), trace: PreparedTrace, finish: Instant
  ) {
    self.board = board.board
    sensor = board.batterySensor
    hasThermometer = board.thermometer != nil
    radio = board.radio
    doubts = board.doubts
    self.scenario = scenario
    self.configuration = configuration
    self.trace = trace
    self.finish = finish
  }
}

/// What one race came to.
public struct PlannedRace: Sendable {
  /// The time until the battery was empty, or until the race was broken off.
  public internal(set) var lifetime = Milliseconds(0)
  public internal(set) var isDead = false
  /// At the finish, or when the battery was empty before.
  public internal(set) var atFinish = World.Standing()

  public func isAlive(at finish: Instant) -> Bool { !isDead || Instant.start + lifetime > finish }

  /// Runs one race.
  public static func run(_ races: PlannedRaces, seed: UInt64) throws -> PlannedRace {
    var believed = races.board
    if races.ageing != 1 { believed.scale("battery.cellCapacity", by: races.ageing) }
    let luck = Luck(seed: seed)
    let truth = luck.truth(of: believed, races.doubts)
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
      trace: TracePlayer(races.trace), board: truth, sensor: races.sensor, scenario: scenario,
      store: store, seed: seed, variation: Variation(seed: seed))
    world.hasThermometer = races.hasThermometer
    world.use(races.configuration)
    world.use(races.radio)
    var tracker = Tracker(
      board: races.board, configuration: races.configuration, identity: identity, at: .start)
    world.markAt = races.finish
    world.breaksOffAt = races.end
    TrackerCore.run(&tracker, in: &world)
    if let problem = world.storeProblem { throw problem }
    return PlannedRace(
      lifetime: world.now - .start, isDead: world.ending == .batteryEmpty,
      atFinish: world.atMark ?? world.standing)
  }
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

  /// The board as it may be: each figure somewhere within its doubt.
  ///
  /// Each figure has a stream of its own, so that one more doubt leaves the others as they are.
  func truth(of board: Board, _ doubts: [Doubt]) -> Board {
    var truth = board
    for doubt in doubts {
      let place = Doubt.keyPaths.firstIndex(of: doubt.keyPath) ?? Doubt.keyPaths.count
      let factor = 1 + Double(doubt.percent) / 100 * spread(UInt64(place))
      truth.scale(doubt.keyPath, by: factor)
    }
    return truth
  }

  func percent(of battery: Battery, measured: Int32) -> Int32 {
    let error = Self.voltageError * spread(100)
    return max(1, Int32(battery.percent(atMillivolts: Int32(Double(measured) * (1 + error)))))
  }

  /// Uniform, -1...1.
  private func spread(_ stream: UInt64) -> Double {
    var generator = SeededGenerator(seed: seed, stream: Self.firstStream + stream)
    return generator.unit() * 2 - 1
  }
}

/// Does numbered pieces of work on several threads. The results are in the order of their numbers,
/// whoever did them.
public final class Workers<Result: Sendable>: Sendable {
  private let count: Int
  private let work: @Sendable (Int) throws -> Result
  private let next = Atomic<Int>(0)
  private let results: Mutex<[Result?]>
  private let problem = Mutex<(any Error)?>(nil)

  private init(_ count: Int, _ work: @escaping @Sendable (Int) throws -> Result) {
    self.count = count
    self.work = work
    results = Mutex(Array(repeating: nil, count: count))
  }

  /// - Parameters:
  ///   - threads: `nil`: as many as there are processors.
  ///   - work: called with 0..<`count`, on any thread.
  /// - Throws: what the work threw; then the rest is not begun.
  public static func run(
    _ count: Int, threads: Int?, _ work: @escaping @Sendable (Int) throws -> Result
  ) throws -> [Result] {
    let workers = Workers(count, work)
    let wanted = min(count, threads ?? processorCount)
    var started: [SmallThread] = []
    // This thread works too, and alone if the system has no more threads.
    for _ in 1..<max(2, wanted) where wanted > 1 {
      let thread = try? SmallThread(isDetached: false, stackBytes: 8 << 20) { workers.workOn() }
      if let thread { started.append(thread) }
    }
    workers.workOn()
    for thread in started { thread.join() }
    if let problem = workers.problem.withLock({ $0 }) { throw problem }
    return workers.results.withLock { $0.compactMap { $0 } }
  }

  private func workOn() {
    while true {
      let number = next.add(1, ordering: .relaxed).oldValue
      guard number < count else { return }
      do {
        let result = try work(number)
        results.withLock { $0[number] = result }
      } catch {
        problem.withLock { if $0 == nil { $0 = error } }
        next.store(count, ordering: .relaxed)
        return
      }
    }
  }
}
