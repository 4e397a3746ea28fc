import Courses
import TrackerCore

extension TrackerFacts {
  /// How far it is on the course, and when it will be where.
  mutating func takeCourse(
    _ tracker: borrowing Tracker, _ board: StatusBoard, _ outlook: Outlook, at now: Instant
  ) {
    let progress = tracker.progress
    guard let course = board.course else { return }
    if let since = progress.offCourseSince {
      offCourseFor = (now - since).count
      offCourseMetres = progress.awayMetres.map { Int64($0) }
    }
    backwardsFor = progress.backwardsSince.map { (now - $0).count }
    guard let done = progress.doneMetres, let toGo = progress.toGoMetres(on: course) else {
      courseToGoMetres = Int64(course.courseLengthMillimetres / 1000)
      return
    }
    (courseDoneMetres, courseToGoMetres) = (Int64(done), Int64(toGo))
    place = progress.inside.map { board.placeName($0) }
    guard !progress.isFinished else { return }
    let date = outlook.isClockTrusted ? outlook.utc : nil
    if let next = progress.nextPlace(on: course) {
      let place = course.coursePlace(Int32(next))
      let ahead = max(0, place.alongMillimetres / 1000 - done)
      nextPlace = board.placeName(next)
      nextPlaceMetres = Int64(ahead)
      if let date {
        nextPlaceOpens = place.opens.map { ($0 - date).count }
        nextPlaceCloses = place.closes.map { ($0 - date).count }
      }
      if let date, let position = tracker.lastPosition,
        let arrival = tracker.forecast.arrival(
          after: ahead, checkpoints: 0, at: date, near: position)
      {
        nextPlaceArrival = (arrival.expected - date).count
        nextPlaceEarliest = (arrival.earliest - date).count
        nextPlaceLatest = (arrival.latest - date).count
      }
    }
    let rests = course.courseCheckpoints(upTo: .max) - course.courseCheckpoints(upTo: done)
    if let date, let position = tracker.lastPosition,
      let arrival = tracker.forecast.arrival(
        after: toGo, checkpoints: max(0, rests), at: date, near: position)
    {
      finishArrival = (arrival.expected - date).count
      finishEarliest = (arrival.earliest - date).count
      finishLatest = (arrival.latest - date).count
    }
  }
}
