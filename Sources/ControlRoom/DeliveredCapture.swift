public import Courses
public import Reports
public import TrackerCore

/// A capture as the organisers' server has stored it.
public struct DeliveredCapture: Sendable, Equatable {
  /// When the server stored it, by its clock.
  public var at: UTC
  /// The tracker's code on the server (`CodiEquip`); never empty.
  public var tracker: String
  /// As the tracker names its team; may be empty.
  public var team: String
  /// The capture's own identifier.
  public var id: UniqueID
  /// `nil`: the tracker knew no trusted time.
  public var taken: UTC?
  public var position: Coordinate
  /// How far the position may be off, by the receiver; `nil`: not told.
  public var accuracyMetres: Int32?
  /// 0...100; `nil`: not measured.
  public var batteryPercent: Double?
  /// `nil`: not told, or not known to this program.
  public var trigger: Trigger?
  /// Somebody of the team asks for help.
  public var isEmergency = false
  /// Without gaps for each tracker; `nil`: not told.
  public var sequence: UInt32?
  /// The latest time at which the tracker promised, with this upload, to make contact again; `nil`:
  /// it promised nothing.
  public var promise: UTC?
  /// Why it will be silent for longer than usual, if the tracker said so.
  public var silence = PlannedSilence.none
  /// Why the server did not store it; `nil`: it did.
  public var refusal: String?
  /// A telephone's app took it, which promises nothing and proves nothing.
  public var isFromPhone = false
  /// It came by text message, from this telephone; `nil`: it came to the server.
  public var phone: String?
  /// Of one by text message: which of the device's emergencies it is, as an answer has to name it.
  public var call: String?

  /// Greater each time that the server says another thing of it; 0: as it came.
  public var revision: Int64 = 0
  /// It has been deleted on the server.
  public var isGone = false

  /// In place of a trigger, in the layer and in the diary: a telephone's app took the capture.
  public static let fromPhone = "phone"

  /// Before a number in place of a tracker's code: whose tracker it is cannot be shown.
  public static let telephone = "text "

  public init(
    at: UTC, tracker: String, team: String = "", id: UniqueID, taken: UTC?, position: Coordinate
  ) {
    self.at = at
    self.tracker = tracker
    self.team = team
    self.id = id
    self.taken = taken
    self.position = position
  }

  /// As the room can use it, whatever a server, a file or a person made of it; `nil`: it cannot.
  var usable: DeliveredCapture? {
    guard Bounds.dates.contains(at.milliseconds), position.isOnEarth, !tracker.isEmpty else {
      return nil
    }
    var capture = self
    capture.tracker = tracker.bounded
    capture.team = team.bounded
    capture.refusal = refusal?.bounded
    capture.revision = max(0, revision)
    capture.phone = phone?.bounded
    capture.call = call?.bounded
    func isNear(_ utc: UTC) -> Bool {
      Bounds.dates.contains(utc.milliseconds) && max(utc - at, at - utc) < Bounds.longestDelay
    }
    capture.taken = taken.flatMap { isNear($0) ? $0 : nil }
    capture.promise = promise.flatMap { isNear($0) ? $0 : nil }
    capture.batteryPercent = batteryPercent.flatMap { (0...100).contains($0) ? $0 : nil }
    capture.accuracyMetres = accuracyMetres.flatMap { Bounds.accuracies.contains($0) ? $0 : nil }
    return capture
  }

  /// Whether it shows that the tracker was heard.
  var isContact: Bool { phone == nil && !isFromPhone }

  /// Whether it tells of an emergency, or of its end.
  var isAboutHelp: Bool { isEmergency || trigger == .emergencyOver }

  /// Which device took it, as far as its identifier tells: all captures of one device have the
  /// same, and those of another device another one.
  var origin: Origin { Origin(id) }

  struct Origin: Hashable, Sendable {
    var high: UInt64
    var low: UInt64

    init(_ id: UniqueID) { (high, low) = (id.high, id.low >> 32) }
  }
}

extension PlannedSilence {
  /// - Parameter name: as a tracker sends it; any other is no reason.
  public init(named name: String?) {
    let all = [PlannedSilence.reserve, .finished, .stoppedByPerson]
    self = all.first { silence in silence.name.map { "\($0)" } == name } ?? .none
  }

  /// As a tracker sends it; `nil`: it gave no reason.
  public var text: String? { name.map { "\($0)" } }

  /// Whether nothing will come until a person starts it again.
  var isEnd: Bool { self == .finished || self == .stoppedByPerson }
}

/// What is known of a race before it begins.
public struct RacePlan: Sendable {
  /// With what an earlier race has found out about coverage, if that is known; `nil`: there is no
  /// course, and nothing that depends on one is said.
  public var course: MappedCourse?
  /// Those that are to be heard of, even if they never are; other trackers get a row, too.
  public var teams: [RosterTeam]
  /// When teams are to be where on the course. It informs: no alarm depends on it.
  public var timetable: CoursePlan?

  public init(
    course: MappedCourse? = nil, teams: [RosterTeam] = [], timetable: CoursePlan? = nil
  ) {
    self.course = course
    self.teams = teams
    self.timetable = timetable
  }

  /// Takes what an earlier race on the course has found out about coverage, as `Room.coverageText`
  /// writes it, and as trackers take it (their setting `coverage`).
  ///
  /// - Returns: why it is not used, in one line; `nil`: it is.
  public mutating func use(coverage text: String) -> String? {
    guard let before = course?.doubts.count else { return "coverage is not used: give a course" }
    course?.use(coverage: String(text.split(whereSeparator: \.isWhitespace).first ?? ""))
    guard let course, course.doubts.count > before else { return nil }
    return course.doubts.last
  }
}

/// A team of the organisers' table.
public struct RosterTeam: Sendable, Equatable {
  /// The code that its tracker has on the server.
  public var number: String
  public var name: String
  public var phone: String?
  /// Whether it agreed to be shown to followers.
  public var isPublic: Bool

  public init(number: String, name: String, phone: String? = nil, isPublic: Bool = false) {
    self.number = number
    self.name = name
    self.phone = phone
    self.isPublic = isPublic
  }
}
