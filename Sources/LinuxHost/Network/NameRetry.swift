import TrackerCore
import Uplink

/// Repeats a request for which the server's name was not found because the link has just come up:
/// the address is there before pppd's ip-up or a DHCP client has written the DNS servers to
/// /etc/resolv.conf.
///
/// Without it the tracker would back off, with the modem on.
struct NameRetry {
  /// When the link came up.
  private var upAt: Instant?
  /// The request in progress.
  private var request: HTTPRequest?
  /// When it was last sent: a look-up that fails may take longer than the link is fresh.
  private var sentAt: Instant?
  /// When it is sent again.
  private(set) var dueAt: Instant?

  mutating func linkIsUp(at now: Instant) { upAt = now }

  mutating func began(_ request: HTTPRequest, at now: Instant) {
    self.request = request
    sentAt = now
    dueAt = nil
  }

  mutating func clear() {
    request = nil
    dueAt = nil
  }

  /// The request has ended.
  ///
  /// - Returns: whether it is sent again.
  mutating func ended(_ failure: HTTPFailure?, at now: Instant) -> Bool {
    guard failure?.kind == .nameNotFound, request != nil, let upAt, let sentAt,
      sentAt - upAt < NetworkBounds.freshLink
    else {
      clear()
      return false
    }
    dueAt = now + NetworkBounds.nameRetry
    return true
  }

  /// The request to send again now, if any.
  mutating func takeDue(at now: Instant) -> HTTPRequest? {
    guard let dueAt, now >= dueAt else { return nil }
    self.dueAt = nil
    sentAt = now
    return request
  }
}
