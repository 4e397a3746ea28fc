/// Passages that have no capture yet, by places: at most `Bounds.coursePlaces`, a bit for each.
public struct WantedPassages: Sendable, Equatable {
  public var entered: UInt64
  public var inferred: UInt64
  public var left: UInt64

  public init(entered: UInt64 = 0, inferred: UInt64 = 0, left: UInt64 = 0) {
    self.entered = entered
    self.inferred = inferred
    self.left = left
  }

  /// A passage and the trigger of its capture.
  public struct One: Sendable, Equatable {
    public var trigger: Trigger
    public var place: Int16

    public init(_ trigger: Trigger, place: Int16) {
      self.trigger = trigger
      self.place = place
    }
  }

  /// The first one in the order of the way; `nil`: there is none.
  public var first: One? {
    let any = entered | inferred | left
    guard any != 0 else { return nil }
    let place = Int16(any.trailingZeroBitCount)
    let bit = any & (~any &+ 1)
    if entered & bit != 0 { return One(.entered, place: place) }
    return One(inferred & bit != 0 ? .inferred : .left, place: place)
  }

  public mutating func add(_ passage: Passage) {
    let bit = Self.bit(passage.place)
    switch passage.kind {
    case .entered: entered |= bit
    case .inferred: inferred |= bit
    case .left: left |= bit
    // There is no position to keep of it.
    case .missed: break
    }
  }

  /// It has a capture now. Another trigger than those of passages changes nothing.
  public mutating func remove(_ one: One) {
    let others = ~Self.bit(one.place)
    if one.trigger == .entered { entered &= others }
    if one.trigger == .inferred { inferred &= others }
    if one.trigger == .left { left &= others }
  }

  /// Forgets places that the course does not have.
  mutating func limit(to count: Int32) {
    let mask: UInt64 = count <= 0 ? 0 : count >= 64 ? .max : 1 << UInt64(count) - 1
    entered &= mask
    inferred &= mask
    left &= mask
  }

  /// 0 for a place that no course has.
  private static func bit(_ place: Int16) -> UInt64 {
    place >= 0 && Int32(place) < Bounds.coursePlaces ? 1 << UInt64(place) : 0
  }
}
