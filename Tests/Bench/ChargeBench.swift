import BoardSupport
import CaptureStore
import CommandLineSupport
import Simulation
import SystemCalls
import TrackerCore

/// `bench --charges N`: how far the charge that the tracker believes is from the truth, and how
/// often its bands hold, over N races on each of several batteries.
enum ChargeBench {
  /// A battery, and how its races differ. All ranges are assumptions, unverified.
  private struct Kind: Sendable {
    var name: String
    /// `nil`: the board's.
    var pack: String?
    var weakCell: ClosedRange<Int> = 100...100
    /// Temperature of the night, degrees Celsius; `nil`: 20 all the time.
    var night: ClosedRange<Int>?
    /// Temperature of the whole race.
    var always: Int?
    /// Capacity and resistance, as shares of what the board's file says.
    var capacity: ClosedRange<Double> = 0.5...1
    var resistance: ClosedRange<Double> = 0.7...1.5
  }

  private static let kinds = [
    Kind(name: "Li-ion", resistance: 1...3),
    Kind(name: "Li-ion, cold night", night: -10...15, resistance: 1...3),
    Kind(name: "Li-ion, 0 degrees", always: 0, resistance: 1...3),
    Kind(name: "NiMH", pack: "8 nimh-aa"),
    Kind(name: "NiMH, one cell 70 %", pack: "8 nimh-aa", weakCell: 70...70),
    Kind(name: "NiMH, one cell 60-100", pack: "8 nimh-aa", weakCell: 60...100),
    Kind(name: "alkaline", pack: "8 alkaline-aa", capacity: 0.8...1.2),
    Kind(name: "LiFePO4", pack: "6 lifepo4"),
  ]

  private static let finish = Milliseconds.hours(27)

  /// What was believed at one moment, percent.
  private struct Sample: Sendable {
    var truth: Double
    var charge: Double
    var deviation: Double
    /// To the upper side.
    var deviationAbove: Double
    var error: Double { charge - truth }
  }

  /// - Parameter first: the seed of the first race.
  static func run(_ count: Int, from first: UInt64) throws {
    let trace = try PreparedTrace.walk(finish, every: .seconds(6), seed: 1)
    try printOut(
      """
      \(counted(count, "race")) of at most 27 h with each battery; percent of the charge

                              mean              band of 80 %             band of 90 %
      battery                error   rms    ±   holds above below    holds above below   last

      """)
    for kind in kinds {
      let races = try Workers.run(count, threads: nil) { number in
        try samples(kind, trace, seed: first + UInt64(number))
      }
      try printOut(row(kind, races))
    }
  }

  private static func samples(
    _ kind: Kind, _ trace: PreparedTrace, seed: UInt64
  ) throws -> [Sample] {
    var random = SeededGenerator(seed: seed, stream: 310)
    var description = try MachineBench.board()
    if let pack = kind.pack { description.board.battery = try Pack(pack, on: description).battery }
    var truth = description.board
    func draw(_ range: ClosedRange<Double>) -> Double {
      range.lowerBound + (range.upperBound - range.lowerBound) * random.unit()
    }
    for load in ["loads.board", "loads.receiverTracking", "loads.modemSearching"] {
      truth.scale(load, by: draw(0.8...1.2))
    }
    truth.scale("battery.cellCapacity", by: draw(kind.capacity))
    let milliohms = truth.battery.chemistry.usualMilliohms
    truth.battery.cellMilliohms = Int32(Double(milliohms) * draw(kind.resistance))
    var scenario = Scenario()
    scenario.batteryStartPercent = Int32(random.whole(in: 50...100))
    scenario.weakCellPercent = Int32(random.whole(in: kind.weakCell))
    if let night = kind.night {
      scenario.batteryCelsius = [
        Window(from: .hours(11), to: .hours(23), content: Int32(random.whole(in: night)))
      ]
    }
    if let always = kind.always {
      scenario.batteryCelsius = [Window(from: 0, to: nil, content: Int32(always))]
    }
    let identity = Identity(
      device: UniqueID(high: 0, low: 1), team: InlineText("Charge"), seed: seed)
    let store = try CaptureStore.open(
      .memory, for: .device(identity.device), at: UTC(milliseconds: 0))
    var world = try World(
      trace: TracePlayer(trace), board: truth, sensor: description.batterySensor,
      scenario: scenario, store: store, seed: seed, variation: Variation(seed: seed))
    let configuration = Configuration()
    world.use(configuration)
    world.use(description.radio)
    world.breaksOffAt = .start + finish
    var tracker = Tracker(
      board: description.board, configuration: configuration, identity: identity, at: .start)
    let book = Book()
    world.beginLooking { tracker, world in book.look(tracker, world) }
    TrackerCore.run(&tracker, in: &world)
    return book.samples
  }

  /// What is written down each ten minutes.
  private final class Book {
    var samples: [Sample] = []
    private var looks = 0

    func look(_ tracker: borrowing Tracker, _ world: borrowing World) {
      looks += 1
      guard looks % 10 == 0, let charge = tracker.charge else { return }
      samples.append(
        Sample(
          truth: world.battery.percent, charge: Double(charge.charge) / 10_000,
          deviation: Double(charge.deviation) / 10_000,
          deviationAbove: Double(tracker.board.battery.deviationAbove(charge)) / 10_000))
    }
  }

  private static func row(_ kind: Kind, _ races: [[Sample]]) -> String {
    let all = races.flatMap(\.self)
    let count = Double(max(1, all.count))
    func mean(_ value: (Sample) -> Double) -> Double { all.map(value).reduce(0, +) / count }
    func share(_ holds: (Sample) -> Bool) -> Double {
      Double(all.count(where: holds)) / count * 100
    }
    var text = kind.name.leftAligned(in: 23)
    text += figure(mean(\.error), 5) + figure(mean { $0.error * $0.error }.squareRoot(), 6)
    text += figure(mean(\.deviation), 5)
    for quantile in [1.2816, 1.6449] {
      let above = share { $0.error > quantile * $0.deviation }
      let below = share { -$0.error > quantile * $0.deviationAbove }
      text += figure(100 - above - below, 8) + figure(above, 6) + figure(below, 6) + "  "
    }
    // Where next to nothing is left.
    let last = all.filter { $0.truth < 3 }
    guard !last.isEmpty else { return text + "     -\n" }
    let charge = last.map(\.charge).reduce(0, +) / Double(last.count)
    let deviation = last.map(\.deviation).reduce(0, +) / Double(last.count)
    return text + figure(charge, 4) + " ±" + figure(deviation, 3) + "\n"
  }

  private static func figure(_ value: Double, _ width: Int) -> String {
    let tenths = Int((abs(value) * 10).rounded())
    let text = "\(value < 0 && tenths > 0 ? "-" : "")\(tenths / 10).\(tenths % 10)"
    return text.rightAligned(in: width)
  }
}
