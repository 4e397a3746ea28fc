/// When to take a capture (DESIGN §7).
public enum CapturePolicy: Sendable, Equatable {
  /// Every `interval` the best fix. With `minimumDistanceMetres` above 0 a capture that would lie
  /// closer to the last one is left out, until `heartbeat` has passed since that one.
  case standard(interval: Milliseconds, minimumDistanceMetres: Int32, heartbeat: Milliseconds)
  /// Moved 500 m and 5 minutes since the last.
  case significant
  /// Moved 500 m and 120 s since the last.
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
  /// An interface of the operating system that the modem feeds: `wwan0`, `ppp0`, `usb0`.
  case interface
  /// The modem's own HTTP commands.
  case modem
  /// No modem at all: Wi-Fi or Ethernet, which come and go by themselves.
  case none
}

/// When the receiver is awake.
public enum ReceiverUse: UInt8, Sendable, Equatable {
  case always
  /// Asleep between captures where the board and the policy allow it.
  case dutyCycle
}

/// What an organiser decides. Everything has a default.
public struct Configuration: Sendable, Equatable {
  public var capture = CapturePolicy.standard(
    interval: .minutes(10), minimumDistanceMetres: 0, heartbeat: .minutes(30))
  /// A fix whose estimated accuracy is worse is rejected. The race's own setting was 200 m.
  public var accuracyMetres: Int32 = 200
  /// A fix that would need a higher speed than this is an outlier, metres per second.
  public var maximumSpeedMetresPerSecond: Int32 = 50
  /// Time between two transmissions.
  public var transmitInterval = Milliseconds.minutes(10)
  public var betweenUploads = BetweenUploads.off
  /// Shortest time between two connections to the network, unless it stays attached.
  /// Carriers may ban a SIM that reconnects more often than every 10 minutes (Particle docs).
  public var reconnectFloor = Milliseconds.minutes(10)
  public var bearer = Bearer.interface
  /// `nil`: what the modem has stored, or what the network offers.
  public var accessPoint: AccessPointName?
  /// A short message with the position after so long without a delivery; `nil`: never.
  public var textAfter: Milliseconds?
  /// Where it goes.
  public var textTo: PhoneNumber?
  public var receiverUse = ReceiverUse.always
  /// When the race is over; `nil`: no session ends by itself, and the battery is to last for
  /// `Bounds.usualRace`.
  public var finish: Finish?
  /// A session ends by itself so long after the finish: a late team must still be seen. `nil`:
  /// never.
  public var endAfterFinish: Milliseconds? = .hours(6)
  /// Battery percentage below which transmissions become rare.
  public var reservePercent: Int32 = 10
  /// Whether a session begins by itself when the tracker starts.
  public var startsBySelf = true
  /// No date before this can be right: the program's build date. Week rollovers are told by it.
  /// 2026-01-01T00:00:00Z.
  public var notBefore = UTC(milliseconds: 1_767_225_600_000)

  public init() {}
}

/// Whether the core may ask for the SIM's PIN.
public enum PINState: UInt8, Sendable, Equatable {
  /// The host has none.
  case absent
  case untried
  /// It was tried, and no SIM has said READY since: it may be wrong.
  case tried
}

/// Who a tracker is, and where its queue stands when it starts.
public struct Identity: Sendable, Equatable {
  /// Made once per device.
  public var device: UniqueID
  /// By the configuration; an order in `memory` comes before it.
  public var team: InlineText<64>
  /// The sequence number of the next capture; the first of all is 1.
  public var nextSequence: UInt32
  /// Captures on disk that no server has acknowledged.
  public var pending: UInt32
  /// Starts the generator of retry jitter.
  public var seed: UInt64
  public var simPIN: PINState
  /// What was last remembered (`Effect.remember`).
  public var memory: Memory

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

  /// What captures carry: a person's name for the team comes before the configuration's.
  var teamInForce: InlineText<64> { memory.teamOrder?.value ?? team }
}
