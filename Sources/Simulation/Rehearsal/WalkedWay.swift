import Courses
import NMEA
import TrackerCore

/// Where one team is at what time, counted from the begin of its race.
struct WalkedWay: Sendable {
  /// Between two samples it moves evenly.
  private struct Sample {
    var at: Milliseconds
    /// Along the course.
    var metres: Double
    /// Beside it, metres.
    var aside = PositionError.Vector()
  }

  /// Of a team that is lost, metres per second.
  private static let lostPace = 1.1
  /// Somebody looks for the way for so long where it has gone furthest.
  private static let lookingAround = Milliseconds.minutes(5)
  /// Seconds between two samples.
  private static let step: Int64 = 20

  private var samples: [Sample] = []
  /// When it reaches the end of the course; `nil`: never.
  private(set) var arrival: Milliseconds?
  /// When it has stopped for good.
  private(set) var gaveUp: Milliseconds?
  /// While it is off the course.
  private(set) var lost: TimeSpan?

  init(_ team: TeamScript, begin: UTC, course: Course) {
    let start = begin + team.start
    let log: WalkLog
    switch team.model {
    case .walker(let options): log = WalkLog(synth: options, course: course, every: Self.step)
    case .hike(var hike):
      (hike.interval, hike.errorMetres) = (Self.step, 0)
      log = hike.walk(
        seed: team.seed, start: start, course: course, near: course.points[0].coordinate)
    }
    samples = [Sample(at: team.switchedOn, metres: 0), Sample(at: team.start, metres: 0)]
    samples += log.reports.map {
      Sample(at: $0.utc - begin, metres: min(Double($0.metres), course.length))
    }
    if let utc = log.arrivals.last {
      arrival = utc - begin
      samples.append(Sample(at: utc - begin, metres: course.length))
    }
    switch team.mishap {
    case .givesUp(let metres): giveUp(at: metres)
    case .getsLost(let metres, let away, let bearing):
      getLost(at: metres, away: away, bearing: bearing)
    case .smashed, .emptyBattery, .losesNetwork, .losesFix, .clone, nil: break
    }
  }

  private mutating func giveUp(at metres: Double) {
    guard let index = samples.firstIndex(where: { $0.metres >= metres }) else { return }
    samples.removeSubrange((index + 1)...)
    gaveUp = samples[index].at
    arrival = nil
  }

  private mutating func getLost(at metres: Double, away: Double, bearing: Double) {
    guard let index = samples.firstIndex(where: { $0.metres >= metres }) else { return }
    let leaves = samples[index]
    var furthest = leaves
    furthest.aside = PositionError.Vector(
      east: away * sine(bearing), north: away * cosine(bearing))
    let there = Milliseconds(Int64(away / Self.lostPace) * 1000)
    furthest.at = leaves.at + there
    var turns = furthest
    turns.at = furthest.at + Self.lookingAround
    var returns = leaves
    returns.at = turns.at + there
    let later = returns.at - leaves.at
    for after in (index + 1)..<max(index + 1, samples.count) {
      samples[after].at = samples[after].at + later
    }
    samples.insert(contentsOf: [furthest, turns, returns], at: index + 1)
    arrival = arrival.map { $0 + later }
    lost = TimeSpan(from: leaves.at, to: returns.at)
  }

  // MARK: Questions

  /// When it is so far along the course for the first time; `nil`: never.
  func time(at metres: Double) -> Milliseconds? {
    samples.first { $0.metres >= metres }?.at
  }

  /// How far along the course it is.
  func metres(at time: Milliseconds) -> Double {
    let index = samples.firstIndex { $0.at > time } ?? samples.count
    guard index > 0 else { return 0 }
    guard index < samples.count else { return samples[index - 1].metres }
    let (a, b) = (samples[index - 1], samples[index])
    return a.metres + (b.metres - a.metres) * Self.share(time, a, b)
  }

  /// When it is on a part of the course.
  func span(in part: ClosedRange<Double>) -> TimeSpan? {
    guard let from = time(at: part.lowerBound) else { return nil }
    let to = samples.first { $0.metres > part.upperBound }?.at
    return TimeSpan(from: from, to: to ?? Milliseconds(.max))
  }

  /// While it stands in one place for at least so long; `nil` for the end: for good.
  func stops(atLeast shortest: Milliseconds) -> [(from: Milliseconds, to: Milliseconds?)] {
    var stops: [(from: Milliseconds, to: Milliseconds?)] = []
    var first = 0
    for index in samples.indices.dropFirst() {
      let (a, b) = (samples[first], samples[index])
      if b.metres == a.metres, b.aside == a.aside { continue }
      let last = samples[index - 1]
      if last.at - a.at >= shortest { stops.append((a.at, last.at)) }
      first = index
    }
    if !samples.isEmpty { stops.append((samples[first].at, nil)) }
    return stops
  }

  private static func share(_ time: Milliseconds, _ a: Sample, _ b: Sample) -> Double {
    b.at > a.at ? Double((time - a.at).count) / Double((b.at - a.at).count) : 1
  }

  /// Walks it, a step after the other.
  struct Steps {
    private let way: WalkedWay
    private let course: Course
    private var index = 0
    private var segment = 0

    init(_ way: WalkedWay, on course: Course) { (self.way, self.course) = (way, course) }

    /// - Parameter time: never before that of the last call.
    mutating func place(at time: Milliseconds) -> GroundPoint {
      let samples = way.samples
      while index < samples.count - 1, samples[index + 1].at <= time { index += 1 }
      let a = samples[index]
      let b = index + 1 < samples.count ? samples[index + 1] : a
      let share = max(0, WalkedWay.share(time, a, b))
      var place = course.point(at: a.metres + (b.metres - a.metres) * share, segment: &segment)
      let aside = a.aside * (1 - share) + b.aside * share
      let scale = MetresPerDegree(latitude: place.latitude)
      place.latitude += aside.north / scale.north
      place.longitude += aside.east / scale.east
      return place
    }
  }
}

extension PreparedTrace {
  /// Between two reports of the receiver. A receiver that is woken for a capture should report
  /// soon; one that is always on costs the same whatever it reports.
  private static let teamInterval = Milliseconds.seconds(5)

  /// What the receiver of a team reports, cheaply: RMC and GGA, with an error that drifts over
  /// minutes, under an open sky.
  ///
  /// - Parameters:
  ///   - span: counted from the begin of the race; the trace begins at its start.
  ///   - noFix: while it has the time, but no position.
  convenience init(
    _ way: WalkedWay, on course: Course, begin: UTC, span: TimeSpan, noFix: TimeSpan?,
    seed: UInt64
  ) {
    var steps = WalkedWay.Steps(way, on: course)
    var error = SlowError(seed: seed)
    var writer = SentenceWriter()
    var bursts: [Burst] = []
    writer.reserve(Int((span.to - span.from).count / Self.teamInterval.count) * 150)
    bursts.reserveCapacity(Int((span.to - span.from).count / Self.teamInterval.count))
    var before = steps.place(at: span.from)
    var report = Report()
    report.satellites = SlowError.satellites
    var now = span.from
    while now < span.to {
      let place = steps.place(at: now)
      error.advance()
      report.utcMilliseconds = (begin + now).milliseconds
      if let noFix, noFix.from <= now, now < noFix.to {
        report.mode = .noFix
      } else {
        report.locate(place, from: before, in: Self.teamInterval, error)
      }
      writer.write(.rmc, report, .gps) { _ in }
      writer.write(.gga, report, .gps) { _ in }
      bursts.append(Burst(at: .start + (now - span.from), end: writer.bytes.count))
      before = place
      now = now + Self.teamInterval
    }
    self.init(bytes: writer.bytes, bursts: bursts)
  }
}

/// The error of a receiver under an open sky, each report some seconds after the one before: it
/// drifts over a minute or two.
private struct SlowError {
  /// Metres, one standard deviation on each axis.
  private static let sigma = 2.5
  /// What is left of an error in the next report.
  private static let memory = 0.95

  /// Eight that are used.
  static let satellites = (1...8).map { number in
    Satellite(
      number: number, elevation: 45, azimuth: Double(number * 45), east: 0, north: 0.7, up: 0.7,
      signal: 40, isUsed: true)
  }

  private var random: SeededGenerator
  private(set) var east = 0.0
  private(set) var north = 0.0

  init(seed: UInt64) { random = SeededGenerator(seed: seed, stream: 501) }

  mutating func advance() {
    let fresh = Self.sigma * (1 - Self.memory * Self.memory).squareRoot()
    east = east * Self.memory + fresh * random.normal()
    north = north * Self.memory + fresh * random.normal()
  }
}

extension Report {
  fileprivate mutating func locate(
    _ place: GroundPoint, from before: GroundPoint, in time: Milliseconds, _ error: SlowError
  ) {
    mode = .threeDimensional
    dilution = DilutionOfPrecision(horizontal: 1.1, vertical: 1.6)
    let scale = MetresPerDegree(latitude: place.latitude)
    latitude = Int32(((place.latitude + error.north / scale.north) * 1e7).rounded())
    longitude = Int32(((place.longitude + error.east / scale.east) * 1e7).rounded())
    altitudeMillimetres = Int32((place.altitude * 1000).rounded())
    let metres = before.distance(to: place)
    speedMillimetresPerSecond = Int32((metres * 1e6 / Double(time.count)).rounded())
  }
}
