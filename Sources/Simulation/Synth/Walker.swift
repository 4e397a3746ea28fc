import TrackerCore

/// A walking team, second by second.
public struct Walker {
  private let course: Course
  private let options: SynthOptions
  private let end: Double
  /// Where to be when; `nil`: a team that walks by itself.
  private let diary: Diary?
  private var generator: SeededGenerator
  private var segment = 0
  private var nextCheckpoint = 0
  private var restUntil: Milliseconds = 0
  /// Slow changes of pace, as a share.
  private var mood = 0.0

  public private(set) var elapsed: Milliseconds = 0
  /// Metres from the start of the course.
  private(set) var distance: Double
  private(set) var place: Course.Point
  public private(set) var arrival: Milliseconds?

  /// A team that walks by itself.
  public init(course: Course, options: SynthOptions) {
    self.init(course: course, options: options, diary: nil)
  }

  init(course: Course, options: SynthOptions, diary: Diary?) {
    self.course = course
    self.diary = diary
    self.options = options
    generator = SeededGenerator(seed: options.seed, stream: 1)
    distance = options.fromKilometres * 1000
    end = options.toKilometres.map { $0 * 1000 } ?? course.length
    place =
      diary?.place(at: 0, segment: &segment) ?? course.point(at: distance, segment: &segment)
    // Skip checkpoints up to the start of the walk.
    while nextCheckpoint < course.checkpoints.count,
      course.checkpoints[nextCheckpoint].distance <= distance
    { nextCheckpoint += 1 }
  }

  public mutating func advanceOneSecond() {
    let now = elapsed
    elapsed = elapsed + 1000
    if let diary {
      place = diary.place(at: elapsed, segment: &segment)
      return
    }
    mood += -mood / 600 + 0.05 * (2.0 / 600).squareRoot() * generator.normal()
    guard arrival == nil, now >= restUntil, !options.rests.contain(now) else { return }
    distance += metresPerSecond(at: now)
    if distance >= end {
      distance = end
      arrival = elapsed
    }
    if nextCheckpoint < course.checkpoints.count,
      course.checkpoints[nextCheckpoint].distance <= distance
    {
      nextCheckpoint += 1
      let range = options.checkpointRestMinutes
      let seconds = generator.whole(in: range.lowerBound * 60...range.upperBound * 60)
      if arrival == nil { restUntil = elapsed + .seconds(Int64(seconds)) }
    }
    place = course.point(at: distance, segment: &segment)
  }

  private func metresPerSecond(at now: Milliseconds) -> Double {
    let minute = (options.start.milliseconds + now.count) / 60_000 % 1440
    let night = options.night?.contains(minute: Int(minute)) == true ? 0.85 : 1
    // Slower by 20 % after 100 km, in proportion to the distance.
    let fatigue = 1 - 0.2 * min(distance / 100_000, 1)
    let pace = options.paceKilometresPerHour / 3.6
    return max(0.3, pace * night * fatigue * slopeFactor * (1 + mood))
  }

  /// Naismith's rule (1892): an hour more for each 600 m of ascent, which at 5 km/h is 8.3 times
  /// the slope. Going down changes little up to some 10 %.
  private var slopeFactor: Double {
    var ahead = segment
    let reach = min(distance + 50, course.length)
    guard reach > distance + 1 else { return 1 }
    let slope =
      (course.point(at: reach, segment: &ahead).altitude - place.altitude)
      / (reach - distance)
    return 1 / (1 + 8.3 * min(max(slope, 0), 1))
  }
}
