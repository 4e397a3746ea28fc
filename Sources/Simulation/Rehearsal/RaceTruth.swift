public import TrackerCore

/// What really happened to one team and its tracker. Times are by the server's clock.
public struct TeamTruth: Sendable, Equatable {
  /// Why a tracker is not heard.
  public enum Cause: String, Sendable, Equatable, CaseIterable, Codable {
    /// The tracker is broken.
    case smashed
    /// Its battery is empty.
    case battery
    /// It has no network any more.
    case antenna
    /// It has no positions any more, and so nothing to send.
    case noFix
    /// It is in a part of the course without a network.
    case deadZone
    /// The server is down.
    case server
    /// Somebody has stopped it, or switched it off, after the finish.
    case over

    /// Whether the tracker will not be heard again, and somebody has to go and look.
    public var isForGood: Bool {
      switch self {
      case .smashed, .battery, .antenna, .noFix: true
      case .deadZone, .server, .over: false
      }
    }
  }

  public struct Period: Sendable, Equatable {
    public var from: UTC
    /// `nil`: to the end of the race.
    public var until: UTC?
    public var cause: Cause

    public init(from: UTC, until: UTC?, cause: Cause) {
      (self.from, self.until, self.cause) = (from, until, cause)
    }
  }

  /// A team that stands.
  public struct Stop: Sendable, Equatable {
    public var from: UTC
    /// `nil`: to the end of the race.
    public var until: UTC?
    /// Metres along the course.
    var metres: Double
    /// Whether people rest there: at a checkpoint, the start or the finish.
    public var isAtPlace: Bool

    public init(from: UTC, until: UTC?, metres: Double, isAtPlace: Bool) {
      (self.from, self.until, self.metres, self.isAtPlace) = (from, until, metres, isAtPlace)
    }
  }

  /// By their beginning.
  public internal(set) var periods: [Period] = []
  /// Of five minutes or more.
  public internal(set) var stops: [Stop] = []
  public internal(set) var start: UTC
  /// `nil`: it does not arrive within the race.
  public internal(set) var arrival: UTC?
  /// Whether it comes to some place of the course after that has closed, or never.
  public internal(set) var missesClosing = false
  /// When it comes to each place of the course; `nil`: not within the race.
  public internal(set) var passages: [UTC?] = []
  /// When it has stopped for good.
  public internal(set) var gaveUp: UTC?
  /// While it is off the course.
  public internal(set) var lost: Span?
  /// Whether two trackers send under its code.
  public internal(set) var isCloned = false
  /// Captures that the tracker has set aside.
  public internal(set) var setAside = 0
  /// The charge when the tracker was stopped, or at the end of the race.
  public internal(set) var batteryPercent = 100.0

  public struct Span: Sendable, Equatable {
    public var from: UTC
    public var until: UTC

    init(from: UTC, until: UTC) { (self.from, self.until) = (from, until) }
  }

  public init(
    start: UTC, arrival: UTC? = nil, gaveUp: UTC? = nil, lost: Span? = nil,
    periods: [Period] = [], stops: [Stop] = [], isCloned: Bool = false, passages: [UTC?] = []
  ) {
    (self.start, self.arrival, self.gaveUp, self.lost) = (start, arrival, gaveUp, lost)
    (self.periods, self.stops, self.isCloned) = (periods, stops, isCloned)
    self.passages = passages
  }

  /// Since when it will not be heard again, and why; `nil`: it will.
  public var silentForGood: Period? {
    periods.filter(\.cause.isForGood).min { $0.from < $1.from }
  }
}

/// One capture as the organisers' server has stored it.
public struct Delivery: Sendable, Equatable {
  /// By the server's clock.
  public var at: UTC
  /// The tracker's code.
  public var tracker: String
  public var team: String
  public var id: UniqueID
  /// `nil`: the tracker knew no time.
  public var taken: UTC?
  public var position: Coordinate
  public var batteryPercent: Double?
  public var trigger: Trigger?
  /// The latest time at which the tracker promised to make contact again.
  public var promise: UTC?
  /// Why it will be silent, if it said so.
  public var silence: String?
  /// Without gaps for each tracker.
  public var sequence: UInt32?
}
