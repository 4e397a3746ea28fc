@testable import TrackerCore

extension Board {
  /// A board with round numbers.
  static let bench = Board(
    supplyMillivolts: 5000,
    loads: Loads(
      boardMicroamps: 75_000, receiverStandbyMicroamps: 20, receiverAcquiringMicroamps: 47_000,
      receiverTrackingMicroamps: 39_000, modemOffMicroamps: 20, modemStartingMicroamps: 100_000,
      modemSearchingMicroamps: 150_000, modemIdleMicroamps: 17_500,
      modemTransmittingMicroamps: 539_000),
    battery: Battery(
      cellsInSeries: 6, cellsInParallel: 1, cellCapacityMilliampHours: 2600,
      cellMillivolts: [1000, 1100, 1150, 1190, 1230, 1250, 1280, 1300, 1350, 1400, 1580],
      cutOffMillivolts: 6600, capacityAtFreezingPercent: 50,
      regulator: .switching(efficiencyPercent: 85)),
    modem: ModemBoard(
      powerOnPulse: 200, powerOffPulse: 1000, bootLimit: .seconds(15), powerOffTime: .seconds(8),
      offOnGap: .seconds(2)),
    receiver: ReceiverBoard(canSleep: true, coldStart: .seconds(27), hotStart: .seconds(2)))
}

extension Identity {
  static let bench = Identity(
    device: UniqueID(high: 1, low: 2), team: InlineText("Els Caminants"), seed: 7)
}

extension Coordinate {
  static let olot = Coordinate(latitude: 421_800_000, longitude: 24_900_000)

  /// A place so many metres to the north.
  func north(_ metres: Int64) -> Coordinate {
    Coordinate(
      latitude: Int32(Int64(latitude) + metres * 1_000_000_000 / 11_119_508),
      longitude: longitude)
  }
}

extension Fix {
  static func at(
    _ milliseconds: Int64, _ position: Coordinate = .olot, accuracy: Int32? = 5
  ) -> Fix {
    var fix = Fix(position: position, at: .at(milliseconds))
    fix.accuracyMetres = accuracy
    return fix
  }
}

extension EnergyBudget {
  mutating func measure(
    _ estimate: ChargeEstimate, spent: Int64, at now: Instant, finish: Instant?,
    _ consumption: Consumption, reserve: Int64, cutOff: Int64 = 0, confidence: Int32,
    hour: Milliseconds? = nil
  ) {
    measure(
      Terms(
        estimate: estimate, finish: finish, consumption: consumption, reserve: reserve,
        cutOff: cutOff, confidence: confidence, weather: Weather(hour: hour)),
      spent: spent, at: now)
  }
}
