public import TrackerCore
public import Wording

/// What became of one emergency. Times count from when the tracker had taken the call, which is the
/// last one.
public struct EmergencyOutcome: Sendable, Equatable, Codable {
  public enum Verdict: String, Sendable, CaseIterable, Codable {
    /// A server has a capture of it.
    case data
    /// Only a text message got out.
    case text
    /// There was never charge, coverage and a server for as long as a contact takes.
    case couldNot
    /// It could be heard, and was not.
    case unheard

    /// - Parameters:
    ///   - server: when one had it.
    ///   - text: when a text message was out.
    ///   - chance: when it could first be heard; `nil`: never.
    init(server: Instant?, text: Instant?, chance: Instant?) {
      self =
        server != nil ? .data : text != nil ? .text : chance == nil ? .couldNot : .unheard
    }
  }

  /// What was between the tracker and a human for a time.
  public struct Barrier: Sendable, Equatable, Codable {
    public enum Kind: String, Sendable, Codable {
      case noNetwork, noData, server, noProgram, nobodyThere, batteryEmpty
    }

    public var kind: Kind
    public var from: Instant
    /// `.distantFuture`: to the end.
    public var to: Instant
  }

  public struct Line: Sendable, Equatable, Codable {
    /// From the last call that the team made.
    public var at: Milliseconds
    public var text: String
  }

  /// A contact with all that may delay it: the modem boots (30 s), searches (3 min), brings up its
  /// link (1 min), and a request is given up (2 min).
  static let contact = Milliseconds.minutes(7)

  public let seed: UInt64
  @InOrder public private(set) var troubles: Set<EmergencyTrouble>
  public internal(set) var verdict = Verdict.unheard
  /// When a server had it, when a text message was out, and when the tracker showed that a human
  /// has read it; `nil`: never.
  public internal(set) var server: Milliseconds?
  public internal(set) var text: Milliseconds?
  public internal(set) var read: Milliseconds?
  /// From the modem's registration, with nothing in the way any more, to *read*.
  public internal(set) var readAfterRegistration: Milliseconds?
  /// From the return of the coverage to *read*, where that came last.
  public internal(set) var readAfterCoverage: Milliseconds?
  /// It was heard, but not in the first contact that it could have had.
  public internal(set) var isLate = false
  /// The tracker asked to be called again and again, and the race was broken off there.
  public internal(set) var isStuck = false
  /// The tracker did not show the call any more, and nobody had withdrawn or ended it.
  public internal(set) var isForgotten = false
  /// It said that the server had it, or a human had read it, before that was so.
  public internal(set) var isToldTooEarly = false
  /// The person who read it first answered by text message.
  public internal(set) var isReadByText = false
  /// A human has read it, and the tracker had the time to learn that, but did not show it.
  public internal(set) var isReadUnknown = false
  /// From the first call to the end of the emergency or of the race.
  @ExactNumber public internal(set) var joules = 0.0
  public internal(set) var standing = Milliseconds(0)
  public internal(set) var barriers: [Barrier] = []
  /// What happened, if that was asked for.
  public internal(set) var story: [Line] = []

  /// What keeps data from a server; people do not.
  var dataBarriers: [Barrier] {
    barriers.filter { $0.kind != .nobodyThere && $0.kind != .batteryEmpty }
  }
  /// What keeps text messages from everybody.
  var textBarriers: [Barrier] {
    barriers.filter { $0.kind == .noNetwork || $0.kind == .noProgram }
  }

  /// Whether a human could have heard of it, in time, and did not. A server that leaves half of the
  /// requests without an answer gives no time in which it takes one.
  public var isFailure: Bool {
    verdict == .unheard || isLate && !troubles.contains(.lateServer) || isStuck
  }

  init(_ plan: EmergencyPlan) {
    seed = plan.seed
    troubles = plan.troubles
  }

  /// The begin of the first time without any such barrier that is long enough for a contact.
  static func chance(
    among barriers: [Barrier], from: Instant, to end: Instant
  ) -> Instant? {
    var free = from
    for barrier in barriers.sorted(by: { $0.from < $1.from }) {
      if min(barrier.from, end) - free >= contact { return free }
      free = max(free, min(barrier.to, end))
    }
    return end - free >= contact ? free : nil
  }
}
