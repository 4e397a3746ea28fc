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
