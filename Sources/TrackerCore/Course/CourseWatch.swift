/// The course, as a tracker follows it: the progress, the arrivals, and passages that still want a
/// capture.
struct CourseWatch: Sendable, Equatable {
  var progress = CourseProgress()
  var forecast = ArrivalForecast()
  var coverage = CourseCoverage()
  private var wantedPassages = WantedPassages()
  /// Of the course; `nil`: there is none.
  private(set) var fingerprint: UInt32?
  /// There is a record from before a restart, and it is not known yet how old it is.
  private(set) var isInterrupted = false
  /// When it was first asked for.
  private var interruptedSince: Instant?
  /// When the forecast last heard of the progress.
  private var toldAt: Instant?

  init(_ fingerprint: UInt32? = nil) { self.fingerprint = fingerprint }

  /// After a restart.
  init(_ record: CourseRecord, fingerprint: UInt32?, placeCount: Int32, now: Instant) {
    self.fingerprint = fingerprint
    progress = CourseProgress(record, at: nil, now: now, placeCount: placeCount)
    forecast = record.forecast
    coverage = record.coverage
    wantedPassages = record.wanted
    wantedPassages.limit(to: placeCount)
    isInterrupted = true
  }

  /// What a restart has to know; `nil`: nothing.
  func record(by clock: Clock) -> CourseRecord? {
    guard var record = progress.record else { return nil }
    if let at = record.at.at { record.at = clock.moment(at: at) }
    record.course = fingerprint
    record.wanted = wantedPassages
    record.forecast = forecast
    record.coverage = coverage
    return record
  }

  /// Goes on from a record, as soon as it is known how long ago that was, or cannot be.
  ///
  /// - Returns: `false`: not yet.
  mutating func goOn(
    from record: CourseRecord?, at now: Instant, by clock: Clock, placeCount: Int32
  ) -> Bool {
    guard isInterrupted else { return true }
    let since = interruptedSince ?? now
    interruptedSince = since
    var at: Instant?
    if let record {
      switch record.at.age(at: now, by: clock) {
      case .known(let age) where age >= 0 && age <= Bounds.longestForecast: at = now - age
      case .notYet where now - since < Bounds.clockPatience: return false
      case .known, .notYet, .lost: break
      }
      progress = CourseProgress(record, at: at, now: now, placeCount: placeCount)
    }
    isInterrupted = false
    return true
  }

  /// It is known where the team is, and that it walks on along the course.
  var isOnTheWay: Bool {
    !isInterrupted && progress.doneMetres != nil && progress.offCourseSince == nil
      && progress.backwardsSince == nil && !progress.isFinished
  }

  // MARK: Captures

  /// The passage that a capture is to be taken of next, in the order of the way.
  var wanted: WantedPassages.One? {
    fingerprint == nil || isInterrupted ? nil : wantedPassages.first
  }

  mutating func want(_ passage: Passage) { wantedPassages.add(passage) }

  /// Its capture is on disk.
  mutating func stored(_ passage: WantedPassages.One) { wantedPassages.remove(passage) }

  /// Where a capture is taken now.
  func mark(
    place: Int16?, on map: borrowing some CourseMap & ~Copyable
  ) -> CourseMark? {
    guard !isInterrupted, let done = progress.doneMetres,
      let toGo = progress.toGoMetres(on: map)
    else { return nil }
    return CourseMark(doneMetres: done, toGoMetres: toGo, place: place ?? progress.inside)
  }

  // MARK: Arrivals

  /// Tells the forecast how far the team is, once a minute.
  mutating func learn(
    at position: Coordinate, utc: UTC, now: Instant, on map: borrowing some CourseMap & ~Copyable
  ) {
    if let toldAt, now - toldAt < .minutes(1) { return }
    guard let done = progress.doneMetres, progress.offCourseSince == nil else { return }
    toldAt = now
    forecast.walked(
      to: done, checkpoints: map.courseCheckpoints(upTo: done), at: utc,
      isNight: Sun.isDown(at: utc, from: position))
  }
}

extension CourseMap where Self: ~Copyable {
  /// The checkpoints in whose circle, or beyond it, a team is that has done so many metres.
  public func courseCheckpoints(upTo done: Int32) -> Int16 {
    var count: Int16 = 0
    var index: Int32 = 0
    while index < coursePlaceCount {
      let place = coursePlace(index)
      if place.kind == .checkpoint, place.alongMillimetres / 1000 - place.radiusMetres <= done {
        count += 1
      }
      index += 1
    }
    return count
  }
}

extension Tracker {
  /// Follows the course: reports what is passed, and asks for captures of it.
  @inline(never)
  mutating func follow(
    _ fix: Fix, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    guard
      course.goOn(
        from: identity.memory.course, at: now, by: clock, placeCount: sink.coursePlaceCount)
    else { return }
    let wasOff = course.progress.offCourseSince != nil
    let wasBackwards = course.progress.backwardsSince != nil
    tellPassages(fix, at: now, into: &sink)
    if let since = course.progress.offCourseSince {
      if !wasOff {
        sink.note(.offCourse(since: since, metres: course.progress.awayMetres ?? 0))
      }
    } else if wasOff {
      sink.note(.backOnCourse)
    }
    if let since = course.progress.backwardsSince {
      if !wasBackwards { sink.note(.backwards(since: since)) }
    } else if wasBackwards {
      sink.note(.forwards)
    }
    if clock.isTrusted, let utc = fix.utc {
      course.learn(at: fix.position, utc: utc, now: now, on: sink)
    }
  }

  @inline(never)
  private mutating func tellPassages(
    _ fix: Fix, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    var passages = Passages()
    course.progress.move(
      to: fix.position, accuracyMetres: fix.accuracyMetres, at: now, on: sink, into: &passages)
    var index: Int32 = 0
    while index < passages.count {
      sink.note(.passage(passages[index]))
      course.want(passages[index])
      index += 1
    }
    guard passages.count > 0 else { return }
    keepCourse()
  }

  /// Has the progress saved.
  mutating func keepCourse() {
    guard !course.isInterrupted, let record = course.record(by: clock) else { return }
    identity.memory.course = record
    isMemoryDue = true
  }

  func isCourseRecordOld(at now: Instant) -> Bool {
    guard let at = identity.memory.course?.at.at else { return true }
    return now - at >= Bounds.courseRecord
  }

  /// Before the first input: which course it is, and whether the record is of it.
  @inline(never)
  mutating func beginCourse(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    let fingerprint = sink.hasCourse ? sink.courseFingerprint : nil
    course = CourseWatch(fingerprint)
    guard let record = identity.memory.course else { return }
    if let fingerprint, let recorded = record.course, recorded != fingerprint {
      identity.memory.course = nil
      isMemoryDue = true
      sink.note(.courseChanged)
    } else {
      course = CourseWatch(
        record, fingerprint: fingerprint, placeCount: sink.coursePlaceCount, now: now)
    }
  }
}

/// What a tracker knows of its way along the course, so that after a restart it reports nothing
/// twice and goes on as after a gap.
///
/// It is written with each passage, and with a capture once it is as old as `Bounds.courseRecord`.
/// Places between it and the first position afterwards are judged as in a gap without a restart, by
/// the distance and the time in between. The time is known where the machine ran on, or if the
/// record has a trusted date and a trusted one comes within `Bounds.clockPatience` of the first
/// position, for which the course waits. If not, or if the record is of the future or older than
/// `Bounds.longestForecast`, these places are not reported, and the way starts afresh where the
/// team is.
///
/// Its numbers may come from a damaged file: whatever they are, nothing traps.
public struct CourseRecord: Sendable, Equatable {
  /// `CourseMap.courseFingerprint`; `nil` in records of earlier programs, which fit any course.
  public var course: UInt32?
  /// Metres along the course at `position`.
  public var done: Int32
  /// The first place that has not been reported yet.
  public var next: Int16
  /// The place in whose circle it is; negative: none.
  public var inside: Int16
  public var isFinished: Bool
  /// The place whose middle it has passed unseen, and whose circle is not behind it; negative:
  /// none.
  public var unseen: Int16 = -1
  /// Millimetres along, from where on it can have missed places; `.max`: not known.
  public var knownFrom: Int32 = .max
  /// The last position that was compared with the course; `nil` in records of earlier programs.
  public var position: Coordinate?
  /// Metres from the line there.
  public var away: Int32 = 0
  /// Seconds that it had been off the course; negative: it was on it.
  public var offSeconds: Int32 = -1
  /// When it was at `position`.
  public var at = Moment()
  public var wanted = WantedPassages()
  public var forecast = ArrivalForecast()
  public var coverage = CourseCoverage()

  public init(done: Int32, next: Int16, inside: Int16, isFinished: Bool) {
    self.done = done
    self.next = next
    self.inside = inside
    self.isFinished = isFinished
  }
}

extension CourseMap where Self: ~Copyable {
  /// Distinguishes courses by the line, and by the places and where they are. Radii, opening hours
  /// and limits may be corrected during a race without starting afresh.
  public var courseFingerprint: UInt32 {
    // FNV-1a (Fowler, Noll, Vo) by words of 32 bits, folded.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func added(_ hash: UInt64, _ word: Int32) -> UInt64 {
      (hash ^ UInt64(UInt32(bitPattern: word))) &* 0x100_0000_01b3
    }
    var index: Int32 = 0
    while index < coursePointCount {
      let point = coursePoint(index)
      hash = added(hash, point.position.latitude)
      hash = added(hash, point.position.longitude)
      hash = added(hash, point.alongMillimetres)
      index += 1
    }
    index = 0
    while index < coursePlaceCount {
      let place = coursePlace(index)
      hash = added(hash, Int32(place.kind.rawValue))
      hash = added(hash, place.position.latitude)
      hash = added(hash, place.position.longitude)
      hash = added(hash, place.alongMillimetres)
      index += 1
    }
    return UInt32(truncatingIfNeeded: hash ^ (hash >> 32))
  }
}
