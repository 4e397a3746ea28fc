import TrackerCore

/// A figure of the energy model that nobody has verified, and how far it may be off.
public struct Doubt: Sendable, Equatable {
  /// As in a board file: `loads.modemIdle`.
  public let keyPath: String
  /// Either way, of the figure itself.
  public let percent: Int32

  /// An unverified figure of which the file does not say how far it may be off. An assumption: the
  /// sources that exist for one figure often differ by this much.
  public static let usualPercent: Int32 = 20

  init(keyPath: String, percent: Int32) {
    self.keyPath = keyPath
    self.percent = percent
  }

  /// - Returns: `nil` for a figure that is not part of the energy model.
  init?(_ figure: Figure) {
    guard Self.keyPaths.contains(figure.keyPath) else { return nil }
    self.init(keyPath: figure.keyPath, percent: figure.withinPercent ?? Self.usual(figure.keyPath))
  }

  public var isOfBattery: Bool { keyPath.hasPrefix("battery.") }
  /// Of what stands between the cells and the board.
  var isOfConverter: Bool {
    keyPath == "battery.cutOff" || keyPath == "battery.regulator.efficiency"
  }

  /// A cut-off and an efficiency that are off by 20 % would be another converter: planning figures
  /// for boost boards are 80 to 90 %.
  private static func usual(_ keyPath: String) -> Int32 {
    let isOfConverter = Doubt(keyPath: keyPath, percent: 0).isOfConverter
    return isOfConverter ? 5 : usualPercent
  }

  /// In the order of a board file.
  public static let keyPaths = [
    "loads.board", "loads.receiverStandby", "loads.receiverAcquiring", "loads.receiverTracking",
    "loads.modemOff", "loads.modemStarting", "loads.modemSearching", "loads.modemIdle",
    "loads.modemTransmitting", "battery.cellCapacity", "battery.cutOff",
    "battery.capacityAtFreezing", "battery.regulator.efficiency", "battery.ratedCurrent",
    "battery.cellResistance",
  ]
}

extension BoardDescription {
  /// The figures of the energy model that are unverified.
  public var doubts: [Doubt] { figures.filter(\.isUnverified).compactMap(Doubt.init) }
}

extension Board {
  /// Changes a figure.
  ///
  /// - Parameters:
  ///   - keyPath: one of `Doubt.keyPaths`.
  ///   - factor: what to multiply it with.
  public mutating func scale(_ keyPath: String, by factor: Double) {
    func scaled(_ value: inout Int32, atMost limit: Int32 = .max) {
      value = min(limit, Int32((Double(value) * factor).rounded()))
    }
    switch keyPath {
    case "loads.board": scaled(&loads.boardMicroamps)
    case "loads.receiverStandby": scaled(&loads.receiverStandbyMicroamps)
    case "loads.receiverAcquiring": scaled(&loads.receiverAcquiringMicroamps)
    case "loads.receiverTracking": scaled(&loads.receiverTrackingMicroamps)
    case "loads.modemOff": scaled(&loads.modemOffMicroamps)
    case "loads.modemStarting": scaled(&loads.modemStartingMicroamps)
    case "loads.modemSearching": scaled(&loads.modemSearchingMicroamps)
    case "loads.modemIdle": scaled(&loads.modemIdleMicroamps)
    case "loads.modemTransmitting": scaled(&loads.modemTransmittingMicroamps)
    case "battery.cellCapacity": scaled(&battery.cellCapacityMilliampHours)
    case "battery.cutOff": scaled(&battery.cutOffMillivolts)
    case "battery.capacityAtFreezing": scaled(&battery.capacityAtFreezingPercent, atMost: 100)
    case "battery.regulator.efficiency":
      if case .switching(var efficiency) = battery.regulator {
        scaled(&efficiency, atMost: 100)
        battery.regulator = .switching(efficiencyPercent: efficiency)
      }
    case "battery.ratedCurrent": scaled(&battery.ratedMicroamps)
    case "battery.cellResistance": scaled(&battery.cellMilliohms)
    default: preconditionFailure("\(keyPath) is not a figure of the energy model")
    }
  }
}
