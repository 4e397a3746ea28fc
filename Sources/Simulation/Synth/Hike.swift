public import TrackerCore

/// A second model of walking teams, made independently of `Walker`, so that a forecast is not tuned
/// to one model's assumptions: each team has a pace, a tiredness and a dislike of the night of its
/// own; each kilometre has its ground; rests are skewed, some are left out, some are sleeps; there
/// are stops between checkpoints, and reports with errors and gaps. Every range is an assumption.
public struct Hike: Sendable {
  /// Fresh, by day, km/h.
  public var pace = 4.4...6.0
  /// How much slower by night, as a share.
  public var night = 0.05...0.35
  /// How much slower after 100 km, as a share; it grows with the distance's square.
  public var fatigue = 0.0...0.45
  /// How much one kilometre's ground differs from the next, as a share.
  public var ground = 0.03...0.12
  /// Minutes of a usual rest, of which each rest is a third to thrice.
  public var rest = 12.0...30.0
  /// Of a hundred checkpoints, those without a rest.
  public var skippedPercent = 10.0
  /// Kilometres between stops, and their minutes on average.
  public var stopEvery = 15.0
  public var stopMinutes = 6.0
  /// Metres by which a report is wrong, one standard deviation.
  public var errorMetres = 10.0
  /// Hours between gaps, and their longest length in minutes; 0: none.
  public var gapEvery = 0.0
  var gapMinutes = 90
  /// Between two reports.
  var interval: Int64 = 600

  public init() {}

  /// - Parameters:
  ///   - seed: of the team.
  ///   - place: for day and night.
  public func walk(
    seed: UInt64, start: UTC, course: Course, near place: Coordinate
  ) -> WalkLog {
    var team = Team(self, seed: seed)
    var log = WalkLog()
    var metres = 0.0
    var utc = start
    var next = 0
    var standing = 0
    var nextReport = interval
    var silentUntil = start
    let step: Int64 = 20
    while metres < course.length, utc - start < .hours(100) {
      utc = utc + .seconds(step)
      if standing > 0 {
        standing -= Int(step)
      } else {
        metres += team.speed(at: metres, isNight: Sun.isDown(at: utc, from: place)) * Double(step)
        standing = team.stop(metres: metres)
        if next < course.checkpoints.count, course.checkpoints[next].distance <= metres {
          log.arrivals.append(utc)
          next += 1
          standing = team.rest()
        }
      }
      guard (utc - start).count >= nextReport * 1000 else { continue }
      nextReport += interval
      if let gap = team.gap() { silentUntil = utc + .minutes(gap) }
      guard utc >= silentUntil else { continue }
      log.report(utc, metres: metres + errorMetres * team.random.normal(), course: course)
    }
    log.arrivals.append(utc)
    return log
  }

  private struct Team {
    let hike: Hike
    var random: SeededGenerator
    let pace: Double
    let night: Double
    let fatigue: Double
    let ground: Double
    let rests: Double
    var kilometre = -1
    var groundHere = 0.0
    var nextStop: Double

    init(_ hike: Hike, seed: UInt64) {
      self.hike = hike
      random = SeededGenerator(seed: seed, stream: 410)
      func draw(_ range: ClosedRange<Double>, _ random: inout SeededGenerator) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * random.unit()
      }
      pace = draw(hike.pace, &random)
      night = draw(hike.night, &random)
      fatigue = draw(hike.fatigue, &random)
      ground = draw(hike.ground, &random)
      rests = draw(hike.rest, &random)
      nextStop = hike.stopEvery * 1000 * 2 * random.unit()
    }

    /// Metres per second.
    mutating func speed(at metres: Double, isNight: Bool) -> Double {
      if Int(metres / 1000) != kilometre {
        kilometre = Int(metres / 1000)
        // Hills are longer than a kilometre.
        groundHere = 0.6 * groundHere + 0.8 * ground * random.normal()
      }
      let far = metres / 100_000
      let worse = groundHere < 0 ? 1 : 1 + groundHere
      let slower = worse * (1 + fatigue * far * far) * (isNight ? 1 + night : 1)
      return pace / 3.6 / slower
    }

    /// Seconds of a stop that begins here.
    mutating func stop(metres: Double) -> Int {
      guard metres >= nextStop else { return 0 }
      nextStop = metres + hike.stopEvery * 1000 * 2 * random.unit()
      return Int(hike.stopMinutes * 60 * 2 * random.unit())
    }

    /// Seconds; each factor of three by the sum of uniform numbers, most are near the usual.
    mutating func rest() -> Int {
      if random.unit() * 100 < hike.skippedPercent { return 60 }
      let third = random.normal() * 0.45
      let factor = third >= 0 ? 1 + third * (1 + third / 2) : 1 / (1 - third * (1 - third / 2))
      return Int(rests * 60 * factor)
    }

    /// Minutes without a report, if a gap begins.
    mutating func gap() -> Int64? {
      guard hike.gapEvery > 0, random.once(in: hike.gapEvery * 3600 / Double(hike.interval)) else {
        return nil
      }
      return Int64(random.whole(in: 10...max(10, hike.gapMinutes)))
    }
  }
}

/// A walk as its captures show it, with the truth of when the team was where.
public struct WalkLog: Sendable {
  public struct Report: Sendable, Equatable {
    public var utc: UTC
    /// Metres done along the course, with the receiver's error.
    public var metres: Int32
    /// Checkpoints reached so far.
    public var checkpoints: Int16
  }

  public internal(set) var reports: [Report] = []
  /// When the team reached each checkpoint and, last, the finish.
  public internal(set) var arrivals: [UTC] = []

  /// Takes what was reported each time that `interval` has passed.
  mutating func report(_ utc: UTC, metres: Double, course: Course) {
    reports.append(
      Report(
        utc: utc, metres: Int32(max(0, metres)),
        checkpoints: Int16(course.checkpoints.count { $0.distance <= metres })))
  }
}

extension WalkLog {
  /// A walk of `synth`'s team, reported every so many seconds until it arrives.
  public init(synth options: SynthOptions, course: Course, every interval: Int64) {
    var walker = Walker(course: course, options: options)
    var next = 0
    while walker.arrival == nil, walker.elapsed < SimulationBounds.synthesis {
      walker.advanceOneSecond()
      let utc = options.start + walker.elapsed
      while next < course.checkpoints.count, course.checkpoints[next].distance <= walker.distance {
        arrivals.append(utc)
        next += 1
      }
      if walker.elapsed.count % (interval * 1000) == 0 {
        report(utc, metres: walker.distance, course: course)
      }
    }
    arrivals.append(options.start + walker.elapsed)
  }
}
