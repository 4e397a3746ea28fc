/// How far a way has gone up and down, without the noise of the altitudes.
///
/// The way is cut where it turns by `threshold` or more, and each piece counts in full, from its
/// lowest to its highest point: turns within the threshold are noise. This is what OsmAnd does
/// (github.com/osmandapp/OsmAnd/issues/1722, "trend channel"), and Strava by its own account ("a
/// gain is defined as the difference between a low point and a high point ... and must exceed a
/// threshold", support.strava.com, Elevation Gain).
public struct ClimbMeter: Sendable, Equatable {
  private enum Trend: Sendable, Equatable {
    case none
    /// Between two altitudes that are less than the threshold apart. Exits: `up`, `down`.
    case level(low: Int32, high: Int32)
    /// With its highest point. Exits: `down`.
    case up(peak: Int32)
    /// With its lowest point. Exits: `up`.
    case down(valley: Int32)
  }

  /// Millimetres.
  public private(set) var gain: Int64 = 0
  public private(set) var loss: Int64 = 0
  private var trend = Trend.none
  private let threshold: Int64

  public init(thresholdMillimetres: Int32 = StatisticsBounds.climbThresholdMillimetres) {
    threshold = Int64(thresholdMillimetres)
  }

  public mutating func climb(to altitude: Int32) {
    switch trend {
    case .none: trend = .level(low: altitude, high: altitude)
    case .level(let low, let high):
      if Int64(altitude) - Int64(low) >= threshold {
        rise(from: low, to: altitude)
      } else if Int64(high) - Int64(altitude) >= threshold {
        fall(from: high, to: altitude)
      } else {
        trend = .level(low: min(low, altitude), high: max(high, altitude))
      }
    case .up(let peak):
      if altitude > peak {
        rise(from: peak, to: altitude)
      } else if Int64(peak) - Int64(altitude) >= threshold {
        fall(from: peak, to: altitude)
      }
    case .down(let valley):
      if altitude < valley {
        fall(from: valley, to: altitude)
      } else if Int64(altitude) - Int64(valley) >= threshold {
        rise(from: valley, to: altitude)
      }
    }
  }

  private mutating func rise(from low: Int32, to high: Int32) {
    gain += Int64(high) - Int64(low)
    trend = .up(peak: high)
  }

  private mutating func fall(from high: Int32, to low: Int32) {
    loss += Int64(high) - Int64(low)
    trend = .down(valley: low)
  }
}
