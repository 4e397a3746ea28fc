import BoardSupport
public import TrackerCore
public import Wording

/// What is known of a tracker at one moment: the whole content of its status.
///
/// A running tracker sends it over its socket; for one that does not answer it is what its store
/// and the system know. Times are relative to that moment, so that no two clocks are compared;
/// `nil` is unknown, or does not apply.
///
/// The names of the coding are those of `status --json`, in its order (`figures`).
public struct TrackerFacts: Sendable, Equatable, Codable {
  @Shared public var identity = Identity()
  @Shared public var clock = Clock()
  @Shared public var emergency = Emergency()
  @Shared public var session = Session()
  @Shared public var receiver = Receiver()
  @Shared public var course = Course()
  @Shared public var captures = Captures()
  @Shared public var queue = Queue()
  @Shared public var store = Store()
  @Shared public var sending = Sending()
  @Shared public var modem = Modem()
  @Shared public var battery = Battery()
  @Shared public var machine = Machine()

  public init() {}
}

// MARK: Who, and when

extension TrackerFacts {
  public struct Identity: Sendable, Equatable, Codable {
    public var presence = Presence.running
    public var team = ""
    /// The tracker's name on the server, or the first digits of its identifier.
    public var number = ""
    public var device = ""
    public var version = ""
    public var language: Language?
    public var consoleAccess = ConsoleAccess.full
    /// How long it has been running.
    public var runningFor: Milliseconds?
    /// How long ago one that does not run was last seen to do anything.
    public var lastSignOfLife: Milliseconds?
    /// The last lines of its log, when it does not run.
    public var lastWords: [String] = []
    public var systemd: Texts?

    private enum CodingKeys: String, CodingKey {
      case presence, team, number, device, version, language, consoleAccess
      case runningFor = "runningForMs"
      case lastSignOfLife = "lastSignOfLifeMs"
      case lastWords, systemd
    }
  }

  /// Whether a tracker gave these facts.
  public enum Presence: String, Sendable, CaseIterable, Codable {
    case running
    /// It does not answer within seconds, as when it is stopped or waits for a disk.
    case hung
    /// It does not run.
    case dead
    /// There is no such program, service or configuration on this machine.
    case notInstalled
  }

  /// What a console on a terminal may do, by the settings.
  public enum ConsoleAccess: String, Sendable, CaseIterable, Codable {
    case full, readOnly
    /// Orders need a PIN, which the tracker checks (`unlock PIN`).
    case pin
    case off
  }

  public struct Clock: Sendable, Equatable, Codable {
    /// The tracker's date.
    public var utc: UTC?
    public var isTrusted = false
    /// IANA name.
    public var timeZone: String?
    public var systemClock: String?

    private enum CodingKeys: String, CodingKey {
      case utc = "utcMs"
      case isTrusted = "isClockTrusted"
      case timeZone, systemClock
    }
  }

  /// The current or the last emergency; without a stage there was none.
  public struct Emergency: Sendable, Equatable, Codable {
    public enum Stage: String, Sendable, CaseIterable, Codable {
      case raised, stored, delivered, read, withdrawn, ended
    }

    public var stage: Stage?
    /// How long ago it was raised.
    var age: Milliseconds?
    /// Who has read or ended it.
    var person: String?
    var answered: UTC?

    private enum CodingKeys: String, CodingKey {
      case stage = "emergency"
      case age = "emergencyAgeMs"
      case person = "emergencyPerson"
      case answered = "emergencyAnsweredMs"
    }
  }

  public struct Session: Sendable, Equatable, Codable {
    public enum State: String, Sendable, CaseIterable, Codable {
      case running
      case stopped
      /// Ended by itself, after the finish.
      case finished
    }

    public var state = State.stopped
    var number: Int64?
    var age: Milliseconds?
    var order: Origin?
    public var teamOrder: Origin?
    /// How long ago the control room asked the team to call it.
    var callAsked: Milliseconds?
    /// Negative: it is past.
    var untilFinish: Milliseconds?
    /// The configured finish: a date, or a time from the session's start.
    var finishAt: UTC?
    var finishAfter: Milliseconds?
    /// How much longer the session lasts; `nil`: until a person ends it.
    var endAfterFinish: Milliseconds?
    var settingOrders: [SettingInForce] = []

    private enum CodingKeys: String, CodingKey {
      case state = "session"
      case number = "sessionNumber"
      case age = "sessionAgeMs"
      case order = "sessionOrder"
      case teamOrder
      case callAsked = "callAskedMs"
      case untilFinish = "untilFinishMs"
      case finishAt = "finishAtMs"
      case finishAfter = "finishAfterMs"
      case endAfterFinish = "endAfterFinishMs"
      case settingOrders
    }
  }

  /// How long ago an order was given, and by whom.
  public struct Origin: Sendable, Equatable, Codable, ScriptText {
    /// `nil`: not known.
    var age: Milliseconds?
    public var who: String

    /// `7200000 socket`
    public var scriptText: String { (age.map { "\($0.count) " } ?? "") + who }
  }

  /// A setting that people have changed.
  struct SettingInForce: Sendable, Equatable, Codable, ScriptText {
    var key: SettingKey
    var value: String
    var origin: Origin

    /// `interval 7200000 anna 5 min`: key, age (`-` if not known), who, value.
    var scriptText: String {
      "\(key.rawValue) \(origin.age.map { "\($0.count)" } ?? "-") \(origin.who) \(value)"
    }
  }
}

// MARK: Where

extension TrackerFacts {
  public struct Receiver: Sendable, Equatable, Codable {
    public var port: Port?
    public var problem: Texts?
    var isAwake = true
    var isSilent = false
    var heard: Milliseconds?
    public var sentencesPerMinute: Int64 = 0
    var badChecksumsPerMinute: Int64 = 0
    var rejectedPerMinute: Int64 = 0
    public var bytesPerMinute: Int64 = 0
    var satellitesSeen: Int64?
    var satellitesUsed: Int64?
    /// dB-Hz
    var bestSignal: Int64?
    /// Each satellite in view, by system and strength.
    var satellites: [SatelliteLevel] = []
    var hdopHundredths: Int64?
    public var fixAge: Milliseconds?
    /// How long it has had no fix since it was last woken.
    public var noFix: Milliseconds?
    var awakeFor: Milliseconds?
    /// 1e-7 degree
    var latitude: Int64?
    var longitude: Int64?
    /// The receiver's usual time to a first fix under the open sky.
    public var coldStart: Milliseconds = 0

    private enum CodingKeys: String, CodingKey {
      case port = "receiverPort"
      case problem = "receiverProblem"
      case isAwake = "isReceiverAwake"
      case isSilent = "isReceiverSilent"
      case heard = "receiverHeardMs"
      case sentencesPerMinute, badChecksumsPerMinute, rejectedPerMinute, bytesPerMinute
      case satellitesSeen, satellitesUsed
      case bestSignal = "bestSignalDBHz"
      case satellites, hdopHundredths
      case fixAge = "fixAgeMs"
      case noFix = "noFixMs"
      case awakeFor = "receiverAwakeForMs"
      case latitude, longitude
      case coldStart = "coldStartMs"
    }
  }

  /// A serial port or what stands for it.
  public enum Port: String, Sendable, CaseIterable, Codable {
    case connected
    case notConnected = "not connected"
  }

  /// Where the team is on the course. Without a course only `problem` can say something.
  public struct Course: Sendable, Equatable, Codable {
    /// Metres along the course; `nil` while `toGo` is set: the team has not reached it yet.
    public var done: Int64?
    public var toGo: Int64?
    /// The place in whose circle it is.
    public var place: String?
    public var nextPlace: String?
    public var nextPlaceMetres: Int64?
    /// In how long it opens and closes; negative: so long ago; `nil`: not stated.
    public var opens: Milliseconds?
    public var closes: Milliseconds?
    public var offCourseFor: Milliseconds?
    public var offCourseMetres: Int64?
    public var backwardsFor: Milliseconds?
    /// In how long it is at the next place and at the finish, with the band of four in five.
    public var arrival: Milliseconds?
    public var earliest: Milliseconds?
    public var latest: Milliseconds?
    public var finishArrival: Milliseconds?
    public var finishEarliest: Milliseconds?
    public var finishLatest: Milliseconds?
    /// Where the network was reached so far, for the settings of the next race.
    var coverage: String?
    /// Why the course of the settings is not followed.
    public var problem: Texts?

    private enum CodingKeys: String, CodingKey {
      case done = "courseDoneMetres"
      case toGo = "courseToGoMetres"
      case place, nextPlace, nextPlaceMetres
      case opens = "nextPlaceOpensMs"
      case closes = "nextPlaceClosesMs"
      case offCourseFor = "offCourseForMs"
      case offCourseMetres
      case backwardsFor = "backwardsForMs"
      case arrival = "nextPlaceArrivalMs"
      case earliest = "nextPlaceEarliestMs"
      case latest = "nextPlaceLatestMs"
      case finishArrival = "finishArrivalMs"
      case finishEarliest = "finishEarliestMs"
      case finishLatest = "finishLatestMs"
      case coverage = "courseCoverage"
      case problem = "courseProblem"
    }
  }
}

// MARK: What follows from them

extension TrackerFacts {
  /// When that was, `2012-10-06 10:00 UTC`, if it is more than two days ago: people do not count
  /// that many days back. `nil` also if the date is not known.
  func date(ago age: Milliseconds) -> String? {
    guard age >= .hours(48), let utc = clock.utc, clock.isTrusted || identity.presence != .running
    else { return nil }
    return CalendarText.text(utc + (0 - age)).dropLast(3) + " UTC"
  }

  /// Why it takes a person before anything can be sent; `nil`: it does not.
  var blockingReason: Reason? {
    if let reason = sending.reason, reason.obstruction != nil { return reason }
    return sending.obstacle
  }
}
