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
/// the plan itself. An attempt is no end of a silence, only a success is: what goes on for the same
/// reason within `shortest` is one silence. What lasts less than that in all is the ordinary course
/// of a contact (a modem that starts, a network that is found).
struct SilenceTrack {
  static let shortest = Milliseconds.seconds(60)
  /// How far back an interrupted silence is looked for: an attempt passes through four reasons.
  private static let lookBack = 5

  let subject: Silence.Subject
  private var pieces: [Silence] = []
  private var reason: Reason?
  private var since = Instant.start
  /// Pieces before this one ended with a success.
  private var firstOpen = 0

  init(_ subject: Silence.Subject) { self.subject = subject }

  /// The silences so far that lasted, in their order.
  var silences: [Silence] { pieces.filter { $0.to - $0.from >= Self.shortest } }

  /// The stated reason changes.
  mutating func change(to next: Reason?, at now: Instant) {
    if let reason, isSilence(reason), now > since { add(reason, until: now) }
    reason = next
    since = now
  }

  /// What was missing has come: the silence is over.
  mutating func succeed(at now: Instant) {
    change(to: reason, at: now)
    pieces.removeAll { $0.to - $0.from < Self.shortest }
    firstOpen = pieces.count
  }

  private mutating func add(_ reason: Reason, until now: Instant) {
    let oldest = max(firstOpen, pieces.count - Self.lookBack)
    let interrupted = pieces[oldest...].lastIndex {
      $0.reason == reason && since - $0.to < Self.shortest
    }
    guard let interrupted else {
      return pieces.append(Silence(subject: subject, from: since, to: now, reason: reason))
    }
    pieces[interrupted].to = now
    // The short interruptions are part of it now.
    let later = pieces[(interrupted + 1)...].filter { $0.to - $0.from >= Self.shortest }
    pieces.replaceSubrange((interrupted + 1)..., with: later)
  }

  private func isSilence(_ reason: Reason) -> Bool {
    switch reason {
    // After the finish nothing is missing.
    case .notDue, .nothingPending, .finished: false
    case .sessionStopped, .noFix, .poorAccuracy, .clockUntrusted, .atRest, .batteryReserve,
      .modemOff, .noSIM, .simLocked, .simRefused, .simLastTry, .simUncertain, .simBlocked,
      .searching, .registrationDenied, .noBearer, .reconnectFloor,
      .backingOff, .serverRejected, .unauthorised, .storeFailed:
      true
    }
  }
}
