public import TrackerCore

/// What became of one emergency. Times count from when the tracker had taken the call, which is the
/// last one.
public struct EmergencyOutcome: Sendable, Equatable {
  public enum Verdict: String, Sendable, CaseIterable {
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
    ///   - clear: the longest time with nothing between it and one of the two.
    init(server: Milliseconds?, text: Milliseconds?, clear: Milliseconds) {
      self =
        server != nil ? .data : text != nil ? .text : clear < contact ? .couldNot : .unheard
    }
  }

  /// What was between the tracker and a human for a time.
  public struct Barrier: Sendable, Equatable {
    public enum Kind: String, Sendable {
      case noNetwork, noData, server, noProgram, nobodyThere, batteryEmpty
    }

    public var kind: Kind
    public var from: Instant
    /// `.distantFuture`: to the end.
    public var to: Instant

    /// Whether neither data nor a text message gets through.
    var stopsTexts: Bool { kind == .noNetwork || kind == .noProgram }
    /// Whether no data reaches a server.
    var stopsData: Bool { kind != .nobodyThere && kind != .batteryEmpty }
  }

  public struct Line: Sendable, Equatable {
    /// From the last call that the team made.
    public var at: Milliseconds
    public var text: String
  }

  /// A contact with all that may delay it: the modem boots (30 s), searches (3 min), brings up its
  /// link (1 min), and a request is given up (2 min).
  static let contact = Milliseconds.minutes(7)

  public let seed: UInt64
  public let troubles: Set<EmergencyTrouble>
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
  /// The tracker did not show the call any more, and nobody had withdrawn or ended it.
  public internal(set) var isForgotten = false
  /// It said that the server had it, or a human had read it, before that was so.
  public internal(set) var isToldTooEarly = false
  /// A human has read it, and the tracker had the time to learn that, but did not show it.
  public internal(set) var isReadUnknown = false
  /// From the first call to the end of the emergency or of the race.
  public internal(set) var joules = 0.0
  public internal(set) var standing = Milliseconds(0)
  public internal(set) var barriers: [Barrier] = []
  /// What happened, if that was asked for.
  public internal(set) var story: [Line] = []

  init(_ plan: EmergencyPlan) { (seed, troubles) = (plan.seed, plan.troubles) }

  /// The longest time without any such barrier.
  static func clear(
    of barriers: [Barrier], from: Instant, to end: Instant
  ) -> Milliseconds {
    var longest = Milliseconds(0)
    var free = from
    for barrier in barriers.sorted(by: { $0.from < $1.from }) {
      longest = max(longest, min(barrier.from, end) - free)
      free = max(free, min(barrier.to, end))
    }
    return max(longest, end - free)
  }
}
