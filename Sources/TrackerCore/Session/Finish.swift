/// When the race is over. The battery must reach it.
public enum Finish: Sendable, Equatable {
  case at(UTC)
  /// Counts from the session's first start.
  case after(Milliseconds)
}

/// When something is due.
enum Horizon: Sendable, Equatable {
  case never
  /// Until a date is trusted.
  case unknown
  case at(Instant)

  var instant: Instant? { if case .at(let instant) = self { instant } else { nil } }

  static func + (a: Horizon, b: Milliseconds) -> Horizon {
    if case .at(let instant) = a { .at(instant + b) } else { a }
  }
}

// The finish, and the end of the session after it.
extension Tracker {
  /// When the race is over.
  func finish(at now: Instant) -> Horizon {
    switch configuration.finish {
    case nil: return .never
    case .at(let utc):
      guard clock.isTrusted, let date = clock.utc(at: now) else { return .unknown }
      return .at(now + (utc - date))
    case .after(let length):
      guard case .known(let age) = identity.memory.session?.begun.age(at: now, by: clock) else {
        return .unknown
      }
      return .at(now - age + length.bounded)
    }
  }

  /// When the session ends by itself. One that a person began after that is not bound by it.
  func sessionEnd(at now: Instant) -> Horizon {
    guard let grace = configuration.endAfterFinish else { return .never }
    let end = finish(at: now) + grace.bounded
    guard case .at(let finish) = configuration.finish, let session = identity.memory.session,
      session.isOrdered, let date = session.begun.utc, date >= finish + grace.bounded
    else { return end }
    return .never
  }
}

extension Milliseconds {
  /// Within a year, so that sums stay in the calendar.
  fileprivate var bounded: Milliseconds { min(max(0, self), .hours(8766)) }
}
