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

  mutating func deadlineReached(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    guard let deadline, now >= deadline else { return }
    switch state {
    case .heard: fallSilent(into: &sink)
    case .asleep: wake(at: now, into: &sink)
    case .silent: return
    }
  }
}
