/// When the race is over. The battery has to last until then.
public enum Finish: Sendable, Equatable {
  case at(UTC)
  /// Counts from the session's first start.
  case after(Milliseconds)
}

/// When something is due.
enum Horizon: Sendable, Equatable {
  case never
  /// Not known until a date is trusted.
  case unknown
  case at(Instant)

  var instant: Instant? { if case .at(let instant) = self { instant } else { nil } }

  static func + (a: Horizon, b: Milliseconds) -> Horizon {
    if case .at(let instant) = a { .at(instant + b) } else { a }
  }
}

/// The finish, and the end of the session after it.
struct FinishRule {
  var finish: Finish?
  /// How much longer the session lasts; `nil`: until a person ends it.
  var grace: Milliseconds?

  init(_ configuration: Configuration) {
    finish = configuration.finish
    grace = configuration.endAfterFinish
  }

  /// When the race is over.
  func finish(of session: SessionRecord?, by clock: Clock, at now: Instant) -> Horizon {
    finish(of: session, at: now, on: clock.moment(at: now).utc)
  }

  /// - Parameter date: of `now`; `nil`: none is trusted.
  func finish(of session: SessionRecord?, at now: Instant, on date: UTC?) -> Horizon {
    switch finish {
    case nil: return .never
    case .at(let utc):
      guard let date else { return .unknown }
      return .at(now + (utc - date))
    case .after(let length):
      guard case .known(let age) = session?.begun.age(at: now, on: date) else { return .unknown }
      return .at(now - age + length.bounded)
    }
  }

  /// When the session ends by itself: never if a person began it after that time.
  func end(of session: SessionRecord?, by clock: Clock, at now: Instant) -> Horizon {
    guard let grace, finish != nil else { return .never }
    let end = finish(of: session, by: clock, at: now) + grace.bounded
    guard case .at(let finish) = finish, let session, session.isOrdered,
      let date = session.begun.utc, date >= finish + grace.bounded
    else { return end }
    return .never
  }
}

extension Configuration {
  var finishRule: FinishRule { FinishRule(self) }

  /// How far the finish is; 0 or less: it is over.
  ///
  /// - Parameters:
  ///   - session: from whose first start `Finish.after` counts.
  ///   - date: of `now`; `nil`: none is trusted.
  ///   - now: on the clock of the session's instants.
  /// - Returns: `nil`: there is no finish, or it cannot be known yet.
  public func untilFinish(session: SessionRecord?, date: UTC?, now: Instant) -> Milliseconds? {
    finishRule.finish(of: session, at: now, on: date).instant.map { $0 - now }
  }
}

extension Milliseconds {
  /// Between 0 and a year, so that sums stay within the calendar.
  fileprivate var bounded: Milliseconds { min(max(0, self), .hours(8766)) }
}
