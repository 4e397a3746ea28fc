import TrackerCore
public import Wording

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
