import TrackerCore

// What carries the requests, and short messages beside it.
extension World {
  /// Says what the tracker's configuration says: an interface unless told otherwise.
  public mutating func use(_ bearer: Bearer) {
    self.bearer = bearer
    if bearer == .none { planned.plan(.turn, at: now) }
  }

  var isBearerUp: Bool {
    switch bearer {
    case .interface: modem.isLinkUp
    case .modem: modem.isRegistered(at: now) && scenario.coverage.content(at: now) == nil
    case .none: scenario.coverage.content(at: now) == nil
    }
  }

  /// The news for the tracker when the bearer has changed by itself.
  mutating func bearerChange(wasLinkUp: Bool) -> Event? {
    switch bearer {
    // An interface comes up when it is told to; the modem's own requests just fail.
    case .interface: return wasLinkUp && !isBearerUp ? .linkChanged(isUp: false) : nil
    case .modem: return nil
    // Wi-Fi and Ethernet are there as soon as there is coverage; nobody asks for them.
    case .none:
      guard isBearerTold != isBearerUp else { return nil }
      isBearerTold = isBearerUp
      return .linkChanged(isUp: isBearerTold)
    }
  }

  mutating func sendText(_ id: RequestID) {
    let wasSent = modem.isRegistered(at: now)
    if wasSent { texts += 1 }
    planned.plan(
      .deliver(.textFinished(id, wasSent: wasSent)), at: now + SimulatedModem.textDelay)
  }
}
