import Courses
import TrackerCore

/// What was walked, without the noise of the receiver: a line of legs, and the altitudes along it.
struct Way: Sendable, Equatable {
  /// From one counted position to the next.
  struct Leg: Sendable, Equatable {
    /// 0: a rest at the end.
    var metres: Double
    /// `nil`: neither end, nor any point before or after it, has a time.
    var time: Milliseconds?
    var moving: Milliseconds = 0
    /// Nobody knows which way it went; `metres` is a straight line.
    var isGap = false
    /// The highest speed that the receiver measured.
    var topSpeed: Int32?
  }

  /// The mean altitude of a piece of the way.
  struct Height: Sendable, Equatable {
    /// Metres from the start to the middle of the piece.
    var at: Double
    var millimetres: Int32
  }

  var legs: [Leg] = []
  var heights: [Height] = []
  var counts = PointCounts()
  var start: UTC?
  /// The median distance in time between two points.
  var usualStep: Milliseconds = 0
  private var longestStep: Milliseconds = 0
  /// A line that was drawn has no noise: each of its points counts.
  private var isDrawn = false

  private var dates = Dates()
  private var filter = FixFilter(Configuration())
  private var odometer = Odometer()
  private var speeds = Speeds()
  private var window = HeightWindow()
  private var length = 0.0
  private var anchor: (position: Coordinate, elapsed: Milliseconds, isTimed: Bool)?
  /// Whether a point is still to come that has a time.
  private var isTimedLater = false
  /// When it was last near the anchor.
  private var leftAt: Milliseconds = 0
  /// Since the anchor.
  private var step: Milliseconds = 0
  private var isBroken = false

  init(_ all: [TrackPoint]) {
    var points = all
    // Converters give all points of a track without times the same one.
    if let first = all.first?.utc, all.count > 1, all.allSatisfy({ $0.utc == first }) {
      for index in points.indices { points[index].utc = nil }
    }
    isDrawn = !points.contains { $0.utc != nil }
    var steps: [Milliseconds] = []
    var before: UTC?
    for case let utc? in points.map(\.utc) {
      if let before, utc > before { steps.append(utc - before) }
      before = utc
    }
    usualStep = Gaps.usualStep(steps)
    longestStep = Gaps.longestStep(steps)
    counts.all = points.count
    let last = points.lastIndex { $0.utc != nil }
    for (index, point) in points.enumerated() {
      isTimedLater = last.map { index <= $0 } ?? false
      add(point)
    }
    end()
  }

  static func == (a: Way, b: Way) -> Bool {
    a.legs == b.legs && a.heights == b.heights && a.counts == b.counts && a.start == b.start
  }

  private mutating func add(_ point: TrackPoint) {
    let passed: Milliseconds
    switch dates.take(point.utc) {
    case .dated(let time): passed = time
    case .undated: passed = 0
    case .repeated:
      counts.repeated += 1
      return
    }
    (counts.undated, counts.backward) = (dates.undated, dates.backward)
    if start == nil { start = dates.clock }
    step = max(step, passed)
    isBroken = isBroken || point.isAfterBreak
    guard isBelieved(point) else {
      counts.outliers += 1
      return
    }
    speeds.take(point.speedMillimetresPerSecond, after: passed)
    let isCounted =
      isDrawn
      ? point.position != anchor?.position
      : odometer.move(to: point.position, accuracyMetres: point.accuracyMetres)
    if anchor != nil, isCounted { leg(to: point.position) }
    if let altitude = point.altitudeMillimetres {
      window.take(altitude, at: length, isAlone: isDrawn || passed >= StatisticsBounds.sparse)
    }
    if anchor == nil || isCounted {
      anchor = (point.position, dates.elapsed, dates.clock != nil)
      (leftAt, step, isBroken) = (dates.elapsed, 0, false)
    } else if let anchor, isNear(anchor.position, point.position) {
      leftAt = dates.elapsed
    }
  }

  /// Whether the tracker's own filter would take it.
  private mutating func isBelieved(_ point: TrackPoint) -> Bool {
    if let accuracy = point.accuracyMetres, accuracy > Configuration().accuracyMetres {
      return false
    }
    guard !isDrawn, point.utc != nil else { return true }
    var fix = Fix(position: point.position, at: .start + dates.elapsed)
    fix.speedMillimetresPerSecond = point.speedMillimetresPerSecond
    fix.accuracyMetres = point.accuracyMetres
    return filter.admit(fix)
  }

  private func isNear(_ a: Coordinate, _ b: Coordinate) -> Bool {
    2 * a.distanceMetres(to: b) <= Bounds.odometerStepMetres
  }

  private mutating func leg(to position: Coordinate) {
    guard let anchor else { return }
    var leg = Leg(metres: GroundPoint(anchor.position).distance(to: GroundPoint(position)))
    leg.isGap = step > longestStep || isBroken
    leg.topSpeed = speeds.highest
    speeds.highest = nil
    if anchor.isTimed && isTimedLater {
      let time = dates.elapsed - anchor.elapsed
      leg.time = time
      if !leg.isGap { leg.moving = moving(leg.metres, time) }
    }
    legs.append(leg)
    length += leg.metres
  }

  /// How much of the time of a leg was not a rest: all, or if it was too slow for walking, from
  /// when it was last near the start of the leg.
  private func moving(_ metres: Double, _ time: Milliseconds) -> Milliseconds {
    let slowest = Milliseconds(
      Int64(metres * 1_000_000) / StatisticsBounds.restMillimetresPerSecond)
    return time <= slowest ? time : min(slowest, dates.elapsed - leftAt)
  }

  private mutating func end() {
    window.end()
    heights = window.heights
    guard let anchor, dates.elapsed > anchor.elapsed else { return }
    var rest = Leg(metres: 0, time: dates.elapsed - anchor.elapsed)
    rest.isGap = step > longestStep
    rest.topSpeed = speeds.highest
    legs.append(rest)
  }
}

/// How many points a way had, and which were not used.
public struct PointCounts: Sendable, Equatable {
  var all = 0
  /// With an impossible speed or a poor accuracy.
  public internal(set) var outliers = 0
  /// With the same time as the one before.
  public internal(set) var repeated = 0
  /// With a time before that of the one before: their positions count, their times do not.
  public internal(set) var backward = 0
  /// Without a time.
  var undated = 0
}
