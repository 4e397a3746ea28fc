import Courses
import TrackerCore

/// The way of a team, one capture after another in the order of their times.
struct Walk: Sendable {
  private(set) var progress = CourseProgress()
  private var forecast = ArrivalForecast()
  /// Where it stands, and since when.
  private(set) var standing: (at: Coordinate, since: UTC)?
  private(set) var saysBatteryEnds = false
  /// Where it was last, and when.
  private var here: (position: Coordinate, utc: UTC)?

  /// - Returns: metres along the course, -1: not on it.
  mutating func take(_ capture: DeliveredCapture, on course: MappedCourse?) -> Int32 {
    guard let utc = capture.taken else { return -1 }
    here = (capture.position, utc)
    saysBatteryEnds = capture.trigger == .batteryEnd
    let moved = standing.map { $0.at.distanceMillimetres(to: capture.position) }
    if moved.map({ $0 > Bounds.standingMetres * 1000 }) ?? true {
      standing = (capture.position, utc)
    }
    guard let course else { return -1 }
    var passages = Passages()
    progress.move(
      to: capture.position, accuracyMetres: nil, at: Instant(milliseconds: utc.milliseconds),
      on: course, into: &passages)
    guard let done = progress.doneMetres, progress.offCourseSince == nil else { return -1 }
    forecast.walked(
      to: done, checkpoints: course.courseCheckpoints(upTo: done), at: utc,
      isNight: Sun.isDown(at: utc, from: capture.position))
    return done
  }

  var offCourseSince: UTC? { progress.offCourseSince.map { UTC(milliseconds: $0.milliseconds) } }
  var backwardsSince: UTC? { progress.backwardsSince.map { UTC(milliseconds: $0.milliseconds) } }

  /// When it has walked on so far; `nil`: too little is known.
  func arrival(after metres: Int32, on course: MappedCourse) -> ExpectedArrival? {
    guard let here, let done = progress.doneMetres, progress.offCourseSince == nil else {
      return nil
    }
    let ahead = max(0, metres)
    // Of the one in whose circle it is the forecast knows already that it rests there.
    let rests = course.places.count {
      let along = $0.place.alongMillimetres / 1000
      return $0.place.kind == .checkpoint && along - $0.place.radiusMetres > done
        && along - done < ahead
    }
    return forecast.arrival(
      after: ahead, checkpoints: Int16(clamping: rests), at: here.utc, near: here.position)
  }

  /// When it arrives at a place that is still to come; `nil`: too little is known.
  func arrival(at place: Int, on course: MappedCourse) -> ExpectedArrival? {
    guard let done = progress.doneMetres else { return nil }
    return arrival(after: course.places[place].place.alongMillimetres / 1000 - done, on: course)
  }
}
