import TrackerCore

/// The kind of source that a figure of a board file has. It decides how far the figure may be off.
public enum Basis: Sendable, Equatable, CaseIterable {
  /// Measured on this hardware.
  case measured
  /// A typical figure in its maker's document, or on its label.
  case dataSheet
  /// Measured by others, on theirs.
  case others
  /// From memory or assumed: `unverified: true`.
  case memory

  /// The values of `basis` in a board file.
  static let words: [(word: String, choice: Basis)] = [
    ("measured", .measured), ("data sheet", .dataSheet), ("others", .others),
  ]
}

/// A figure of the energy model, and how far it may be off.
public struct Doubt: Sendable, Equatable {
  /// As in a board file: `loads.modemIdle`.
  public let keyPath: String
  /// Either way, of the figure itself.
  public let percent: Int32
  /// Whether the figure is from memory or assumed.
  public let isUnverified: Bool

  init(keyPath: String, percent: Int32, isUnverified: Bool = false) {
    self.keyPath = keyPath
    self.percent = percent
    self.isUnverified = isUnverified
  }

  /// How far figures may be off, those that are not part of the energy model left out.
  static func all(of figures: [Figure], _ battery: Battery) -> [Doubt] {
    figures.filter { keyPaths.contains($0.keyPath) }.compactMap { figure in
      let percent =
        figure.withinPercent
        ?? Self.percent(figure.keyPath, figure.basis, chemistry: battery.chemistry)
      guard percent > 0 else { return nil }
      return Doubt(keyPath: figure.keyPath, percent: percent, isUnverified: figure.isUnverified)
    }
  }

  public var isOfBattery: Bool { keyPath.hasPrefix("battery.") }
  /// Of what stands between the cells and the board.
  var isOfConverter: Bool {
    keyPath == "battery.cutOff" || keyPath == "battery.regulator.efficiency"
  }

  /// How far the capacities of alkaline cells of different brands are from their mean: of ten on
  /// one load, nine are within 10 % and one is 27 % below; at 500 mA five are from 17 % below to
  /// 31 % above (the sources are in Simulation/Battery/CellPack.swift).
  static let alkalineBrandsPercent: Int32 = 20

  /// How far a figure may be off of which the file does not say it.
  ///
  /// The widths of loads and capacities were chosen so that the band of `tracker-sim plan` holds
  /// published runs: Tests/SimulationTests/PublishedBoards. What is written on a cell says no more
  /// than memory. A cut-off or an efficiency that is off by as much as a load would be another
  /// converter: planning figures for boost boards are 80 to 90 %.
  static func percent(_ keyPath: String, _ basis: Basis, chemistry: Chemistry) -> Int32 {
    switch keyPath {
    case "battery.cutOff", "battery.regulator.efficiency":
      byBasis(basis, measured: 1, dataSheet: 3, others: 3, memory: 5)
    case "battery.cellCapacity":
      max(
        chemistry == .alkaline && basis != .measured ? alkalineBrandsPercent : 0,
        byBasis(basis, measured: 5, dataSheet: 20, others: 10, memory: 20))
    default: percent(load: basis)
    }
  }

  static func percent(load basis: Basis) -> Int32 {
    byBasis(basis, measured: 5, dataSheet: 10, others: 15, memory: 20)
  }

  private static func byBasis(
    _ basis: Basis, measured: Int32, dataSheet: Int32, others: Int32, memory: Int32
  ) -> Int32 {
    switch basis {
    case .measured: measured
    case .dataSheet: dataSheet
    case .others: others
    case .memory: memory
    }
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
  /// How far the figures of the energy model may be off.
  public var doubts: [Doubt] { Doubt.all(of: figures, board.battery) }
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
