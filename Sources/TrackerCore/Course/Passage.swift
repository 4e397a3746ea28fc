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
