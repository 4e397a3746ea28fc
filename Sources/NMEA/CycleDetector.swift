/// Finds where one report of a receiver ends and the next begins.
///
/// Receivers send several sentences about each instant, in varying order, some of them without a
/// time. The rules:
///
/// - a sentence with another time of day (by 10 ms or more) begins the next cycle. A smaller
///   difference is the same instant with fewer decimals: Magellan's GLL has three, its RMC two;
/// - ZDA does not, unless the open cycle's time comes from a ZDA too: some receivers send it ahead,
///   for the pulse that follows (Ashtech AC12). A later sentence may replace a ZDA's time;
/// - a sentence without a time belongs to the cycle that is open, unless that cycle already has one
///   of its kind. Then it may begin the next, or end this one (after a start in mid-cycle); this
///   stays undecided until the next time of day. Runs of GSA and GSV, one for each satellite
///   system, count once, and again only after another kind and from the same talker;
/// - in a cycle without any time, and for a kind that leaves its time empty, a repeated kind begins
///   the next cycle.
public struct CycleDetector: Sendable, Equatable {
  /// Which cycle a sentence belongs to.
  public enum Membership: Sendable, Equatable {
    /// The open one, as do those that were undecided.
    case open
    /// The next, as do those that were undecided.
    case next
    /// Not known until the next sentence with a time.
    case undecided
  }

  private var seen = Seen()
  private var undecided = Seen()
  private var lastKind: UInt8 = 0
  /// What `time` comes from: 0 nothing, 1 ZDA, 2 GLL, 3 RMC, GGA or GNS.
  private var timeRank: UInt8 = 0
  private var time: Int32 = 0

  private struct Seen: Sendable, Equatable {
    var kinds: UInt8 = 0
    var gsaTalkers: UInt8 = 0
    var gsvTalkers: UInt8 = 0

    @inline(__always)
    mutating func note(_ kind: SentenceKind, _ talker: Talker) {
      kinds |= kind.bit
      if kind == .gsa { gsaTalkers |= talker.bit }
      if kind == .gsv { gsvTalkers |= talker.bit }
    }
  }

  public init() {}

  /// Whether a cycle is open.
  var isOpen: Bool { seen.kinds != 0 }

  /// The time of day of the open cycle in milliseconds since midnight UTC, once one has come.
  public var timeOfDayMilliseconds: Int32? { timeRank == 0 ? nil : time }

  /// Ends the open cycle; the next sentence begins another.
  public mutating func close() { self = CycleDetector() }

  /// Records a sentence and returns the cycle that it belongs to.
  ///
  /// - Parameter timeOfDay: milliseconds since midnight, `nil` when the sentence has none.
  @inline(__always)
  public mutating func note(
    _ kind: SentenceKind, _ talker: Talker, at timeOfDay: Int32?
  ) -> Membership {
    var membership = seen.kinds == 0 ? Membership.open : place(kind, talker, timeOfDay)
    if undecided.kinds != 0, !kind.isTimed { membership = .undecided }
    lastKind = kind.bit
    if membership == .undecided {
      undecided.note(kind, talker)
      return .undecided
    }
    if membership == .next {
      seen = undecided
      timeRank = 0
    }
    if undecided.kinds != 0 { undecided = Seen() }
    seen.note(kind, talker)
    if let timeOfDay {
      let rank: UInt8 = kind == .zda ? 1 : kind == .gll ? 2 : 3
      if rank > timeRank {
        timeRank = rank
        time = timeOfDay
      }
    }
    return membership
  }

  @inline(__always)
  private func place(_ kind: SentenceKind, _ talker: Talker, _ timeOfDay: Int32?) -> Membership {
    var isRepeated = seen.kinds & kind.bit != 0
    switch kind {
    case .gsa, .gsv, .vtg:
      if kind == .gsa { isRepeated = seen.gsaTalkers & talker.bit != 0 }
      if kind == .gsv { isRepeated = seen.gsvTalkers & talker.bit != 0 }
      if !isRepeated || lastKind == kind.bit { return .open }
      return timeRank == 0 ? .next : .undecided
    case .zda:
      guard let timeOfDay, timeRank != 0 else { return isRepeated ? .next : .open }
      return timeRank == 1 && isApart(timeOfDay) ? .next : .open
    case .rmc, .gga, .gns, .gll:
      guard let timeOfDay, timeRank != 0 else { return isRepeated ? .next : .open }
      return isApart(timeOfDay) && (timeRank > 1 || isRepeated) ? .next : .open
    }
  }

  @inline(__always)
  private func isApart(_ timeOfDay: Int32) -> Bool {
    let apart = timeOfDay &- time
    return apart >= 10 || apart <= -10
  }
}
