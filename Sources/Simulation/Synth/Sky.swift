import Courses

/// A satellite as seen by the receiver.
struct Satellite: Equatable {
  /// NMEA number: GPS 1...32, GLONASS 65...96.
  var number: Int
  /// Degrees above the horizon.
  var elevation: Double
  /// Degrees clockwise from north.
  var azimuth: Double
  /// Towards the satellite: east, north, up; a unit vector.
  var east: Double
  var north: Double
  var up: Double
  /// dB-Hz; `nil`: not received.
  var signal: Int?
  var isUsed = false
  var isGLONASS: Bool { number > 64 }
}

/// The positions of satellites at a time, seen from a place. The constellations are idealised, with
/// the true planes, heights and periods, not from an almanac.
struct Sky {
  private struct Constellation {
    var planes: Int
    var perPlane: Int
    /// Degrees.
    var inclination: Double
    /// Metres from the centre of the Earth.
    var radius: Double
    /// Seconds.
    var period: Double
    /// The number of the first satellite.
    var first: Int
  }

  /// IS-GPS-200, 20.3.3.4.3: half a sidereal day, 55°. GLONASS ICD 5.1, 3.2: 11 h 15 min 44 s,
  /// 64.8°.
  private static let gps = Constellation(
    planes: 6, perPlane: 5, inclination: 55, radius: 26_560_000, period: 43_082, first: 1)
  private static let glonass = Constellation(
    planes: 3, perPlane: 8, inclination: 64.8, radius: 25_510_000, period: 40_544, first: 65)

  /// Satellites more than 5° above the horizon, the highest first.
  static func visible(
    from place: Course.Point, at seconds: Double, constellations: Constellations
  ) -> [Satellite] {
    var found = satellites(of: gps, from: place, at: seconds)
    if constellations == .gpsAndGLONASS {
      found += satellites(of: glonass, from: place, at: seconds)
    }
    return found
  }

  private static func satellites(
    of kind: Constellation, from place: Course.Point, at seconds: Double
  ) -> [Satellite] {
    let earth = 6_371_000.0
    let latitude = place.latitude * radiansPerDegree
    let longitude = place.longitude * radiansPerDegree
    // Only the position within a revolution matters; this keeps the angles small and exact.
    let turn = seconds.truncatingRemainder(dividingBy: kind.period) / kind.period
    let day = seconds.truncatingRemainder(dividingBy: 86_164.1) / 86_164.1
    let count = kind.planes * kind.perPlane
    var found: [Satellite] = []
    for index in 0..<count {
      let plane = index / kind.perPlane
      let node = (Double(plane) / Double(kind.planes) - day) * 2 * Double.pi - longitude
      let slot = Double(index % kind.perPlane) / Double(kind.perPlane)
      let argument = (turn + slot + Double(plane) / Double(count)) * 2 * Double.pi
      // Earth-fixed axes rotated to the observer's meridian.
      let across = sine(argument) * cosine(kind.inclination * radiansPerDegree)
      let x = kind.radius * (cosine(node) * cosine(argument) - sine(node) * across)
      let y = kind.radius * (sine(node) * cosine(argument) + cosine(node) * across)
      let z = kind.radius * sine(argument) * sine(kind.inclination * radiansPerDegree)
      let up = x * cosine(latitude) + z * sine(latitude) - earth
      let north = z * cosine(latitude) - x * sine(latitude)
      let range = (up * up + north * north + y * y).squareRoot()
      let level = (north * north + y * y).squareRoot()
      let elevation = direction(level, up) / radiansPerDegree
      guard elevation > 5 else { continue }
      let azimuth = direction(north, y) / radiansPerDegree
      // Numbers are shuffled within the constellation, as in real ones.
      let number = kind.first + (index * 7 + 3) % count
      found.append(
        Satellite(
          number: number, elevation: elevation, azimuth: azimuth < 0 ? azimuth + 360 : azimuth,
          east: y / range, north: north / range, up: up / range))
    }
    return found.sorted { ($0.elevation, $0.number) > ($1.elevation, $1.number) }
  }
}

/// How much the satellites' geometry magnifies range errors.
struct DilutionOfPrecision: Equatable {
  var horizontal: Double
  var vertical: Double
  var position: Double { (horizontal * horizontal + vertical * vertical).squareRoot() }

  /// With a worse geometry there is no fix; receivers usually have about this limit.
  static let limit = 20.0

  /// The values that receivers report without a fix.
  static let unknown = DilutionOfPrecision(horizontal: 99.99, vertical: 99.99)

  /// From the satellites in use: four unknowns (east, north, up, clock), or with three satellites
  /// three, without the height. `nil` when they are too few or aligned.
  ///
  /// Kaplan and Hegarty, Understanding GPS, 7.3: the diagonal of (HᵀH)⁻¹.
  init?(_ used: [Satellite]) {
    guard used.count >= 3 else { return nil }
    let hasHeight = used.count >= 4
    let size = hasHeight ? 4 : 3
    var matrix = [[Double]](repeating: [Double](repeating: 0, count: size), count: size)
    for satellite in used {
      let row =
        hasHeight
        ? [satellite.east, satellite.north, satellite.up, 1]
        : [satellite.east, satellite.north, 1]
      for i in 0..<size { for j in 0..<size { matrix[i][j] += row[i] * row[j] } }
    }
    guard let inverse = Self.inverse(matrix) else { return nil }
    horizontal = (inverse[0][0] + inverse[1][1]).squareRoot()
    // With a fixed height the vertical value is meaningless; 1 is customary.
    vertical = hasHeight ? inverse[2][2].squareRoot() : 1
    guard horizontal.isFinite, vertical.isFinite, horizontal < Self.limit else { return nil }
  }

  init(horizontal: Double, vertical: Double) {
    self.horizontal = horizontal
    self.vertical = vertical
  }

  /// Gauss-Jordan elimination; the matrix is symmetric and positive definite, so no pivoting is
  /// needed.
  private static func inverse(_ matrix: [[Double]]) -> [[Double]]? {
    let size = matrix.count
    var left = matrix
    var right = matrix.indices.map { i in matrix.indices.map { $0 == i ? 1.0 : 0.0 } }
    for pivot in 0..<size {
      let scale = left[pivot][pivot]
      guard scale > 1e-9 else { return nil }
      for column in 0..<size {
        left[pivot][column] /= scale
        right[pivot][column] /= scale
      }
      for row in 0..<size where row != pivot {
        let factor = left[row][pivot]
        for column in 0..<size {
          left[row][column] -= factor * left[pivot][column]
          right[row][column] -= factor * right[pivot][column]
        }
      }
    }
    return right
  }
}
