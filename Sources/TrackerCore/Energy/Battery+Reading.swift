extension Battery {
  /// What a reading alone says of the charge.
  ///
  /// - Parameter microamps: what the battery gives meanwhile.
  func charge(of reading: BatteryReading, at microamps: Int64) -> ChargeEstimate {
    if let percent = reading.percent {
      return ChargeEstimate(
        charge: Int64(min(percent, 100)) * ChargeEstimate.percent,
        deviation: Bounds.gaugeDeviation)
    }
    // The resistance depends on the charge, which depends on the sag: the second time is near it.
    let first = Int64(reading.millivolts) + sag(at: microamps, ofCharge: ChargeEstimate.full)
    let guess = place(ofMillivolts: Int32(clamping: first)).charge
    let sag = sag(at: microamps, ofCharge: guess)
    let rested = Int32(clamping: Int64(reading.millivolts) + sag)
    let (charge, rise) = place(ofMillivolts: rested)
    // Half of the sag may be wrong: the resistance is another cell's, and grows with the cold.
    let volts = Bounds.cellMillivoltsDeviation + abs(sag) / 2 / Int64(max(1, cellsInSeries))
    let byVoltage = min(ChargeEstimate.full / 2, volts * ChargeEstimate.full / 10 / rise)
    let square = byVoltage * byVoltage + Bounds.curveDeviation * Bounds.curveDeviation
    return ChargeEstimate(charge: charge, deviation: Coordinate.squareRoot(UInt64(square)))
  }

  /// State of charge from the open-circuit curve, 0...100, rounded down.
  public func percent(atMillivolts millivolts: Int32) -> UInt8 {
    UInt8(clamping: place(ofMillivolts: millivolts).charge / ChargeEstimate.percent)
  }

  /// What is left in it, in millionths, when a load takes the voltage below the board's cut-off.
  func chargeAtCutOff(_ microamps: Int64) -> Int64 {
    var charge: Int64 = 0
    while charge < ChargeEstimate.full {
      let millivolts = Int64(cutOffMillivolts) + sag(at: microamps, ofCharge: charge)
      if place(ofMillivolts: Int32(clamping: millivolts)).charge <= charge { break }
      charge += ChargeEstimate.percent
    }
    return charge
  }

  /// Millivolts lost in the cells.
  private func sag(at microamps: Int64, ofCharge charge: Int64) -> Int64 {
    let milliamps = min(max(-1_000_000, microamps / 1000), 1_000_000)
    let tenth = Int(min(max(0, charge), ChargeEstimate.full) * 10 / ChargeEstimate.full)
    let milliohms = milliohms * Int64(chemistry.resistanceShape[tenth]) / 100
    return min(max(-10_000, milliamps * milliohms / 1000), 10_000)
  }

  /// The place of a voltage on the open-circuit curve.
  ///
  /// - Returns: the charge in millionths, and by how many millivolts a cell's voltage rises there
  ///   with a tenth of the charge, at least 1.
  private func place(ofMillivolts millivolts: Int32) -> (charge: Int64, rise: Int64) {
    let tenth = ChargeEstimate.full / 10
    let cell = Int64(millivolts / max(1, cellsInSeries))
    for index in 1..<Battery.curvePoints {
      let low = Int64(cellMillivolts[index - 1])
      let rise = max(1, Int64(cellMillivolts[index]) - low)
      if cell <= low { return (Int64(index - 1) * tenth, rise) }
      if cell < low + rise { return (Int64(index - 1) * tenth + (cell - low) * tenth / rise, rise) }
    }
    let last = Battery.curvePoints - 1
    let rise = max(1, Int64(cellMillivolts[last]) - Int64(cellMillivolts[last - 1]))
    return (ChargeEstimate.full, rise)
  }

  /// Resistance of one full cell at 20 degrees Celsius.
  public var fullCellMilliohms: Int32 {
    cellMilliohms > 0 ? cellMilliohms : chemistry.usualMilliohms
  }

  /// Resistance of the whole pack when full, at most 1 GΩ.
  private var milliohms: Int64 {
    let string = min(Int64(fullCellMilliohms), 1_000_000) * Int64(min(max(1, cellsInSeries), 1000))
    return string / Int64(max(1, cellsInParallel))
  }
}
