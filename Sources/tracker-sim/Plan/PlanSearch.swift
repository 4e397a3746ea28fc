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

  /// The smallest number of cells of the pack with which enough races reach the finish: of one
  /// string in series if it is one, otherwise in parallel. A linear regulator turns the voltage of
  /// more than a few more cells in series into heat, and then takes further strings in parallel.
  ///
  /// - Returns: `nil` if none of up to `PlanAdvice.mostCells` cells or strings holds.
  func smallestPack(for interval: Milliseconds) throws -> (pack: Pack, row: PlanRow)? {
    let series = pack.battery.cellsInSeries
    let isString = series > 1 && pack.battery.cellsInParallel == 1
    let isLinear = pack.battery.regulator == .linear
    let most = PlanAdvice.mostCells
    let inSeries = (1...(isLinear ? series * 3 / 2 : most)).compactMap {
      pack.with(series: $0, parallel: 1)
    }
    let inParallel = (1...most).compactMap { pack.with(series: series, parallel: $0) }
    let choices = !isString ? [inParallel] : isLinear ? [inSeries, inParallel] : [inSeries]
    for packs in choices {
      let found = try first(packs.count) { index in
        try evaluate(interval, pack: packs[index], isShort: true)
      }
      if let found { return (packs[found.index], found.row) }
    }
    return nil
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
