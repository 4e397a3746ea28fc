/// What a number of forecasts were worth.
public struct ArrivalTally: Sendable {
  /// Forecasts, and those that were refused for knowing too little.
  public let count: Int
  public let refused: Int
  /// Of those made, the share whose arrival is inside the band.
  public let coverage: Double
  /// Median width of the band, minutes.
  public let width: Double
  /// Median error of the expected arrival, minutes.
  public let error: Double
  /// The same of one with the mean pace so far.
  public let naiveError: Double
  /// Share within a tenth of the time that the mean pace predicts: a band for it.
  public let naiveCoverage: Double

  public init(_ trials: [ArrivalStudy.Trial]) {
    var (inside, insideNaive) = (0, 0)
    var (widths, errors, naive): ([Double], [Double], [Double]) = ([], [], [])
    for trial in trials {
      naive.append((trial.naive - trial.truth).magnitude / 60)
      if (trial.naive - trial.truth).magnitude <= trial.naive / 10 { insideNaive += 1 }
      guard let band = trial.band else { continue }
      if band.low <= trial.truth, trial.truth <= band.high { inside += 1 }
      widths.append((band.high - band.low) / 60)
      errors.append((band.middle - trial.truth).magnitude / 60)
    }
    count = trials.count
    refused = trials.count - widths.count
    coverage = Double(inside) / Double(max(1, widths.count))
    naiveCoverage = Double(insideNaive) / Double(max(1, trials.count))
    (width, error, naiveError) = (Self.median(widths), Self.median(errors), Self.median(naive))
  }

  private static func median(_ values: [Double]) -> Double {
    values.isEmpty ? 0 : values.sorted()[values.count / 2]
  }
}
