import Glibc

/// Distances on the ground (WGS 84), in metres.
enum GroundDistance {
  /// The ellipsoid's axes (EPSG:7030).
  private static let equator = 6_378_137.0
  private static let flattening = 1 / 298.257223563
  private static let squaredEccentricity = flattening * (2 - flattening)
  /// Its mean radius, for the arc above a chord.
  private static let mean = 6_371_008.8

  /// The distance between two stored positions: the chord through the ellipsoid and the arc above
  /// it, within a millimetre up to 10 km and ten metres up to 1 000 km.
  static func metres(_ a: Place, _ b: Place) -> Double {
    let (a, b) = (position(a), position(b))
    let (x, y, z) = (a.x - b.x, a.y - b.y, a.z - b.z)
    let chord = (x * x + y * y + z * z).squareRoot()
    return 2 * mean * asin(min(1, chord / (2 * mean)))
  }

  /// Metres of the map for a metre on the ground, at most: on the edge nearer to the pole.
  static func scale(from low: Double, to high: Double) -> Double {
    let y = max(abs(low), abs(high))
    // 1 / cos(latitude) on the map's sphere; 1 % for the ellipsoid.
    return cosh(y / equator) * 1.01
  }

  /// Earth-centred coordinates (EPSG method 9602), with the height 0.
  private static func position(_ place: Place) -> (x: Double, y: Double, z: Double) {
    let degrees = Projection.degrees.project(place)
    let (longitude, latitude) = (degrees.x * .pi / 180, degrees.y * .pi / 180)
    let sine = sin(latitude)
    let normal = equator / (1 - squaredEccentricity * sine * sine).squareRoot()
    return (
      normal * cos(latitude) * cos(longitude), normal * cos(latitude) * sin(longitude),
      normal * (1 - squaredEccentricity) * sine
    )
  }
}
