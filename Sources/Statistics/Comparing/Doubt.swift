public import TrackerCore

/// How far a time may be off that nobody saw, because it lies between two sightings.
public enum Doubt {
  /// Of a time in proportion to the way: a team that walks no faster than `fastest` walked for at
  /// least this long, and rested before the place or after it.
  ///
  /// - Parameters:
  ///   - done: metres from the sighting before to the place.
  ///   - toGo: metres from the place to the next sighting.
  ///   - time: from one sighting to the other.
  ///   - fastest: metres per second.
  static func between(
    done: Double, toGo: Double, in time: Milliseconds,
    fastest: Double = StatisticsBounds.fastestPace
  ) -> Milliseconds {
    guard done + toGo > 0 else { return time }
    let rested = Double(time.count) - (done + toGo) * 1000 / fastest
    let share = max(done, toGo) / (done + toGo)
    return Milliseconds(Int64((max(0, rested) * share).rounded()))
  }

  /// What an error of a position makes of its time, at a walk of 5 km/h.
  static func of(metres: Double) -> Milliseconds { Milliseconds(Int64(metres * 720)) }

  /// Whether it is shown.
  public static func isSaid(_ doubt: Milliseconds) -> Bool { doubt >= StatisticsBounds.saidDoubt }

  /// `~10:05 ±3'`, without the seconds, which nobody knows; as it is without a doubt worth saying.
  ///
  /// - Parameters:
  ///   - clock: ends with seconds.
  ///   - isTight: for tables that lack room for a blank.
  public static func text(
    _ clock: String, _ doubt: Milliseconds, isInferred: Bool = false, isTight: Bool = false
  ) -> String {
    guard isSaid(doubt) || isInferred else { return clock }
    return "~\(clock.dropLast(3))\(isTight ? "" : " ")±\(minutes(doubt))'"
  }

  /// Rounded up.
  private static func minutes(_ doubt: Milliseconds) -> Int64 {
    max(1, (doubt.count + 59_999) / 60_000)
  }
}
