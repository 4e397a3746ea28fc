import ModemDialogues
import TrackerCore

/// The state of a running tracker, derived from its events and effects.
struct StatusBoard: HostObserver {
  /// The configured name.
  private(set) var team = ""
  private(set) var configuration: Configuration
  private(set) var memory: Memory
  private(set) var isSessionRunning = false
  private(set) var capturing: Reason?
  private(set) var sending: Reason? = .nothingPending
  private(set) var modem = ModemPhase.off
  private(set) var lastCapture: (capture: Capture, at: Instant)?
  /// Being stored.
  private var offered: Capture?
  private(set) var lastDelivery: (count: UInt32, at: Instant)?
  private(set) var nextContactBy: UTC?
  private(set) var clock: (utc: UTC, at: Instant)?
  private(set) var isReceiverSilent = false
  /// The last problem with a server or with the modem, and when it was.
  var problem: (text: String, at: Instant)?

  init(team: InlineText<64>, configuration: Configuration, memory: Memory) {
    self.team = String(team)
    self.configuration = configuration
    self.memory = memory
  }

  /// How long ago a moment was, if known.
  func age(of moment: Moment, at now: Instant) -> Milliseconds? {
    if let at = moment.at { return now - at }
    guard let utc = moment.utc, let clock else { return nil }
    return clock.utc + (now - clock.at) - utc
  }

  mutating func arrived(_ arrival: Arrival, at now: Instant) {
    guard case .event(let event) = arrival else { return }
    switch event {
    case .captureStored(let sequence, _):
      if let offered, offered.sequence == sequence { lastCapture = (offered, now) }
    case .uploadFinished(_, .answered(let acknowledged, _, _, _), _) where acknowledged > 0:
      lastDelivery = (acknowledged, now)
    case .reconcileFinished(_, .settled(let confirmed), _) where confirmed > 0:
      lastDelivery = (confirmed, now)
    case .configurationChanged(let configuration, let team):
      self.configuration = configuration
      self.team = String(team)
    default: break
    }
  }

  mutating func pushed(_ effect: Effect, at now: Instant) {
    switch effect {
    case .store(let capture): offered = capture
    case .upload(let request): nextContactBy = request.nextContactBy
    case .remember(let memory): self.memory = memory
    case .note(let note): heard(note, at: now)
    default: break
    }
  }

  private mutating func heard(_ note: Note, at now: Instant) {
    switch note {
    case .sessionStarted: isSessionRunning = true
    case .sessionStopped, .sessionFinished: isSessionRunning = false
    case .capturing(let reason): capturing = reason
    case .sending(let reason): sending = reason
    case .modem(let phase): modem = phase
    case .clockTrusted(let utc): clock = (utc, now)
    case .receiverSilent: isReceiverSilent = true
    case .receiverHeard: isReceiverSilent = false
    case .modemRestarted: problem = ("\(ModemTrouble.restarted)", now)
    case .accessPointRefused: problem = ("\(ModemTrouble.accessPointRefused)", now)
    default: break
    }
  }
}

extension String {
  init<let capacity: Int>(_ text: InlineText<capacity>) {
    self.init(decoding: (0..<text.count).map { text[$0] }, as: UTF8.self)
  }
}
