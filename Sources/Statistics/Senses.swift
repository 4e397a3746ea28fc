import TrackerCore

/// The time along a way, from dates that may repeat, step back or be missing.
struct Dates: Sendable, Equatable {
  enum Finding: Equatable {
    /// So long after the one before.
    case dated(Milliseconds)
    case undated
    case repeated
  }

  /// The last date that was believed.
  private(set) var clock: UTC?
  /// Since the first date.
  private(set) var elapsed: Milliseconds = 0
  private(set) var backward = 0
  private(set) var undated = 0
  /// Consecutive dates before `clock` that agree with each other.
  private var other: (last: UTC, count: Int32)?

  static func == (a: Dates, b: Dates) -> Bool { a.clock == b.clock && a.elapsed == b.elapsed }

  mutating func take(_ utc: UTC?) -> Finding {
    guard let utc else {
      undated += 1
      return .undated
    }
    guard let clock else {
      self.clock = utc
      return .dated(0)
    }
    let passed = utc - clock
    if passed == 0 { return .repeated }
    if passed < 0 { return stepBack(to: utc) }
    other = nil
    self.clock = utc
    guard passed <= StatisticsBounds.longestStep else { return .dated(0) }
    elapsed = elapsed + passed
    return .dated(passed)
  }

  /// One date that is too early is wrong; several in a row are the right ones.
  private mutating func stepBack(to utc: UTC) -> Finding {
    backward += 1
    var count: Int32 = 1
    if let other, utc > other.last { count = other.count + 1 }
    other = (utc, count)
    guard count >= Bounds.outlierPatience else { return .undated }
    other = nil
    clock = utc
    return .dated(0)
  }
}

/// The highest speed that a receiver has measured.
struct Speeds: Sendable, Equatable {
  /// Millimetres per second, since it was last set to `nil`.
  var highest: Int32?
  private var before: Int32?

  mutating func take(_ speed: Int32?, after passed: Milliseconds) {
    defer { before = speed }
    guard let speed else { return }
    let isInARow = passed <= StatisticsBounds.inARow
    guard !isInARow || before != nil else { return }
    let sure = isInARow ? min(speed, before ?? speed) : speed
    highest = max(highest ?? sure, sure)
  }
}

/// Averages altitudes over a piece of the way.
struct HeightWindow: Sendable, Equatable {
  private(set) var heights: [Way.Height] = []
  private var sum: Int64 = 0
  private var count: Int64 = 0
  /// Where the piece begins, and where its last altitude is.
  private var from = 0.0
  private var to = 0.0
  /// Of the altitudes at `to`.
  private var (lastSum, lastCount): (Int64, Int64) = (0, 0)

  /// - Parameter isAlone: it is not the next of a dense row. It is averaged only with others at the
  ///   same place, at a rest.
  mutating func take(_ altitude: Int32, at metres: Double, isAlone: Bool) {
    // The first piece is the place of the start, so that a climb begins at its foot.
    let width = heights.isEmpty || isAlone ? 0 : StatisticsBounds.altitudeWindowMetres
    if metres - from > width { flush(at: metres) }
    if metres > to { (lastSum, lastCount) = (0, 0) }
    lastSum += Int64(altitude)
    lastCount += 1
    sum += Int64(altitude)
    count += 1
    to = metres
  }

  /// Ends the last piece, and adds the place of the end, so that a climb ends at its top.
  mutating func end() {
    let (sum, count, place) = (lastSum, lastCount, to)
    let isOnePlace = count == self.count
    flush(at: place)
    guard count > 0, !isOnePlace else { return }
    heights.append(Way.Height(at: place, millimetres: Int32(clamping: sum / count)))
  }

  /// Ends a piece.
  ///
  /// - Parameter metres: where the next one begins.
  mutating func flush(at metres: Double) {
    if count > 0 {
      heights.append(Way.Height(at: (from + to) / 2, millimetres: Int32(clamping: sum / count)))
    }
    (sum, count) = (0, 0)
    (lastSum, lastCount) = (0, 0)
    (from, to) = (metres, metres)
  }
}
