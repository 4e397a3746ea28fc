import TrackerCore

/// What people have ordered.
struct OrderTruth {
  /// Whether a session is to run; `nil`: not known.
  var session: Bool? = true
  var isRunning = false
  /// Whether the last order has a date.
  private var hasDate = true
  /// When it was written with one after it had none.
  private var dated: Instant?
  private(set) var since = Instant.start
  private(set) var called: Instant?
  /// A person has ordered to try the PIN, even if that is the SIM's last try.
  private(set) var mayUseLastTry = false

  mutating func given(_ command: Command, from origin: Origin, at now: Instant) {
    switch command {
    // It holds for as long as the configuration lets the control room stop a session.
    case .stop where origin == .room: (session, since) = (nil, now)
    case .start: (session, since) = (true, now)
    case .stop: (session, since) = (false, now)
    case .raiseEmergency: called = now
    case .withdrawEmergency: called = nil
    case .tryPIN: mayUseLastTry = true
    case .captureNow, .sendNow, .setTeam, .unsetTeam, .test, .askForCall, .endCallRequest:
      break
    }
  }

  /// What is on disk.
  mutating func remembered(_ memory: Memory, at now: Instant) {
    let hadDate = hasDate
    hasDate = memory.sessionOrder?.value != false || memory.sessionOrder?.given.utc != nil
    if hasDate, !hadDate { dated = now }
  }

  /// So may be what was ordered, and the call for help.
  mutating func lost() { (session, called, hasDate) = (nil, nil, false) }

  /// A stop without a date, given while none was trusted, holds until the machine is restarted, as
  /// `Order` says. A program that ended while it obeyed has given no answer: whoever called for
  /// help sees that, and calls again.
  mutating func restarted(isSaved: Bool, endedAt: Instant) {
    // So is one whose date was being written when the program ended.
    if !hasDate || !isSaved || since == endedAt || dated == endedAt { session = nil }
    if called == endedAt { called = nil }
  }

  /// Whether a session is to run; `nil`: that is not sure.
  func wantsSession(at now: Instant) -> Bool? { now - since > .minutes(1) ? session : nil }
}
