/// A position on WGS 84.
public struct Coordinate: Sendable, Equatable {
  /// 1e-7 degree, north positive, -900 000 000...900 000 000.
  public var latitude: Int32
  /// 1e-7 degree, east positive, -1 800 000 000...1 800 000 000.
  public var longitude: Int32

  public init(latitude: Int32, longitude: Int32) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Whether both numbers are in their ranges.
  var isOnEarth: Bool {
    abs(Int64(latitude)) <= 900_000_000 && abs(Int64(longitude)) <= 1_800_000_000
  }
}
