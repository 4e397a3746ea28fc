public import Courses
public import TrackerCore

/// Where somebody was: a capture, a fix, or a point of a track.
public struct TrackPoint: Sendable, Equatable {
  public var position: Coordinate
  /// `nil`: not known, or not trusted.
  public var utc: UTC?
  /// Above mean sea level.
  public var altitudeMillimetres: Int32?
  /// As the receiver measured it.
  public var speedMillimetresPerSecond: Int32?
  public var accuracyMetres: Int32?
  /// Whether the file says that the way from the point before is not known.
  public var isAfterBreak = false
  /// Whether it was taken because a place of a course had been entered.
  var isEntry = false

  public init(_ position: Coordinate, utc: UTC? = nil, altitudeMillimetres: Int32? = nil) {
    self.position = position
    self.utc = utc
    self.altitudeMillimetres = altitudeMillimetres
  }

  /// - Returns: `nil` without a position.
  public init?(_ capture: Capture) {
    guard let position = capture.position else { return nil }
    self.init(
      position, utc: capture.isTimeTrusted ? capture.utc : nil,
      altitudeMillimetres: capture.altitudeMillimetres)
    speedMillimetresPerSecond = capture.speedMillimetresPerSecond
    accuracyMetres = capture.accuracyMetres
    isEntry = capture.trigger == .entered
  }
}

extension TrackPoint {
  /// The line of a GPX file as it was recorded, in the order of its times; without times, in that
  /// of the file. Between two segments is a break.
  ///
  /// - Throws: with the line of the first mistake, and what to do.
  public static func points(inGPX bytes: [UInt8]) throws(CourseError) -> [TrackPoint] {
    var segments = try GPXFile(bytes).segments.filter { !$0.isEmpty }
    // Some programs write the latest track first.
    if segments.allSatisfy({ $0.first?.utc != nil }) {
      segments.sort { ($0.first?.utc?.milliseconds ?? 0) < ($1.first?.utc?.milliseconds ?? 0) }
    }
    var points: [TrackPoint] = []
    for segment in segments {
      for (index, read) in segment.enumerated() {
        var point = TrackPoint(read.place.coordinate, utc: read.utc)
        if read.hasAltitude {
          point.altitudeMillimetres = Int32(
            clamping: Int64((read.place.altitude * 1000).rounded()))
        }
        point.speedMillimetresPerSecond = read.speedMillimetresPerSecond
        point.accuracyMetres = read.accuracyMetres
        point.isAfterBreak = index == 0 && !points.isEmpty
        points.append(point)
      }
    }
    return points
  }
}

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

/// How far a way has gone up and down, without the noise of the altitudes.
///
/// The way is cut where it turns by `threshold` or more, and each piece counts in full, from its
/// lowest to its highest point: turns within the threshold are noise. This is what OsmAnd does
/// (github.com/osmandapp/OsmAnd/issues/1722, "trend channel"), and Strava by its own account ("a
/// gain is defined as the difference between a low point and a high point ... and must exceed a
/// threshold", support.strava.com, Elevation Gain).
struct ClimbMeter: Sendable, Equatable {
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
  private(set) var gain: Int64 = 0
  private(set) var loss: Int64 = 0
  private var trend = Trend.none
  private let threshold: Int64

  init(thresholdMillimetres: Int32 = StatisticsBounds.climbThresholdMillimetres) {
    threshold = Int64(thresholdMillimetres)
  }

  mutating func climb(to altitude: Int32) {
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
