/// Tells where one report of a receiver ends and the next begins.
///
/// Receivers send several sentences about each instant, in an order of their own, some of them
/// without a time. The rules:
///
/// - a sentence with another time of day (by 10 ms or more) begins the next cycle. Less is the same
///   instant with fewer decimals: Magellan's GLL has three, its RMC two;
/// - ZDA does not, unless it alone tells the time: some receivers send it ahead, for the pulse that
///   follows (Ashtech AC12). What comes after a ZDA may set the time right;
/// - a sentence without a time belongs to the cycle that is open, unless its kind came in it
///   already: then it begins the next. Runs of GSA and GSV, one for each satellite system, count
///   once, and again only after another kind and from the same talker;
/// - a kind that has a field for the time and leaves it empty counts as one without a time.
public struct CycleDetector: Sendable, Equatable {
  private var kinds: UInt8 = 0
  private var gsaTalkers: UInt8 = 0
  private var gsvTalkers: UInt8 = 0
  private var lastKind: UInt8 = 0
  /// What `time` comes from: 0 nothing, 1 ZDA, 2 GLL, 3 RMC, GGA or GNS.
  private var timeRank: UInt8 = 0
  private var time: Int32 = 0

  public init() {}

  /// Whether a cycle is open.
  public var isOpen: Bool { kinds != 0 }

  /// The time of day of the open cycle in milliseconds since midnight UTC, once one has come.
  public var timeOfDayMilliseconds: Int32? { timeRank == 0 ? nil : time }

  /// Ends the cycle that is open: what comes next begins another.
  public mutating func close() { self = CycleDetector() }

  /// Takes note of a sentence; tells whether it begins another cycle than the one that was open.
  ///
  /// - Parameter timeOfDay: milliseconds since midnight, `nil` when the sentence has none.
  @inline(__always)
  public mutating func begins(_ kind: SentenceKind, _ talker: Talker, at timeOfDay: Int32?) -> Bool
  {
    let isNew = kinds != 0 && isOther(kind, talker, timeOfDay)
    if isNew { close() }
    kinds |= kind.bit
    lastKind = kind.bit
    if let timeOfDay {
      let rank: UInt8 = kind == .zda ? 1 : kind == .gll ? 2 : 3
      if rank > timeRank {
        timeRank = rank
        time = timeOfDay
      }
    }
    if kind == .gsa { gsaTalkers |= talker.bit }
    if kind == .gsv { gsvTalkers |= talker.bit }
    return isNew
  }

  @inline(__always)
  private func isOther(_ kind: SentenceKind, _ talker: Talker, _ timeOfDay: Int32?) -> Bool {
    let isRepeated = kinds & kind.bit != 0
    switch kind {
    case .gsa: return lastKind != kind.bit && gsaTalkers & talker.bit != 0
    case .gsv: return lastKind != kind.bit && gsvTalkers & talker.bit != 0
    case .vtg: return lastKind != kind.bit && isRepeated
    case .zda:
      guard let timeOfDay, timeRank != 0 else { return isRepeated }
      return timeRank == 1 && isApart(timeOfDay)
    case .rmc, .gga, .gns, .gll:
      guard let timeOfDay, timeRank != 0 else { return isRepeated }
      return isApart(timeOfDay) && (timeRank > 1 || isRepeated)
    }
  }

  @inline(__always)
  private func isApart(_ timeOfDay: Int32) -> Bool {
    let apart = timeOfDay &- time
    return apart >= 10 || apart <= -10
  }
}
