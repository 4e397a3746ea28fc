/// The charge left in the battery, estimated from its voltage.
struct BatteryGauge: Sendable, Equatable {
  private let battery: Battery
  private(set) var millivolts: Int32?
  private(set) var percent: UInt8?
  var isExternallyPowered = false

  init(_ battery: Battery) { self.battery = battery }

  mutating func measure(_ reading: BatteryReading) {
    millivolts = reading.millivolts
    percent = battery.percent(atMillivolts: reading.millivolts)
  }

  /// Whether no more than the reserve is left; `false` before the first measurement, and with an
  /// external supply.
  func isInReserve(ofPercent reserve: Int32) -> Bool {
    !isExternallyPowered && (percent.map { Int32($0) <= reserve } ?? false)
  }
}

extension Battery {
  /// State of charge from the open-circuit curve, 0...100.
  public func percent(atMillivolts millivolts: Int32) -> UInt8 {
    let cell = millivolts / max(1, cellsInSeries)
    if cell <= cellMillivolts[0] { return 0 }
    for index in 1..<Battery.curvePoints where cell < cellMillivolts[index] {
      let low = Int64(cellMillivolts[index - 1])
      let rise = max(1, Int64(cellMillivolts[index]) - low)
      return UInt8(clamping: Int64(index - 1) * 10 + (Int64(cell) - low) * 10 / rise)
    }
    return 100
  }
}
