/// Which places of the course a team has entered, left, passed unseen and missed.
///
/// A place is entered where a position is inside its circle. It is left where three positions were
/// beyond the circle and a margin and none inside again (those in the margin do not count), or one
/// was beyond twice the margin, or in another place: so that noise at the edge makes one entry. It
/// is entered again only as far inside. One that was passed unseen is inferred from the distances
/// before and after. One that was passed while the team was beside the course is missed, and
/// reported as such once a later one is passed.
public struct PlaceWatch: Sendable, Equatable {
  /// Those before this one have been reported.
  private(set) var next: Int16
  /// Negative: none.
  private(set) var inside: Int16
  private(set) var isFinished: Bool
  /// Where the team was first seen on the course, millimetres: it has missed nothing before.
  private(set) var knownFrom: Int32 = .max
  /// Its middle was passed unseen, but its circle is not behind the team yet. Negative: none.
  private(set) var unseen: Int16 = -1
  private var unseenAt = Instant.start
  private var outsideCount: Int8 = 0
  /// How far off the times before and after may be.
  private var unseenDoubt: UInt16 = 0
  private var outsideDoubt: UInt16 = 0
  private var outsideSince = Instant.start

  /// - Parameters: what was reported before, as the properties say.
  init(next: Int16 = 0, inside: Int16 = -1, isFinished: Bool = false) {
    self.next = max(0, next)
    self.inside = max(-1, inside)
    self.isFinished = isFinished
  }

  /// Goes on after a restart.
  ///
  /// - Parameters:
  ///   - at: when the record's position was; `nil`: unknown, and nothing is reported of places
  ///     between it and the next position.
  ///   - count: of places on the course.
  init(_ record: CourseRecord, at: Instant?, now: Instant, placeCount count: Int32) {
    self.init(next: record.next, inside: record.inside, isFinished: record.isFinished)
    if at != nil { knownFrom = record.knownFrom }
    if Int32(record.unseen) < count { unseen = max(-1, record.unseen) }
    unseenAt = at ?? now
    unseenDoubt = Stretch.seconds(now - unseenAt)
  }

  /// From one point of the course to the next, millimetres along.
  struct Stretch {
    var from: Int32
    var since: Instant
    var to: Int32
    var at: Instant
    /// Whether the team may have walked all of it.
    var isOnTheWay: Bool
    /// Whether it is off the course now.
    var isLost: Bool

    /// When it was at a place in between.
    func time(at along: Int32) -> Instant {
      let whole = Int64(to) - Int64(from)
      guard whole > 0, along > from, along < to else { return at }
      let elapsed = min(max(0, (at - since).count), 1_000_000_000)
      return since + Milliseconds(elapsed * (Int64(along) - Int64(from)) / whole)
    }

    /// How far off that may be: the team was there at some time in between.
    func doubt(of time: Instant) -> UInt16 {
      time == at ? 0 : Self.seconds(max(at - time, time - since))
    }

    /// Rounded up.
    static func seconds(_ time: Milliseconds) -> UInt16 {
      UInt16(clamping: (max(0, time.count) + 999) / 1000)
    }
  }

  mutating func follow(
    _ stretch: Stretch, _ step: CourseStep, on map: borrowing some CourseMap & ~Copyable,
    into passages: inout Passages
  ) {
    knownFrom = min(knownFrom, stretch.to)
    if Int32(inside) >= map.coursePlaceCount { inside = -1 }
    let entered = entered(stretch, step, on: map)
    if inside >= 0 { considerLeaving(stretch, for: entered, step, on: map, into: &passages) }
    if stretch.isOnTheWay { passUnseen(stretch, until: entered, on: map, into: &passages) }
    if let entered, Int16(entered) != inside {
      tell(.entered, entered, at: step.at, noticed: step.at, on: map, into: &passages)
      inside = Int16(entered)
      outsideCount = 0
    }
    guard unseen >= 0 else { return }
    let place = map.coursePlace(Int32(unseen))
    // Nobody gets further than the line's end, where the finish is.
    let end = min(
      Int64(place.alongMillimetres) + Int64(place.radiusMetres + margin(step)) * 1000,
      Int64(map.courseLengthMillimetres))
    if inside == unseen {
      unseen = -1
    } else if Int64(stretch.to) >= end {
      tellUnseen(at: step.at, on: map, into: &passages)
    }
  }

  private func margin(_ step: CourseStep) -> Int32 {
    max(Bounds.placeMarginMetres, 2 * step.accuracy)
  }

  /// The place in whose circle the position is, and where the team can be on its way; of several
  /// the nearest, but the one where it already is.
  private func entered(
    _ stretch: Stretch, _ step: CourseStep, on map: borrowing some CourseMap & ~Copyable
  ) -> Int32? {
    var nearest: (index: Int32, metres: Int32)?
    var index: Int32 = 0
    while index < map.coursePlaceCount {
      defer { index += 1 }
      let place = map.coursePlace(index)
      let ahead = Int64(place.alongMillimetres) - Int64(stretch.to)
      // No place has a wider reach, and the others lie further on.
      if !stretch.isLost, ahead > Int64(3 * Bounds.placeRadius + 300) * 1000 { break }
      let along = abs(ahead) / 1000
      let isOnTheWay = along <= Int64(3 * place.radiusMetres + 300)
      // A team that comes back to the course may do so at a later place; but a finish beside the
      // start is not one of these.
      let isLater = index == Int32(next) || index > Int32(next) && place.kind != .finish
      guard isOnTheWay || stretch.isLost && isLater else { continue }
      let metres = place.position.distanceMetres(to: step.to)
      guard metres <= place.radiusMetres else { continue }
      if index == Int32(inside) { return index }
      // A team that really comes back to a place is well inside; noise at its edge is not a return.
      let isReturn = index < Int32(next)
      let within = max(place.radiusMetres / 4, place.radiusMetres - margin(step))
      guard !isReturn || metres <= within else { continue }
      if metres < nearest?.metres ?? .max { nearest = (index, metres) }
    }
    return nearest?.index
  }

  private mutating func considerLeaving(
    _ stretch: Stretch, for entered: Int32?, _ step: CourseStep,
    on map: borrowing some CourseMap & ~Copyable,
    into passages: inout Passages
  ) {
    if let entered, entered == Int32(inside) {
      outsideCount = 0
      return
    }
    let place = map.coursePlace(Int32(inside))
    let beyond = place.position.distanceMetres(to: step.to) - place.radiusMetres
    let margin = margin(step)
    guard entered != nil || beyond > margin else { return }
    if outsideCount == 0 {
      let edge = Int64(place.alongMillimetres) + Int64(place.radiusMetres) * 1000
      outsideSince = stretch.isOnTheWay ? stretch.time(at: Int32(clamping: edge)) : step.at
      outsideDoubt = stretch.doubt(of: outsideSince)
    }
    outsideCount += 1
    guard entered != nil || outsideCount >= 3 || beyond > 2 * margin else { return }
    passages.add(.left, Int32(inside), at: outsideSince, doubtSeconds: outsideDoubt)
    inside = -1
    outsideCount = 0
  }

  /// The places in whose middle the team was in between without having been seen there.
  private mutating func passUnseen(
    _ stretch: Stretch, until entered: Int32?, on map: borrowing some CourseMap & ~Copyable,
    into passages: inout Passages
  ) {
    var index = Int32(next)
    while index < map.coursePlaceCount {
      let along = map.coursePlace(index).alongMillimetres
      if along > stretch.to { return }
      if along > stretch.from, index != entered ?? -1, index != Int32(inside) {
        if unseen >= 0 { tellUnseen(at: stretch.at, on: map, into: &passages) }
        unseen = Int16(index)
        unseenAt = stretch.time(at: along)
        unseenDoubt = stretch.doubt(of: unseenAt)
      }
      index += 1
    }
  }

  private mutating func tellUnseen(
    at now: Instant, on map: borrowing some CourseMap & ~Copyable, into passages: inout Passages
  ) {
    let index = Int32(unseen)
    unseen = -1
    if index >= Int32(next) {
      tell(.inferred, index, at: unseenAt, noticed: now, on: map, into: &passages)
    }
  }

  /// Reports a place, and before it those that were missed on the way there.
  private mutating func tell(
    _ kind: Passage.Kind, _ index: Int32, at: Instant, noticed now: Instant,
    on map: borrowing some CourseMap & ~Copyable, into passages: inout Passages
  ) {
    if unseen >= 0, Int32(unseen) < index { tellUnseen(at: now, on: map, into: &passages) }
    while Int32(next) < index {
      if map.coursePlace(Int32(next)).alongMillimetres >= knownFrom {
        passages.add(.missed, Int32(next), at: now)
      }
      next += 1
    }
    if Int32(next) == index { next += 1 }
    isFinished = isFinished || map.coursePlace(index).kind == .finish
    passages.add(
      kind, index, at: at, doubtSeconds: kind == .inferred ? unseenDoubt : 0)
  }
}

/// A team and a place of the course.
public struct Passage: Sendable, Equatable {
  public enum Kind: UInt8, Sendable, Equatable {
    /// It was seen inside the place's radius.
    case entered
    /// It was outside again, beyond the radius and a margin.
    case left
    /// It was not seen there, but on the course before and after, and could have walked it.
    case inferred
    /// It is past a later place and cannot have passed this one: a short cut.
    case missed

    /// The same in every format.
    public var name: StaticString {
      switch self {
      case .entered: "entered"
      case .left: "left"
      case .inferred: "inferred"
      case .missed: "missed"
      }
    }
  }

  public var kind: Kind
  /// The place's index in the `CourseMap`.
  public var place: Int16
  /// How far off `at` may be, because it lies between two positions.
  public var doubtSeconds: UInt16 = 0
  /// When it was first seen inside; when it was outside or, inferred, in the middle, interpolated
  /// in a gap; when it was noticed that it was missed.
  public var at: Instant

  public init(_ kind: Kind, place: Int16, at: Instant) {
    self.kind = kind
    self.place = place
    self.at = at
  }
}

/// What one position says about places, in the order in which it happened.
public struct Passages: Sendable {
  // One for each place, and before these that the last one was left.
  private var passages = InlineArray<42, Passage>(
    repeating: Passage(.left, place: 0, at: .start))
  public private(set) var count: Int32 = 0

  public init() {}

  public subscript(_ index: Int32) -> Passage { passages[Int(index)] }

  mutating func add(
    _ kind: Passage.Kind, _ place: Int32, at: Instant, doubtSeconds: UInt16 = 0
  ) {
    // Cannot happen with `Bounds.coursePlaces` places.
    guard count < 42 else { return }
    passages[Int(count)] = Passage(kind, place: Int16(truncatingIfNeeded: place), at: at)
    passages[Int(count)].doubtSeconds = doubtSeconds
    count += 1
  }
}

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
    var trigger: Trigger
    var place: Int16

    public init(_ trigger: Trigger, place: Int16) {
      self.trigger = trigger
      self.place = place
    }
  }

  /// The first one in the order of the way; `nil`: there is none.
  var first: One? {
    let any = entered | inferred | left
    guard any != 0 else { return nil }
    let place = Int16(any.trailingZeroBitCount)
    let bit = any & (~any &+ 1)
    if entered & bit != 0 { return One(.entered, place: place) }
    return One(inferred & bit != 0 ? .inferred : .left, place: place)
  }

  mutating func add(_ passage: Passage) {
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
