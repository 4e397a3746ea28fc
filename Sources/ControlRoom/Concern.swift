import Courses
public import TrackerCore

/// What needs a human, the most urgent first.
public enum Need: UInt8, Sendable, CaseIterable, Comparable, Codable {
  /// Somebody of the team asks for help.
  case emergency
  /// A promise was broken, and no place or server explains it.
  case silent
  /// Nothing has come of it since its start.
  case unheard
  /// It stays where nobody rests.
  case standing
  case offCourse
  case backwards
  /// It will not reach a place before that closes.
  case late
  /// Its battery ends before the finish.
  case battery
  /// It has captures that the server did not take.
  case incomplete
  /// Two devices send under its code.
  case cloned

  public static func < (a: Need, b: Need) -> Bool { a.rawValue < b.rawValue }

  /// Its word in files.
  public var name: String {
    switch self {
    case .emergency: "emergency"
    case .silent: "silent"
    case .unheard: "unheard"
    case .standing: "standing"
    case .offCourse: "off_course"
    case .backwards: "backwards"
    case .late: "late"
    case .battery: "battery"
    case .incomplete: "incomplete"
    case .cloned: "cloned"
    }
  }
}

/// What speaks for a need.
public enum Evidence: Sendable, Equatable {
  /// When it was taken, by the tracker's clock, if that is trusted.
  case asksForHelp(at: UTC?)
  /// The same, in a text message: nothing later has come to the server.
  ///
  /// - Parameter isKnown: it is this tracker's; else it is of a telephone that says so.
  case asksForHelpByText(at: UTC?, isKnown: Bool)
  /// The team has withdrawn it since, or its tracker has heard that it was ended.
  case helpOver(asked: UTC?, over: UTC)
  /// Last heard; promised. Its battery was about to end.
  case silent(heard: UTC, promise: UTC, batteryPercent: Int?)
  /// On this stretch of the course, metres.
  case silentStretch(from: Int32, to: Int32, trackers: Int)
  case silentServer(promises: Int)
  /// When it was to start.
  case unheard(start: UTC)
  /// The name of the place, if it stands at one.
  case standing(place: String?)
  case off(metres: Int32)
  case backwards
  /// A place of the course, when that closes, and the earliest time at which the team gets there.
  case late(place: String, closes: UTC, earliest: UTC)
  case battery(percent: Int, end: UTC, arrival: UTC)
  case passedOver(captures: Int)
  /// Why the last of them was.
  case refused(captures: Int, reason: String)
  case cloned
  /// As a diary has it, in English.
  case written(String)
}

/// A need of a team, or of several.
public struct Concern: Sendable, Equatable {
  public var need: Need
  public var since: UTC
  public var evidence: Evidence
}

extension Story {
  /// What its captures show, whatever the time is now.
  func concerns(on course: MappedCourse?) -> [Concern] {
    var concerns: [Concern] = []
    func add(_ need: Need, since: UTC, _ evidence: Evidence) {
      concerns.append(Concern(need: need, since: since, evidence: evidence))
    }
    if let emergency {
      add(
        .emergency, since: emergency,
        emergencyOver.map { .helpOver(asked: asked, over: $0) }
          ?? (calledByText
            ? .asksForHelpByText(at: asked, isKnown: !tracker.hasPrefix(DeliveredCapture.telephone))
            : .asksForHelp(at: asked)))
    }
    // It may be a steward's, who stands, or in a car.
    if isPhone { return concerns }
    let clonedSince = clonedSince
    if let since = clonedSince { add(.cloned, since: since, .cloned) }
    if let refused { add(.incomplete, since: refused.since, refused.evidence) }
    let passedOver = refused == nil ? self.passedOver : 0
    if passedOver > 0, let contact {
      add(.incomplete, since: contact.at, .passedOver(captures: passedOver))
    }
    // Where two devices are in turn says nothing about either.
    guard let taken = last?.taken, !way.progress.isFinished, clonedSince == nil else {
      return concerns
    }
    let standing = standingSince(on: course, at: taken)
    if let standing {
      add(.standing, since: standing, .standing(place: restingPlace(on: course)?.name))
    }
    if let since = way.offCourseSince, taken - since >= Bounds.offCourse {
      add(.offCourse, since: since, .off(metres: way.progress.awayMetres ?? 0))
    }
    if let since = way.backwardsSince { add(.backwards, since: since, .backwards) }
    // A tracker that was stopped has nobody on the way any more.
    if let course, contact?.silence.isEnd != true {
      if let late = closesBefore(on: course) { add(.late, since: taken, late) }
      // Whoever has stopped has no arrival for which the battery is to last.
      if standing == nil, let short = endsBefore(on: course) { add(.battery, since: taken, short) }
    }
    return concerns.sorted { $0.need < $1.need }
  }

  /// Before it has left the start a team may stand as long as it likes.
  private func standingSince(on course: MappedCourse?, at now: UTC) -> UTC? {
    guard let since = way.standing?.since, since != captures.first?.taken else { return nil }
    let inside = restingPlace(on: course)?.place.kind
    if inside == .start || inside == .finish { return nil }
    return now - since >= (inside == nil ? Bounds.standing : Bounds.resting) ? since : nil
  }

  /// The place at which it stands, or near which.
  private func restingPlace(on course: MappedCourse?) -> MappedCourse.Place? {
    guard let course else { return nil }
    if let inside = way.progress.inside { return course.places[Int(inside)] }
    guard let here = way.standing?.at else { return nil }
    return course.places.first { place in
      let near = Int64(place.place.radiusMetres) + Bounds.besideMetres
      return place.place.position.distanceMillimetres(to: here) <= near * 1000
    }
  }

  /// The next place that has hours, if it closes before the team can be there. What is forecast for
  /// the places after it is no reason to call a team.
  private func closesBefore(on course: MappedCourse) -> Evidence? {
    guard let next = way.progress.nextPlace(on: course), let taken = last?.taken else { return nil }
    for index in Int(next)..<course.places.count {
      // A course from last year has last year's hours.
      guard let closes = course.places[index].place.closes, taken - closes < Bounds.raceSpan
      else { continue }
      guard let arrival = way.arrival(at: index, on: course) else { return nil }
      // Of those that are to arrive at the earliest time one in ten does, and it is asked often.
      let doubt = Double((arrival.expected - arrival.earliest).count) * Bounds.lateDoubt
      guard taken > closes || Double((arrival.earliest - closes).count) > doubt else { return nil }
      return .late(place: course.places[index].name, closes: closes, earliest: arrival.earliest)
    }
    return nil
  }

  private func endsBefore(on course: MappedCourse) -> Evidence? {
    guard let percent = captures.last(where: { $0.batteryPercent != nil })?.batteryPercent,
      percent <= Bounds.batteryLow, let end = batteryEnd,
      let finish = course.places.lastIndex(where: { $0.place.kind == .finish }),
      let arrival = way.arrival(at: finish, on: course)?.expected,
      end + Bounds.batteryMargin < arrival
    else { return nil }
    return .battery(percent: Int(percent.rounded()), end: end, arrival: arrival)
  }

  /// What a broken promise makes of it.
  func concern(_ silence: SilenceClass, _ traffic: Traffic, at now: UTC) -> Concern? {
    guard silence == .unknown || silence == .battery, let contact, let promise = contact.promise
    else { return nil }
    guard traffic.isHearing(since: promise, at: now) else { return nil }
    let percent = captures.last { $0.batteryPercent != nil }?.batteryPercent
    return Concern(
      need: .silent, since: promise,
      evidence: .silent(
        heard: contact.at, promise: promise,
        batteryPercent: silence == .battery ? percent.map { Int($0.rounded()) } : nil))
  }
}
