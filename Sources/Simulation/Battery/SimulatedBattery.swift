import TrackerCore

/// A board's battery, discharged through its converter by loads that change.
///
/// Voltage and current are looked up when the load or the temperature changes, and at each of 1024
/// steps of charge; in between the current is constant and everything follows in closed form. So
/// a day costs as much as the charge that it takes, and the result is the same however a period
/// of one load is divided. Only + - * / and square roots are used: the same figures on every
/// machine.
///
/// A load that pulls the voltage below the cut-off makes the board lose its power: `isEmpty`. From
/// then on nothing is drawn, the cells recover, and a smaller load may be carried again. A run of
/// `World` ends there.
public struct SimulatedBattery: Sendable {
  /// What a load drew until its end, or until the board lost its power.
  public struct Drawn: Sendable, Equatable {
    /// At the terminals of the pack.
    public var millijoules = 0.0
    public var time: Milliseconds = 0
  }

  private struct Load: Equatable {
    var microamps: Int64
    var supplyMillivolts: Int32
  }

  private static let steps = 1024

  private var pack: CellPack
  private let converter: Converter
  private let cutOff: Double
  /// The present load; `nil` when voltage and current have to be looked up.
  private var load: Load?
  /// From the pack into the converter, milliamps, and the voltage there, millivolts.
  private var current = 0.0
  private var terminal = 0.0
  /// Millivolts lost in the cells.
  private var sag = 0.0
  /// The next lower step of charge.
  private var nextStep = Self.steps
  /// Whether the board is without power under the load that it asked for last.
  public private(set) var isEmpty = false
  /// Energy lost in the resistance of the cells.
  public private(set) var internalMillijoules = 0.0

  /// - Parameter weakCellPercent: the capacity of one of the cells, as a share of the others'.
  public init(_ battery: Battery, startPercent: Int32, weakCellPercent: Int32 = 100) {
    pack = CellPack(battery, startPercent: startPercent, weakCellPercent: weakCellPercent)
    converter = Converter(regulator: battery.regulator)
    cutOff = Double(battery.cutOffMillivolts)
    look(for: Load(microamps: 0, supplyMillivolts: 0))
    load = nil
  }

  public mutating func setTemperature(celsius: Int32) {
    if pack.setTemperature(celsius: celsius) { load = nil }
  }

  /// Remaining charge of the weakest cells, 0...100, whether it can be had now or not.
  public var percent: Double {
    let (charge, full) = pack.weakest
    return full > 0 ? charge / full * 100 : 0
  }

  /// What a meter shows: the voltage of the whole battery under the present load.
  public var millivolts: Double { max(0, pack.source.millivolts - sag) }

  /// Draws a load on the rail for a time.
  public mutating func draw(
    microamps: Int64, supplyMillivolts: Int32, for time: Milliseconds
  ) -> Drawn {
    guard time.count > 0 else { return Drawn() }
    let wanted = Load(microamps: microamps, supplyMillivolts: supplyMillivolts)
    if wanted != load { look(for: wanted) }
    let leak = pack.leak
    var energy = 0.0
    var left = Double(time.count)
    while !isEmpty {
      let (charge, full) = pack.weakest
      let end = full * Double(nextStep) / Double(Self.steps)
      let rate = current + leak
      let needed = rate > 0 ? (charge - end) / rate : .infinity
      let part = min(left, needed)
      energy += current * terminal * part
      internalMillijoules += current * sag * part / 1e6
      if needed > left {
        pack.draw(rate, for: left)
        return Drawn(millijoules: energy / 1e6, time: time)
      }
      left -= needed
      pack.draw(rate, untilWeakest: end)
      nextStep -= 1
      look(for: wanted)
    }
    let carried = Double(time.count) - left
    pack.draw(leak, for: left)
    return Drawn(millijoules: energy / 1e6, time: Milliseconds(Int64(carried.rounded())))
  }

  /// Looks up voltage and current for a load.
  private mutating func look(for wanted: Load) {
    load = wanted
    let (charge, full) = pack.weakest
    while nextStep > 0 && charge <= full * Double(nextStep) / Double(Self.steps) { nextStep -= 1 }
    let source = pack.source
    let milliamps = Double(wanted.microamps) / 1000
    let drawn = converter.draw(
      microwatts: milliamps * Double(wanted.supplyMillivolts), milliamps: milliamps, from: source)
    let voltage = source.millivolts - (drawn ?? 0) * source.ohms
    isEmpty = pack.isExhausted || drawn == nil || voltage < cutOff
    current = isEmpty ? 0 : drawn ?? 0
    sag = current * source.ohms
    terminal = voltage
  }
}
