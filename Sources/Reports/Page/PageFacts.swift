public import Courses
public import MapTiles
public import TrackerCore
public import Wording

/// Everything that a picture of a run shows.
public struct PageFacts {
  /// A claim about the run and what was found.
  public struct Claim {
    public var source: String
    public var found: String
    public var holds: Bool
    /// It holds only because the battery was empty before the end.
    public var isDead: Bool

    public init(source: String, found: String, holds: Bool, isDead: Bool) {
      self.source = source
      self.found = found
      self.holds = holds
      self.isDead = isDead
    }
  }

  /// A part of the run without coverage.
  public struct Hole {
    public enum Kind: Sendable, CaseIterable {
      case noService, noBearer, denied

      init?(name: String) {
        guard let kind = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
        self = kind
      }
    }

    var from: Instant
    /// `nil`: until the end.
    var to: Instant?
    var kind: Kind

    public init(from: Instant, to: Instant?, kind: Kind) {
      self.from = from
      self.to = to
      self.kind = kind
    }
  }

  /// A place with a name.
  public struct Place {
    var name: String
    var position: Coordinate

    public init(name: String, position: Coordinate) {
      self.name = name
      self.position = position
    }
  }

  /// What the run was to follow, and what became of its places.
  public struct Course {
    struct Place {
      var place: PageFacts.Place
      var alongMetres: Double
      var radiusMetres: Double
    }

    var line: [Coordinate] = []
    /// In the order along it.
    var places: [Place] = []
    /// In the order in which they were noticed.
    var passages: [Passage] = []

    init() {}

    public init(_ course: MappedCourse, _ passages: [Passage]) {
      line = course.points.map(\.position)
      places = course.places.map { place in
        Place(
          place: PageFacts.Place(name: place.name, position: place.place.position),
          alongMetres: Double(place.place.alongMillimetres) / 1000,
          radiusMetres: Double(place.place.radiusMetres))
      }
      self.passages = passages
    }
  }

  /// The figures of the summary.
  var figures: Figure
  var history: RunHistory
  var language: Language
  var zone: PageZone
  public var claims: [Claim] = []
  public var holes: [Hole] = []
  public var checkpoints: [Place] = []
  /// `nil`: it followed none.
  public var course: Course?
  /// What is below a map; `nil`: nothing.
  public var tiles: ((MapView) -> TileMosaic)?
  /// From capture to acknowledgement, milliseconds.
  public var latencies: [Int64] = []
  /// The run's end, after the last transmission.
  var end: Instant
  /// The battery's charge at the start, percent.
  public var startPercent = 100.0
  /// How far the used charge may be off, as a share of it.
  public var bandShare = 0.0
  /// What made the page: `tracker-sim 0.1`.
  public var program = ""

  public init(
    figures: Figure, history: RunHistory, end: Instant, language: Language, zone: PageZone
  ) {
    self.figures = figures
    self.history = history
    self.end = end
    self.language = language
    self.zone = zone
  }
}

// What a page draws over time, as figures: `--json` does not have it by itself, and without it a
// page of two runs could only compare numbers.
extension PageFacts {
  /// A list with an object for each thing that is drawn. Times are seconds since the start.
  public var series: Figure {
    var run = [
      Figure.Member("of", .text("run")), .init("team", .text(history.team)),
      .init("end", Self.seconds(end)), .init("start_percent", .real(startPercent, decimals: 2)),
      .init("band_share", .real(bandShare, decimals: 4)),
    ]
    if let date = history.startDate { run.append(.init("date_ms", .integer(date.milliseconds))) }
    var entries = [Figure.object(run)]
    entries += history.marks.map(Self.figure)
    entries += history.looks.map(Self.figure)
    entries += Self.figures(history.modem, "modem")
    entries += Self.figures(history.queue, "queue")
    entries += Self.figures(history.modemShares)
    entries += holes.map(Self.figure)
    entries += checkpoints.map(Self.figure)
    if let course { entries += Self.figures(course) }
    return .list(entries)
  }

  private static func seconds(_ at: Instant) -> Figure {
    .real(Double((at - .start).count) / 1000, decimals: 3)
  }

  private static func members(_ position: Coordinate) -> [Figure.Member] {
    [
      .init("latitude", .real(Double(position.latitude) / 1e7, decimals: 7)),
      .init("longitude", .real(Double(position.longitude) / 1e7, decimals: 7)),
    ]
  }

  private static func figure(_ mark: RunHistory.Mark) -> Figure {
    var members = [Figure.Member("of", .text("capture")), .init("at", seconds(mark.at))]
    members += Self.members(mark.position)
    if let delivered = mark.deliveredAt { members.append(.init("delivered", seconds(delivered))) }
    if mark.isSetAside { members.append(.init("set_aside", .boolean(true))) }
    return .object(members)
  }

  private static func figure(_ look: RunHistory.Look) -> Figure {
    .object(
      [
        .init("of", .text("look")), .init("at", seconds(look.at)),
        .init("percent", .real(look.percent, decimals: 2)),
      ] + (look.position.map(members) ?? [])
        + (look.altitudeMillimetres.map {
          [.init("altitude", .real(Double($0) / 1000, decimals: 1))]
        } ?? []))
  }

  private static func figures(_ shares: ModemShares) -> [Figure] {
    shares.bins.map { bin in
      .object(
        [
          .init("of", .text("modem_share")),
          .init("width", .real(Double(shares.width.count) / 1000, decimals: 3)),
        ]
          + bin.enumerated().map {
            .init("level_\($0.offset + 1)", .real(Double($0.element) / 1000, decimals: 3))
          })
    }
  }

  private static func figures(_ course: Course) -> [Figure] {
    let line = course.line.map { Figure.object([.init("of", .text("line"))] + members($0)) }
    return line
      + course.places.map { place in
        .object(
          [
            .init("of", .text("course_place")), .init("name", .text(place.place.name)),
            .init("along_m", .real(place.alongMetres, decimals: 1)),
            .init("radius_m", .real(place.radiusMetres, decimals: 0)),
          ] + members(place.place.position))
      }
  }

  private static func figures(_ series: StepSeries, _ name: String) -> [Figure] {
    series.steps.map { step in
      var members = [
        Figure.Member("of", .text(name)), .init("at", seconds(step.at)),
        .init("value", .integer(step.value)), .init("peak", .integer(step.peak)),
      ]
      if step.low < step.value { members.append(.init("low", .integer(step.low))) }
      return .object(members)
    }
  }

  private static func figure(_ hole: Hole) -> Figure {
    var members = [
      Figure.Member("of", .text("hole")), .init("kind", .text("\(hole.kind)")),
      .init("from", seconds(hole.from)),
    ]
    if let to = hole.to { members.append(.init("to", seconds(to))) }
    return .object(members)
  }

  private static func figure(_ place: Place) -> Figure {
    .object(
      [.init("of", .text("place")), .init("name", .text(place.name))] + members(place.position))
  }
}

// MARK: - Reading

extension PageFacts {
  /// What a run's figures have to draw; `nil` if they have no series. What is not as written above
  /// is left out: a file may have been edited.
  init?(seriesOf figures: Figure, in language: Language) {
    guard case .list(let entries) = figures[path: "series"] else { return nil }
    let history = RunHistory()
    self.init(
      figures: figures, history: history, end: .start, language: language, zone: PageZone())
    for entry in entries { take(ReportLines(entry, in: language), into: history) }
  }

  private mutating func take(_ entry: ReportLines, into history: RunHistory) {
    let place = Self.position(entry)
    switch (entry.word("of"), entry.instant("at")) {
    case ("run", _):
      end = max(.start, entry.instant("end") ?? .start)
      startPercent = entry.value("start_percent") ?? startPercent
      bandShare = entry.value("band_share") ?? bandShare
    case ("capture", let at?):
      guard let place else { return }
      history.restore(
        place, at: at, deliveredAt: entry.instant("delivered"),
        isSetAside: entry.word("set_aside") == "true")
    case ("look", let at?):
      guard let percent = entry.value("percent") else { return }
      let altitude = entry.value("altitude").map { Int32(max(-1e9, min(1e9, $0 * 1000))) }
      history.looked(
        RunHistory.Look(
          at: at, position: place, percent: percent, altitudeMillimetres: altitude))
    case ("modem", let at?): history.restoreModem(Self.step(entry, at, 0...4))
    case ("queue", let at?): history.restoreQueue(Self.step(entry, at, 0...Int32.max))
    case ("modem_share", _):
      let bin = (1...ModemShares.levels).map { Self.milliseconds(entry, "level_\($0)") }
      history.restore(bin, of: Milliseconds(Self.milliseconds(entry, "width")))
    case ("line", _):
      guard let place, course?.line.count ?? 0 < Int(Bounds.coursePoints) else { return }
      course = course ?? Course()
      course?.line.append(place)
    case ("course_place", _):
      guard let place, course?.places.count ?? 0 < Int(Bounds.coursePlaces) else { return }
      course = course ?? Course()
      course?.places.append(
        Course.Place(
          place: Place(name: entry.word("name"), position: place),
          alongMetres: entry.value("along_m") ?? 0, radiusMetres: entry.value("radius_m") ?? 0))
    case ("hole", _):
      guard let from = entry.instant("from"), let kind = Hole.Kind(name: entry.word("kind")) else {
        return
      }
      holes.append(Hole(from: from, to: entry.instant("to"), kind: kind))
    case ("place", _):
      guard let place else { return }
      checkpoints.append(Place(name: entry.word("name"), position: place))
    default: break
    }
  }

  private static func milliseconds(_ entry: ReportLines, _ path: String) -> Int64 {
    Int64(max(0, min(1e12, entry.value(path) ?? 0)) * 1000)
  }

  private static func position(_ entry: ReportLines) -> Coordinate? {
    guard let latitude = entry.value("latitude"), let longitude = entry.value("longitude"),
      abs(latitude) <= 90, abs(longitude) <= 180
    else { return nil }
    return Coordinate(
      latitude: Int32((latitude * 1e7).rounded()), longitude: Int32((longitude * 1e7).rounded()))
  }

  private static func step(
    _ entry: ReportLines, _ at: Instant, _ range: ClosedRange<Int32>
  ) -> StepSeries.Step {
    func bounded(_ path: String) -> Int32? {
      entry.value(path).map { Int32(min(Double(range.upperBound), max(0, $0))) }
    }
    let value = bounded("value") ?? 0
    return StepSeries.Step(
      at: at, value: value, peak: max(value, bounded("peak") ?? 0),
      low: min(value, bounded("low") ?? value))
  }
}

/// The clocks that a page shows.
public struct PageZone: Sendable {
  /// The zone's name; empty: only its difference from UTC is known.
  var name: String
  /// Seconds east of UTC.
  var offsetSeconds: @Sendable (UTC) -> Int64

  public init(name: String = "", offsetSeconds: @escaping @Sendable (UTC) -> Int64 = { _ in 0 }) {
    self.name = name
    self.offsetSeconds = offsetSeconds
  }

  /// `Europe/Madrid (UTC+02:00)`.
  func title(at utc: UTC) -> String {
    let minutes = offsetSeconds(utc) / 60
    let shown = abs(minutes)
    let offset =
      "UTC" + (minutes < 0 ? "\u{2212}" : "+") + Self.two(shown / 60) + ":" + Self.two(shown % 60)
    return name.isEmpty ? offset : "\(name) (\(offset))"
  }

  /// What its clocks show.
  func civil(_ utc: UTC) -> CivilTime? {
    CivilTime(UTC(milliseconds: utc.milliseconds &+ offsetSeconds(utc) &* 1000))
  }

  static func two(_ value: some BinaryInteger) -> String { value < 10 ? "0\(value)" : "\(value)" }
}

/// The times of a run along a page's axes, 0...100 from its start to its end.
struct TimeScale {
  let end: Instant
  /// The date at the start; `nil`: there are only times since the start.
  let startDate: UTC?
  let zone: PageZone

  func percent(_ at: Instant) -> Double {
    let whole = Double(max(1, end.milliseconds))
    return min(100, max(0, Double(at.milliseconds) / whole * 100))
  }

  func x(_ at: Instant) -> String { Markup.number(percent(at), 3) }

  /// `2026-04-18 14:20:05` on the zone's clocks, or the time since the start.
  func text(_ at: Instant) -> String {
    guard let startDate, let time = zone.civil(startDate + (at - .start)) else {
      return TextReport.clock(at.milliseconds)
    }
    return Self.day(time) + " " + PageZone.two(time.hour) + ":" + PageZone.two(time.minute) + ":"
      + PageZone.two(time.second)
  }

  private static func day(_ time: CivilTime) -> String {
    "\(time.year)-" + PageZone.two(time.month) + "-" + PageZone.two(time.day)
  }

  struct Tick {
    var at: Instant
    var label: String
    var isDay: Bool
    /// Whether it may be left out where there is little room.
    var isMinor: Bool
  }

  private static let steps: [Int64] = [
    1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720, 1440, 2880, 10_080, 43_200, 525_600,
  ]

  /// At round times of the zone's clocks, nine at most. At midnight there is the date.
  var ticks: [Tick] {
    let minutes = end.milliseconds / 60_000
    let step = (Self.steps.first { minutes / $0 <= 8 } ?? minutes) * 60_000
    // At the offset of the start: after a change of the clocks the hours are others, but true.
    let origin =
      startDate.map { $0.milliseconds &+ zone.offsetSeconds($0) &* 1000 } ?? 0
    let rest = origin % step
    var at = rest == 0 ? 0 : step - (rest < 0 ? rest + step : rest)
    var ticks: [Tick] = []
    while at <= end.milliseconds, ticks.count < 12 {
      let instant = Instant(milliseconds: at)
      let isMinor = (origin &+ at) / step % 2 != 0
      if let startDate, let time = zone.civil(startDate + Milliseconds(at)) {
        let isDay = time.hour == 0 && time.minute == 0
        let clock = PageZone.two(time.hour) + ":" + PageZone.two(time.minute)
        ticks.append(
          Tick(
            at: instant, label: isDay ? Self.day(time) : clock, isDay: isDay, isMinor: isMinor))
      } else {
        let label = TextReport.clock(at)
        ticks.append(
          Tick(at: instant, label: String(label.dropLast(3)), isDay: false, isMinor: isMinor))
      }
      at += step
    }
    return ticks
  }
}
