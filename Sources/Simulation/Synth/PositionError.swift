/// The error of a receiver's positions: it drifts over minutes, and far more between high walls.
///
/// A first-order Gauss-Markov process of 100 s, smoothed over 20 s as a receiver's filter does. So
/// a sigma of 2.5 m moves a standing team's position by some 5 cm/s, as receivers show it.
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
  /// How much of the canyon's error is there, 0...1: it comes and goes within seconds.
  private var canyonShare = 0.0
  /// What is left of the error of the first fixes.
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

  /// The error whose change the receiver takes for a velocity. Velocity comes from Doppler, so it
  /// knows nothing of jumps, nor of how wrong a first fix was.
  var steady: Vector { smooth * dilution + canyonSmooth * canyonShare }
  var total: Vector { steady + settling + jump }

  mutating func advanceOneSecond(horizontalDilution: Double, isCanyon: Bool) {
    raw = raw * (1 - 1.0 / 100) + gaussian() * (sigma * (2.0 / 100).squareRoot())
    // Smoothing takes from the variance; the factor gives it back.
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

  /// An echo off a wall: the position is suddenly elsewhere and as suddenly back.
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

  /// The first fix after `metres` of doubt; halves every ten seconds.
  mutating func startSettling(metres: Double) {
    settling = gaussian() * metres
  }

  private mutating func gaussian() -> Vector {
    // Heights come out about half as good again as places.
    Vector(
      east: generator.normal(), north: generator.normal(), up: 1.5 * generator.normal())
  }
}
