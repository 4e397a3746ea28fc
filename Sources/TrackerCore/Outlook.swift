/// What a tracker does next, for people who ask.
public struct Outlook: Sendable, Equatable {
  /// When the next capture is due; `nil`: without a session, with a policy by distance, or while
  /// one is being taken.
  public var nextCapture: Instant?
  /// When the next contact is due, `now` during one; `nil`: nothing will be sent.
  public var nextContact: Instant?
  /// In force, as the budget has chosen; `nil` with a policy by distance.
  public var captureInterval: Milliseconds?
  public var contactInterval: Milliseconds
  public var isInReserve: Bool
  public var isClockTrusted: Bool
  /// `nil`: no report had a date yet.
  public var utc: UTC?
}

extension Tracker {
  /// Looks only: nothing changes by it.
  public func outlook(at now: Instant) -> Outlook {
    let terms = ContactTerms(
      configuration, budget: budget, gauge: gauge, isSessionRunning: session.isRunning,
      isEmergency: isEmergency)
    var link = link
    let connectableAt = link.outlook(at: now).connectableAt
    let nextCapture = nextCapture(at: now)
    return Outlook(
      nextCapture: nextCapture,
      nextContact: nextContact(terms, after: nextCapture, connectableAt, at: now),
      captureInterval: session.schedule.flatMap {
        $0.goesByTime ? $0.opportunity(budget: budget) : nil
      },
      contactInterval: terms.interval, isInReserve: terms.isInReserve,
      isClockTrusted: clock.isTrusted, utc: clock.utc(at: now))
  }

  private func nextCapture(at now: Instant) -> Instant? {
    guard let schedule = session.schedule, schedule.goesByTime else { return nil }
    return schedule.slot > now ? schedule.slot : nil
  }

  private func nextContact(
    _ terms: ContactTerms, after capture: Instant?, _ connectableAt: Instant?, at now: Instant
  ) -> Instant? {
    if uploader.isInContact && !uploader.isBackingOff { return now }
    var next = uploader.deadline(terms, connectableAt: nil)
    // Nothing waits yet: the next capture is what will be sent.
    if next == nil, let capture { next = max(uploader.due, capture) }
    guard let next else { return nil }
    return max(now, max(next, connectableAt ?? next))
  }
}
