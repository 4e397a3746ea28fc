import BoardSupport

/// How far the charge that a run has used may be off, because figures of the board are unverified.
enum EnergyBand {
  /// Half the width of a band of 90 %, in units of the standard deviation, for a sum of several
  /// uniform errors; and the standard deviation of one, in units of its greatest error.
  private static let width = 1.645 * 0.577

  /// The share of the used charge, either way.
  ///
  /// The figures of one part count as one error, the greatest of them, weighted by the energy of
  /// that part; different parts err independently. Capacity and efficiency concern all of it.
  static func share(_ doubts: [Doubt], _ truth: Truth) -> Double {
    let useful = truth.board + truth.receiver + truth.modem
    guard useful > 0 else { return 0 }
    var sum = 0.0
    let parts = [
      ("loads.board", truth.board), ("loads.receiver", truth.receiver),
      ("loads.modem", truth.modem), ("battery.cellCapacity", useful),
      ("battery.regulator.efficiency", useful),
    ]
    for (prefix, energy) in parts {
      let greatest = doubts.filter { $0.keyPath.hasPrefix(prefix) }.map(\.percent).max() ?? 0
      let error = Double(greatest) / 100 * energy / useful
      sum += error * error
    }
    return width * sum.squareRoot()
  }
}
