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
