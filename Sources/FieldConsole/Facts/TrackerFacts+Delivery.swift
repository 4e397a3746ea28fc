public import TrackerCore
public import Wording

// MARK: Captures and their delivery

extension TrackerFacts {
  public struct Captures: Sendable, Equatable, Codable {
    /// Why none is taken now; `nil`: one is.
    public var reason: Reason?
    var next: Milliseconds?
    public var interval: Milliseconds?
    var policy = ""
    var last: Int64?
    var lastAge: Milliseconds?

    private enum CodingKeys: String, CodingKey {
      case reason = "capturing"
      case next = "nextCaptureMs"
      case interval = "captureIntervalMs"
      case policy = "capturePolicy"
      case last = "lastCapture"
      case lastAge = "lastCaptureAgeMs"
    }
  }

  public struct Queue: Sendable, Equatable, Codable {
    var pending: Int64 = 0
    var setAside: Int64 = 0
    var acknowledged: Int64 = 0
    public var held: Int64 = 0
    public var heldFor: Milliseconds?
    var oldest: Milliseconds?
    /// Of the waiting captures, as they will be sent; an estimate.
    var bytes: Int64?

    private enum CodingKeys: String, CodingKey {
      case pending, setAside, acknowledged, held
      case heldFor = "heldForMs"
      case oldest = "oldestPendingMs"
      case bytes = "pendingBytes"
    }
  }

  public struct Store: Sendable, Equatable, Codable {
    /// Absolute.
    public var path: String?
    public var problem: Texts?
    /// The disk's free bytes.
    var diskFree: Int64?
    /// What a person should know of a second store: captures go to it because the disk has no room
    /// to salvage the first; or, of a tracker that does not run, they went to it.
    var second: Texts?
    /// What else there is to say of the store, such as what was salvaged at the start.
    var news: [Texts] = []
    public var earlierDevices: [EarlierDevice] = []
    var damagedRows: Int64 = 0
    /// Captures whose identifiers belong to other captures on the server: another tracker has this
    /// one's identity.
    public var displaced: Int64 = 0

    private enum CodingKeys: String, CodingKey {
      case path = "store"
      case problem = "storeProblem"
      case diskFree = "diskFreeBytes"
      case second = "secondStore"
      case news = "storeNews"
      case earlierDevices, damagedRows, displaced
    }
  }

  /// A device that the store had before, some of whose captures wait.
  public struct EarlierDevice: Sendable, Equatable, Codable, ScriptText {
    var device: String
    var waiting: Int64

    public init(_ device: UniqueID, waiting: Int) {
      self.device = device.lowercaseText
      self.waiting = Int64(waiting)
    }

    /// `6f1c… 12`
    public var scriptText: String { "\(device) \(waiting)" }
  }

  public struct Sending: Sendable, Equatable, Codable {
    /// Why nothing is sent now; `nil`: something is.
    public var reason: Reason?
    /// What a person must remove before anything can be sent, as last reported.
    var obstacle: Reason?
    var nextContact: Milliseconds?
    var interval: Milliseconds?
    var rule: ContactRule?
    var promised: Milliseconds?
    public var lastDelivery: Milliseconds?
    var lastDelivered: Int64?
    public var lastContact: Milliseconds?
    var contactsFailed: Int64 = 0
    /// The server of the last of those (scheme, host, port); `nil`: the link or the modem is to
    /// blame, or nothing is known.
    var silentServer: String?
    /// Something on the path to the server limits requests to so many bytes, as far as was seen.
    public var pathLimit: Int64?
    /// Captures count as delivered by the word of a broker; `nil`: by that of who stores them.
    public var isByBroker: Bool?
    var lastProblem: Texts?
    var lastProblemAge: Milliseconds?
    /// Since when what was sent failed, without a delivery since; the second without a time without
    /// network since.
    var failingFor: Milliseconds?
    var failingInNetworkFor: Milliseconds?
    var failing: FailureCause?
    var isBackingOff = false

    private enum CodingKeys: String, CodingKey {
      case reason = "sending"
      case obstacle
      case nextContact = "nextContactMs"
      case interval = "contactIntervalMs"
      case rule = "contactRule"
      case promised = "promisedMs"
      case lastDelivery = "lastDeliveryMs"
      case lastDelivered
      case lastContact = "lastContactMs"
      case contactsFailed, silentServer
      case pathLimit = "pathLimitBytes"
      case isByBroker = "byBroker"
      case lastProblem
      case lastProblemAge = "lastProblemMs"
      case failingFor = "failingForMs"
      case failingInNetworkFor = "failingInNetworkMs"
      case failing, isBackingOff
    }
  }

  /// Which setting determines the time between contacts.
  enum ContactRule: String, Sendable, CaseIterable, Codable {
    case budget, transmitInterval, reconnectFloor
  }

  public struct Modem: Sendable, Equatable, Codable {
    public var isPresent = false
    @EmptyIfNone public var phase: ModemPhaseName?
    /// The modem refuses to switch its radio off, and nothing else can.
    var isRadioStuck = false
    public var port: Port?
    public var problem: Texts?
    /// Whether another program has the port, alone or as well.
    public var isPortTaken = false
    /// dBm
    var signal: Int64?
    /// As the modem names it.
    var network: String?
    /// How long ago the modem last had a SIM that works, and a network.
    var simReady: Milliseconds?
    var registered: Milliseconds?
    var bootLimit: Milliseconds?
    /// How long it has been in its phase.
    var phaseFor: Milliseconds?

    private enum CodingKeys: String, CodingKey {
      case isPresent = "hasModem"
      case phase = "modem"
      case isRadioStuck
      case port = "modemPort"
      case problem = "modemProblem"
      case isPortTaken = "isModemPortTaken"
      case signal = "signalDBm"
      case network = "operator"
      case simReady = "simReadyMs"
      case registered = "registeredMs"
      case bootLimit = "modemLimitMs"
      case phaseFor = "modemForMs"
    }
  }
}

// MARK: The board

extension TrackerFacts {
  public struct Battery: Sendable, Equatable, Codable {
    public enum State: String, Sendable, CaseIterable, Codable {
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

    public var state = State.noSensor
    /// Percent as measured, by its own fuel gauge or by its voltage.
    public var percent: Int64?
    public var isFuelGauge = false
    /// Of a reading that is not current.
    public var age: Milliseconds?
    /// Readings that were not used.
    public var implausible: Int64 = 0
    public var isMeasured = false
    var isCharging = false
    var isInReserve = false
    public var millivolts: Int64?
    public var milliamps: Int64?
    /// Its temperature.
    public var celsius: Int64?
    public var thermometerProblem: Texts?
    /// Estimated, percent.
    var charge: Int64?
    /// Its standard deviation to the lower side, which is the dangerous one, and to the upper.
    var chargeDeviation: Int64?
    var chargeDeviationAbove: Int64?
    /// Tenths: how much faster it empties than its file says.
    var drainTenths: Int64?
    /// With the configured confidence.
    var lasts: Milliseconds?
    public var reachesFinish: Bool?
    /// It does so with less than the configured confidence, percent.
    var reachesAt: Int64?
    var confidence: Int64?
    public var problem: Texts?
    /// The plan of the policy `adaptive`: as far as it reaches, with the finish or without one; the
    /// charge that it is expected to leave, percent, or when it is empty; the mean age of the last
    /// known position; and the charges at which there would be more or fewer contacts.
    var planTime: Milliseconds?
    var planLeft: Int64?
    var planEmptyIn: Milliseconds?
    var planAge: Milliseconds?
    var planMoreFrom: Int64?
    var planLessBelow: Int64?

    private enum CodingKeys: String, CodingKey {
      case state = "batteryState"
      case percent = "batteryPercent"
      case isFuelGauge
      case age = "batteryAgeMs"
      case implausible = "batteryImplausible"
      case isMeasured = "isBatteryMeasured"
      case isCharging, isInReserve, millivolts, milliamps, thermometerProblem
      case celsius = "batteryCelsius"
      case charge = "chargePercent"
      case chargeDeviation = "chargeDeviationPercent"
      case chargeDeviationAbove = "chargeDeviationAbovePercent"
      case drainTenths
      case lasts = "batteryLastsMs"
      case reachesFinish = "batteryReaches"
      case reachesAt = "batteryReachesAtPercent"
      case confidence = "confidencePercent"
      case problem = "batteryProblem"
      case planTime = "planMs"
      case planLeft = "planLeftPercent"
      case planEmptyIn = "planEmptyInMs"
      case planAge = "planPositionAgeMs"
      case planMoreFrom = "planMoreFromPercent"
      case planLessBelow = "planLessBelowPercent"
    }
  }

  public struct Machine: Sendable, Equatable, Codable {
    /// Why its pins cannot be used.
    public var pinsProblem: Texts?
    /// That it is halted between captures, and what to do about it; `nil`: it is not.
    public var sleep: Texts?
    /// Why it stays awake although it is to be halted.
    public var sleepProblem: Texts?
    public var recording: String?
    public var recordingProblem: Texts?
    public var logDropped: Int64 = 0

    private enum CodingKeys: String, CodingKey {
      case pinsProblem = "pins"
      case sleep, sleepProblem, recording, recordingProblem, logDropped
    }
  }
}
