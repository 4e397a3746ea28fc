import Courses
import Reports
public import TrackerCore
public import Wording

/// Who is where, and who needs a human.
public struct RaceBoard: Sendable, Equatable {
  /// `nil`: nothing has arrived yet.
  public let at: UTC?
  /// Whoever needs a human most urgently first, then by name.
  public let rows: [Row]

  init(at: UTC?, rows: [Row]) {
    self.at = at
    self.rows = rows.sorted { a, b in
      let (first, second) = (a.concerns.first, b.concerns.first)
      guard let first, let second else {
        return first == nil && second == nil
          ? (a.name, a.tracker) < (b.name, b.tracker) : second == nil
      }
      // Telephones that anybody may have keep no team from the top.
      func order(_ concern: Concern, _ row: Row) -> (Int, Int, Int64, String) {
        let isUnknown = row.tracker.hasPrefix(DeliveredCapture.telephone)
        return (
          Int(concern.need.rawValue), isUnknown ? 1 : 0, concern.since.milliseconds, row.tracker
        )
      }
      return order(first, a) < order(second, b)
    }
  }

  public struct Row: Sendable, Equatable {
    public let tracker: String
    public let name: String
    public let phone: String?
    public let isPublic: Bool
    /// Where it was last, and when; `nil`: no capture with a time has arrived.
    public private(set) var position: Coordinate?
    public private(set) var taken: UTC?
    /// How far that position may be off, metres; `nil`: not told.
    public private(set) var accuracy: Int32?
    /// When it was heard last; `nil`: never.
    public private(set) var heard: UTC?
    /// Whether a telephone's app is all that it was heard from.
    public private(set) var isPhone = false
    /// When it is due.
    public private(set) var promise: UTC?
    public private(set) var silence = SilenceClass.planned(.none)
    public private(set) var batteryPercent: Double?
    /// Metres along the course; `nil`: off it, or never on it.
    public private(set) var done: Int32?
    public private(set) var isFinished = false
    /// The next place to come and when the team gets there.
    public private(set) var next: (place: String, arrival: ExpectedArrival?)?
    /// When the timetable has it there.
    public private(set) var planned: UTC?
    /// How much later than planned it is, negative: earlier; `nil`: the timetable does not say.
    public private(set) var behindPlan: Milliseconds?
    /// How it fares among the others; `nil`: it has passed no place after the start.
    public private(set) var standing: Standing?
    /// The name of the place that its standing is about.
    public private(set) var rankedAt: String?
    /// The most urgent first.
    public private(set) var concerns: [Concern] = []
    /// Captures without a trusted time, which no position shows.
    public private(set) var undated = 0

    public static func == (a: Row, b: Row) -> Bool { a.figure() == b.figure() }
  }
}

extension RaceBoard.Row {
  /// Of a team that was never heard.
  init(_ team: RosterTeam, _ concern: Concern? = nil) {
    tracker = team.number
    name = team.name
    phone = team.phone
    isPublic = team.isPublic
    concerns = concern.map { [$0] } ?? []
  }

  init(
    _ story: Story, _ way: TeamWay?, _ plan: RacePlan, silence: SilenceClass, concerns: [Concern],
    standing: Standing?
  ) {
    let team = plan.teams.first { $0.number == story.tracker }
    tracker = story.tracker
    name = team?.name ?? story.name
    phone = team?.phone
    isPublic = team?.isPublic ?? false
    position = story.last?.position
    taken = story.last?.taken
    accuracy = story.last?.accuracyMetres
    heard = story.heard
    isPhone = story.isPhone
    promise = story.contact?.promise
    self.silence = silence
    batteryPercent = story.captures.last { $0.batteryPercent != nil }?.batteryPercent
    done = story.alongs.last.flatMap { $0 >= 0 ? $0 : nil }
    isFinished = story.way.progress.isFinished
    undated = story.undated
    self.concerns = concerns
    if let course = plan.course, let place = story.way.progress.nextPlace(on: course) {
      next = (course.places[Int(place)].name, story.way.arrival(at: Int(place), on: course))
      planned = way?.calls[Int(place)].due
    }
    behindPlan = way?.behindPlan
    self.standing = standing
    if let course = plan.course, let standing { rankedAt = course.places[standing.place].name }
  }
}

extension RaceBoard.Row {
  /// For the page and for programs; without the phone number, which not everybody may see.
  ///
  /// - Parameter language: of the evidence.
  public func figure(in language: Language = .english) -> Figure {
    var degrees: (Figure, Figure) = (.none, .none)
    if let position {
      degrees = (
        .real(Double(position.latitude) / 1e7, decimals: 7),
        .real(Double(position.longitude) / 1e7, decimals: 7)
      )
    }
    return .object([
      .init("tracker", .text(tracker)), .init("name", .text(name)),
      .init("latitude", degrees.0), .init("longitude", degrees.1),
      .init("accuracy_m", accuracy.map { .integer($0) } ?? .none),
      .init("taken", PassageTable.date(taken)), .init("heard", PassageTable.date(heard)),
      .init("from_phone", .boolean(isPhone)), .init("promise", PassageTable.date(promise)),
      .init("silence", .text(silence.kind.rawValue)),
      .init("stated", silence.stated.text.map { .text($0) } ?? .none),
      .init("battery_percent", batteryPercent.map { .real($0, decimals: 1) } ?? .none),
      .init("done_m", done.map { .integer($0) } ?? .none),
      .init("finished", .boolean(isFinished)),
      .init("next_place", next.map { .text($0.place) } ?? .none),
      .init("next_expected", PassageTable.date(next?.arrival?.expected)),
      .init("next_earliest", PassageTable.date(next?.arrival?.earliest)),
      .init("next_latest", PassageTable.date(next?.arrival?.latest)),
      .init("planned", PassageTable.date(planned)),
      .init("behind_plan_s", behindPlan.map { .whole($0.count / 1000) } ?? .none),
      .init("rank", standing.map { .integer($0.rank) } ?? .none),
      .init("ranked_at", rankedAt.map { .text($0) } ?? .none),
      .init("behind_first_s", standing.map { .whole($0.behind.count / 1000) } ?? .none),
      .init("undated_captures", .integer(undated)),
      .init(
        "needs",
        .list(
          concerns.map {
            .object([
              .init("need", .text($0.need.name)), .init("since", PassageTable.date($0.since)),
              .init("evidence", .text($0.evidence.text(in: language))),
            ])
          })),
    ])
  }
}

extension SilenceClass {
  /// What the tracker itself has said.
  public var stated: PlannedSilence {
    if case .planned(let stated) = self { stated } else { .none }
  }
}

/// How a team fares among the others.
public struct Standing: Sendable, Equatable {
  /// From 1 on; who is equally fast has the same.
  public var rank: Int
  /// The last place that it has passed, by its index in the course.
  public var place: Int
  /// How much longer it took to get there than the fastest of all that were there.
  public var behind: Milliseconds
}

/// Who is ahead: whoever has passed the furthest place, and of these who got there in less time.
///
/// Each team's time runs from its own start, as in a comparison of walks. That of a team whose
/// start nobody saw runs from the first start of all, so that nobody gains by switching on late.
struct Ranking {
  private struct Entry {
    var place: Int
    var time: Milliseconds

    func isAhead(of other: Entry) -> Bool {
      (other.place, time) < (place, other.time)
    }
  }

  /// For each way; `nil`: it has passed no place after the start.
  let standings: [Standing?]

  /// - Parameter ways: on one course, in any order; `nil`: it is not to be ranked.
  init(_ ways: [TeamWay?]) {
    let first = ways.compactMap { $0?.started }.min()
    let starts = ways.map { $0?.started ?? first }
    let entries = zip(ways, starts).map { way, start -> Entry? in
      // In the course's first place everybody starts.
      guard let (place, utc) = way?.lastPassage, let start, place > 0 else { return nil }
      return Entry(place: place, time: utc - start)
    }
    var fastest: [Int: Milliseconds] = [:]
    for (way, start) in zip(ways, starts) {
      guard let way, let start else { continue }
      for (place, call) in way.calls.enumerated() {
        guard case .passed(let utc, _) = call.state else { continue }
        fastest[place] = min(fastest[place] ?? utc - start, utc - start)
      }
    }
    let order = entries.compactMap(\.self).sorted { $0.isAhead(of: $1) }
    standings = entries.map { entry in
      guard let entry else { return nil }
      let ahead = order.prefix { $0.isAhead(of: entry) }.count
      return Standing(
        rank: ahead + 1, place: entry.place,
        behind: entry.time - (fastest[entry.place] ?? entry.time))
    }
  }
}
