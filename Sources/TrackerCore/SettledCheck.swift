#if DEBUG
  // After a report for which nothing was settled there was nothing to settle: a bug otherwise,
  // whichever test shows it.
  extension Tracker {
    func checkSettled(at now: Instant) {
      precondition(!time.isSteady || now >= quietUntil || isSettled(at: now))
    }

    /// The session's end comes sooner or later by the receiver's clock, and is planned for anew
    /// once it is near.
    private func isSettled(at now: Instant) -> Bool {
      var copy = self
      var effects = NoEffects()
      copy.settle(at: now, into: &effects)
      guard let planned = nextDeadline, let next = copy.nextDeadline else { return false }
      let isFar = next - now >= Bounds.nearEnd - Bounds.clockTolerance
      return effects.isEmpty && (next >= planned || isFar)
    }
  }

  /// Whether the time has always gone on, and not by leaps: else nothing can be said of what was
  /// planned. It decides nothing, and so does not count when trackers are compared.
  struct SteadyTime: Sendable, Equatable {
    /// `distantFuture`: it has not.
    private var last = Instant.start

    var isSteady: Bool { last < .distantFuture }

    mutating func passes(to now: Instant) {
      let step = now - last
      let goesOn = isSteady && now >= last && step >= 0 && step < .hours(1000)
      last = goesOn ? now : .distantFuture
    }

    static func == (a: Self, b: Self) -> Bool { true }
  }

  /// Notices whether it is given any.
  private struct NoEffects: EffectSink {
    private(set) var isEmpty = true
    mutating func push(_ effect: Effect) { isEmpty = false }
    mutating func remember(_ memory: Memory) { isEmpty = false }
  }
#endif
