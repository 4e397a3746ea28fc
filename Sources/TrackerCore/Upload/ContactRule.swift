/// Which of two settings determines the time between contacts.
public enum ContactRule: UInt8, Sendable, Equatable {
  /// The organiser's `transmitInterval`.
  case transmitInterval
  /// The carrier's `reconnectFloor`, which is longer.
  case reconnectFloor

  /// The explanation after the resulting time, for people.
  public var text: StaticString {
    switch self {
    case .transmitInterval: "by transmit.interval"
    case .reconnectFloor: "by reconnectFloor: transmit.interval is shorter"
    }
  }
}

extension Configuration {
  /// The floor applies to a modem that reconnects for each contact, not to one that stays attached,
  /// nor without a modem.
  public var contactRule: ContactRule { contactRule(betweenUploads) }

  private func contactRule(_ betweenUploads: BetweenUploads) -> ContactRule {
    let connectsAnew = bearer != .none && betweenUploads == .off
    return connectsAnew && reconnectFloor > transmitInterval ? .reconnectFloor : .transmitInterval
  }

  /// The shortest time between two automatic contacts. The adaptive policy and the battery's
  /// reserve change it.
  public var contactInterval: Milliseconds { contactInterval(betweenUploads) }

  /// The same for a modem that is used otherwise than configured.
  func contactInterval(_ betweenUploads: BetweenUploads) -> Milliseconds {
    switch contactRule(betweenUploads) {
    case .transmitInterval: transmitInterval
    case .reconnectFloor: reconnectFloor
    }
  }
}

/// How often there may be contacts, according to the settings and the battery.
struct ContactTerms {
  /// Time between two transmissions; the adaptive policy scales the configured one.
  let interval: Milliseconds
  /// Whether the battery only allows rare contacts, from the next one on, which has been promised.
  /// Always `false` after the session, when the battery is not needed for anything else.
  let isInReserve: Bool
  /// What becomes of the modem between contacts: as configured, or as the budget has chosen.
  let betweenUploads: BetweenUploads

  /// Inlined, so that only what it looks at is read, and not everything that it is given.
  @inline(__always)
  init(
    _ configuration: Configuration, budget: EnergyBudget, gauge: BatteryGauge,
    isSessionRunning: Bool, isEmergency: Bool = false
  ) {
    if isEmergency {
      isInReserve = false
      betweenUploads = .attached
      interval = configuration.emergencyInterval
      return
    }
    isInReserve = isSessionRunning && gauge.isInReserve(ofPercent: configuration.reservePercent)
    let chosen = budget.plan.betweenUploads
    // In the reserve contacts are too rare for a modem that stays attached.
    let isTooRare = isInReserve && chosen == .attached
    betweenUploads =
      isTooRare ? configuration.betweenUploads : chosen ?? configuration.betweenUploads
    if case .adaptive = configuration.capture {
      interval = budget.stretchContact(configuration.contactInterval(betweenUploads))
    } else {
      interval = configuration.transmitInterval
    }
  }
}

extension Tracker {
  @inline(never)
  mutating func contactTerms() -> ContactTerms {
    ContactTerms(
      configuration, budget: budget, gauge: gauge, isSessionRunning: session.isRunning,
      isEmergency: isEmergency)
  }
}

/// The latest time of the next contact, which is sent with each upload.
///
/// That is when the next transmission is due, there is something to send and the reconnect floor
/// allows it, plus the time limits of a successful connection.
struct ContactPromise {
  let schedule: CaptureSchedule
  let budget: EnergyBudget
  let terms: ContactTerms
  /// When the next transmission is due.
  let due: Instant
  /// When the modem may join the network again; `nil` if it does not have to.
  let floorEnd: Instant?
  let sessionEnd: Instant?
  let bootLimit: Milliseconds
  let searchLimit: Milliseconds
  let uploadLimit: Milliseconds

  /// `nil` while the date is not trusted, or if the session ends before the next capture.
  func date(by clock: Clock, at now: Instant) -> UTC? {
    guard let utc = clock.moment(at: now).utc, let contact = contact(at: now) else { return nil }
    return utc + (contact - now) + bootLimit + searchLimit + Bounds.linkLimit + uploadLimit
  }

  /// Why the next contact is rarer than usual, or does not come.
  func silence(at now: Instant) -> PlannedSilence {
    if contact(at: now) == nil { return .finished }
    return terms.isInReserve ? .reserve : .none
  }

  /// The latest instant at which the next contact begins.
  private func contact(at now: Instant) -> Instant? {
    // Without another capture there is nothing to send.
    let capture = schedule.latestNext(at: now)
    if let sessionEnd, capture >= sessionEnd { return nil }
    var contact = max(due, capture)
    if terms.isInReserve { contact = max(contact, now + Bounds.reserveTransmitInterval) }
    // The floor counts from the last power-on; a contact that it delays moves to the next slot.
    if let floorEnd, contact + Bounds.attachedWait < floorEnd {
      contact = floorEnd + schedule.opportunity(budget: budget)
    }
    return contact
  }
}

/// How long to wait after a failed upload, before jitter of ±25 %.
///
///     failures in a row    1     2     3      4      5      6       7       8 and more
///     wait               15 s  30 s  60 s  2 min  5 min  10 min  20 min  30 min
///
/// The short waits are for a server that restarts, the long ones for an outage. Because of the cap
/// a server that is back is used within 38 minutes, and the time that a contact takes.
enum Backoff {
  static func delay(failures: Int32) -> Milliseconds {
    switch failures {
    case ...1: .seconds(15)
    case 2: .seconds(30)
    case 3: .seconds(60)
    case 4: .minutes(2)
    case 5: .minutes(5)
    case 6: .minutes(10)
    case 7: .minutes(20)
    default: .minutes(30)
    }
  }
}
