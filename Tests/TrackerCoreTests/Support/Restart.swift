@testable import TrackerCore

/// How a tracker comes to be restarted.
enum Restart: Sendable, CaseIterable {
  /// The program alone, by systemd or a person: the machine's clock goes on.
  case program
  /// The whole machine, as after a power cut: what was not dated is so for ever.
  case machine
}

extension Bench {
  /// A new tracker with what is on disk of this one, `off` later. The date goes on meanwhile.
  func restarted(
    _ restart: Restart = .machine, after off: Milliseconds = .minutes(2), team: String? = nil,
    pending: UInt32 = 0, dateStep: Milliseconds = 0,
    _ adjust: (inout Configuration) -> Void = { _ in }
  ) -> Bench {
    let elapsed = now - .start + off
    var identity = Identity.bench
    if let team { identity.team = InlineText(Array(team.utf8).span) }
    identity.nextSequence = UInt32(stored.count) + 1
    identity.pending = pending
    identity.memory = restart == .machine ? kept.withoutInstants : kept.earlier(by: elapsed)
    var configuration = tracker.configuration
    adjust(&configuration)
    var bench = Bench(identity: identity) { $0 = configuration }
    bench.date = date.map { $0 + elapsed + dateStep }
    bench.sky = sky
    return bench
  }
}

extension Memory {
  fileprivate var withoutInstants: Memory { mapped { Moment(utc: $0.utc) } }

  fileprivate func earlier(by time: Milliseconds) -> Memory {
    mapped { Moment(at: $0.at.map { $0 - time }, utc: $0.utc) }
  }

  private func mapped(_ change: (Moment) -> Moment) -> Memory {
    var memory = self
    if let session { memory.session?.begun = change(session.begun) }
    if let session { memory.session?.ended = change(session.ended) }
    if let order = sessionOrder { memory.sessionOrder?.given = change(order.given) }
    if let course { memory.course?.at = change(course.at) }
    if let emergency { memory.emergency?.raised = change(emergency.raised) }
    if let order = teamOrder { memory.teamOrder?.given = change(order.given) }
    return memory
  }
}
