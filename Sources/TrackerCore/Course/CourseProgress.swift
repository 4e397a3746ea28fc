/// How far a team is on the course: distance done, off the course, moving backwards, places passed.
///
/// Feed it with positions in the order of their times, a second or ten minutes apart. A position
/// alone does not say which way a team goes where the course crosses itself or comes back over the
/// same road: so it pursues up to four places on the course at a time, each with what speaks
/// against it (being far from the line, going back, having got too far along), and believes the one
/// against which there is least. What comes later corrects it. Near the team the course is searched
/// each time, as a whole only when the team is far from where it should be, and then at intervals.
///
/// (The method is that of map matching with a hidden Markov model: Newson and Krumm, "Hidden Markov
/// map matching through noise and sparseness", 2009, with costs for logarithms of probabilities.)
public struct CourseProgress: Sendable, Equatable {
  var hypotheses = CourseHypotheses()
  /// The last position that was compared with the course, and when.
  private var position: Coordinate?
  private var at = Instant.start
  /// The most likely place, millimetres along the course, and how far from it, centimetres.
  private var along: Int32 = 0
  private var away: Int32 = 0
  var lastSearch: Instant?

  // Beside the course. It has to last before it is reported.
  private var offSince: Instant?
  private var isOffTold = false
  // Going back: the furthest place before, and the furthest back since then.
  private var peak: Int32 = 0
  private var peakAt = Instant.start
  private var trough: Int32?

  private var places: PlaceWatch

  public init() { places = PlaceWatch() }

  /// Goes on after a restart. Whether it moves backwards is determined afresh.
  ///
  /// - Parameters:
  ///   - at: when the record's position was; `nil`: nobody knows.
  ///   - now: the present.
  ///   - placeCount: of the course.
  init(_ record: CourseRecord, at: Instant?, now: Instant, placeCount: Int32) {
    places = PlaceWatch(record, at: at, now: now, placeCount: placeCount)
    along = min(max(0, record.done), Bounds.courseKilometres * 1000) * 1000
    hypotheses.add(CourseHypothesis(along: along, piece: -1))
    away = min(max(0, record.away), Bounds.courseDistanceMetres) * 100
    guard let at, let position = record.position, position.isOnEarth else { return }
    self.position = position
    self.at = at
    if record.offSeconds >= 0 {
      offSince = at - .seconds(Int64(record.offSeconds))
      isOffTold = .seconds(Int64(record.offSeconds)) >= Bounds.courseRest
    }
  }

  /// What a restart has to know; `nil`: it was not near the course yet.
  var record: CourseRecord? {
    guard let done = doneMetres, let position else { return nil }
    var record = CourseRecord(
      done: done, next: places.next, inside: places.inside, isFinished: places.isFinished)
    record.unseen = places.unseen
    record.knownFrom = places.knownFrom
    record.position = position
    record.away = away / 100
    if let offSince {
      record.offSeconds = Int32(clamping: max(0, (at - offSince).count / 1000))
    }
    record.at = Moment(at: at)
    return record
  }

  // MARK: What is known

  /// Metres from the start along the course; `nil`: it was not near the course yet.
  public var doneMetres: Int32? { hypotheses.count > 0 ? along / 1000 : nil }
  /// Metres to the finish along the course; `nil`: as above.
  public func toGoMetres(on map: borrowing some CourseMap & ~Copyable) -> Int32? {
    guard hypotheses.count > 0 else { return nil }
    return max(0, map.courseLengthMillimetres - along) / 1000
  }
  /// Metres from the line; `nil`: as above.
  public var awayMetres: Int32? { hypotheses.count > 0 ? away / 100 : nil }
  /// Since when it is off the course.
  public var offCourseSince: Instant? { isOffTold ? offSince : nil }
  /// Since when it moves backwards: when it was furthest along.
  public var backwardsSince: Instant? { trough == nil ? nil : peakAt }
  /// The place in whose circle it is.
  public var inside: Int16? { places.inside < 0 ? nil : places.inside }
  /// Whether it has entered the finish; neither off the course nor backwards since then.
  public var isFinished: Bool { places.isFinished }
  /// The next place to come; `nil`: none, or not known.
  public func nextPlace(on map: borrowing some CourseMap & ~Copyable) -> Int16? {
    guard hypotheses.count > 0, !isFinished else { return nil }
    var index = map.courseIndexOfPlace(after: along)
    if let next = index, next == Int32(places.inside) {
      index = next + 1 < map.coursePlaceCount ? next + 1 : nil
    }
    return index.map { Int16(truncatingIfNeeded: $0) }
  }

  // MARK: Input

  /// A position.
  ///
  /// - Parameters:
  ///   - accuracyMetres: estimated; `nil`: unknown.
  ///   - passages: receives what happens at places.
  public mutating func move(
    to new: Coordinate, accuracyMetres: Int32?, at now: Instant,
    on map: borrowing some CourseMap & ~Copyable, into passages: inout Passages
  ) {
    guard map.hasCourse else { return }
    let accuracy = min(max(accuracyMetres ?? 15, 3), 200)
    var step = CourseStep(to: new, accuracy: accuracy, at: now)
    if let position {
      // The clock of a file of captures may have stepped back.
      guard now > at else { return }
      step.moved = position.distanceMillimetres(to: new)
      step.elapsed = now - at
      let least = Int64(max(Bounds.courseStepMetres, accuracy / 2)) * 1000
      if step.moved < least, now - at < Bounds.courseRest { return }
    }
    follow(step, on: map, into: &passages)
    position = new
    at = now
  }

  // Not inlined: it needs much stack, and is called for few positions.
  @inline(never)
  private mutating func follow(
    _ step: CourseStep, on map: borrowing some CourseMap & ~Copyable,
    into passages: inout Passages
  ) {
    let limits = map.courseLimits
    let isLost = away / 100 > max(40, 2 * step.accuracy) + map.courseErrorMetres
    var search = CourseSearch(step, hypotheses, errorMetres: map.courseErrorMetres)
    if step.elapsed != nil { search.searchNearby(on: map) }
    // What a record from before a restart says may be far from where the team is now.
    let isUnplaced = search.found.count == 0 && (hypotheses.best?.piece ?? 0) < 0
    if isLost || isUnplaced || trough != nil || step.elapsed == nil || hypotheses.count == 0,
      isSearchDue(at: step.at)
    {
      lastSearch = step.at
      search.searchEverywhere(
        within: Self.bounded(limits.offCourseMetres) + 3 * step.accuracy,
        isLost: isLost || isUnplaced, on: map)
    }
    if search.found.count > 0 {
      hypotheses = search.found
      hypotheses.settle()
    }
    // Before it was near the course, and after a restart beside it, there is nothing to judge.
    guard let best = hypotheses.best, best.piece >= 0 else { return }
    let wasOff = offSince != nil
    let before = along
    along = best.along
    away = search.away(of: best, on: map)
    judgeDistance(away, step, limits)
    let isWalked = isWalked(from: before, step)
    judgeDirection(step, limits, isWalked: isWalked)
    places.follow(
      PlaceWatch.Stretch(
        from: before, since: at, to: along, at: step.at,
        isOnTheWay: isWalked && !wasOff
          && (offSince == nil || along >= map.courseLengthMillimetres),
        isLost: offSince != nil),
      step, on: map, into: &passages)
    // A team that rests in a hall beside the line is at the checkpoint.
    if isFinished || places.inside >= 0 {
      offSince = nil
      isOffTold = false
    }
    if isFinished { trough = nil }
  }

  private func isSearchDue(at now: Instant) -> Bool {
    lastSearch.map { now - $0 >= Bounds.courseSearch } ?? true
  }

  /// Whether the team may have come along the course from there on foot, or over bends that the
  /// line has and its way had not.
  private func isWalked(from before: Int32, _ step: CourseStep) -> Bool {
    guard let elapsed = step.elapsed else { return false }
    let metres = abs(Int64(along) - Int64(before)) / 1000
    let byFoot = elapsed.count.multipliedReportingOverflow(by: Bounds.courseSpeed)
    if byFoot.overflow || metres <= byFoot.partialValue / 1_000_000 { return true }
    // Two fixes so far apart in so little time mean a lift, however straight the way was.
    if step.moved > byFoot.partialValue / 1000 + Bounds.liftSlack { return false }
    return metres * 1000 <= step.moved * 3 / 2 + Bounds.liftSlack
  }

  /// - Parameter away: centimetres from the line.
  private mutating func judgeDistance(
    _ away: Int32, _ step: CourseStep, _ limits: CourseLimits
  ) {
    let limit = (Self.bounded(limits.offCourseMetres) + 3 * step.accuracy) * 100
    if away > limit {
      let since = offSince ?? step.at
      offSince = since
      // One fix may be a reflection, but not one that is so far away.
      if step.at - since >= Bounds.courseRest || away / 2 > limit { isOffTold = true }
    } else if !isOffTold || away < limit / 4 * 3 {
      offSince = nil
      isOffTold = false
    }
  }

  private mutating func judgeDirection(
    _ step: CourseStep, _ limits: CourseLimits, isWalked: Bool
  ) {
    guard isWalked else {
      trough = nil
      return begin(at: step.at)
    }
    // Beside the course the nearest point of it says nothing about the direction.
    guard offSince == nil else { return }
    let limit = (Self.bounded(limits.backwardsMetres) + 3 * step.accuracy) * 1000
    if let lowest = trough {
      trough = min(lowest, along)
      if along - lowest > limit / 2 {
        trough = nil
        begin(at: step.at)
      }
    } else if along >= peak {
      begin(at: step.at)
    } else if peak - along > limit {
      trough = along
    }
  }

  private static func bounded(_ metres: Int32) -> Int32 {
    min(max(0, metres), Bounds.courseDistanceMetres)
  }

  private mutating func begin(at now: Instant) {
    peak = along
    peakAt = now
  }
}

/// One position after another.
struct CourseStep {
  var to: Coordinate
  /// Metres.
  var accuracy: Int32
  var at: Instant
  /// As the crow flies, millimetres.
  var moved: Int64 = 0
  /// `nil`: it is the first one.
  var elapsed: Milliseconds?

  init(to: Coordinate, accuracy: Int32, at: Instant) {
    self.to = to
    self.accuracy = accuracy
    self.at = at
  }
}
