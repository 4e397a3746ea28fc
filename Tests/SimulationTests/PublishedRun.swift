import TrackerCore

@testable import BoardSupport
@testable import Simulation

/// A battery that others have run down under a load that somebody has measured, and for how long.
///
/// None of these had been seen when the model's constants were chosen. They are all that were found
/// whose publication states load, battery and hours, where the load is not computed from the hours,
/// and where nobody complains of a faulty battery.
struct PublishedRun: Sendable {
  /// What ran; the runs of one device stay together when some are kept aside.
  var device: String
  /// Of one cell, as sold.
  var milliampHours: Int32
  var published: Double
  var load: Load
  var cells: Cells

  struct Load: Sendable {
    var milliamps: Double
    var basis = Basis.others
    /// Where it is published, or how it came about.
    var source: String
  }

  struct Cells: Sendable {
    var kind = PublishedRun.lithiumIon
    var inSeries: Int32 = 1
    /// Of the whole pack, millivolts.
    var cutOff: Int32 = 3000
    var cutOffBasis = Basis.memory
    /// Of the converter to 5 V, percent; `nil`: a linear regulator, or none.
    var efficiency: Int32?
    var efficiencyBasis = Basis.memory
    var celsius: Int32 = 20
  }

  var title: String { "\(device), \(milliampHours) mAh" }

  /// Whether the run was left alone until the widths of the bands had been chosen for the first
  /// time: a third of the devices, by the 64-bit FNV-1a hash of their names.
  var isKeptAside: Bool {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in device.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash % 3 == 0
  }

  // MARK: The model

  private var board: Board {
    var board = Board.none
    board.loads.boardMicroamps = Int32(load.milliamps * 1000)
    let regulator = cells.efficiency.map { Regulator.switching(efficiencyPercent: $0) }
    board.battery = Battery(
      cellsInSeries: cells.inSeries, cellsInParallel: 1, cellCapacityMilliampHours: milliampHours,
      cellMillivolts: cells.kind.millivolts, cutOffMillivolts: cells.cutOff,
      capacityAtFreezingPercent: cells.kind.capacityAtFreezingPercent,
      regulator: regulator ?? .linear)
    board.battery.chemistry = Chemistry(describedAs: cells.kind.chemistry)
    board.battery.ratedMicroamps = cells.kind.ratedMicroamps
    return board
  }

  private var doubts: [Doubt] {
    var bases = [
      ("loads.board", load.basis), ("battery.cellCapacity", .dataSheet),
      ("battery.cutOff", cells.cutOffBasis), ("battery.capacityAtFreezing", .memory),
    ]
    if cells.efficiency != nil {
      bases.append(("battery.regulator.efficiency", cells.efficiencyBasis))
    }
    return bases.map { keyPath, basis in
      let percent = Doubt.percent(keyPath, basis, chemistry: board.battery.chemistry)
      return Doubt(keyPath: keyPath, percent: percent)
    }
  }

  var band: LifetimeBand { LifetimeBand(board, doubts, celsius: cells.celsius) }

  // MARK: The runs

  /// With these the widths were chosen.
  static let all = radios + computers + cells

  /// Compared with the model after that: the capacities that eight NiMH AA gave at 300 mA
  /// (pastebin.com/jtBkawCg, tests by Project Farm).
  static let later: [PublishedRun] = [
    ("amazon-basics-black", 1900, 1867), ("amazon-basics-silver", 2400, 2396),
    ("duracell", 2450, 2508), ("ebl", 2800, 2469), ("eneloop", 2000, 1916),
    ("energizer", 2000, 1969), ("harbor-freight", 2200, 2274), ("ikea-ladda", 2450, 2496),
  ].map { (device: String, capacity: Int32, measured: Double) in
    PublishedRun(
      device: device, milliampHours: capacity, published: measured / 300,
      load: Load(milliamps: 300, basis: .measured, source: "the same"),
      cells: Cells(kind: kind("nimh-aa"), cutOff: 1000))
  }

  /// The curve of the boards in PublishedBoards.
  private static let lithiumIon = CellKind(
    name: "", chemistry: "Li-ion", capacity: 0,
    millivolts: [3100, 3300, 3420, 3530, 3630, 3720, 3800, 3890, 3990, 4050, 4190],
    capacityAtFreezingPercent: 80, capacityWithinPercent: 0,
    source: "github.com/meshtastic/firmware, OCV_ARRAY for Li-ion")

  static func kind(_ name: String) -> CellKind {
    CellKind.all.first { $0.name == name } ?? lithiumIon
  }

  /// Meshtastic nodes with default settings, connected to a phone
  /// (github.com/HarukiToreda/Meshtastic-Experiments, Battery-Runtime-Tests.md, experiment 1). The
  /// same author measured their currents in standby with an earlier firmware
  /// (LoRa-Boards-Power-Measurements.md). The end of a node with a linear regulator to 3.3 V is
  /// from memory.
  private static let radios: [PublishedRun] = [
    ("heltec-v2", 54, [(1100, 21), (2000, 41), (3000, 60)]),
    ("heltec-v3", 103, [(1100, 10), (2000, 21), (3000, 30)]),
    ("heltec-wireless-paper", 101, [(1100, 9), (2000, 20), (3000, 30)]),
    ("heltec-wireless-stick-lite", 104.5, [(1100, 10), (2000, 20)]),
    ("heltec-wireless-tracker", 148, [(1100, 9), (2000, 13), (3000, 19)]),
    ("heltec-vision-master-e213", 110, [(2000, 19)]),
    ("t-deck", 113, [(1100, 10), (2000, 19), (3000, 26)]),
    ("rak19007", 7.5, [(1100, 154), (2000, 307), (3000, 442)]),
    ("rak19003", 7.5, [(1100, 156), (3000, 453)]),
  ].flatMap { (device: String, milliamps: Double, runs: [(Int32, Double)]) in
    runs.map { capacity, hours in
      PublishedRun(
        device: device, milliampHours: capacity, published: hours,
        load: Load(milliamps: milliamps, source: "LoRa-Boards-Power-Measurements.md, standby"),
        cells: Cells(cutOff: 3200))
    }
  }

  private static let computers: [PublishedRun] =
    [(3800, 4.2), (6500, 7.5), (10_000, 11.6)].map { capacity, hours in
      // github.com/rcdrones/UPSPACK_V2: a Pi 4 alone, until the cell has 2.8 V.
      PublishedRun(
        device: "pi-4-upspack", milliampHours: capacity, published: hours,
        load: Load(milliamps: 575, source: "boards/pi-4b"),
        cells: Cells(cutOff: 2800, cutOffBasis: .dataSheet, efficiency: 85))
    } + [
      PublishedRun(
        device: "wardriver-rev3", milliampHours: 10_000, published: 19,
        load: Load(
          milliamps: 400,
          source: "github.com/JosephHewitt/wardriver_rev3, issue 3: 1.9 to 2.1 W; the hours, too"),
        cells: Cells(efficiency: 85)),
      // github.com/janpetzold/mcu-battery-stress: 1760 and 5667 min on a PowerBoost 1000C. The
      // second sends every 20 min, which the load leaves out.
      PublishedRun(
        device: "sixfab-pico-lte", milliampHours: 2500, published: 29.3,
        load: Load(milliamps: 53, source: "the same: with LTE"),
        cells: Cells(efficiency: 90, efficiencyBasis: .dataSheet)),
      PublishedRun(
        device: "sixfab-pico-lte", milliampHours: 2500, published: 94.5,
        load: Load(milliamps: 22, source: "the same: asleep"),
        cells: Cells(efficiency: 90, efficiencyBasis: .dataSheet)),
      // github.com/stratux/nodemcuRFM95W: 25 h 18 min on three Energizer Lithium AA in series. That
      // is more charge than such cells have, whatever the regulator.
      PublishedRun(
        device: "nodemcu-rfm95w", milliampHours: 3000, published: 25.3,
        load: Load(milliamps: 186, source: "the same, on average"),
        cells: Cells(kind: kind("lithium-aa"), inSeries: 3, cutOff: 3300)),
      // github.com/PiSupply/PiJuice, issue 797: about 70 min on its own battery at -13 °C.
      PublishedRun(
        device: "pi-4-pijuice-cold", milliampHours: 1820, published: 1.17,
        load: Load(milliamps: 575, source: "boards/pi-4b"),
        cells: Cells(efficiency: 85, celsius: -13)),
      // github.com/PiSupply/PiJuice, issue 120: 1 h 13 min at 100 % processor time, no HDMI.
      PublishedRun(
        device: "pi-3b-plus-pijuice", milliampHours: 1820, published: 1.22,
        load: Load(milliamps: 1000, basis: .memory, source: "from memory"),
        cells: Cells(efficiency: 85)),
    ]

  /// Bare cells under an electronic load.
  private static let cells: [PublishedRun] =
    [
      // github.com/mattvenn/tecknet, battery.csv: 0.5 A to 3.0 V.
      PublishedRun(
        device: "icr18650-30a", milliampHours: 3000, published: 5.15,
        load: Load(milliamps: 500, basis: .measured, source: "battery.csv"),
        cells: Cells(cutOffBasis: .measured))
    ]
    + [
      ("yuasa-1700", 1700, 14.73), ("tenergy-aaa-1000", 1000, 7.42), ("eneloop-1900", 1900, 19.62),
    ]
    .map { (device: String, capacity: Int32, hours: Double) in
      // pididu.com/wordpress/blog/tag/aa, More Battery Life Measurements: 100 mA.
      PublishedRun(
        device: device, milliampHours: capacity, published: hours,
        load: Load(milliamps: 100, basis: .measured, source: "the same"),
        cells: Cells(kind: kind("nimh-aa"), cutOff: 1000))
    }
}

/// How long a full battery lasts under one load: the 90 % band as `tracker-sim plan` makes it, and
/// its middle, in hours.
struct LifetimeBand: Sendable {
  var low: Double
  var middle: Double
  var high: Double

  /// - Parameter board: computer and receiver are on, there is no modem.
  init(_ board: Board, _ doubts: [Doubt], celsius: Int32 = 20) {
    let runs = 200
    let hours = (1...runs).map { seed in
      let truth = Luck(seed: UInt64(seed)).truth(of: board, doubts)
      var battery = SimulatedBattery(truth.battery, startPercent: 100)
      battery.setTemperature(celsius: celsius)
      let loads = truth.loads
      return SimulatedBatteryTests.hours(
        battery, microamps: Int64(loads.boardMicroamps) + Int64(loads.receiverTrackingMicroamps))
    }.sorted()
    func rank(_ percent: Int) -> Double { hours[(runs * percent + 99) / 100 - 1] }
    (low, middle, high) = (rank(5), rank(50), rank(95))
  }

  /// Of the band, as a share of its middle.
  var width: Double { (high - low) / middle }

  func holds(_ hours: Double) -> Bool { hours >= low && hours <= high }
}
