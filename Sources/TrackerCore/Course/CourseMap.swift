/// Where a course goes, read one point or place at a time: a host has it in an array, firmware in
/// flash, and no `Tracker` or `CourseProgress` holds a copy.
///
/// Its points are those of a line, two or more, the distances along it rising from one to the next.
/// Its places stand in the order of their distances along. An index is never out of range.
public protocol CourseMap: ~Copyable {
  /// 0: there is no course; at most `Bounds.coursePoints`.
  var coursePointCount: Int32 { get }
  func coursePoint(_ index: Int32) -> CoursePoint
  /// At most `Bounds.coursePlaces`.
  var coursePlaceCount: Int32 { get }
  func coursePlace(_ index: Int32) -> CoursePlace
  /// How far the line may be from the one that it simplifies, metres.
  var courseErrorMetres: Int32 { get }
  var courseLimits: CourseLimits { get }
  /// What is known from an earlier race of where the network is reached.
  var courseCoverage: CourseCoverage { get }
}

/// A host without a course.
extension CourseMap where Self: ~Copyable {
  public var coursePointCount: Int32 { 0 }
  public func coursePoint(_ index: Int32) -> CoursePoint {
    CoursePoint(position: Coordinate(latitude: 0, longitude: 0), alongMillimetres: 0)
  }
  public var coursePlaceCount: Int32 { 0 }
  public func coursePlace(_ index: Int32) -> CoursePlace {
    CoursePlace(.checkpoint, at: Coordinate(latitude: 0, longitude: 0), alongMillimetres: 0)
  }
  public var courseErrorMetres: Int32 { 0 }
  public var courseLimits: CourseLimits { CourseLimits() }
  public var courseCoverage: CourseCoverage { CourseCoverage() }

  var hasCourse: Bool { coursePointCount > 1 }

  /// The whole length in millimetres; 0 without a course.
  public var courseLengthMillimetres: Int32 {
    hasCourse ? coursePoint(coursePointCount - 1).alongMillimetres : 0
  }

  /// The first place further along than `along` millimetres; `nil`: there is none.
  func courseIndexOfPlace(after along: Int32) -> Int32? {
    var index: Int32 = 0
    while index < coursePlaceCount {
      if coursePlace(index).alongMillimetres > along { return index }
      index += 1
    }
    return nil
  }
}

/// A point of a course's line.
public struct CoursePoint: Sendable, Equatable {
  public var position: Coordinate
  /// From the start of the course, along the line before it was simplified; at most 2 000 km.
  public var alongMillimetres: Int32

  public init(position: Coordinate, alongMillimetres: Int32) {
    self.position = position
    self.alongMillimetres = alongMillimetres
  }
}

/// A circle on the course that a team enters and leaves.
public struct CoursePlace: Sendable, Equatable {
  public enum Kind: UInt8, Sendable, Equatable {
    case start
    case checkpoint
    case finish
  }

  public var kind: Kind
  public var position: Coordinate
  /// Of the point of the line where the place is passed.
  public var alongMillimetres: Int32
  /// 10...`Bounds.placeRadius`.
  public var radiusMetres: Int32
  /// Opening hours; `nil`: not stated.
  public var opens: UTC?
  public var closes: UTC?

  public init(
    _ kind: Kind, at position: Coordinate, alongMillimetres: Int32, radiusMetres: Int32 = 100,
    opens: UTC? = nil, closes: UTC? = nil
  ) {
    self.kind = kind
    self.position = position
    self.alongMillimetres = alongMillimetres
    self.radiusMetres = radiusMetres
    self.opens = opens
    self.closes = closes
  }
}

/// How far from the course is off it, and how far back is backwards.
public struct CourseLimits: Sendable, Equatable {
  /// Metres beside the line, beyond three times the fix's accuracy; 0...100 000.
  public var offCourseMetres: Int32
  /// Metres back from the furthest point, beyond three times the fix's accuracy; 0...100 000.
  public var backwardsMetres: Int32

  public init(offCourseMetres: Int32 = 150, backwardsMetres: Int32 = 150) {
    self.offCourseMetres = offCourseMetres
    self.backwardsMetres = backwardsMetres
  }
}

/// The way from one point of the course to the next, seen from a position, in centimetres on the
/// plane that touches the earth there.
public struct CourseLine {
  private let origin: Coordinate
  /// Centimetres per 1e-7 degree, times 1 000 000 000.
  private let north: Int64
  private let east: Int64
  private var from = Corner()

  /// A point of the line: where it is from the position, and how far along.
  private struct Corner {
    var x: Int64 = 0
    var y: Int64 = 0
    var along: Int32 = 0
    var away: Int64 { x * x + y * y }
  }

  /// The point of a piece of the line that is nearest to the position.
  public struct Foot {
    /// Whether it is an end of the piece.
    enum Place: Sendable { case start, inside, end }
    public var along: Int32
    /// Square centimetres.
    public var away: Int64
    var place: Place
  }

  /// Further away than anything.
  public static let nowhere: Int64 = .max

  public init(around origin: Coordinate) {
    self.origin = origin
    north = Coordinate.nanometresPerUnit * 100
    east = north * Coordinate.cosineMillionths(Int64(origin.latitude)) / 1_000_000
  }

  public mutating func begin(at point: CoursePoint) { from = corner(point) }

  /// Goes on to the next point; returns where the way there is nearest.
  public mutating func advance(to point: CoursePoint) -> Foot {
    let to = corner(point)
    defer { from = to }
    guard abs(from.x) < Bounds.courseHorizon, abs(from.y) < Bounds.courseHorizon,
      abs(to.x) < Bounds.courseHorizon,
      abs(to.y) < Bounds.courseHorizon
    else { return Foot(along: from.along, away: Self.nowhere, place: .start) }
    let (x, y) = (to.x - from.x, to.y - from.y)
    let square = x * x + y * y
    let product = -(from.x * x + from.y * y)
    if product <= 0 { return Foot(along: from.along, away: from.away, place: .start) }
    if product >= square { return Foot(along: to.along, away: to.away, place: .end) }
    // Below 2^53, because 600 km at most each way; in 65536ths it has to fit in 63 bits.
    let shift: Int64 = square >> 46 > 0 ? 8 : 0
    let share = ((product >> shift) << 16) / (square >> shift)
    let foot = Corner(x: from.x + ((x * share) >> 16), y: from.y + ((y * share) >> 16))
    let along = ((Int64(to.along) - Int64(from.along)) * share) >> 16
    return Foot(along: from.along + Int32(along), away: foot.away, place: .inside)
  }

  private func corner(_ point: CoursePoint) -> Corner {
    var longitude = Int64(point.position.longitude) - Int64(origin.longitude)
    if longitude > 1_800_000_000 { longitude -= 3_600_000_000 }
    if longitude < -1_800_000_000 { longitude += 3_600_000_000 }
    let latitude = Int64(point.position.latitude) - Int64(origin.latitude)
    return Corner(
      x: longitude * east / 1_000_000_000, y: latitude * north / 1_000_000_000,
      along: point.alongMillimetres)
  }
}
