import TrackerCore

/// Distances on the ellipsoid.
enum Ground {
  /// Semi-major axis and flattening: NIMA TR8350.2, table 3.1.
  private static let semiMajor = 6_378_137.0
  private static let flattening = 1 / 298.257223563

  /// Metres between two positions, by the radii of curvature at the middle latitude.
  ///
  /// Against GeographicLib's geodesics off by at most 5e-6 of the distance up to 10 km, and 1e-4 up
  /// to 100 km (GroundTests). Arithmetic that is the same on every machine.
  static func metres(_ a: Coordinate, _ b: Coordinate) -> Double {
    let middle = (Int64(a.latitude) + Int64(b.latitude)) / 2
    let cosine = Double(Coordinate.cosineMillionths(middle)) / 1e6
    let squaredEccentricity = flattening * (2 - flattening)
    let rest = 1 - squaredEccentricity * (1 - cosine * cosine)
    let root = rest.squareRoot()
    var east = Int64(b.longitude) - Int64(a.longitude)
    if east > 1_800_000_000 { east -= 3_600_000_000 }
    if east < -1_800_000_000 { east += 3_600_000_000 }
    let radians = 1e-7 * Double.pi / 180
    let y =
      Double(Int64(b.latitude) - Int64(a.latitude)) * radians * semiMajor
      * (1 - squaredEccentricity) / (rest * root)
    let x = Double(east) * radians * cosine * semiMajor / root
    return (x * x + y * y).squareRoot()
  }
}
