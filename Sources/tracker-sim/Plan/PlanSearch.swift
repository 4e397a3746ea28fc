import BoardSupport
import TrackerCore

extension Plan {
  /// Whether the receiver could be asleep between captures.
  var canDutyCycle: Bool {
    switch settings.capture {
    case .standard, .adaptive: description.board.receiver.canSleep
    case .significant, .proximity, .route: false
    }
  }

  /// The shortest of these intervals, ascending, at which enough races reach the finish. A longer
  /// interval takes no more energy, so that halving finds it.
  ///
  /// - Returns: `nil` if none holds. The lifetimes are broken off at the finish.
  func shortestInterval(of intervals: [Milliseconds]) throws -> PlanRow? {
    try first(intervals.count) { index in try evaluate(intervals[index], isShort: true) }?.row
  }

  /// The smallest number of cells of the pack with which enough races reach the finish.
  ///
  /// - Returns: `nil` if none of up to `PlanAdvice.mostCells` holds.
  func smallestPack(for interval: Milliseconds) throws -> (pack: Pack, row: PlanRow)? {
    let packs = (1...PlanAdvice.mostCells).compactMap { pack.with(cells: $0) }
    return try first(packs.count) { index in
      try evaluate(interval, pack: packs[index], isShort: true)
    }.map { (packs[$0.index], $0.row) }
  }

  /// The first of `count` rows that holds, if each that follows one that holds does too.
  private func first(
    _ count: Int, _ row: (Int) throws -> PlanRow
  ) throws -> (index: Int, row: PlanRow)? {
    var (low, high) = (0, count)
    var found: (index: Int, row: PlanRow)?
    while low < high {
      let middle = (low + high) / 2
      let row = try row(middle)
      if row.holds(options.sharePercent) {
        found = (middle, row)
        high = middle
      } else {
        low = middle + 1
      }
    }
    return found
  }
}
