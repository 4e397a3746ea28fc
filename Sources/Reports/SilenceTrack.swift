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
  /// The silences so far, in their order.
  private(set) var silences: [Silence] = []
  private var reason: Reason?
  private var since = Instant.start
  /// Whether the last silence has been followed by what it was missing.
  private var isBroken = true

  init(_ subject: Silence.Subject) { self.subject = subject }

  /// The stated reason changes. A silence that an attempt interrupts for less than `shortest`,
  /// and that goes on for the same reason, is one silence.
  mutating func change(to next: Reason?, at now: Instant) {
    if let reason, isSilence(reason), now - since >= Self.shortest { add(reason, until: now) }
    if next == nil { isBroken = true }
    reason = next
    since = now
  }

  private mutating func add(_ reason: Reason, until now: Instant) {
    if !isBroken, let last = silences.last, last.reason == reason,
      since - last.to < Self.shortest
    {
      silences[silences.count - 1].to = now
    } else {
      silences.append(Silence(subject: subject, from: since, to: now, reason: reason))
    }
    isBroken = false
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
