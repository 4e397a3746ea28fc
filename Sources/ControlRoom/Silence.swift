import Courses
public import TrackerCore

/// Why a tracker is silent, as far as the room can tell.
public enum SilenceClass: Sendable, Equatable {
  /// It is not due yet, or has said that it would be silent, or the team has arrived.
  case planned(PlannedSilence)
  /// Where it must be now others were silent, too; it should be out of there by then.
  case deadZone(until: UTC)
  /// Its battery was to end about now.
  case battery
  /// Nobody is heard since then.
  case server(since: UTC)
  /// Several are silent on one stretch, metres along the course.
  case network(from: Int32, to: Int32)
  case unknown

  public enum Kind: String, Sendable, CaseIterable {
    case planned, deadZone, battery, server, network, unknown
  }

  public var kind: Kind {
    switch self {
    case .planned: .planned
    case .deadZone: .deadZone
    case .battery: .battery
    case .server: .server
    case .network: .network
    case .unknown: .unknown
    }
  }
}

/// Which trackers have not kept their promise, and why.
struct Silences {
  /// Of each tracker that was heard, by its code.
  private(set) var classes: [String: SilenceClass] = [:]
  /// Since when nobody is heard.
  private(set) var outage: Traffic.Outage?
  /// Stretches on which several are silent for one cause.
  private(set) var stretches: [Stretch] = []
  /// When any of this changes next, if nothing arrives; `nil`: it does not.
  private(set) var nextChange: UTC?

  struct Stretch: Equatable {
    var from: Int32
    var to: Int32
    /// The first promise that was broken there.
    var since: UTC
    var trackers: [String]
  }

  /// - Parameter stories: by their codes.
  init(
    _ stories: [Story], _ traffic: Traffic, _ votes: CoverageVotes, on course: MappedCourse?,
    at now: UTC
  ) {
    outage = traffic.current(at: now, stories)
    let outages = traffic.outages + (outage.map { [$0] } ?? [])
    var open: [Story] = []
    for story in stories {
      let (found, changes) = story.silence(outages, votes, on: course, at: now)
      classes[story.tracker] = found
      if found == .unknown { open.append(story) }
      for change in changes { note(change, after: now) }
    }
    if let suspicion = traffic.suspicion { note(suspicion, after: now) }
    join(open, stories)
  }

  private mutating func note(_ change: UTC, after now: UTC) {
    if change > now { nextChange = min(nextChange ?? change, change) }
  }

  /// Several that are silent near each other, from where nobody else is heard, have one cause.
  private mutating func join(_ open: [Story], _ stories: [Story]) {
    let placed = open.compactMap { story in
      (story.alongs.last.flatMap { $0 >= 0 ? $0 : nil }).map { (story, along: $0) }
    }.sorted { ($0.along, $0.0.tracker) < ($1.along, $1.0.tracker) }
    var index = 0
    while index < placed.count {
      let first = placed[index].along
      let group = placed[index...].prefix { $0.along - first <= Bounds.stretchMetres }
      let last = group.last?.along ?? first
      let since = group.compactMap { $0.0.contact?.promise }.min()
      guard group.count >= Bounds.together, let since,
        !stories.contains(where: { $0.isHeard(from: first...last, after: since) })
      else {
        index += 1
        continue
      }
      stretches.append(
        Stretch(from: first, to: last, since: since, trackers: group.map(\.0.tracker).sorted()))
      for (story, _) in group { classes[story.tracker] = .network(from: first, to: last) }
      index += group.count
    }
  }
}

extension Story {
  /// How long it usually is from one contact to the next one, within what is believed of it.
  var retry: Milliseconds {
    guard let contact, let promise = contact.promise else { return Bounds.retry.lowerBound }
    return min(max(promise - contact.at, Bounds.retry.lowerBound), Bounds.retry.upperBound)
  }

  /// Whether it was heard from a stretch of the course after a time.
  func isHeard(from stretch: ClosedRange<Int32>, after utc: UTC) -> Bool {
    guard let contact, contact.at > utc, let along = alongs.last else { return false }
    return stretch.contains(along)
  }

  /// When its promise counts as broken; `nil`: it has none, or need not keep it.
  var due: UTC? {
    guard let contact, !contact.silence.isEnd, !way.progress.isFinished else { return nil }
    return contact.promise.map { $0 + Bounds.promiseGrace }
  }

  /// - Returns: why it is silent, and the times at which that may become another reason.
  func silence(
    _ outages: [Traffic.Outage], _ votes: CoverageVotes, on course: MappedCourse?, at now: UTC
  ) -> (SilenceClass, changes: [UTC]) {
    guard let due, let promise = contact?.promise else {
      let stated = contact?.silence ?? .none
      return (.planned(way.progress.isFinished && stated == .none ? .finished : stated), [])
    }
    guard now >= due else { return (.planned(contact?.silence ?? .none), [due]) }
    let proof = promise + Bounds.proofOfLife
    if let outage = outages.last(where: {
      $0.excuses(promise, retryingFor: Bounds.backoff, at: now)
    }) {
      return (.server(since: outage.from), outage.until.map { [$0 + Bounds.backoff] } ?? [])
    }
    if isBatteryEmpty(at: now) { return (.battery, [proof]) }
    let changes = [proof] + (batteryEnd.map { [$0] } ?? [])
    if let course, let until = leavesDeadZone(votes, on: course, due: due), now < until {
      return (.deadZone(until: until), changes + [until])
    }
    return (.unknown, changes)
  }

  private func isBatteryEmpty(at now: UTC) -> Bool {
    let percent = captures.last { $0.batteryPercent != nil }?.batteryPercent
    if way.saysBatteryEnds || percent.map({ $0 <= Bounds.batteryEmpty }) ?? false { return true }
    return batteryEnd.map { $0 <= now } ?? false
  }

  /// When the tracker should be heard again, if it may have walked by then into a part of the
  /// course from where others were not heard.
  private func leavesDeadZone(
    _ votes: CoverageVotes, on course: MappedCourse, due: UTC
  ) -> UTC? {
    guard let along = alongs.last, along >= 0, let taken = last?.taken else { return nil }
    let pace = max(Bounds.leastPace, pace ?? Bounds.usualPace)
    let fast = pace * Bounds.paceShare.upperBound
    let reach = Int32(clamping: Int64(along) + Int64(fast * Double((due - taken).count) / 1000))
    let end = CoverageVotes.part(reach, of: course)
    var part = CoverageVotes.part(along, of: course)
    func isSilent(_ part: Int32) -> Bool {
      part < Int32(CourseCoverage.parts)
        && votes.isSilent(part, for: tracker, known: course.coverage)
    }
    while part <= end, !isSilent(part) { part += 1 }
    guard part <= end else { return nil }
    // A part that nobody has told of lies between two silent ones.
    while isSilent(part) || isSilent(part + 1) { part += 1 }
    let slow = max(Bounds.leastPace, pace * Bounds.paceShare.lowerBound)
    let exit = max(0, CoverageVotes.metres(part, of: course) - Double(along)) / slow
    return taken + Milliseconds(Int64(exit * 1000)) + retry
  }
}
