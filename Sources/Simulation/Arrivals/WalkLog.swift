import TrackerCore

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
    while walker.arrival == nil, walker.elapsed < Synthesizer.longest {
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
