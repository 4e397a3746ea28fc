import NMEA

/// Whether the receiver is awake and sending.
struct ReceiverWatch: Sendable, Equatable {
  enum State: Sendable, Equatable {
    /// Exits: `silent`, `asleep`.
    case heard(silentAt: Instant)
    /// Awake, and nothing came for `Bounds.receiverSilence`, or unplugged. Exits: `heard`,
    /// `asleep`.
    case silent
    /// Put to sleep by the tracker; `nil`: until `wake` is called. Exits: `heard`, `silent`.
    case asleep(wakeAt: Instant?)
  }

  private(set) var state: State
  private(set) var isLinePresent = true
  private let dialect: ReceiverDialect
  /// Whether the modem has to switch the receiver inside it on or off; `nil`: neither.
  private var modemOrder: Bool?
  private var flood: FloodDetector

  init(_ dialect: ReceiverDialect = .none, at now: Instant) {
    self.dialect = dialect
    flood = FloodDetector(at: now)
    state = .heard(silentAt: now + Bounds.receiverSilence)
  }

  var deadline: Instant? {
    switch state {
    case .heard(let silentAt): silentAt
    case .silent: nil
    case .asleep(let wakeAt): wakeAt
    }
  }

  /// Configures the receiver: at the start, and when its line is back.
  mutating func configure(into sink: inout some EffectSink & ~Copyable) {
    switch dialect {
    case .none: return
    case .modemGPS: if case .asleep = state { modemOrder = false } else { modemOrder = true }
    case .ublox, .ubloxM10, .mediatek, .casic:
      sink.send(.setRate)
      sink.send(.setSentences)
    }
  }

  /// Returns and clears the order for the receiver inside the modem.
  mutating func takeModemOrder() -> Bool? {
    defer { modemOrder = nil }
    return modemOrder
  }

  private mutating func order(
    _ command: ReceiverCommand, into sink: inout some EffectSink & ~Copyable
  ) {
    if dialect == .modemGPS {
      modemOrder = command == .wake
    } else {
      sink.send(command)
    }
  }

  /// Its port was unplugged, or is back; then it may have lost its configuration.
  mutating func lineChanged(
    isPresent: Bool, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    isLinePresent = isPresent
    switch state {
    case .heard where !isPresent: fallSilent(into: &sink)
    case .heard, .silent: if isPresent { configure(into: &sink) }
    case .asleep:
      guard isPresent else { return }
      configure(into: &sink)
      order(.sleep, into: &sink)
    }
  }

  private mutating func fallSilent(into sink: inout some EffectSink & ~Copyable) {
    sink.note(.receiverSilent)
    state = .silent
  }

  /// - Returns: whether it was silent before.
  mutating func heard(
    _ bytes: Int, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) -> Bool {
    if let rate = flood.count(bytes, at: now) {
      sink.note(.receiverFloods(bytesPerSecond: rate))
    }
    switch state {
    case .silent:
      sink.note(.receiverHeard)
      state = .heard(silentAt: now + Bounds.receiverSilence)
      return true
    case .heard: state = .heard(silentAt: now + Bounds.receiverSilence)
    // The rest of what it was sending when it was put to sleep.
    case .asleep: break
    }
    return false
  }

  mutating func sleep(until wakeAt: Instant?, into sink: inout some EffectSink & ~Copyable) {
    switch state {
    case .heard, .silent: order(.sleep, into: &sink)
    // Already asleep between two captures when the session stops: only the wake time changes.
    case .asleep: break
    }
    state = .asleep(wakeAt: wakeAt)
  }

  mutating func wake(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    guard case .asleep = state else { return }
    order(.wake, into: &sink)
    state = .heard(silentAt: now + Bounds.receiverSilence)
    if !isLinePresent { fallSilent(into: &sink) }
  }

  /// The tracker has just started, and the one before it has put the receiver to sleep.
  mutating func wakeUp(into sink: inout some EffectSink & ~Copyable) { order(.wake, into: &sink) }

  mutating func deadlineReached(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    guard let deadline, now >= deadline else { return }
    switch state {
    case .heard: fallSilent(into: &sink)
    case .asleep: wake(at: now, into: &sink)
    case .silent: return
    }
  }
}

/// Detects a line that delivers more than any receiver sends.
struct FloodDetector: Sendable, Equatable {
  private var windowStart: Instant
  private var bytes: Int64 = 0
  private var isFlooding = false

  init(at now: Instant) { windowStart = now }

  /// Counts received bytes. Returns the rate in bytes per second when a flood begins.
  mutating func count(_ count: Int, at now: Instant) -> Int32? {
    let elapsed = now - windowStart
    if elapsed >= Bounds.floodWindow || elapsed < 0 {
      if bytes <= Self.most { isFlooding = false }
      windowStart = now
      bytes = 0
    }
    bytes &+= Int64(count)
    guard bytes > Self.most && !isFlooding else { return nil }
    isFlooding = true
    let since = max(1000, (now - windowStart).count)
    return Int32(clamping: bytes / (since / 1000))
  }

  private static var most: Int64 { Bounds.receiverFlood * Bounds.floodWindow.count / 1000 }
}

// From the receiver's bytes to fixes.
extension Tracker {
  /// - Returns: whether there is anything to act on; most bytes are only a part of a report, and
  ///   most reports say where the team is and nothing else that is new.
  mutating func receiveFromReceiver(
    _ bytes: Span<UInt8>, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) -> Bool {
    var isNews = watch.heard(bytes.count, at: now, into: &sink)
    var position = 0
    while let epoch = decoder.next(in: bytes, from: &position, telling: &sink) {
      if hear(epoch, at: now, into: &sink) { isNews = true }
    }
    epochEndsAt = decoder.hasOpenEpoch ? now + Bounds.epochQuiet : nil
    sink.heard(decoder.counts, isReportOpen: decoder.hasOpenEpoch)
    return isNews
  }

  /// Handles one complete position report.
  ///
  /// - Returns: whether there is anything to act on.
  mutating func hear(
    _ epoch: Epoch, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) -> Bool {
    sink.heard(epoch)
    tally.epochs &+= 1
    let wasTrusted = clock.isTrusted
    let reason = session.missingFixReason
    let hadCorrection = clock.correctionWeeks
    let utc = clock.hear(epoch, at: now)
    // The clock of a receiver without a fix may look like a rollover, so only a trusted one is
    // reported.
    if clock.isTrusted && clock.correctionWeeks != 0
      && (!wasTrusted || clock.correctionWeeks != hadCorrection)
    {
      sink.note(.weekRolloverCorrected(weeks: clock.correctionWeeks))
    }
    if clock.isTrusted && !wasTrusted, let utc { sink.note(.clockTrusted(utc)) }
    if clock.isTrusted, waking != nil { correctWaking(at: now) }

    switch filter.judge(epoch, utc: utc, at: now) {
    case .accepted(let fix):
      tally.accepted &+= 1
      odometer.move(to: fix.position, accuracyMetres: fix.accuracyMetres)
      session.missingFixReason = .noFix
      session.offer(fix)
      if session.isRunning, sink.hasCourse { follow(fix, at: now, into: &sink) }
    case .rejected(let rejection):
      tally.count(rejection)
      session.missingFixReason = rejection == .noFix ? .noFix : .poorAccuracy
      // A report without a fix is not news; the others indicate a problem.
      if rejection != .noFix { sink.note(.fixRejected(rejection)) }
    }
    if case .some = course.wanted { return true }
    if let utc, utc >= quietUntilDate { return true }
    return now >= quietUntil || clock.isTrusted != wasTrusted || isMemoryDue
      || session.missingFixReason != reason
  }
}
