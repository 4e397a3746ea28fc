import TrackerCore

/// The figures of a run, gathered from a tracker's input and effects.
public struct RunTally: HostObserver {
  public private(set) var taken: UInt32 = 0
  public private(set) var attempts: UInt32 = 0
  public private(set) var succeeded: UInt32 = 0
  /// All attempts without an acknowledged capture: refused, unanswered, given up or still open.
  public var failed: UInt32 { attempts - min(attempts, succeeded) }
  public private(set) var reconciliations: UInt32 = 0
  public private(set) var contacts: UInt32 = 0
  /// In the order in which they began.
  public var silences: [Silence] {
    (capturing.silences + sending.silences).sorted {
      ($0.from, $0.subject.rawValue) < ($1.from, $1.subject.rawValue)
    }
  }
  /// How often each reason prevented a capture, ordered by the first time.
  public private(set) var notCaptured: [(reason: Reason, count: UInt32)] = []
  /// The current reason for not capturing; after a session the last one in it.
  public private(set) var standingReason: Reason?
  private(set) var lastCaptureAt: Instant?
  public private(set) var longestPauseBetweenCaptures = Milliseconds(0)
  public private(set) var promises = PromiseTracker()
  /// Of the course's places, in the order in which they were noticed; the date is `nil` while the
  /// clock is not trusted.
  public private(set) var passages: [(passage: Passage, utc: UTC?)] = []

  /// UTC minus monotonic time, as of the last time that the clock became trusted.
  private var clockOffset: Milliseconds?
  private var promised: UTC?
  private var isStopped = false
  private var isLinkUp = false
  private var capturing = SilenceTrack(.capturing)
  private var sending = SilenceTrack(.sending)

  public init() {}

  public mutating func arrived(_ arrival: Arrival, at now: Instant) {
    switch arrival {
    case .event(.uploadFinished(_, let outcome, _)):
      switch outcome {
      case .answered(let acknowledged, _, _, _) where acknowledged > 0:
        succeeded += 1
        sending.succeed(at: now)
        promises.kept(at: now)
        if let promised, let clockOffset {
          promises.give(until: Instant(milliseconds: promised.milliseconds) - clockOffset)
        }
      // `min`, because a replay may have an answer without its request.
      case .empty: attempts -= min(attempts, 1)
      case .answered, .refused, .unauthorised, .busy, .unreachable, .stalled, .ambiguous: break
      }
    case .event(.linkChanged(let isUp)):
      isLinkUp = isUp
      if isUp { contacts += 1 }
    case .end: finish(at: now)
    case .event, .bytes, .newSettings, .inspection, .restart: break
    }
  }

  public mutating func pushed(_ effect: Effect, at now: Instant) {
    switch effect {
    case .upload(let request):
      attempts += 1
      promised = request.nextContactBy
    case .reconcile: reconciliations += 1
    case .note(let note): self.note(note, at: now)
    case .store, .fetch, .setAside, .pulse, .setPin, .setLight, .sendToModem, .sendToReceiver,
      .setLink, .sendText, .readTexts, .rememberPIN, .setModemBaud, .halt:
      break
    }
  }

  private mutating func note(_ note: Note, at now: Instant) {
    switch note {
    case .captured:
      taken += 1
      capturing.succeed(at: now)
      if let lastCaptureAt {
        longestPauseBetweenCaptures = max(longestPauseBetweenCaptures, now - lastCaptureAt)
      }
      lastCaptureAt = now
    case .notCaptured(let reason): count(reason)
    case .capturing(let reason):
      capturing.change(to: reason, at: now)
      if reason != .sessionStopped && reason != .finished { standingReason = reason }
    case .sending(let reason): sending.change(to: reason, at: now)
    case .sessionStarted: isStopped = false
    case .sessionStopped, .sessionFinished: isStopped = true
    case .clockTrusted(let utc):
      clockOffset = Milliseconds(utc.milliseconds - now.milliseconds)
    case .passage(let passage):
      let utc = clockOffset.map { UTC(milliseconds: (passage.at + $0).milliseconds) }
      passages.append((passage, utc))
    // With the modem's HTTP commands no link comes up.
    case .modem(.inUse): if !isLinkUp { contacts += 1 }
    case .orderEnded, .modem, .fixRejected, .weekRolloverCorrected,
      .receiverSilent, .receiverHeard, .receiverFloods, .signal, .networkOperator, .modemSupply,
      .subscriber, .equipment, .modemRecovery, .modemRestarted, .modemStatusContradicted,
      .radioStaysOn, .externalPower, .accessPointRefused, .pinRefused, .textFinished, .offCourse,
      .backOnCourse, .backwards, .forwards, .courseChanged, .emergency, .callRequest:
      break
    }
  }

  private mutating func count(_ reason: Reason) {
    if let index = notCaptured.firstIndex(where: { $0.reason == reason }) {
      notCaptured[index].count += 1
    } else {
      notCaptured.append((reason, 1))
    }
  }

  private mutating func finish(at now: Instant) {
    // After the finish there is nothing to capture.
    if !isStopped { capturing.change(to: nil, at: now) }
    sending.change(to: nil, at: now)
    promises.close(at: now)
  }
}

/// Counts the promises to the server, and the broken ones.
///
/// Each upload promises the latest time of the next contact. The promise is broken if that time
/// passes without a contact.
public struct PromiseTracker: Sendable, Equatable {
  public private(set) var given: UInt32 = 0
  public private(set) var broken: UInt32 = 0
  private var open: Instant?

  init() {}

  /// The server received a promise.
  mutating func give(until deadline: Instant) {
    given += 1
    open = deadline
  }

  /// The server heard from the tracker.
  mutating func kept(at now: Instant) {
    if let open, now > open { broken += 1 }
    open = nil
  }

  /// The run has ended.
  mutating func close(at now: Instant) { kept(at: now) }
}

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

/// Turns changes of the reason into silences. Waiting for the next slot (`notDue`) and an empty
/// queue (`nothingPending`) are planned and not silences. Only a success ends a silence, an attempt
/// does not: periods with the same reason less than `ReportBounds.silence` apart are one silence.
/// Silences shorter than that are left out: they are part of every contact (starting the modem,
/// finding the network).
struct SilenceTrack {
  let subject: Silence.Subject
  private var pieces: [Silence] = []
  private var reason: Reason?
  private var since = Instant.start
  /// Pieces before this index ended with a success.
  private var firstOpen = 0

  init(_ subject: Silence.Subject) { self.subject = subject }

  /// The silences so far of at least `ReportBounds.silence`, in order.
  var silences: [Silence] { pieces.filter { $0.to - $0.from >= ReportBounds.silence } }

  /// Notes a change of the reason.
  mutating func change(to next: Reason?, at now: Instant) {
    if let reason, isSilence(reason), now > since { add(reason, until: now) }
    reason = next
    since = now
  }

  /// Notes a capture or delivery, which ends the silence.
  mutating func succeed(at now: Instant) {
    change(to: reason, at: now)
    pieces.removeAll { $0.to - $0.from < ReportBounds.silence }
    firstOpen = pieces.count
  }

  private mutating func add(_ reason: Reason, until now: Instant) {
    let oldest = max(firstOpen, pieces.count - ReportBounds.silencePieces)
    let interrupted = pieces[oldest...].lastIndex {
      $0.reason == reason && since - $0.to < ReportBounds.silence
    }
    guard let interrupted else {
      return pieces.append(Silence(subject: subject, from: since, to: now, reason: reason))
    }
    pieces[interrupted].to = now
    // The short interruptions are now part of it.
    let later = pieces[(interrupted + 1)...].filter { $0.to - $0.from >= ReportBounds.silence }
    pieces.replaceSubrange((interrupted + 1)..., with: later)
  }

  private func isSilence(_ reason: Reason) -> Bool {
    !reason.properties.isPlanned
  }
}
