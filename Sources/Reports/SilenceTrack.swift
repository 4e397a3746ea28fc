import TrackerCore

/// A time without a capture or without a transmission, and its one stated reason.
public struct Silence: Sendable, Equatable {
  public enum Subject: UInt8, Sendable, Equatable {
    case capturing
    case sending
  }

  public var subject: Subject
  public var from: Instant
  public var to: Instant
  public var reason: Reason
}

/// Turns changes of the stated reason into silences.
///
/// Waiting for the next slot (`notDue`) and an empty queue (`nothingPending`) are no silences but
/// the plan itself. What lasts less than `shortest` is the ordinary course of a contact (a modem
/// that starts, a network that is found).
struct SilenceTrack {
  static let shortest = Milliseconds.seconds(60)

  let subject: Silence.Subject
  private var reason: Reason?
  private var since = Instant.start

  init(_ subject: Silence.Subject) { self.subject = subject }

  /// The stated reason changes; returns the silence that this ends, if it was one.
  mutating func change(to next: Reason?, at now: Instant) -> Silence? {
    defer {
      reason = next
      since = now
    }
    guard let reason, isSilence(reason), now - since >= Self.shortest else { return nil }
    return Silence(subject: subject, from: since, to: now, reason: reason)
  }

  private func isSilence(_ reason: Reason) -> Bool {
    switch reason {
    case .notDue, .nothingPending: false
    case .sessionStopped, .noFix, .poorAccuracy, .clockUntrusted, .atRest, .batteryReserve,
      .modemOff, .noSIM, .simLocked, .searching, .registrationDenied, .noBearer, .reconnectFloor,
      .backingOff, .serverRejected, .unauthorised, .storeFailed:
      true
    }
  }
}
