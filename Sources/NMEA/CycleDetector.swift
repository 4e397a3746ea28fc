/// Tells where one report of a receiver ends and the next begins.
///
/// Receivers send several sentences about each instant, in an order of their own, some of them
/// without a time. The rules:
///
/// - a sentence with another time of day (by more than 10 ms) begins the next cycle;
/// - a sentence without a time belongs to the cycle that is open, unless its kind came in it
///   already: then it begins the next. Runs of GSA and GSV, one for each satellite system, count
///   once, and again only after another kind and from the same talker;
/// - a kind that has a field for the time and leaves it empty counts as one without a time.
public struct CycleDetector: Sendable, Equatable {
  private var kinds: UInt8 = 0
  private var gsaTalkers: UInt8 = 0
  private var gsvTalkers: UInt8 = 0
  private var lastKind: UInt8 = 0
  /// Milliseconds since midnight, negative while unknown.
  private var time: Int32 = -1

  public init() {}

  /// Whether a cycle is open.
  public var isOpen: Bool { kinds != 0 }

  /// Ends the cycle that is open: what comes next begins another.
  public mutating func close() { self = CycleDetector() }

  /// Takes note of a sentence; tells whether it begins another cycle than the one that was open.
  ///
  /// - Parameter timeOfDay: milliseconds since midnight, `nil` when the sentence has none.
  @inline(__always)
  public mutating func begins(_ kind: SentenceKind, _ talker: Talker, at timeOfDay: Int32?) -> Bool
  {
    let isNew = isOpen && isOther(kind, talker, timeOfDay)
    if isNew { close() }
    kinds |= kind.bit
    lastKind = kind.bit
    if let timeOfDay, time < 0 { time = timeOfDay }
    if kind == .gsa { gsaTalkers |= talker.bit }
    if kind == .gsv { gsvTalkers |= talker.bit }
    return isNew
  }

  @inline(__always)
  private func isOther(_ kind: SentenceKind, _ talker: Talker, _ timeOfDay: Int32?) -> Bool {
    switch kind {
    case .gsa: return lastKind != kind.bit && gsaTalkers & talker.bit != 0
    case .gsv: return lastKind != kind.bit && gsvTalkers & talker.bit != 0
    case .vtg: return lastKind != kind.bit && kinds & kind.bit != 0
    case .rmc, .gga, .gns, .gll, .zda:
      guard let timeOfDay, time >= 0 else { return kinds & kind.bit != 0 }
      let apart = timeOfDay &- time
      return apart > 10 || apart < -10
    }
  }
}
