/// The charge left in the battery, by its fuel gauge or estimated from its voltage.
///
/// When the battery can no longer be measured, its figures are forgotten at once: captures carry
/// none. Only the reserve is still decided by the last charge. A battery in its reserve does not
/// leave it by itself, and where it can be changed without a restart, `send now` overrides the
/// reserve. One above the reserve counts as one that was never measured.
struct BatteryGauge: Sendable, Equatable {
  private let battery: Battery
  private(set) var millivolts: Int32?
  /// The charge when it was last measured.
  private var lastPercent: UInt8?
  private var measuredAt = Instant.start
  var isExternallyPowered = false

  init(_ battery: Battery) { self.battery = battery }

  /// The charge left; `nil` while the battery is not being measured.
  var percent: UInt8? { millivolts == nil ? nil : lastPercent }

  mutating func measure(_ reading: BatteryReading, at now: Instant) {
    millivolts = reading.millivolts
    lastPercent =
      reading.percent.map { min($0, 100) } ?? battery.percent(atMillivolts: reading.millivolts)
    measuredAt = now
  }

  mutating func lose() { millivolts = nil }

  /// Whether the figures are older than `Bounds.batteryReadingLife`.
  func isOutdated(at now: Instant) -> Bool {
    millivolts != nil && now - measuredAt > Bounds.batteryReadingLife
  }

  /// Whether no more than the reserve was left at the last measurement; `false` before the first,
  /// and with an external supply.
  func isInReserve(ofPercent reserve: Int32) -> Bool {
    !isExternallyPowered && (lastPercent.map { Int32($0) <= reserve } ?? false)
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

  /// The voltages that this battery can have, millivolts: from half of that of an empty one, which
  /// a heavy load may cause, to 120 % of that of a full one, which a charger may. Anything else is
  /// a fault of the sensor or its wiring, or another battery.
  public var plausibleMillivolts: (lowest: Int32, highest: Int32) {
    let cells = Int64(cellsInSeries)
    let empty = cells * Int64(cellMillivolts[0])
    let full = cells * Int64(cellMillivolts[Battery.curvePoints - 1])
    return (Int32(clamping: empty / 2), Int32(clamping: full / 5 * 6))
  }

  public func isPlausible(millivolts: Int32) -> Bool {
    let (lowest, highest) = plausibleMillivolts
    return millivolts >= lowest && millivolts <= highest
  }
}
