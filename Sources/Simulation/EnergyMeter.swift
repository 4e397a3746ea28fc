import TrackerCore

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
