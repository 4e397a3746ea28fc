import TrackerCore

// What a modem must be spared, by what the tracker tells of it: whatever the modem does.
extension InvariantWatch {
  /// Without an answer the modem's power is cycled so often in one contact.
  private static let mostCycles = 2
  /// After them it is left alone for so long.
  private static let faultPause = Milliseconds.minutes(10)

  /// The tracker has told that its modem does something else now.
  func modemDoes(_ new: ModemPhase, at now: Instant) {
    let old = phase
    phase = new
    count(new)
    if new != .inUse, new != .attached { urgent.goesOn() }
    switch new {
    case .starting:
      if !old.isPowered {
        endFault(at: now)
        modem.switchedOn(at: now)
      }
    case .checkingSIM: if let on = modem.takeStart() { joins(on, at: now) }
    case .registered, .attached, .inUse: modem.isInNetwork()
    case .faulted: modem.faulted(at: now)
    case .off, .searching, .stopping, .stillOn: break
    }
  }

  func modemRecovers(by recovery: ModemRecovery, at now: Instant) {
    switch recovery {
    case .askAgain: hit(.modemAskedAgain)
    case .radioCycle:
      hit(.radioCycle)
      checkFloor(at: now)
      modem.cyclesRadio()
    case .powerCycle:
      hit(.powerCycle)
      modem.cycled()
      if modem.cycles > 1 { hit(.secondCycle) }
      claim(
        .modemSpared, modem.cycles <= Self.mostCycles, at: now,
        "its power was cycled \(modem.cycles) times in one contact")
    }
  }

  /// It has answered, so that it joins the network, or has done so since it was switched on.
  private func joins(_ on: Instant, at now: Instant) {
    // One whose radio was off may have been switched on for its receiver, and joins from now on.
    checkFloor(at: modem.restsOn ? now : on)
    modem.joined(at: on)
  }

  private func checkFloor(at joining: Instant) {
    guard let last = modem.lastJoin, !isUrgent(at: joining) else { return }
    hit(.joinedAgain)
    // It may have been decided under the settings before.
    var floor = configuration.reconnectFloor
    if let before = floorBefore, joining < before.until + .minutes(2) {
      floor = min(floor, before.floor)
    }
    claim(
      .floorKept, joining - last >= floor, at: joining,
      "it joined the network \(clockText(joining - last)) after \(clockText(last - .start)), and "
        + "the floor is \(clockText(floor))")
  }

  /// A call for help stands, or its end may not have been noticed.
  func isUrgent(at now: Instant) -> Bool {
    orders.called != nil || now - urgentAt < .minutes(2)
  }

  /// It is tried again. One that shows up by itself is at once, but not twice in a row.
  private func endFault(at now: Instant) {
    guard let since = modem.faultSince else { return }
    let isEarly = now - since < Self.faultPause
    claim(
      .modemSpared, !(isEarly && modem.wasTriedEarly) || isUrgent(at: now), at: now,
      "it was left alone for \(clockText(now - since))")
    modem.faultEnds(isEarly: isEarly)
  }

  /// Once a minute.
  func checkFault(at now: Instant) {
    guard phase == .faulted, let since = modem.faultSince else { return }
    claim(
      .modemSpared, now - since <= Self.faultPause + .minutes(1), at: now,
      "it has been left alone for \(clockText(now - since))")
  }

  /// Whoever enters a wrong PIN leaves the last try to a person.
  func checkSIM(_ world: borrowing World) {
    let lines = scenario.modemScript?.text.split(separator: "\n") ?? []
    let isScripted = lines.contains { $0.hasSuffix("! set blocked") }
    claim(
      .simSpared,
      !world.modem.conditions.contains("blocked") || isScripted || mayBeBlocked, at: world.now,
      "it wants its PUK")
  }

  private func count(_ phase: ModemPhase) {
    switch phase {
    case .starting: hit(.modemStarting)
    case .searching: hit(.modemSearching)
    case .inUse: hit(.modemInUse)
    case .faulted: hit(.modemFaulted)
    case .off, .checkingSIM, .registered, .attached, .stopping, .stillOn: break
    }
  }
}

/// When a modem joined the network, and how it was recovered.
struct ModemWatch {
  /// Between contacts it is on, with its radio off.
  var restsOn: Bool

  init(restsOn: Bool) { self.restsOn = restsOn }

  /// When it was switched on, until it has answered.
  private var start: Instant?
  /// When it was last switched on for the network, and has answered.
  private(set) var lastJoin: Instant?
  /// Power cycles of this contact.
  private(set) var cycles = 0
  private var isCyclingRadio = false
  /// It is switched on again next, in the same contact.
  private var isCycling = false
  /// The last fault ended early, and it was not in the network since.
  private(set) var wasTriedEarly = false
  /// Whether a contact waits for it.
  private var waits = false
  /// Since when it is left alone.
  private(set) var faultSince: Instant?

  mutating func switchedOn(at now: Instant) {
    if !isCycling { cycles = 0 }
    (start, isCycling, isCyclingRadio) = (now, false, false)
  }

  mutating func takeStart() -> Instant? {
    defer { start = nil }
    return start
  }

  mutating func joined(at instant: Instant) { lastJoin = instant }
  mutating func cyclesRadio() { isCyclingRadio = true }

  /// The radio of one that has not answered was not off.
  mutating func turnsRadioOn(at now: Instant) {
    if isCyclingRadio { lastJoin = now }
    isCyclingRadio = false
  }

  /// It was given up, and the next contact may begin at once: a call for help does not wait.
  mutating func turnsRadioOff() { if !isCycling, !isCyclingRadio { cycles = 0 } }

  mutating func isInNetwork() { (cycles, wasTriedEarly) = (0, false) }

  /// A person's order begins a contact of its own, which may find the modem as another has left it.
  mutating func isOrdered() { cycles = 0 }
  mutating func cycled() { (cycles, isCycling) = (cycles + 1, true) }
  mutating func faulted(at now: Instant) { (faultSince, cycles, isCycling) = (now, 0, false) }
  mutating func faultEnds(isEarly: Bool) { (faultSince, wasTriedEarly) = (nil, isEarly) }

  /// Nothing is sent for another reason than the modem: no contact waits for it. One that is on
  /// between contacts may have been restarted for its receiver before this one took it over.
  mutating func sendsNothing(_ reason: Reason) {
    if !reason.isOfLink || restsOn { (cycles, isCycling) = (0, false) }
    // A contact begins. What was cycled before was cycled for another purpose.
    if reason.isOfLink, !waits { cycles = 0 }
    waits = reason.isOfLink
  }
}

extension ModemPhase {
  /// Whether it goes on without being switched on.
  fileprivate var isPowered: Bool {
    switch self {
    case .off, .stopping, .stillOn, .faulted: false
    case .starting, .checkingSIM, .searching, .registered, .attached, .inUse: true
    }
  }
}

extension Reason {
  /// Whether a contact may be going on that waits for its modem.
  fileprivate var isOfLink: Bool {
    switch self {
    case .modemOff, .modemSilent, .noSIM, .simLocked, .simRefused, .simLastTry, .simUncertain,
      .simBlocked, .operatorLocked, .searching, .registrationDenied, .noBearer, .reconnectFloor:
      true
    case .sessionStopped, .noFix, .poorAccuracy, .clockUntrusted, .atRest, .notDue,
      .batteryReserve, .backingOff, .serverRejected, .unauthorised, .storeFailed, .nothingPending,
      .finished:
      false
    }
  }
}
