/// The latest time of the next contact, which the server is told with each upload.
///
/// That is when the next transmission is due, there is something to send and the reconnect floor
/// allows it, and all the limits that a good connection may use up have passed.
struct ContactPromise {
  let schedule: CaptureSchedule
  let pace: Pace
  let terms: ContactTerms
  /// When the next transmission is due.
  let due: Instant
  /// When the modem may join the network again; `nil` where it need not.
  let floorEnd: Instant?
  let sessionEnd: Instant?
  let bootLimit: Milliseconds

  /// `nil` while the date is unknown, and if the session ends before the next capture.
  func date(by clock: Clock, at now: Instant) -> UTC? {
    guard let utc = clock.moment(at: now).utc, let contact = contact(at: now) else { return nil }
    return utc + (contact - now) + bootLimit + Bounds.searchLimit + Bounds.linkLimit
      + Bounds.uploadLimit
  }

  /// When the next contact begins at the latest.
  private func contact(at now: Instant) -> Instant? {
    // Without another capture there is nothing to send.
    let capture = schedule.latestNext(at: now)
    if let sessionEnd, capture >= sessionEnd { return nil }
    var contact = max(due, capture)
    if terms.isInReserve { contact = max(contact, now + Bounds.reserveTransmitInterval) }
    // The floor counts from the last power-on; held back by it, a contact joins the next slot.
    if let floorEnd, contact + Bounds.attachedWait < floorEnd {
      contact = floorEnd + schedule.opportunity(pace: pace)
    }
    return contact
  }
}
