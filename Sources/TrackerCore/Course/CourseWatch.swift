/// The course, as a tracker follows it: the progress, the arrivals, and passages that still want a
/// capture.
struct CourseWatch: Sendable, Equatable {
  var progress: CourseProgress
  var forecast = ArrivalForecast()
  /// The places, by bits, that were passed unseen and have no capture yet.
  private var inferred: UInt64 = 0
  /// The place that was left or entered and has no capture yet; negative: none. In that order.
  private var left: Int16 = -1
  private var entered: Int16 = -1
  /// When the forecast was last told of the progress.
  private var toldAt: Instant?

  /// - Parameter record: from before a restart.
  init(_ record: CourseRecord? = nil) {
    guard let record else {
      progress = CourseProgress()
      return
    }
    progress = CourseProgress(
      done: record.done,
      places: PlaceWatch(
        next: record.next, inside: record.inside, isFinished: record.isFinished))
  }

  /// What a restart has to know; `nil`: nothing.
  var record: CourseRecord? {
    guard let done = progress.doneMetres else { return nil }
    let told = progress.told
    return CourseRecord(
      done: done, next: told.next, inside: told.inside, isFinished: told.isFinished)
  }

  // MARK: Captures

  struct Wanted: Equatable {
    var trigger: Trigger
    var place: Int16
  }

  /// The passage that a capture is to be taken of next: what was left, passed, and entered.
  var wanted: Wanted? {
    if left >= 0 { return Wanted(trigger: .left, place: left) }
    if inferred != 0 {
      return Wanted(trigger: .inferred, place: Int16(inferred.trailingZeroBitCount))
    }
    return entered >= 0 ? Wanted(trigger: .entered, place: entered) : nil
  }

  mutating func want(_ passage: Passage) {
    switch passage.kind {
    case .entered: entered = passage.place
    case .left: left = passage.place
    case .inferred: inferred |= 1 << UInt64(min(max(0, passage.place), 63))
    // There is no position to keep of it.
    case .missed: break
    }
  }

  mutating func taken(_ wanted: Wanted) {
    if wanted.trigger == .left {
      left = -1
    } else if wanted.trigger == .inferred {
      inferred &= inferred &- 1
    } else {
      entered = -1
    }
  }

  /// Where a capture is taken now.
  func mark(
    place: Int16?, on map: borrowing some CourseMap & ~Copyable
  ) -> CourseMark? {
    guard let done = progress.doneMetres, let toGo = progress.toGoMetres(on: map) else {
      return nil
    }
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
  /// Follows the course: tells what is passed, and wants captures of it.
  @inline(never)
  mutating func follow(
    _ fix: Fix, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
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
    identity.memory.course = course.record
    isMemoryDue = true
  }
}
