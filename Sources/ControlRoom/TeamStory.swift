import Courses
public import Reports
import TrackerCore
public import Wording

/// All that one tracker has told.
public struct TeamStory: Sendable {
  private let story: Story
  /// When it was at which place of the course; `nil`: there is none.
  public let way: TeamWay?
  private let plan: RacePlan
  private let now: UTC?

  init(_ story: Story, _ way: TeamWay?, _ plan: RacePlan, now: UTC?) {
    self.story = story
    self.way = way
    self.plan = plan
    self.now = now
  }

  /// When it was heard first.
  public var firstHeard: UTC? { story.contacts.first?.at ?? story.captures.map(\.at).min() }

  /// One object: captures by time, contacts with what was promised, passages of places, and when it
  /// comes to those that are to come.
  public var figure: Figure {
    .object([
      .init("tracker", .text(story.tracker)), .init("name", .text(story.name)),
      .init("pace_mps", story.pace.map { .real($0, decimals: 2) } ?? .none),
      .init("battery_end", PassageTable.date(story.batteryEnd)),
      .init("captures", .list(zip(story.captures, story.alongs).map(Self.figure))),
      .init("contacts", .list(story.contacts.map(Self.figure))),
      .init("passages", passages), .init("arrivals", arrivals),
    ])
  }

  private static func figure(_ capture: DeliveredCapture, _ along: Int32) -> Figure {
    func degrees(_ value: Int32) -> Figure { .real(Double(value) / 1e7, decimals: 6) }
    return .object([
      .init("taken", PassageTable.date(capture.taken)),
      .init("arrived", PassageTable.date(capture.at)),
      .init("latitude", degrees(capture.position.latitude)),
      .init("longitude", degrees(capture.position.longitude)),
      .init("accuracy_m", capture.accuracyMetres.map { .integer($0) } ?? .none),
      .init("done_m", along >= 0 ? .integer(along) : .none),
      .init("battery_percent", capture.batteryPercent.map { .real($0, decimals: 0) } ?? .none),
      .init(
        "trigger",
        capture.isFromPhone
          ? .text(DeliveredCapture.fromPhone)
          : capture.trigger.map { .text("\($0.name)") } ?? .none),
    ])
  }

  private static func figure(_ contact: Story.Contact) -> Figure {
    .object([
      .init("at", PassageTable.date(contact.at)),
      .init("promise", PassageTable.date(contact.promise)),
      .init("stated", contact.silence.text.map { .text($0) } ?? .none),
    ])
  }

  /// As a table of passages has them, with the name of each place.
  private var passages: Figure {
    guard let course = plan.course, var way, !story.captures.isEmpty else { return .list([]) }
    if let now { way.judge(at: now, on: course) }
    return .list(
      zip(course.places, way.calls).map { place, call in
        call.figure.adding("place", .text(place.name))
          .adding("metres", .integer(place.place.alongMillimetres / 1000))
      })
  }

  private var arrivals: Figure {
    guard let course = plan.course, let next = story.way.progress.nextPlace(on: course),
      !story.way.progress.isFinished
    else { return .list([]) }
    return .list(
      course.places.indices.dropFirst(Int(next)).compactMap { index in
        guard let arrival = story.way.arrival(at: index, on: course) else { return nil }
        return .object([
          .init("place", .text(course.places[index].name)),
          .init("expected", PassageTable.date(arrival.expected)),
          .init("earliest", PassageTable.date(arrival.earliest)),
          .init("latest", PassageTable.date(arrival.latest)),
          .init("closes", PassageTable.date(course.places[index].place.closes)),
        ])
      })
  }
}

extension Story {
  /// When the team was at which place of the course, and when it was to be there.
  func teamWay(on course: MappedCourse, _ plan: RacePlan) -> TeamWay {
    let device = UniqueID(high: 0, low: 0)
    let captures = captures.enumerated().map { index, delivered in
      let capture = Capture(
        sequence: UInt32(index + 1), utc: delivered.taken, isTimeTrusted: true,
        position: delivered.position, team: InlineText(), trigger: delivered.trigger ?? .interval)
      return ExportedCapture(capture, device: device, state: .acknowledged)
    }
    return TeamWay(
      captures, on: course, plan: plan.timetable, device: device,
      name: plan.teams.first { $0.number == tracker }?.name ?? name)
  }
}
