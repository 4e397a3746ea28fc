import Courses
import NMEA
import TrackerCore

/// A receiver carried by a walker: its reports, second by second.
struct Receiver {
  private let options: SynthOptions
  private var walker: Walker
  private var error: PositionError
  private var generator: SeededGenerator
  private var satellites: [Satellite] = []
  private var dilution: DilutionOfPrecision?
  private var previousPlace: Course.Point
  private var previousError = PositionError.Vector()
  private var velocity = PositionError.Vector()
  private var hadFix: Bool

  init(course: Course, options: SynthOptions, diary: Diary? = nil) {
    self.options = options
    walker = Walker(course: course, options: options, diary: diary)
    error = PositionError(sigma: options.noiseMetres, seed: options.seed)
    generator = SeededGenerator(seed: options.seed, stream: 3)
    previousPlace = walker.place
    hadFix = options.coldStart == 0
    look(at: 0)
    previousError = error.total
  }

  var arrival: Milliseconds? { walker.arrival }

  /// The report for a moment; moments must not go backward.
  mutating func report(at moment: Milliseconds) -> Report {
    while walker.elapsed < moment { advanceOneSecond() }
    var report = Report()
    report.satellites = satellites
    if moment.count * 3 >= options.coldStart.count {
      report.utcMilliseconds = calendar(at: moment)
    }
    guard hasSky(at: moment), let dilution else {
      for index in report.satellites.indices {
        report.satellites[index].isUsed = false
        if options.tunnels.contain(moment) { report.satellites[index].signal = nil }
      }
      return report
    }
    report.dilution = dilution
    report.mode = report.used >= 4 ? .threeDimensional : .twoDimensional
    locate(&report, at: moment)
    return report
  }

  private func calendar(at moment: Milliseconds) -> Int64 {
    let isEarly = options.weekRollover.map { $0 <= moment } ?? false
    return (options.start + moment).milliseconds - (isEarly ? 1024 * 7 * 86_400_000 : 0)
  }

  /// Whether a fix is possible at all: past the cold start, not in a tunnel.
  private func hasSky(at moment: Milliseconds) -> Bool {
    moment >= options.coldStart && !options.tunnels.contain(moment)
  }

  private mutating func advanceOneSecond() {
    previousPlace = walker.place
    previousError = error.total
    walker.advanceOneSecond()
    let now = walker.elapsed
    let hasFix = hasSky(at: now) && dilution != nil
    if hasFix, !hadFix {
      let isFirst = now < options.coldStart + 1000
      error.startSettling(metres: isFirst ? 20 : 8)
    }
    hadFix = hasFix
    let wasSteady = error.steady
    error.advanceOneSecond(
      horizontalDilution: dilution?.horizontal ?? 10, isCanyon: options.canyons.contain(now))
    // Satellites move some 0.1° in ten seconds; walls change faster.
    let period: Int64 = options.canyons.contain(now) ? 4000 : 10_000
    if now < options.coldStart + 1000 || now.count % period == 0 { look(at: now) }
    let scale = MetresPerDegree(latitude: walker.place.latitude)
    let doppler = 0.02 * (dilution?.horizontal ?? 1)
    velocity = PositionError.Vector(
      east: previousPlace.degreesEast(to: walker.place) * scale.east
        + error.steady.east - wasSteady.east + doppler * generator.normal(),
      north: (walker.place.latitude - previousPlace.latitude) * scale.north
        + error.steady.north - wasSteady.north + doppler * generator.normal())
  }

  /// Updates which satellites are in view, received and used.
  private mutating func look(at moment: Milliseconds) {
    let seconds = Double((options.start + moment).milliseconds / 1000)
    let inView = Sky.visible(
      from: walker.place, at: seconds, constellations: options.constellations)
    satellites = inView
    for index in inView.indices {
      let signal = self.signal(of: inView[index], at: moment)
      satellites[index].signal = signal
      satellites[index].isUsed = signal.map { $0 >= 22 } ?? false
    }
    if moment < options.coldStart { forgetUnheard(at: moment) }
    dilution = DilutionOfPrecision(satellites.filter(\.isUsed))
  }

  /// The signal in dB-Hz by elevation, reduced by walls.
  private mutating func signal(of satellite: Satellite, at moment: Milliseconds) -> Int? {
    let noise = generator.normal() * 1.5
    let echo = generator.unit()
    var signal = 26 + 21 * satellite.up + noise
    // In a street from north to south low satellites to the east or west are behind a wall.
    let wall = 25 + 50 * satellite.east.magnitude
    if options.canyons.contain(moment), satellite.elevation < wall {
      if echo < 0.75 { return nil }
      signal -= 12 * echo
    }
    return max(10, Int(signal.rounded()))
  }

  /// A cold receiver finds the satellites one after the other, and reports only those.
  private mutating func forgetUnheard(at moment: Milliseconds) {
    let found = Int64(satellites.count) * moment.count / max(options.coldStart.count, 1)
    satellites = Array(satellites.prefix(Int(found)))
  }

  private func locate(_ report: inout Report, at moment: Milliseconds) {
    let part = 1 - Double(walker.elapsed.count - moment.count) / 1000
    let now = error.total
    let offset = previousError * (1 - part) + now * part
    let a = previousPlace
    let b = walker.place
    let latitude = a.latitude + (b.latitude - a.latitude) * part
    let longitude = a.longitude + (b.longitude - a.longitude) * part
    let scale = MetresPerDegree(latitude: latitude)
    report.latitude = Int32(((latitude + offset.north / scale.north) * 1e7).rounded())
    let east = Int64(((longitude + offset.east / scale.east) * 1e7).rounded())
    let turn: Int64 = 3_600_000_000
    // An error may carry a position over the antimeridian.
    report.longitude = Int32(east > turn / 2 ? east - turn : east < -turn / 2 ? east + turn : east)
    let altitude = a.altitude + (b.altitude - a.altitude) * part + offset.up
    report.altitudeMillimetres = Int32((altitude * 1000).rounded())
    let squared = velocity.east * velocity.east + velocity.north * velocity.north
    // A wrong point of a recorded track may be on the other side of the earth a second later.
    report.speedMillimetresPerSecond = Int32((min(squared.squareRoot(), 1e6) * 1000).rounded())
    // Receivers leave the course empty when it would only be noise.
    if report.speedMillimetresPerSecond >= 300 {
      let angle = direction(velocity.north, velocity.east) / radiansPerDegree
      let millidegrees = Int32((angle * 1000).rounded())
      report.trackMillidegrees = millidegrees < 0 ? millidegrees + 360_000 : millidegrees
    }
  }
}

/// The receiver's report for one moment: the values for all its sentences.
struct Report {
  /// Milliseconds since 1970 according to the receiver; `nil` before it knows the time.
  var utcMilliseconds: Int64?
  var mode = FixMode.noFix
  /// 1e-7 degree.
  var latitude: Int32 = 0
  /// 1e-7 degree.
  var longitude: Int32 = 0
  var altitudeMillimetres: Int32 = 0
  var speedMillimetresPerSecond: Int32 = 0
  /// `nil` when it is too slow for a course.
  var trackMillidegrees: Int32?
  var satellites: [Satellite] = []
  var dilution = DilutionOfPrecision.unknown

  var hasFix: Bool { mode != .noFix }
  var used: Int { satellites.reduce(0) { $0 + ($1.isUsed ? 1 : 0) } }
}

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
