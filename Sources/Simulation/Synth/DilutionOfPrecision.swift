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
