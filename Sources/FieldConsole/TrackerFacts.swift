public import TrackerCore
public import Wording

/// What is known of a tracker at one moment: the whole content of its status.
///
/// A running tracker sends it over its socket; for one that does not answer it is what its store
/// and the system know. Times are relative to that moment, so that no two clocks are compared. All
/// are milliseconds; `nil` is unknown, or does not apply.
public struct TrackerFacts: Sendable, Equatable {
  /// Whether a tracker gave these facts.
  public enum Presence: String, Sendable, CaseIterable {
    case running
    /// It does not answer within seconds, as when it is stopped or waits for a disk.
    case hung
    /// It does not run.
    case dead
    /// There is no such program, service or configuration on this machine.
    case notInstalled
  }

  public enum SessionState: String, Sendable, CaseIterable {
    case running
    case stopped
    /// Ended by itself, after the finish.
    case finished
  }

  /// What a console on a terminal may do, by the settings.
  public enum ConsoleAccess: String, Sendable, CaseIterable {
    case full, readOnly
    /// Orders need a PIN, which the tracker checks (`unlock PIN`).
    case pin
    case off
  }

  // Who
  public var presence = Presence.running
  public var team = ""
  /// The tracker's name on the server, or the first digits of its identifier.
  public var number = ""
  public var device = ""
  public var version = ""
  public var language: String?
  public var consoleAccess = ConsoleAccess.full
  /// How long it has been running; of one that does not run, how long ago its last sign of life.
  public var runningFor: Int64?
  public var lastSignOfLife: Int64?
  /// The last lines of its log, when it does not run.
  public var lastWords: [String] = []
  public var systemd: Texts?

  // Time
  /// The tracker's date, milliseconds since 1970.
  public var utc: Int64?
  public var isClockTrusted = false
  /// IANA name.
  public var timeZone: String?
  public var systemClock: String?

  // Session
  public var session = SessionState.stopped
  public var sessionNumber: Int64?
  public var sessionAge: Int64?
  /// `7200000 socket`: age, if known, and origin.
  public var sessionOrder: String?
  public var teamOrder: String?
  /// Negative: it is past.
  public var untilFinish: Int64?
  /// The configured finish: a date, milliseconds since 1970, or a time from the session's start.
  public var finishAt: Int64?
  public var finishAfter: Int64?
  /// How much longer the session lasts; `nil`: until a person ends it.
  public var endAfterFinish: Int64?
  /// `interval 7200000 anna 5 min`: key, age (`-` if not known), who, value.
  public var settingOrders: [String] = []

  // Receiver
  public var receiverPort: String?
  public var receiverProblem: Texts?
  public var isReceiverAwake = true
  public var isReceiverSilent = false
  public var receiverHeard: Int64?
  public var sentencesPerMinute: Int64 = 0
  public var badChecksumsPerMinute: Int64 = 0
  public var rejectedPerMinute: Int64 = 0
  public var bytesPerMinute: Int64 = 0
  public var satellitesSeen: Int64?
  public var satellitesUsed: Int64?
  /// dB-Hz
  public var bestSignal: Int64?
  /// Each satellite in view, by system and strength.
  public var satellites: [SatelliteLevel] = []
  public var hdopHundredths: Int64?
  public var fixAge: Int64?
  /// How long it has been awake without a fix.
  public var noFix: Int64?
  public var receiverAwakeFor: Int64?
  /// 1e-7 degree
  public var latitude: Int64?
  public var longitude: Int64?
  /// The receiver's usual time to a first fix under the open sky.
  public var coldStart: Int64 = 0

  // Course; `nil` without one, or before the team was near it.
  /// Along the course; `nil` with `courseToGoMetres`: it was not near it yet.
  public var courseDoneMetres: Int64?
  public var courseToGoMetres: Int64?
  /// The place in whose circle it is.
  public var place: String?
  public var nextPlace: String?
  public var nextPlaceMetres: Int64?
  /// In how long it opens and closes; negative: so long ago; `nil`: not stated.
  public var nextPlaceOpens: Int64?
  public var nextPlaceCloses: Int64?
  public var offCourseFor: Int64?
  public var offCourseMetres: Int64?
  public var backwardsFor: Int64?
  /// In how long it is at the next place and at the finish, with the band of four in five.
  public var nextPlaceArrival: Int64?
  public var nextPlaceEarliest: Int64?
  public var nextPlaceLatest: Int64?
  public var finishArrival: Int64?
  public var finishEarliest: Int64?
  public var finishLatest: Int64?
  /// Why the course of the settings is not followed.
  public var courseProblem: Texts?

  // Captures
  public var capturing: String?
  public var nextCapture: Int64?
  public var captureInterval: Int64?
  public var capturePolicy = ""
  public var lastCapture: Int64?
  public var lastCaptureAge: Int64?

  // Queue
  public var pending: Int64 = 0
  public var setAside: Int64 = 0
  public var acknowledged: Int64 = 0
  public var held: Int64 = 0
  public var heldFor: Int64?
  public var oldestPending: Int64?
  /// Of the waiting captures, as they will be sent; an estimate.
  public var pendingBytes: Int64?
  /// The absolute path of the store.
  public var store: String?
  public var storeProblem: Texts?
  /// The disk's free bytes.
  public var diskFree: Int64?
  /// Captures go to a second store because the disk has no room to salvage the first.
  public var secondStore: Texts?
  /// What else there is to say of the store, such as what was salvaged at the start.
  public var storeNews: [Texts] = []
  /// A device and how many of its captures wait.
  public var earlierDevices: [String] = []
  public var damagedRows: Int64 = 0
  /// Captures whose identifiers belong to other captures on the server: another tracker has this
  /// one's identity.
  public var displaced: Int64 = 0

  // Sending
  public var sending: String?
  /// What a person must remove before anything can be sent, as last reported.
  public var obstacle: String?
  public var nextContact: Int64?
  public var contactInterval: Int64?
  public var contactRule: String?
  public var promised: Int64?
  public var lastDelivery: Int64?
  public var lastDelivered: Int64?
  public var lastContact: Int64?
  public var contactsFailed: Int64 = 0
  /// The server of the last of those (scheme, host, port); `nil`: the link or the modem is to
  /// blame, or nothing is known.
  public var silentServer: String?
  /// Something on the path to the server limits requests to so many bytes, as far as was seen.
  public var pathLimit: Int64?
  public var lastProblem: Texts?
  public var lastProblemAge: Int64?
  /// Since when what was sent failed, without a delivery since; the second without a time without
  /// network since.
  public var failingFor: Int64?
  public var failingInNetworkFor: Int64?
  /// Why, by its name.
  public var failing: String?
  public var isBackingOff = false

  // Modem
  public var hasModem = false
  public var modem = ""
  /// The modem refuses to switch its radio off, and nothing else can.
  public var isRadioStuck = false
  public var modemPort: String?
  public var modemProblem: Texts?
  /// Whether another program has the port, alone or as well.
  public var isModemPortTaken = false
  public var signal: Int64?
  /// As the modem names it.
  public var networkOperator: String?
  /// How long ago the modem last had a SIM that works, and a network.
  public var simReady: Int64?
  public var registered: Int64?
  public var bootLimit: Int64?
  public var modemFor: Int64?

  // Battery
  public enum BatteryState: String, Sendable, CaseIterable {
    case measured
    /// The board names no sensor.
    case noSensor
    case notYet
    /// The modem reports it at contacts, and has not yet.
    case modemNotYet
    /// Its last report is too old to count.
    case modemOld
    /// The sensor has failed.
    case lost
  }

  public var batteryState = BatteryState.noSensor
  /// Percent as measured, by its own fuel gauge or by its voltage.
  public var batteryPercent: Int64?
  public var isFuelGauge = false
  /// Of a reading that is not current.
  public var batteryAge: Int64?
  public var batteryImplausible: Int64 = 0
  public var isBatteryMeasured = false
  public var isCharging = false
  public var isInReserve = false
  public var millivolts: Int64?
  public var milliamps: Int64?
  /// Estimated, percent.
  public var charge: Int64?
  public var chargeDeviation: Int64?
  /// Tenths: how much faster it empties than its file says.
  public var drainTenths: Int64?
  /// With the configured confidence.
  public var batteryLasts: Int64?
  public var batteryReaches: Bool?
  public var confidence: Int64?
  public var batteryProblem: Texts?

  // Else
  public var pins: Texts?
  public var recording: String?
  public var recordingProblem: Texts?
  public var logDropped: Int64 = 0

  /// Of `receiverPort` and `modemPort`.
  public static let connected = "connected"
  public static let notConnected = "not connected"

  public init() {}

  /// When that was, `2012-10-06 10:00 UTC`, if it is more than two days ago: people do not count
  /// that many days back. `nil` also if the date is not known.
  func date(ago age: Int64) -> String? {
    guard age >= Milliseconds.hours(48).count, let utc, isClockTrusted || presence != .running
    else { return nil }
    return CalendarText.text(UTC(milliseconds: utc - age)).dropLast(3) + " UTC"
  }

  public var captureReason: Reason? { capturing.flatMap { Reason(name: $0) } }
  public var sendReason: Reason? { sending.flatMap { Reason(name: $0) } }

  public var failureCause: FailureCause? { failing.flatMap { FailureCause(rawValue: $0) } }

  /// Why it takes a person before anything can be sent; `nil`: it does not.
  public var blockingReason: Reason? {
    if let reason = sendReason, reason.obstruction != nil { return reason }
    return obstacle.flatMap { Reason(name: $0) }
  }
}
