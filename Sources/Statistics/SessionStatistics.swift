public import Courses
public import TrackerCore
public import Wording

/// The figures of a session: how far, how long, how fast, how high, and the same from mark to mark.
///
/// - Distance: from one position to the next that is further away than its accuracy and 20 m, by
///   the rule of the tracker's `Odometer`, so that noise at rest does not accumulate; on the
///   ellipsoid. At most the last 20 m are missing. A gap counts with its straight line.
/// - Moving time: without rests (below 1 km/h) and gaps; good to some ten seconds for each rest.
///   Points a minute and more apart show no shorter rests, and no bends.
/// - Altitudes: means over 200 m of the way; gain and loss as `ClimbMeter` says.
public struct SessionStatistics: Sendable, Equatable {
  /// The figures of a piece of the way.
  public struct Piece: Sendable, Equatable {
    public internal(set) var metres = 0.0
    /// Of `metres`, what has a time.
    var timedMetres = 0.0
    var timedGapMetres = 0.0
    /// `nil`: no point has a time.
    public internal(set) var time: Milliseconds?
    public internal(set) var moving: Milliseconds = 0
    /// Of `metres` and `time`.
    public internal(set) var gapMetres = 0.0
    var gapTime: Milliseconds = 0
    /// Millimetres per second; `nil`: not known.
    public internal(set) var topSpeed: Int32?
    /// Millimetres above mean sea level; `nil`: no point has an altitude.
    public internal(set) var lowest: Int32?
    public internal(set) var highest: Int32?
    /// Millimetres.
    public internal(set) var gain: Int64 = 0
    public internal(set) var loss: Int64 = 0

    /// Metres per second, rests included.
    var meanSpeed: Double? { Self.speed(timedMetres, time) }
    /// Metres per second, without rests and gaps.
    public var movingSpeed: Double? { Self.speed(walked, moving) }
    /// The time of a kilometre, rests included; `nil`: less than 10 m.
    public var pace: Milliseconds? { Self.pace(timedMetres, time) }
    var movingPace: Milliseconds? { Self.pace(walked, moving) }

    private var walked: Double { max(0, timedMetres - timedGapMetres) }

    private static func speed(_ metres: Double, _ time: Milliseconds?) -> Double? {
      guard let time, time > 0 else { return nil }
      return metres * 1000 / Double(time.count)
    }

    private static func pace(_ metres: Double, _ time: Milliseconds?) -> Milliseconds? {
      guard let time, time > 0, metres >= 10 else { return nil }
      return Milliseconds(Int64((Double(time.count) * 1000 / metres).rounded()))
    }
  }

  /// The end of a piece: a mark, or the end of the way.
  public struct Mark: Sendable, Equatable {
    /// Metres from the start.
    public internal(set) var metres: Double
    /// Since the first date; `nil`: no point has a time.
    public internal(set) var elapsed: Milliseconds?
    /// How far off that may be on the line that was measured, because it lies between two points.
    var doubt: Milliseconds = 0
    /// The same of the time since the mark before.
    var partialDoubt: Milliseconds = 0
    /// Since the mark before.
    public internal(set) var piece: Piece
    /// Whether it is not a mark but the end, less than a whole piece after the last mark.
    public internal(set) var isEnd = false
  }

  public internal(set) var whole = Piece()
  public internal(set) var marks: [Mark] = []
  /// Metres from mark to mark.
  public let every: Int64
  /// `nil`: no point has a time.
  public internal(set) var start: UTC?
  public internal(set) var counts: PointCounts
  public internal(set) var gaps = 0
  /// The median time from point to point.
  let usualStep: Milliseconds
  /// The altitude along the way, for a picture.
  public let profile: [(metres: Double, millimetres: Int32)]

  /// The same along a course; `nil`: none was given.
  public let course: CourseStatistics?

  /// Whether short rests and bends cannot be seen.
  public var isSparse: Bool { usualStep >= StatisticsBounds.sparse }
  /// When the last point was; by the first date and the time since.
  var end: UTC? {
    guard let start, let time = whole.time else { return nil }
    return start + time
  }

  public static func == (a: Self, b: Self) -> Bool {
    a.whole == b.whole && a.marks == b.marks && a.every == b.every && a.start == b.start
      && a.counts == b.counts && a.gaps == b.gaps && a.usualStep == b.usualStep
      && a.course == b.course
  }

  /// - Parameters:
  ///   - points: in their order.
  ///   - every: metres from mark to mark, within `StatisticsBounds.marksEvery`.
  ///   - course: to measure the way along it, too.
  public init(
    _ points: [TrackPoint], every: Int64 = StatisticsBounds.usualMarksEvery,
    on course: MappedCourse? = nil
  ) {
    let way = Way(points)
    let range = StatisticsBounds.marksEvery
    self.every = min(max(every, range.lowerBound), range.upperBound)
    let step = self.every
    self.course = course.map { CourseStatistics(points, on: $0, every: step) }
    start = way.start
    counts = way.counts
    usualStep = way.usualStep
    gaps = way.legs.count { $0.isGap }
    profile = way.heights.map { ($0.at, $0.millimetres) }
    var cutter = Cutter(way, every: Double(self.every))
    marks = cutter.marks()
    whole = marks.reduce(into: Piece()) { $0.add($1.piece) }
    if start == nil { whole.time = nil } else if whole.time == nil { whole.time = 0 }
  }
}

extension SessionStatistics.Piece {
  mutating func add(_ other: Self) {
    metres += other.metres
    timedMetres += other.timedMetres
    timedGapMetres += other.timedGapMetres
    if let time = other.time { self.time = (self.time ?? 0) + time }
    moving = moving + other.moving
    gapMetres += other.gapMetres
    gapTime = gapTime + other.gapTime
    if let speed = other.topSpeed { topSpeed = max(topSpeed ?? speed, speed) }
    if let low = other.lowest { lowest = min(lowest ?? low, low) }
    if let high = other.highest { highest = max(highest ?? high, high) }
    gain += other.gain
    loss += other.loss
  }
}

extension SessionStatistics {
  /// The same for scripts, in no language.
  public var figures: Figure {
    .object(
      [
        Figure.Member("start", start.map { .text(Self.date($0)) } ?? .none),
        Figure.Member("end", end.map { .text(Self.date($0)) } ?? .none),
      ] + whole.members + [
        Figure.Member("usual_interval_s", Self.seconds(start == nil ? nil : usualStep)),
        Figure.Member("gaps", .integer(gaps)),
        Figure.Member("points", .integer(counts.all)),
        Figure.Member("outliers", .integer(counts.outliers)),
        Figure.Member("repeated", .integer(counts.repeated)),
        Figure.Member("backward", .integer(counts.backward)),
        Figure.Member("undated", .integer(counts.undated)),
        Figure.Member("every_m", .integer(every)),
        Figure.Member("marks", .list(marks.map { figure(of: $0) })),
      ] + (course.map { [Figure.Member("course", $0.figure)] } ?? []))
  }

  private func figure(of mark: Mark) -> Figure {
    var time = Figure.none
    if let start, let elapsed = mark.elapsed { time = .text(Self.date(start + elapsed)) }
    return .object(
      [
        Figure.Member("at_m", .real(mark.metres, decimals: 1)),
        Figure.Member("is_end", .boolean(mark.isEnd)),
        Figure.Member("time", time),
        Figure.Member("elapsed_s", Self.seconds(mark.elapsed)),
        Figure.Member("doubt_s", Self.seconds(mark.elapsed.map { _ in mark.doubt })),
        Figure.Member("partial", .object(mark.piece.members)),
      ])
  }

  /// As in all files: `2026-04-18T08:00:00Z`.
  public static func date(_ utc: UTC) -> String {
    CalendarText.text(utc).map { $0 == " " ? "T" : "\($0)" }.joined() + "Z"
  }

  static func seconds(_ time: Milliseconds?) -> Figure {
    time.map { .real(Double($0.count) / 1000, decimals: 1) } ?? .none
  }
}

extension SessionStatistics.Piece {
  var members: [Figure.Member] {
    func real(_ value: Double?, _ decimals: Int) -> Figure {
      value.map { .real($0, decimals: decimals) } ?? .none
    }
    let hasHeights = lowest != nil
    return [
      Figure.Member("distance_m", .real(metres, decimals: 1)),
      Figure.Member("time_s", SessionStatistics.seconds(time)),
      Figure.Member("moving_s", SessionStatistics.seconds(time == nil ? nil : moving)),
      Figure.Member("speed_mean_m_s", real(meanSpeed, 3)),
      Figure.Member("speed_moving_m_s", real(movingSpeed, 3)),
      Figure.Member("speed_max_m_s", real(topSpeed.map { Double($0) / 1000 }, 3)),
      Figure.Member("pace_s_km", SessionStatistics.seconds(pace)),
      Figure.Member("pace_moving_s_km", SessionStatistics.seconds(movingPace)),
      Figure.Member("altitude_min_m", real(lowest.map { Double($0) / 1000 }, 1)),
      Figure.Member("altitude_max_m", real(highest.map { Double($0) / 1000 }, 1)),
      Figure.Member("gain_m", hasHeights ? .real(Double(gain) / 1000, decimals: 1) : .none),
      Figure.Member("loss_m", hasHeights ? .real(Double(loss) / 1000, decimals: 1) : .none),
      Figure.Member("gap_m", .real(gapMetres, decimals: 1)),
      Figure.Member("gap_s", SessionStatistics.seconds(gapTime)),
    ]
  }
}
