public import Courses
public import TrackerCore

/// Who was where on the course and when, of all trackers of a race.
public struct PassageTable: Sendable, Equatable {
  public struct Place: Sendable, Equatable {
    public var name: String
    public var kind: CoursePlace.Kind
    /// From the start.
    public var metres: Int32
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
    at now: UTC? = nil, tolerance: Milliseconds = .minutes(30)
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
        ways[index].isApart = max(last - latest, latest - last) > Self.apart
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

  /// The trackers of a race report within this time of each other.
  private static let apart = Milliseconds.hours(7 * 24)

  /// The latest date of those that most trackers agree on: one with a wrong year must not make
  /// everything past due. `nil`: there is none.
  private static func present(_ reports: [UTC]) -> UTC? {
    var groups: [(last: UTC, count: Int)] = []
    for utc in reports.sorted(by: <) {
      if let group = groups.last, utc - group.last <= apart {
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
