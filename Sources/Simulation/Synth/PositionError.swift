import Courses

/// The error of a receiver's positions: it drifts over minutes, and much more between high walls.
///
/// A first-order Gauss-Markov process of 100 s, smoothed over 20 s as by a receiver's filter. With
/// a sigma of 2.5 m the position of a standing team moves by some 5 cm/s, as real receivers show.
struct PositionError {
  struct Vector: Equatable {
    var east = 0.0
    var north = 0.0
    var up = 0.0

    static func + (a: Self, b: Self) -> Self {
      Self(east: a.east + b.east, north: a.north + b.north, up: a.up + b.up)
    }
    static func * (a: Self, factor: Double) -> Self {
      Self(east: a.east * factor, north: a.north * factor, up: a.up * factor)
    }
  }

  /// One standard deviation between high walls, in metres.
  private static let canyonMetres = 15.0

  private let sigma: Double
  private var generator: SeededGenerator
  private var raw = Vector()
  private var smooth = Vector()
  private var canyonRaw = Vector()
  private var canyonSmooth = Vector()
  /// The share of the canyon's error, 0...1: it comes and goes within seconds.
  private var canyonShare = 0.0
  /// The remaining error of the first fixes.
  private var settling = Vector()
  private var jump = Vector()
  private var jumpSeconds = 0
  private var dilution = 1.0

  init(sigma: Double, seed: UInt64) {
    self.sigma = sigma
    generator = SeededGenerator(seed: seed, stream: 2)
    raw = gaussian() * sigma
    smooth = raw
  }

  /// The error whose change appears as a velocity. Velocity comes from Doppler, so it does not
  /// include jumps or the error of a first fix.
  var steady: Vector { smooth * dilution + canyonSmooth * canyonShare }
  var total: Vector { steady + settling + jump }

  mutating func advanceOneSecond(horizontalDilution: Double, isCanyon: Bool) {
    raw = raw * (1 - 1.0 / 100) + gaussian() * (sigma * (2.0 / 100).squareRoot())
    // The factor compensates for the variance lost by smoothing.
    smooth = smooth * (1 - 1.0 / 20) + raw * ((120.0 / 100).squareRoot() / 20)
    dilution += (min(horizontalDilution, 4) - dilution) / 15
    canyonRaw =
      canyonRaw * (1 - 1.0 / 30)
      + gaussian() * (Self.canyonMetres * (2.0 / 30).squareRoot())
    canyonSmooth = canyonSmooth * (1 - 1.0 / 15) + canyonRaw * ((45.0 / 30).squareRoot() / 15)
    canyonShare += ((isCanyon ? 1 : 0) - canyonShare) / 8
    settling = settling * (1 - 1.0 / 15)
    advanceJump(isCanyon: isCanyon)
  }

  /// A reflection from a wall: the position suddenly jumps away and back.
  private mutating func advanceJump(isCanyon: Bool) {
    let starts = generator.once(in: 60)
    let metres = 40 + 110 * generator.unit()
    let angle = 2 * Double.pi * generator.unit()
    let seconds = generator.whole(in: 4...25)
    if jumpSeconds > 0 {
      jumpSeconds -= 1
      if jumpSeconds == 0 || !isCanyon { (jump, jumpSeconds) = (Vector(), 0) }
    } else if isCanyon, starts {
      jump = Vector(east: metres * cosine(angle), north: metres * sine(angle), up: metres / 3)
      jumpSeconds = seconds
    }
  }

  /// Starts the error of a first fix, with a sigma of `metres`; it halves every ten seconds.
  mutating func startSettling(metres: Double) {
    settling = gaussian() * metres
  }

  private mutating func gaussian() -> Vector {
    // Vertical errors are about 1.5 times horizontal ones.
    Vector(
      east: generator.normal(), north: generator.normal(), up: 1.5 * generator.normal())
  }
}
