/// Where along a course the network was reached, and where it was searched for in vain.
///
/// The course has `parts` parts of equal length. Where it comes back over the same road each part
/// there is told, so that a team knows on its way back where the network was on its way out. What
/// was found last in a part counts.
public struct CourseCoverage: Sendable, Equatable {
  /// 800 m each of 100 km: less than a search takes a walking team on.
  public static let parts = 128

  /// What is known of a part.
  public enum Part: Sendable, Equatable {
    case unknown
    case reached
    case silent
  }

  private var reached = Marks()
  private var silent = Marks()

  private struct Marks: Sendable, Equatable {
    var low: UInt64 = 0
    var high: UInt64 = 0

    subscript(index: Int32) -> Bool {
      get { (index < 64 ? low >> UInt64(index) : high >> UInt64(index - 64)) & 1 == 1 }
      set {
        let bit: UInt64 = 1 << UInt64(index & 63)
        switch (index < 64, newValue) {
        case (true, true): low |= bit
        case (true, false): low &= ~bit
        case (false, true): high |= bit
        case (false, false): high &= ~bit
        }
      }
    }
  }

  public init() {}

  /// Its bits, for files: two words of what was reached, and two of what was not.
  public var words: InlineArray<4, UInt64> {
    [reached.low, reached.high, silent.low, silent.high]
  }

  public init(_ words: InlineArray<4, UInt64>) {
    reached = Marks(low: words[0], high: words[1])
    // A damaged file may say both.
    silent = Marks(low: words[2] & ~words[0], high: words[3] & ~words[1])
  }

  public var isEmpty: Bool { self == CourseCoverage() }

  /// - Parameter index: 0..<`parts`; others are unknown, and cannot be set.
  public subscript(index: Int32) -> Part {
    get {
      guard (0..<Int32(Self.parts)).contains(index) else { return .unknown }
      return reached[index] ? .reached : silent[index] ? .silent : .unknown
    }
    set {
      guard (0..<Int32(Self.parts)).contains(index) else { return }
      reached[index] = newValue == .reached
      silent[index] = newValue == .silent
    }
  }

  /// What is to be expected in a part of which nothing is known: what was found on both sides of
  /// it, if that is the same and not far, or beside it.
  func expected(_ index: Int32) -> Part {
    if self[index] != .unknown { return self[index] }
    let (before, after) = (nearest(to: index, step: -1), nearest(to: index, step: 1))
    if before.part == after.part { return before.part }
    if before.part == .unknown { return after.distance == 1 ? after.part : .unknown }
    return after.part == .unknown && before.distance == 1 ? before.part : .unknown
  }

  private func nearest(to index: Int32, step: Int32) -> (part: Part, distance: Int32) {
    var distance: Int32 = 1
    while distance <= Bounds.coverageGap {
      let part = self[index + distance * step]
      if part != .unknown { return (part, distance) }
      distance += 1
    }
    return (.unknown, distance)
  }

  /// Takes what another map knows of parts that this one knows nothing of.
  mutating func fill(from other: CourseCoverage) {
    var index: Int32 = 0
    while index < Int32(Self.parts) {
      if self[index] == .unknown { self[index] = other[index] }
      index += 1
    }
  }

  /// The part at so many millimetres along a course.
  static func index(along: Int64, of length: Int32) -> Int32 {
    guard length > 0 else { return -1 }
    return Int32(min(max(0, along), Int64(length) - 1) * Int64(parts) / Int64(length))
  }

  /// What was found at a position, in each part that comes near it.
  mutating func note(
    _ part: Part, at position: Coordinate, on map: borrowing some CourseMap & ~Copyable
  ) {
    guard map.hasCourse else { return }
    let length = map.courseLengthMillimetres
    let near = Int64(Bounds.coverageRadius + map.courseErrorMetres) * 100
    var line = CourseLine(around: position)
    line.begin(at: map.coursePoint(0))
    var index: Int32 = 1
    while index < map.coursePointCount {
      let foot = line.advance(to: map.coursePoint(index))
      if foot.away <= near * near {
        let rest = (near - Coordinate.squareRoot(UInt64(foot.away))) * 10
        let last = Self.index(along: Int64(foot.along) + rest, of: length)
        var one = Self.index(along: Int64(foot.along) - rest, of: length)
        while one <= last {
          self[one] = part
          one += 1
        }
      }
      index += 1
    }
  }
}

/// When a team will be in which part of its course.
struct CoverageAhead {
  let coverage: CourseCoverage
  /// Millimetres along the course.
  let along: Int64
  let length: Int32
  /// Of the team, millimetres in a minute.
  let pace: Int64

  /// What is known of where the team will be so many minutes from now.
  func part(in minutes: Int64) -> CourseCoverage.Part {
    let along = along + minutes * pace
    // Beyond the finish nothing is known.
    if along >= Int64(length) { return .unknown }
    return coverage.expected(CourseCoverage.index(along: along, of: length))
  }

  /// When to search again, in minutes: where the network was reached, if the team comes there
  /// before `due`; later than `due` where that is a place in which it was searched for in vain.
  func retry(due: Int64, from first: Int64, to last: Int64) -> Int64 {
    var minutes = first
    while minutes < due {
      if part(in: minutes) == .reached { return minutes }
      minutes += 1
    }
    while minutes < last, part(in: minutes) == .silent { minutes += 1 }
    return minutes
  }

  /// When the next contact had better be, in minutes: one that would fall into a hole comes before
  /// or after it, whichever is nearer.
  func contact(due: Int64, from first: Int64, to last: Int64) -> Int64 {
    guard part(in: due) == .silent else { return due }
    var (before, after) = (due - 1, due + 1)
    while before >= first, part(in: before) == .silent { before -= 1 }
    while after < last, part(in: after) == .silent { after += 1 }
    if before >= first, due - before < after - due || after == last { return before }
    // A hole without an end may be a wrong map.
    return after < last ? after : due
  }
}

// Prefers places where the network was reached. None of these is inlined: their stack would
// otherwise be in use during all that a contact does.
extension Tracker {
  /// The network was reached here, or searched for in vain.
  @inline(never)
  mutating func noteCoverage(
    _ part: CourseCoverage.Part, at now: Instant, on map: borrowing some CourseMap & ~Copyable
  ) {
    guard isPlaced(at: now), let place = filter.last?.position else { return }
    let before = course.coverage
    course.coverage.note(part, at: place, on: map)
    if course.coverage != before { keepCourse() }
  }

  /// A search was in vain, and the time of the next one was chosen without regard to the place.
  ///
  /// - Parameter last: no later, if the time that was chosen is not.
  @inline(never)
  mutating func retryWhereReached(
    until last: Instant, at now: Instant, on map: borrowing some CourseMap & ~Copyable
  ) {
    guard let ahead = coverageAhead(at: now, on: map) else { return }
    let due = Self.minutes(uploader.due - now)
    // A team that rests short of such a place does not come there, and is not to search for ever.
    let first = uploader.failedContacts <= 1 ? Self.minutes(Bounds.attachedWait) : due
    let minutes = ahead.retry(due: due, from: first, to: max(due, Self.minutes(last - now)))
    if minutes != due { uploader.due = now + .minutes(minutes) }
  }

  /// A contact has begun, and the time of the next one was chosen without regard to the place.
  @inline(never)
  mutating func contactOutsideHoles(
    _ terms: ContactTerms, at now: Instant, on map: borrowing some CourseMap & ~Copyable
  ) {
    guard let ahead = coverageAhead(at: now, on: map) else { return }
    let due = Self.minutes(uploader.due - now)
    let floor = terms.betweenUploads == .off ? configuration.reconnectFloor : 0
    let first = max(due / 2, Self.minutes(floor) + 1)
    let minutes = ahead.contact(due: due, from: first, to: 2 * due)
    if minutes != due { uploader.due = now + .minutes(minutes) }
  }

  /// Whether it is known where on the course the team is now.
  private mutating func isPlaced(at now: Instant) -> Bool {
    guard session.isRunning, course.isOnTheWay, let fix = filter.last else { return false }
    return now - fix.at <= Bounds.coverageFixAge
  }

  private static func minutes(_ time: Milliseconds) -> Int64 {
    min(max(0, time.count), Milliseconds.hours(24).count) / 60_000
  }

  @inline(never)
  private mutating func coverageAhead(
    at now: Instant, on map: borrowing some CourseMap & ~Copyable
  ) -> CoverageAhead? {
    var coverage = course.coverage
    coverage.fill(from: map.courseCoverage)
    guard isPlaced(at: now), !coverage.isEmpty, let done = course.progress.doneMetres
    else { return nil }
    let isNight = clock.moment(at: now).utc.flatMap { utc in
      filter.last.map { Sun.isDown(at: utc, from: $0.position) }
    }
    let slowness = course.forecast.pace.slowness(
      at: Int64(done), nightShare: isNight == true ? 1024 : 0)
    return CoverageAhead(
      coverage: coverage, along: Int64(done) * 1000, length: map.courseLengthMillimetres,
      pace: 60 * 1000 * 1000 * 256 / slowness)
  }
}
