import FeatureService
import TrackerCore

// Whether there is a reason for each silence, and a true one.
extension InvariantWatch {
  /// A request takes no longer than this, by the limit of the modem's own commands.
  private static let longestSending = Bounds.modemUploadLimit + .minutes(2)
  /// A capture that is being taken waits for a fix and for the disk.
  private static let longestCapturing = Milliseconds.minutes(3)
  /// The answer to a command of the program before the restart, taken for one's own, is made good
  /// by the next.
  private static let slip = Milliseconds.seconds(10)
  /// How long what was true may still be stated: retries, floors and a server's Retry-After are an
  /// hour long at most.
  private static let echo = Milliseconds.minutes(90)

  func checkSilence(at now: Instant) {
    guard now - begun > .minutes(2) else { return }
    claim(
      .silenceExplained, capturing.isKnown && sending.isKnown, at: now,
      "nothing was said within two minutes of the start")
    claim(
      .silenceExplained,
      capturing.reason != nil || now - capturing.since <= Self.longestCapturing, at: now,
      "no capture for \(clockText(now - capturing.since)) without a reason")
    claim(
      .silenceExplained,
      sending.reason != nil || now - sending.since <= Self.longestSending, at: now,
      "nothing sent for \(clockText(now - sending.since)) without a reason")
  }

  /// A reason that stands needs a cause in the scenario, now or not long ago.
  func judge(_ stated: Stated, at now: Instant) {
    guard let reason = stated.reason else { return }
    meet(reason)
    guard now - stated.since >= Self.slip else { return }
    let holds =
      switch reason {
      // Whatever a modem says of it.
      case _ where isModemOdd && reason.isOfModem: true
      case .noSIM: has(scenario.modem, Self.echo, at: now) { $0 == .noSIM }
      case .simLocked: scenario.sim.secret == nil && mayWantPIN(at: now)
      // A PIN that is right may have been entered where none was wanted.
      case .simRefused, .simLastTry:
        scenario.sim.secret != nil && (isSIMClosed || mayWantPIN(at: now, besidesItsOwn: true))
      case .simBlocked: mayBeBlocked
      case .simUncertain: false
      case .registrationDenied: has(scenario.coverage, Self.echo, at: now) { $0 == .denied }
      case .backingOff(let status) where status > 0:
        has(scenario.server, Self.echo, at: now) { $0.answers(status) }
      case .serverRejected(let code):
        !scenario.badCaptures.isEmpty
          || has(scenario.server, Self.echo, at: now) { $0.refuses(code) }
      case .unauthorised:
        has(scenario.server, Self.echo, at: now) {
          // A request for a token is refused, too.
          if case .rejectRequest = $0.kind {
            scenario.service.tokenLife != nil
          } else {
            $0.kind == .unauthorised
          }
        }
      case .storeFailed: has(scenario.store, .minutes(1), at: now) { $0 == .full }
      case .sessionStopped: orders.session != true || now - orders.since < .seconds(1)
      case .finished: mayBeFinished(at: now)
      default: true
      }
    claim(.reasonTrue, holds, at: now, "it says \(reason.key), and nothing is so")
  }

  /// - Parameter besidesItsOwn: only one that is not the SIM's.
  private func mayWantPIN(at now: Instant, besidesItsOwn: Bool = false) -> Bool {
    scenario.sim.pin != nil && !besidesItsOwn
      || has(scenario.modem, Self.echo, at: now) { $0 == .simLocked }
  }

  /// A person's order to try the PIN may have used up the last try: of a SIM with another PIN, or
  /// with none, which nothing opens once its modem says that it is locked.
  var mayBeBlocked: Bool {
    orders.mayUseLastTry && scenario.sim.pin != scenario.sim.secret
  }

  /// Without a person it stays locked.
  var isSIMClosed: Bool {
    scenario.sim.pin != nil && scenario.sim.pin != scenario.sim.secret
  }

  /// Whether a session that was to end by itself may have ended: its finish counts from the first
  /// start at the earliest, which a copied card may have had long ago. After a power cut it counts
  /// by the receiver's dates. Where those roll over, a trace plays as if its next report came a
  /// second later, so that more time may pass by the dates than in the run. And a report may be as
  /// old as the receiver's interval, up to 10 s.
  func mayBeFinished(at now: Instant) -> Bool {
    guard case .after(let length) = configuration.finish,
      let grace = configuration.endAfterFinish
    else { return false }
    return isCopy || now - .start + promises.gain + .seconds(10) >= length + grace
  }

  /// Without a session that is the reason why nothing is captured, and only then. A call for help
  /// captures all the same.
  func checkStopped(isRunning: Bool, isUrgent: Bool, at now: Instant) {
    guard capturing.isKnown, !isUrgent else { return }
    let isOver = capturing.reason == .sessionStopped || capturing.reason == .finished
    claim(
      .reasonTrue, isOver != isRunning, at: now,
      "it says \(capturing.reason.map { "\($0.key)" } ?? "nothing"), and the session "
        + (isRunning ? "runs" : "does not run"))
  }

  /// Whether a track has something now, or had it until not long ago.
  func has<Content>(
    _ track: [Window<Content>], _ before: Milliseconds, at now: Instant,
    _ isIt: (Content) -> Bool
  ) -> Bool {
    let since = now - .start
    return track.contains {
      $0.from <= since && ($0.to.map { since - $0 <= before } ?? true) && isIt($0.content)
    }
  }

  private func meet(_ reason: Reason) {
    switch reason {
    case .noSIM: hit(.noSIM)
    case .simLocked: hit(.simLocked)
    case .simRefused: hit(.simRefused)
    case .simLastTry: hit(.simLastTry)
    case .registrationDenied: hit(.denied)
    case .noBearer: hit(.noBearer)
    case .reconnectFloor: hit(.reconnectFloor)
    case .atRest: hit(.atRest)
    case .batteryReserve: hit(.batteryReserve)
    default: break
    }
  }

  // MARK: The radio

  /// One that keeps to no rule may never deliver, and be on whatever it is told.
  var isModemOdd: Bool { !(scenario.modemScript?.isOrderly ?? true) }

  /// One that carries nothing any more is switched off at the start, once.
  var isModemUnwanted: Bool {
    configuration.bearer == .none ? hasLeftModem : phase == .off
  }

  /// Between contacts the radio is off, unless the tracker is to stay attached.
  func checkRadio(_ world: borrowing World) {
    let now = world.now
    let isOn = world.modem.activity == .searching || world.modem.activity == .registered
    // One that does not answer cannot be switched off.
    let isMute = isModemOdd || has(scenario.modem, .minutes(15), at: now) { $0 == .mute }
    guard isOn, isModemUnwanted, !isMute else {
      idleRadioSince = nil
      return
    }
    let since = idleRadioSince ?? now
    idleRadioSince = since
    claim(
      .quietRadio, now - since <= .minutes(6), at: now,
      "it has been on for \(clockText(now - since)) while the tracker takes the modem for off")
  }

  /// Where it does not stay attached, the radio is on for a contact only: a search, or requests.
  func checkContact(_ world: borrowing World) {
    let now = world.now
    let isOn = world.modem.activity == .searching || world.modem.activity == .registered
    let isTroubled =
      isModemOdd || has(scenario.modem, .minutes(15), at: now) { _ in true }
      || has(scenario.coverage, .minutes(15), at: now) { _ in true }
      // While a call, or its end, waits for a SIM that stays locked.
      || isSIMClosed && now - urgentAt <= .minutes(15)
    // The budget of the policy adaptive may choose to stay attached.
    let mayStay: Bool
    if case .adaptive = configuration.capture {
      mayStay = true
    } else {
      mayStay = configuration.betweenUploads == .attached
    }
    guard isOn, !isTroubled, !mayStay, configuration.bearer != .none,
      orders.called == nil
    else {
      contactSince = nil
      return
    }
    let since = max(contactSince ?? now, sending.since)
    contactSince = since
    claim(
      .quietRadio, now - since <= .minutes(15), at: now,
      "it has been on for \(clockText(now - since)) and nothing came of it")
  }

  // MARK: After the last trouble

  /// When the last trouble is over, and may have been noticed; `.distantFuture`: one never is.
  var calmFrom: Instant {
    var last = Milliseconds(0)
    var isEndless = isModemOdd || isSIMClosed
    func add<Content>(_ track: [Window<Content>]) {
      for window in track {
        last = max(last, window.to ?? 0)
        isEndless = isEndless || window.to == nil
      }
    }
    add(scenario.coverage)
    add(scenario.server)
    add(scenario.modem)
    add(scenario.store)
    for restart in scenario.restarts { last = max(last, restart.at + restart.time) }
    return isEndless ? .distantFuture : .start + last
  }

  /// A wait is half an hour at most, a quarter longer by chance, and an hour if a server asks for
  /// that. Then the server is asked again, whether it is in trouble or not.
  func checkWait(at now: Instant) {
    guard let reason = sending.reason, reason.isOfServer else { return }
    // The budget of the policy adaptive, and the reserve, make contacts rare.
    if case .adaptive = configuration.capture { return }
    guard scenario.batteryStartPercent >= 40 else { return }
    let wait = now - sending.since
    // The last but one in the table is of twenty minutes.
    if wait > .minutes(16) { hit(.longWait) }
    let isAsked = scenario.server.contains {
      if case .http(_, let after?) = $0.content.kind { after > .minutes(30) } else { false }
    }
    let longest = max(isAsked ? .minutes(62) : .minutes(40), configuration.transmitInterval)
    claim(
      .soonBack, wait <= longest, at: now,
      "it has waited for the server for \(clockText(wait))")
  }

  /// After such a wait comes the next contact.
  func checkReturn(_ world: borrowing World) {
    let now = world.now
    if world.tally.pending == 0 { nothingWaitedAt = now }
    let longest = Milliseconds.minutes(45) + configuration.transmitInterval
    let from = max(calmFrom, begun)
    guard from < .distantFuture, now - from > longest, now - from <= longest + .minutes(1) else {
      return
    }
    // What is refused, and a battery in its reserve, have waits of their own.
    let isSlow =
      !scenario.badCaptures.isEmpty || scenario.batteryStartPercent < 40
      || scenario.server.contains { if case .late = $0.content.kind { true } else { false } }
    claim(
      .soonBack, isSlow || nothingWaitedAt > from || deliveredAt > from, at: now,
      "nothing was delivered for \(clockText(longest)), and \(world.tally.pending) wait")
  }
}

extension Reason {
  /// Whether a server is waited for.
  fileprivate var isOfServer: Bool {
    switch self {
    case .backingOff, .serverRejected, .unauthorised: true
    default: false
    }
  }

  /// Whether a modem may be why it is stated.
  fileprivate var isOfModem: Bool {
    switch self {
    case .noSIM, .simLocked, .simRefused, .simLastTry, .simUncertain, .simBlocked,
      .registrationDenied, .backingOff:
      true
    default: false
    }
  }
}

extension Fault {
  /// Whether it may make a tracker back off with this status.
  fileprivate func answers(_ status: Int32) -> Bool {
    switch kind {
    case .http(let own, _), .httpAfter(let own), .rejectRequest(let own): own == status
    case .unauthorised: [401, 498, 499].contains(status)
    // Status 0.
    case .portal, .cutAnswer, .loseAcknowledgement, .timeout, .late, .refuse, .dead, .reset,
      .partial:
      false
    }
  }

  fileprivate func refuses(_ code: Int32) -> Bool {
    switch kind {
    case .rejectRequest(let own): own == code
    case .http(let status, _): status == code
    case .partial: true
    default: false
    }
  }
}
