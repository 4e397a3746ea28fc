import TrackerCore

/// A period without a capture or transmission, and its reason.
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

/// Turns changes of the reason into silences.
///
/// Waiting for the next slot (`notDue`) and an empty queue (`nothingPending`) are planned and not
/// silences. Only a success ends a silence, an attempt does not: periods with the same reason less
/// than `shortest` apart are one silence. Silences shorter than that are left out: they are part of
/// every contact (starting the modem, finding the network).
struct SilenceTrack {
  static let shortest = Milliseconds.seconds(60)
  /// How many pieces back to look for an interrupted silence: an attempt passes through four
  /// reasons.
  private static let lookBack = 5

  let subject: Silence.Subject
  private var pieces: [Silence] = []
  private var reason: Reason?
  private var since = Instant.start
  /// Pieces before this index ended with a success.
  private var firstOpen = 0

  init(_ subject: Silence.Subject) { self.subject = subject }

  /// The silences so far of at least `shortest`, in order.
  var silences: [Silence] { pieces.filter { $0.to - $0.from >= Self.shortest } }

  /// Notes a change of the reason.
  mutating func change(to next: Reason?, at now: Instant) {
    if let reason, isSilence(reason), now > since { add(reason, until: now) }
    reason = next
    since = now
  }

  /// Notes a capture or delivery, which ends the silence.
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
    // The short interruptions are now part of it.
    let later = pieces[(interrupted + 1)...].filter { $0.to - $0.from >= Self.shortest }
    pieces.replaceSubrange((interrupted + 1)..., with: later)
  }

  private func isSilence(_ reason: Reason) -> Bool {
    !reason.properties.isPlanned
  }
}
