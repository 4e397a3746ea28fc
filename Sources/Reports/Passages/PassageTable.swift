public import Courses
public import TrackerCore
public import Wording

/// Who was where on the course and when, of all trackers of a race.
public struct PassageTable: Sendable, Equatable {
  public struct Place: Sendable, Equatable {
    var name: String
    var kind: CoursePlace.Kind
    /// From the start.
    var metres: Int32
  }

  /// Captures and where they are from.
  public struct Source: Sendable {
    public var name: String
    public var captures: [ExportedCapture]

    public init(name: String, captures: [ExportedCapture]) {
      self.name = name
      self.captures = captures
    }
  }

  public let places: [Place]
  /// By name, then by device.
  public let ways: [TeamWay]
  /// The moment that it describes.
  public let now: UTC?

  /// - Parameters:
  ///   - now: `nil`: the latest trusted date of all captures.
  ///   - tolerance: after the plan, until a place is past due.
  public init(
    of sources: [Source], on course: MappedCourse, plan: CoursePlan? = nil,
    at now: UTC? = nil, tolerance: Milliseconds = ReportBounds.planTolerance
  ) {
    places = course.places.map {
      Place(name: $0.name, kind: $0.place.kind, metres: $0.place.alongMillimetres / 1000)
    }
    var ways = Self.trackers(sources).map { tracker in
      var way = TeamWay(
        tracker.captures, on: course, plan: plan, until: now, device: tracker.device)
      way.clone = tracker.clone
      return way
    }
    let latest = now ?? Self.present(ways.compactMap(\.lastReport))
    if let latest {
      for index in ways.indices {
        guard let last = ways[index].lastReport else { continue }
        ways[index].isApart = max(last - latest, latest - last) > ReportBounds.raceSpan
      }
      for index in ways.indices { ways[index].judge(at: latest, tolerance: tolerance, on: course) }
    }
    self.now = latest
    self.ways = ways.sorted {
      ($0.team, $0.device.lowercaseText, $0.clone ?? "") < (
        $1.team, $1.device.lowercaseText, $1.clone ?? ""
      )
    }
  }

  /// Whether no capture is near the course: it is another race's.
  public var isElsewhere: Bool { !ways.isEmpty && ways.allSatisfy { $0.done == nil } }

  /// The latest date of those that most trackers agree on: one with a wrong year must not make
  /// everything past due. `nil`: there is none.
  private static func present(_ reports: [UTC]) -> UTC? {
    var groups: [(last: UTC, count: Int)] = []
    for utc in reports.sorted(by: <) {
      if let group = groups.last, utc - group.last <= ReportBounds.raceSpan {
        groups[groups.count - 1] = (utc, group.count + 1)
      } else {
        groups.append((utc, 1))
      }
    }
    return groups.max { ($0.count, $0.last) < ($1.count, $1.last) }?.last
  }

  private struct Tracker {
    var device: UniqueID
    var captures: [ExportedCapture] = []
    var clone: String?
  }

  /// The captures by device. Those of several files are put together, as an export and the store
  /// itself have the same; but where they differ in one of them, a card was cloned, and each file
  /// is a tracker of its own.
  private static func trackers(_ sources: [Source]) -> [Tracker] {
    var order: [UniqueID] = []
    var parts: [UniqueID: [(source: Int, captures: [ExportedCapture])]] = [:]
    for (number, source) in sources.enumerated() {
      for capture in source.captures {
        if parts[capture.device] == nil { order.append(capture.device) }
        var own = parts[capture.device] ?? []
        if own.last?.source != number { own.append((number, [])) }
        own[own.count - 1].captures.append(capture)
        parts[capture.device] = own
      }
    }
    return order.flatMap { device -> [Tracker] in
      let own = parts[device] ?? []
      var known: [UInt32: Capture] = [:]
      var all: [ExportedCapture] = []
      for capture in own.flatMap(\.captures) {
        // An export may lack where it was on the course, which is worked out again here.
        var plain = capture.capture
        plain.mark = nil
        if let other = known[plain.sequence] {
          guard other == plain else {
            return own.map {
              Tracker(device: device, captures: $0.captures, clone: sources[$0.source].name)
            }
          }
        } else {
          known[plain.sequence] = plain
          all.append(capture)
        }
      }
      return [Tracker(device: device, captures: all)]
    }
  }
}

extension PassageTable {
  /// One object: `now`, `places`, and for each tracker its `passages`, one for each place.
  public var figure: Figure {
    .object([
      .init("now", Self.date(now)),
      .init(
        "places",
        .list(
          places.map {
            .object([
              .init("name", .text($0.name)), .init("kind", .text("\($0.kind)")),
              .init("metres", .integer($0.metres)),
            ])
          })),
      .init("teams", .list(ways.map(Self.figure))),
    ])
  }

  private static func figure(_ way: TeamWay) -> Figure {
    .object([
      .init("team", .text(way.team)), .init("device", .text(way.device.lowercaseText)),
      .init("clone", way.clone.map { .text($0) } ?? .none),
      .init("finished", .boolean(way.isFinished)), .init("last_report", date(way.lastReport)),
      .init("metres", way.done.map { .integer($0) } ?? .none), .init("there", date(way.there)),
      .init("undated_captures", .integer(way.undated)),
      .init("dates_apart", .boolean(way.isApart)),
      .init("passages", .list(way.calls.map(\.figure))),
    ])
  }

  /// RFC 3339, or none.
  public static func date(_ utc: UTC?) -> Figure { text(utc).map { .text($0) } ?? .none }

  private static func text(_ utc: UTC?) -> String? {
    utc.flatMap { CivilTime($0) }.map { time in
      var bytes: [UInt8] = []
      time.forEachByte { bytes.append($0) }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// RFC 4180: a header, and a row for each tracker and place.
  public var csv: [UInt8] {
    var writer = LineWriter()
    writer.text("team,device,place,km,state,time,due,behind_s,past_due_since,last_report,")
    writer.text("last_km,doubt_s\r\n")
    for way in ways {
      for (place, call) in zip(places, way.calls) {
        let (state, time, limit) = call.words
        let dates = [time, call.due, limit, way.lastReport].map { Self.text($0) ?? "" }
        let behind = call.behind.map { "\($0.count / 1000)" } ?? ""
        let done = way.done.map { Figure.fixed(Double($0) / 1000, 3) } ?? ""
        writer.csvField(way.team)
        writer.text(",")
        writer.csvField(way.device.lowercaseText)
        writer.text(",")
        writer.csvField(place.name)
        let rest = [
          Figure.fixed(Double(place.metres) / 1000, 3), state, dates[0], dates[1], behind, dates[2],
          dates[3], done, time == nil ? "" : "\((call.doubt.count + 999) / 1000)",
        ]
        for field in rest { writer.bytes += Array(",".utf8) + Array(field.utf8) }
        writer.text("\r\n")
      }
    }
    return writer.bytes
  }
}

extension TeamWay.Call {
  /// One object: its state, the time with its doubt, and the plan's.
  public var figure: Figure {
    let (state, time, limit) = words
    return .object([
      .init("state", .text(state)), .init("time", PassageTable.date(time)),
      .init("doubt_s", time == nil ? .none : .whole((doubt.count + 999) / 1000)),
      .init("due", PassageTable.date(due)),
      .init("behind_s", behind.map { .whole($0.count / 1000) } ?? .none),
      .init("past_due_since", PassageTable.date(limit)),
    ])
  }

  /// The words of files: passed, inferred, missing, past_due, unknown, ahead.
  fileprivate var words: (state: String, time: UTC?, limit: UTC?) {
    switch state {
    case .passed(let utc, let isInferred): (isInferred ? "inferred" : "passed", utc, nil)
    case .missing: ("missing", nil, nil)
    case .unknown: ("unknown", nil, nil)
    case .pastDue(let utc): ("past_due", nil, utc)
    case .ahead: ("ahead", nil, nil)
    }
  }
}

/// A timetable on the places of a course.
public struct CoursePlan: Sendable, Equatable {
  private let timetable: Timetable
  private let course: MappedCourse
  /// The place of each mark.
  private let places: [Timetable.Mark: Int]

  public init(_ timetable: Timetable, on course: MappedCourse) throws(PlanError) {
    var places: [Timetable.Mark: Int] = [:]
    for row in timetable.rows where places[row.mark] == nil {
      // A course need not have its start as a place for a team to have its time there.
      guard let index = Timetable.place(of: row.mark, on: course) else {
        if row.mark.isStart { continue }
        throw Timetable.problem(with: row, on: course)
      }
      places[row.mark] = index
    }
    self.timetable = timetable
    self.course = course
    self.places = places
  }

  /// When a team is to start; `nil`: the plan does not say so.
  public func start(of team: String) -> UTC? { timetable.start(of: team, on: course) }

  /// When a team is to be at each place of the course; `nil`: the plan does not say so.
  ///
  /// - Parameter started: when it has started, for a plan without a date for that.
  public func due(_ team: String, started: UTC?) -> [UTC?] {
    let started = start(of: team) ?? started
    var due = [UTC?](repeating: nil, count: course.places.count)
    for row in timetable.rows(of: team).reversed() {
      if let place = places[row.mark] { due[place] = timetable.due(row, started: started) }
    }
    return due
  }
}
