/// Whether the receiver is awake and talks.
struct ReceiverWatch: Sendable, Equatable {
  enum State: Sendable, Equatable {
    /// Exits: `silent`, `asleep`.
    case heard(silentAt: Instant)
    /// Awake, and nothing came for `Bounds.receiverSilence`. Exits: `heard`, `asleep`.
    case silent
    /// Put to sleep by the tracker; `nil`: until somebody wakes it. Exits: `heard`.
    case asleep(wakeAt: Instant?)
  }

  private(set) var state = State.heard(silentAt: .start + Bounds.receiverSilence)

  init(at now: Instant) { state = .heard(silentAt: now + Bounds.receiverSilence) }

  var deadline: Instant? {
    switch state {
    case .heard(let silentAt): silentAt
    case .silent: nil
    case .asleep(let wakeAt): wakeAt
    }
  }

  mutating func heard(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    switch state {
    case .silent:
      sink.push(.note(.receiverHeard))
      state = .heard(silentAt: now + Bounds.receiverSilence)
    case .heard: state = .heard(silentAt: now + Bounds.receiverSilence)
    // The tail of what it was saying when it was put to sleep.
    case .asleep: return
    }
  }

  mutating func sleep(until wakeAt: Instant?, into sink: inout some EffectSink & ~Copyable) {
    switch state {
    case .heard, .silent: sink.push(.sendToReceiver(.sleep))
    // Asleep between two captures when the session stops: it must not wake for the next one.
    case .asleep: break
    }
    state = .asleep(wakeAt: wakeAt)
  }

  mutating func wake(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    guard case .asleep = state else { return }
    sink.push(.sendToReceiver(.wake))
    state = .heard(silentAt: now + Bounds.receiverSilence)
  }

  mutating func deadlineReached(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    guard let deadline, now >= deadline else { return }
    switch state {
    case .heard:
      sink.push(.note(.receiverSilent))
      state = .silent
    case .asleep: wake(at: now, into: &sink)
    case .silent: return
    }
  }
}
