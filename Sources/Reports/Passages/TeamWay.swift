import Courses
import Statistics
public import TrackerCore

/// One tracker's way along a course: when it was at which place.
public struct TeamWay: Sendable, Equatable {
  /// A place of the course and the team.
  public struct Call: Sendable, Equatable {
    public enum State: Sendable, Equatable {
      /// It was there; inferred: on the course before and after, but not seen there.
      case passed(UTC, isInferred: Bool)
      /// A later place was passed without this one.
      case missing
      /// It should have been passed by then: the place has closed, or the plan's tolerance is over.
      case pastDue(UTC)
      /// The team is beyond it, and no capture says whether and when it was there: the tracker was
      /// switched on later, or was off or away from the course in between.
      case unknown
      /// It is still to come.
      case ahead
    }

    public var state: State
    /// How far off the time of a passage may be, because nobody saw it just there.
    var doubt: Milliseconds = 0
    /// When the plan has the team there; `nil`: there is no plan for it.
    public var due: UTC?

    /// How much later than planned, negative: earlier; `nil`: not passed, or not planned.
    public var behind: Milliseconds? {
      guard case .passed(let utc, _) = state, let due else { return nil }
      return utc - due
    }
  }

  /// The last of its names; empty: it had none.
  public internal(set) var team: String
  let device: UniqueID
  /// When its time began: the plan's hour for it, else when it left the start; `nil`: unknown.
  public internal(set) var started: UTC?
  /// The file of a cloned card: another one has other captures of the same device.
  public internal(set) var clone: String?
  /// As many as the course has places.
  public internal(set) var calls: [Call] = []
  /// The last trusted date; `nil`: there is none, and nothing is known of the way.
  var lastReport: UTC?
  /// Metres from the start at that time; `nil`: it was never near the course.
  public internal(set) var done: Int32?
  /// When it was first that far, to within `moved` metres.
  public internal(set) var there: UTC?
  public internal(set) var isFinished = false
  /// Captures without a trusted date, which say nothing about when.
  public internal(set) var undated = 0
  /// Whether its dates are days from those of most others: a wrong year, or another race.
  public internal(set) var isApart = false

  init(team: String, device: UniqueID) {
    self.team = team
    self.device = device
  }
}

extension TeamWay {
  /// - Parameters:
  ///   - all: captures of one tracker, in any order. Only its last session counts: those before
  ///     were tests, or another race.
  ///   - now: what comes later has not happened yet; `nil`: all counts.
  ///   - name: the team's in the plan; `nil`: the last one that the captures have.
  public init(
    _ all: [ExportedCapture], on course: MappedCourse, plan: CoursePlan?, until now: UTC? = nil,
    device: UniqueID, name: String? = nil
  ) {
    let known = all.filter { capture in
      guard let now, let date = capture.date else { return true }
      return date.milliseconds <= now.milliseconds
    }.sorted { $0.capture.sequence < $1.capture.sequence }
    let captures = Sessions.split(known.map(\.capture)).last.map { known[$0.indices] } ?? []
    self.init(team: name ?? captures.map(\.team).last { !$0.isEmpty } ?? "", device: device)
    let dated: [(utc: UTC, capture: Capture)] = captures.compactMap {
      guard $0.capture.isTimeTrusted, let utc = $0.date else { return nil }
      return (utc, $0.capture)
    }
    undated = captures.count - dated.count
    let count = course.places.count
    var first: Int32?
    var states = [Call.State](repeating: .ahead, count: count)
    var left: UTC?
    var progress = CourseProgress()
    for (utc, capture) in dated.sorted(by: {
      ($0.utc.milliseconds, $0.capture.sequence) < ($1.utc.milliseconds, $1.capture.sequence)
    }) {
      var passages = Passages()
      guard let position = capture.position else { continue }
      progress.move(
        to: position, accuracyMetres: capture.accuracyMetres,
        at: Instant(milliseconds: utc.milliseconds), on: course, into: &passages)
      for index in 0..<passages.count {
        let passage = passages[index]
        let at = UTC(milliseconds: passage.at.milliseconds)
        if course.places[Int(passage.place)].place.kind == .start, passage.kind == .left {
          left = left ?? at
        }
        states[Int(passage.place)].take(passage.kind, at: at)
      }
      note(progress.doneMetres, at: utc)
      first = first ?? progress.doneMetres
    }
    isFinished = progress.isFinished
    for (index, place) in course.places.enumerated() where states[index] == .ahead {
      let isBehind = states[(index + 1)...].contains(where: \.isPassed)
      let end =
        place.place.alongMillimetres / 1000 + place.place.radiusMetres
        + ReportBounds.beyondPlaceMetres
      if isBehind || end < progress.doneMetres ?? 0 { states[index] = .unknown }
    }
    // A team first seen further along started earlier, at an unknown time.
    let sawStart = (first ?? 0) <= ReportBounds.startReachMetres
    let seen = left ?? (sawStart ? dated.map(\.utc).min() : nil)
    started = plan?.start(of: team) ?? seen
    let due = plan?.due(team, started: seen)
    calls = states.enumerated().map { Call(state: $1, due: due?[$0]) }
    time(dated.map(\.capture), on: course)
  }

  /// Gives passages the times that a comparison of walks gives them, with their doubts.
  private mutating func time(_ captures: [Capture], on course: MappedCourse) {
    let marks = course.places.map {
      TimingMark(metres: Double($0.place.alongMillimetres) / 1000, name: $0.name)
        .withSlack(on: course)
    }
    let points = captures.compactMap(TrackPoint.init).sorted {
      ($0.utc?.milliseconds ?? 0) < ($1.utc?.milliseconds ?? 0)
    }
    let times = CourseTimes(points, on: course, at: marks)
    for (index, found) in times.passed.enumerated() {
      guard let found, case .passed(_, let isInferred) = calls[index].state,
        course.places[index].place.kind != .start
      else { continue }
      calls[index].state = .passed(found.utc, isInferred: isInferred)
      calls[index].doubt = found.doubt
    }
  }

  private mutating func note(_ done: Int32?, at utc: UTC) {
    lastReport = utc
    guard let done else { return }
    if let before = self.done, there != nil, abs(done - before) < ReportBounds.standingMetres {
      return
    }
    self.done = done
    there = utc
  }

  /// Marks what should have been passed.
  ///
  /// - Parameters:
  ///   - now: what the table tells of.
  ///   - tolerance: after the plan.
  public mutating func judge(
    at now: UTC, tolerance: Milliseconds = ReportBounds.planTolerance, on course: MappedCourse
  ) {
    for index in calls.indices where calls[index].state == .ahead {
      let closes = course.places[index].place.closes
      let late = calls[index].due.map { $0 + tolerance }
      let limit = [closes, late].compactMap(\.self).min()
      if let limit, limit < now { calls[index].state = .pastDue(limit) }
    }
  }
}

extension TeamWay {
  /// The last place that it has passed, and when; `nil`: none.
  public var lastPassage: (place: Int, at: UTC)? {
    for (index, call) in calls.enumerated().reversed() {
      if case .passed(let utc, _) = call.state { return (index, utc) }
    }
    return nil
  }

  /// How much later than planned it was at the last place that has an hour, negative: earlier; or
  /// for how long it was awaited at the next one when it reported last, if that is more. `nil`: the
  /// plan does not say.
  public var behindPlan: Milliseconds? {
    let passed = calls.last { $0.behind != nil }?.behind
    let next = calls.dropFirst((lastPassage?.place ?? -1) + 1).first { $0.due != nil }
    guard let due = next?.due, let lastReport, lastReport > due else { return passed }
    return max(passed ?? lastReport - due, lastReport - due)
  }
}

extension TeamWay.Call.State {
  fileprivate var isPassed: Bool { if case .passed = self { true } else { false } }

  /// The first time counts, and a sighting counts more than anything else.
  fileprivate mutating func take(_ kind: Passage.Kind, at utc: UTC) {
    switch (kind, self) {
    case (.entered, .passed(_, isInferred: false)), (.left, _), (.inferred, .passed): break
    case (.entered, _): self = .passed(utc, isInferred: false)
    case (.inferred, _): self = .passed(utc, isInferred: true)
    case (.missed, .passed): break
    case (.missed, _): self = .missing
    }
  }
}
