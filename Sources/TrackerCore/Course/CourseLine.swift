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
    public enum Place: Sendable { case start, inside, end }
    public var along: Int32
    /// Square centimetres.
    public var away: Int64
    public var place: Place
  }

  /// Beyond this nothing is near, and squares fit: 300 km.
  static let horizon: Int64 = 30_000_000
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
    guard abs(from.x) < Self.horizon, abs(from.y) < Self.horizon, abs(to.x) < Self.horizon,
      abs(to.y) < Self.horizon
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
