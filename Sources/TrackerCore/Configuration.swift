/// When to take a capture.
public enum CapturePolicy: Sendable, Equatable {
  /// The best fix every `interval`. With `minimumDistanceMetres` above 0 a capture closer than that
  /// to the last one is skipped, until `heartbeat` has passed since the last one.
  case standard(interval: Milliseconds, minimumDistanceMetres: Int32, heartbeat: Milliseconds)
  /// After 500 m and 5 minutes since the last.
  case significant
  /// After 500 m and 120 s since the last.
  case proximity
  /// Every `everyMetres` along the way.
  case route(everyMetres: Int32)
  /// Like `standard`, at the rate that the battery can pay for until the finish.
  case adaptive(interval: Milliseconds)
}

/// What the modem does between two transmissions.
public enum BetweenUploads: UInt8, Sendable, Equatable {
  case off
  case attached
}

/// What carries the requests.
public enum Bearer: UInt8, Sendable, Equatable {
  /// A network interface of the operating system, provided by the modem: `wwan0`, `ppp0`, `usb0`.
  case interface
  /// The modem's own HTTP commands.
  case modem
  /// No modem: Wi-Fi or Ethernet, which the tracker does not control.
  case none

  /// How long the host may take for an upload. Host and tracker count from the same instant: that
  /// of `Effect.upload` or `reconcile`.
  public var uploadLimit: Milliseconds {
    switch self {
    case .interface, .none: Bounds.uploadLimit
    case .modem: Bounds.modemUploadLimit
    }
  }
}

/// When the receiver is awake.
public enum ReceiverUse: UInt8, Sendable, Equatable {
  case always
  /// Asleep between captures if the board and the policy allow it.
  case dutyCycle
}

/// What the computer does between captures.
public enum Sleep: UInt8, Sendable, Equatable {
  case never
  /// It is halted, where that takes less, and its clock wakes it.
  case halt
}

/// The settings of an organiser. Each has a default.
public struct Configuration: Sendable, Equatable {
  public var capture = CapturePolicy.standard(
    interval: .minutes(10), minimumDistanceMetres: 0, heartbeat: .minutes(30))
  /// A fix whose estimated accuracy is worse is rejected. The race used 200 m.
  public var accuracyMetres: Int32 = 200
  /// A fix that would require a higher speed is an outlier, metres per second.
  public var maximumSpeedMetresPerSecond: Int32 = 50
  /// Time between two transmissions.
  public var transmitInterval = Milliseconds.minutes(10)
  public var betweenUploads = BetweenUploads.off
  /// Shortest time between two connections to the network, unless it stays attached.
  /// Carriers may ban a SIM that reconnects more often than every 10 minutes (Particle docs).
  public var reconnectFloor = Milliseconds.minutes(10)
  public var bearer = Bearer.interface
  /// `nil`: the one stored in the modem, or offered by the network.
  public var accessPoint: AccessPointName?
  /// Send a short message with the position after this long without a delivery; `nil`: never.
  public var textAfter: Milliseconds?
  /// The recipient of that message.
  public var textTo: PhoneNumber?
  public var receiverUse = ReceiverUse.always
  /// Of no effect on a board without `Board.halting`.
  public var sleep = Sleep.never
  /// Whether the team can call for help.
  public var emergency = true
  /// Time between two captures while an emergency stands.
  public var emergencyInterval = Milliseconds.seconds(60)
  /// Whether the server is asked for messages also while no emergency stands.
  public var fetchesMessages = false
  /// After this a stop that the control room has ordered is over.
  public var remoteLimit = Milliseconds.hours(1)
  /// When the race is over; `nil`: no session ends by itself, and the battery has to last for
  /// `Bounds.usualRace`.
  public var finish: Finish?
  /// A session ends by itself this long after the finish, so that a late team is still seen. `nil`:
  /// never.
  public var endAfterFinish: Milliseconds? = .hours(6)
  /// Battery percentage at and below which transmissions become rare.
  public var reservePercent: Int32 = 10
  /// How certain the policy `adaptive` must be of the charge that it plans with, percent.
  public var confidencePercent: Int32 = 95
  /// Whether a session begins by itself when the tracker starts.
  public var startsBySelf = true
  /// The program's build date; no earlier date can be right. Week rollovers are detected by it.
  /// 2026-01-01T00:00:00Z.
  public var notBefore = UTC(milliseconds: 1_767_225_600_000)

  public init() {}

  /// This configuration, but with the values of `running` where a running tracker cannot change
  /// them, because its modem is set up for them.
  public func keepingFixed(of running: Configuration) -> Configuration {
    var kept = self
    kept.bearer = running.bearer
    kept.accessPoint = running.accessPoint
    kept.textAfter = running.textAfter
    kept.textTo = running.textTo
    return kept
  }
}

/// Whether the core may ask for the SIM's PIN.
public enum PINState: UInt8, Sendable, Equatable {
  /// No PIN is configured.
  case absent
  case untried
  /// It was entered, and no SIM has reported READY since: it may be wrong.
  case tried
}

/// The identity of a tracker, and the state of its queue when it starts.
public struct Identity: Sendable, Equatable {
  /// Made once per device.
  public var device: UniqueID
  /// The configured name; an order in `memory` takes precedence.
  public var team: InlineText<64>
  /// The sequence number of the next capture; the first is 1.
  public var nextSequence: UInt32
  /// Captures on disk that no server has acknowledged.
  public var pending: UInt32
  /// Seeds the retry jitter.
  public var seed: UInt64
  public var simPIN: PINState
  /// What was last remembered (`EffectSink.remember`).
  public var memory: Memory
  /// The program before this one used a modem that this one's bearer does without, and may have
  /// ended during a contact: it is switched off, once.
  public var hasLeftModem = false

  public init(
    device: UniqueID, team: InlineText<64>, nextSequence: UInt32 = 1,
    pending: UInt32 = 0, seed: UInt64, simPIN: PINState = .absent, memory: Memory = Memory()
  ) {
    self.device = device
    self.team = team
    self.nextSequence = nextSequence
    self.pending = pending
    self.seed = seed
    self.simPIN = simPIN
    self.memory = memory
  }

  /// The name that captures carry: one ordered by a person takes precedence over the configured
  /// one.
  var teamInForce: InlineText<64> { memory.teamOrder?.value ?? team }
}
