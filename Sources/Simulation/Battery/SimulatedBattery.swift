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
  struct Drawn: Sendable, Equatable {
    /// At the terminals of the pack.
    var millijoules = 0.0
    var time: Milliseconds = 0
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
  private(set) var isEmpty = false
  /// Energy lost in the resistance of the cells.
  private(set) var internalMillijoules = 0.0

  /// - Parameter weakCellPercent: the capacity of one of the cells, as a share of the others'.
  init(_ battery: Battery, startPercent: Int32, weakCellPercent: Int32 = 100) {
    pack = CellPack(battery, startPercent: startPercent, weakCellPercent: weakCellPercent)
    converter = Converter(regulator: battery.regulator)
    cutOff = Double(battery.cutOffMillivolts)
    look(for: Load(microamps: 0, supplyMillivolts: 0))
    load = nil
  }

  mutating func setTemperature(celsius: Int32) {
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
  mutating func draw(
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

/// Energy per consumer, summed exactly over all changes of load.
public struct EnergyMeter {
  /// Microampere-milliseconds on the supply rail.
  private var board: Int64 = 0
  private var receiver: Int64 = 0
  private var modem: Int64 = 0
  private let supplyMillivolts: Int32
  /// Taken from the battery's terminals, including the regulator's losses.
  public private(set) var drawnMillijoules = 0.0

  init(supplyMillivolts: Int32) { self.supplyMillivolts = supplyMillivolts }

  /// The currents during a time without a change.
  struct Draw {
    var boardMicroamps: Int32
    var receiverMicroamps: Int32
    var modemMicroamps: Int32
    var totalMicroamps: Int64 {
      Int64(boardMicroamps) + Int64(receiverMicroamps) + Int64(modemMicroamps)
    }
  }

  /// - Returns: how long the battery carried the load: shorter than `time` when it is empty.
  mutating func add(
    _ draw: Draw, for time: Milliseconds, from battery: inout SimulatedBattery
  ) -> Milliseconds {
    let drawn = battery.draw(
      microamps: draw.totalMicroamps, supplyMillivolts: supplyMillivolts, for: time)
    board += Int64(draw.boardMicroamps) * drawn.time.count
    receiver += Int64(draw.receiverMicroamps) * drawn.time.count
    modem += Int64(draw.modemMicroamps) * drawn.time.count
    drawnMillijoules += drawn.millijoules
    return drawn.time
  }

  public var boardMillijoules: Double { millijoules(board) }
  public var receiverMillijoules: Double { millijoules(receiver) }
  public var modemMillijoules: Double { millijoules(modem) }
  /// Energy lost between battery and rail.
  public var conversionMillijoules: Double {
    drawnMillijoules - boardMillijoules - receiverMillijoules - modemMillijoules
  }

  private func millijoules(_ microampMilliseconds: Int64) -> Double {
    // µA · ms · mV = 1e-12 J
    Double(microampMilliseconds) * Double(supplyMillivolts) / 1e9
  }
}

extension Loads {
  /// What the modem draws while it sends.
  ///
  /// A board file states the current at full power, which a modem needs where the signal is
  /// weakest. 30 dB more halve it: with GPRS, 30 dB less double a radio's current (Habiyaremye et
  /// al., Information 11/11, 524, 2020); for 3G and LTE that is unverified.
  ///
  /// - Parameter signal: as `+CSQ` reports it, 0...31, 2 dB for each; `nil`: unknown, as the
  ///   weakest.
  func transmittingMicroamps(signal: Int64?) -> Int32 {
    let full = modemTransmittingMicroamps
    guard let signal else { return full }
    // Halved at 15, again at 30; linear in between.
    let half = full / 2
    let step = min(30, max(0, Int32(clamping: signal)))
    if step <= 15 { return max(modemIdleMicroamps, full - half / 15 * step) }
    return max(modemIdleMicroamps, half - half / 30 * (step - 15))
  }
}
