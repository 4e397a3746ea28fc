import TrackerCore

/// A modem that speaks AT, takes its time, and depends on the coverage around it.
struct SimulatedModem {
  enum State: Equatable {
    /// Exits: `booting`.
    case off
    /// Exits: `on`.
    case booting(until: Instant)
    /// Exits: `stopping`, `booting`.
    case on
    /// Exits: `off`.
    case stopping(until: Instant)
  }

  /// From a command to its answer. SIMCom's manuals promise most within 9 s and give most at once.
  static let answerDelay = Milliseconds(50)
  /// From the order to the bearer: radio promotion on 3G (2.0 s, AT&T Video Optimizer profile).
  static let linkDelay = Milliseconds.seconds(2)
  /// From the order to a short message's acknowledgement; an assumption, unverified.
  static let textDelay = Milliseconds.seconds(4)

  private(set) var state = State.off
  private(set) var isLinkUp = false
  /// Registered from then on, as long as the coverage lasts.
  private(set) var registersAt: Instant?
  private var keyPressedAt: Instant?
  private var isMute = false
  private var isRadioOff = false
  private let board: ModemBoard
  private let registration: Milliseconds

  init(_ board: ModemBoard, registration: Milliseconds) {
    self.board = board
    self.registration = registration
  }

  /// Off, or as good as off: on for its receiver only.
  var isOff: Bool { state == .off || (state == .on && isRadioOff) }

  func isRegistered(at now: Instant) -> Bool {
    state == .on && !isRadioOff && registersAt.map { now >= $0 } ?? false
  }

  // MARK: What is done to it

  /// PWRKEY toggles: a long enough pulse switches on what is off and off what is on.
  mutating func setKey(isHigh: Bool, at now: Instant) {
    if isHigh {
      keyPressedAt = now
      return
    }
    guard let pressed = keyPressedAt else { return }
    keyPressedAt = nil
    let pulse = now - pressed
    switch state {
    case .off where pulse >= board.powerOnPulse: boot(at: now)
    case .on where pulse >= board.powerOffPulse, .booting where pulse >= board.powerOffPulse:
      stop(at: now)
    case .off, .booting, .on, .stopping: break
    }
  }

  private mutating func boot(at now: Instant) {
    // It needs most of the time that its manual allows.
    state = .booting(until: now + Milliseconds(board.bootLimit.count * 3 / 4))
    leaveNetwork()
    isRadioOff = false
  }

  private mutating func stop(at now: Instant) {
    state = .stopping(until: now + board.powerOffTime)
    leaveNetwork()
  }

  private mutating func leaveNetwork() {
    registersAt = nil
    isLinkUp = false
  }

  /// Answers a command; `nil` when nobody answers.
  mutating func answer(
    _ command: ModemCommand, hole: CoverageHole?, fault: ModemFault?, at now: Instant
  ) -> StaticString? {
    if fault == .mute { isMute = true }
    guard state == .on, !isMute else { return nil }
    switch command {
    case .attention, .reportErrors, .definePDP, .receiverOn, .receiverOff: break
    case .simStatus: return Self.simAnswer(fault)
    case .pinTries: return "\r\n+SPIC: 3,10,3,10\r\n\r\nOK\r\n"
    // Its SIMs have none.
    case .enterPIN: return "\r\n+CME ERROR: 16\r\n"
    case .subscriber: return "\r\n214070000000001\r\n\r\nOK\r\n"
    case .equipment: return "\r\n351602000330570\r\n\r\nOK\r\n"
    case .registration: return registrationAnswer(hole, at: now)
    case .signal: return "\r\n+CSQ: 15,99\r\n\r\nOK\r\n"
    case .supply: return "\r\n+CBC: 3.810V\r\n\r\nOK\r\n"
    case .radioOff:
      isRadioOff = true
      leaveNetwork()
    case .radioOn:
      isRadioOff = false
      coverageChanged(to: hole, at: now)
    case .reset: boot(at: now)
    case .powerOff: stop(at: now)
    }
    return "\r\nOK\r\n"
  }

  private static func simAnswer(_ fault: ModemFault?) -> StaticString {
    switch fault {
    case .noSIM: "\r\n+CME ERROR: 10\r\n"
    case .simLocked: "\r\n+CPIN: SIM PIN\r\n\r\nOK\r\n"
    case .mute, nil: "\r\n+CPIN: READY\r\n\r\nOK\r\n"
    }
  }

  private func registrationAnswer(_ hole: CoverageHole?, at now: Instant) -> StaticString {
    if hole == .denied { return "\r\n+CREG: 0,3\r\n\r\n+CGREG: 0,3\r\n\r\nOK\r\n" }
    if isRegistered(at: now) { return "\r\n+CREG: 0,1\r\n\r\n+CGREG: 0,1\r\n\r\nOK\r\n" }
    return "\r\n+CREG: 0,2\r\n\r\n+CGREG: 0,2\r\n\r\nOK\r\n"
  }

  // MARK: What happens to it

  /// Brings boot and shutdown up to date. `true` if something changed.
  mutating func advance(hole: CoverageHole?, at now: Instant) -> Bool {
    switch state {
    case .booting(let until) where now >= until:
      state = .on
      coverageChanged(to: hole, at: now)
      return true
    case .stopping(let until) where now >= until:
      state = .off
      isMute = false
      return true
    case .off, .booting, .on, .stopping: return false
    }
  }

  /// The next instant at which its draw changes by itself.
  func nextChange(after now: Instant) -> Instant? {
    switch state {
    case .booting(let until), .stopping(let until): until
    case .on: registersAt.flatMap { $0 > now ? $0 : nil }
    case .off: nil
    }
  }

  /// Coverage begins, ends or changes kind.
  mutating func coverageChanged(to hole: CoverageHole?, at now: Instant) {
    guard state == .on, !isRadioOff else { return }
    switch hole {
    case .noService, .denied: leaveNetwork()
    case .noBearer:
      isLinkUp = false
      if registersAt == nil { registersAt = now + registration }
    case nil:
      if registersAt == nil { registersAt = now + registration }
    }
  }

  mutating func setLink(isUp: Bool) { isLinkUp = isUp }

  /// What it draws now.
  func microamps(_ loads: Loads, isTransmitting: Bool, at now: Instant) -> Int32 {
    switch state {
    case .off: loads.modemOffMicroamps
    case .booting, .stopping: loads.modemStartingMicroamps
    // No manual gives a figure for this alone; idle in the network is the nearest above it.
    case .on where isRadioOff: loads.modemIdleMicroamps
    case .on where isTransmitting: loads.modemTransmittingMicroamps
    case .on: isRegistered(at: now) ? loads.modemIdleMicroamps : loads.modemSearchingMicroamps
    }
  }
}
