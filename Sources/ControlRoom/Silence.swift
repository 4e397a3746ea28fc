import Courses
import Reports
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

  public enum Kind: String, Sendable, CaseIterable, Codable {
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

/// A silence that is over: what it was, as is known from what the tracker delivered afterwards.
public struct PastSilence: Sendable, Equatable {
  /// The promise that was broken.
  public var from: UTC
  /// When the tracker was heard again.
  public var until: UTC
  public var kind: SilenceClass.Kind

  public init(from: UTC, until: UTC, kind: SilenceClass.Kind) {
    (self.from, self.until, self.kind) = (from, until, kind)
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
    var votes = votes
    if let course {
      for story in stories {
        guard let place = story.suspicion(outages, votes, on: course, at: now) else { continue }
        votes.suspect(place, of: story.tracker)
      }
    }
    var joined: [Story] = []
    for story in stories {
      let (found, changes) = story.silence(outages, votes, on: course, at: now)
      classes[story.tracker] = found
      if found.kind == .network {
        joined.append(story)
        if let promise = story.contact?.promise { note(promise + Bounds.proofOfLife, after: now) }
      }
      for change in changes { note(change, after: now) }
      if found.kind == .planned, let missed = story.missed(after: story.contacts.count - 1) {
        note(missed, after: now)
      }
    }
    if let suspicion = traffic.suspicion { note(suspicion, after: now) }
    join(joined)
  }

  private mutating func note(_ change: UTC, after now: UTC) {
    if change > now { nextChange = min(nextChange ?? change, change) }
  }

  /// Several that are silent near each other have one cause.
  private mutating func join(_ open: [Story]) {
    let placed = open.compactMap { story in
      story.alongs.last.map { (story, along: $0) }
    }.sorted { ($0.along, $0.0.tracker) < ($1.along, $1.0.tracker) }
    var index = 0
    while index < placed.count {
      var end = index + 1
      while end < placed.count,
        placed[end].along - placed[end - 1].along <= Bounds.stretchMetres
      { end += 1 }
      let group = placed[index..<end]
      let (first, last) = (placed[index].along, placed[end - 1].along)
      if let since = group.compactMap({ $0.0.contact?.promise }).min() {
        stretches.append(
          Stretch(from: first, to: last, since: since, trackers: group.map(\.0.tracker).sorted()))
      }
      for (story, _) in group { classes[story.tracker] = .network(from: first, to: last) }
      index = end
    }
  }
}

extension Story {
  /// How long it usually is from one contact to the next one, within what is believed of it.
  var retry: Milliseconds {
    guard let contact, let promise = contact.promise else { return Bounds.retry.lowerBound }
    return min(max(promise - contact.at, Bounds.retry.lowerBound), Bounds.retry.upperBound)
  }

  /// When its promise counts as broken; `nil`: it has none, or need not keep it.
  var due: UTC? {
    guard let contact, !contact.silence.isEnd, !way.progress.isFinished else {
      return nil
    }
    return contact.promise.map { $0 + Bounds.promiseGrace }
  }

  /// When a contact has been missed; `nil`: none was promised. A tracker makes contact well before
  /// its promise, always by about as much. Nobody is called for that, but it shows where it tried.
  ///
  /// - Parameter index: of the contact before it; there may be none.
  func missed(after index: Int) -> UTC? {
    guard contacts.indices.contains(index), let promise = contacts[index].promise else {
      return nil
    }
    let habit = early[..<early.partitionPoint { $0.contact > index }].suffix(Bounds.habit)
    guard habit.count == Bounds.habit, let early = habit.map(\.by).min() else {
      return promise + Bounds.promiseGrace
    }
    return promise + (Bounds.contactTakes - early)
  }

  /// - Returns: why it is silent, and the times at which that may become another reason.
  func silence(
    _ outages: [Traffic.Outage], _ votes: CoverageVotes, on course: MappedCourse?, at now: UTC
  ) -> (SilenceClass, changes: [UTC]) {
    guard let due, let contact, let promise = contact.promise else {
      let stated = self.contact?.silence ?? .none
      return (.planned(way.progress.isFinished && stated == .none ? .finished : stated), [])
    }
    guard now >= due else { return (.planned(contact.silence), [due]) }
    let proof = promise + Bounds.proofOfLife
    let excuse = excuse(outages, votes, on: course, contact, promise: promise)
    if let outage = excuse.outage, outage.from < now, excuse.outageEnd.map({ now < $0 }) ?? true {
      return (.server(since: outage.from), excuse.outageEnd.map { [$0] } ?? [])
    }
    if isBatteryEmpty(at: now) { return (.battery, [proof]) }
    let changes = [proof] + (batteryEnd.map { [$0] } ?? [])
    if now < excuse.until { return (.deadZone(until: excuse.until), changes + [excuse.until]) }
    if excuse.isSuspect { return (.network(from: 0, to: 0), changes) }
    return (.unknown, changes)
  }

  /// What excuses a silence.
  struct Excuse {
    /// Nobody was heard when it was due, or when it should have come out of a hole.
    var outage: Traffic.Outage?
    /// With a time to try again; `nil`: the outage goes on.
    var outageEnd: UTC?
    /// Until then it may have to walk through parts from where others were not heard, or wait for
    /// the server.
    var until: UTC
    /// It may be where others fall silent, too.
    var isSuspect = false

    /// An outage that began before the tracker had to be heard lets it be silent for longer.
    mutating func wait(_ outages: [Traffic.Outage], _ contact: Story.Contact) {
      for outage in outages where outage.from < until {
        let end = outage.excusesUntil
        guard outage.until.map({ $0 > contact.at }) ?? true, end.map({ $0 > until }) ?? true
        else { continue }
        (self.outage, outageEnd) = (outage, end)
        if let end { until = end }
      }
    }
  }

  private func excuse(
    _ outages: [Traffic.Outage], _ votes: CoverageVotes, on course: MappedCourse?,
    _ contact: Contact, promise: UTC
  ) -> Excuse {
    var excuse = Excuse(until: promise)
    excuse.wait(outages, contact)
    guard let course, let origin = origin(votes, contact, on: course) else { return excuse }
    var part = CoverageVotes.part(Int32(origin.metres), of: course)
    // Each hole makes it late for the next one.
    while part < Int32(CourseCoverage.parts) {
      let due = max(excuse.until, promise + Bounds.promiseGrace)
      guard CoverageVotes.metres(part, of: course) <= reach(origin, at: due) else { break }
      if votes.isSilent(part, for: tracker, known: course.coverage) {
        // A part that nobody has told of lies between two silent ones.
        while votes.isSilent(part, for: tracker, known: course.coverage)
          || votes.isSilent(part + 1, for: tracker, known: course.coverage)
        { part += 1 }
        let exit = latest(origin, at: CoverageVotes.metres(part, of: course), on: course)
        excuse.until = max(excuse.until, exit + retry)
        excuse.wait(outages, contact)
      } else if votes.isSuspect(part, for: tracker, due: promise + Bounds.promiseGrace) {
        excuse.isSuspect = true
      }
      part += 1
    }
    return excuse
  }

  private func isBatteryEmpty(at now: UTC) -> Bool {
    let percent = captures.last { $0.batteryPercent != nil }?.batteryPercent
    if way.saysBatteryEnds || percent.map({ $0 <= Bounds.batteryEmpty }) ?? false { return true }
    return batteryEnd.map { $0 <= now } ?? false
  }

  /// Where it was when, metres along the course.
  struct Origin {
    var metres: Double
    var at: UTC
  }

  /// Where it was last. If its contact came long after the last capture, it had come out of the
  /// hole in which that was taken: so it is with a receiver that finds no position any more.
  private func origin(
    _ votes: CoverageVotes, _ contact: Contact, on course: MappedCourse
  ) -> Origin? {
    guard let along = alongs.last, along >= 0, let taken = last?.taken else { return nil }
    var part = CoverageVotes.part(along, of: course)
    guard contact.at - taken > Bounds.contactHere,
      votes.isSilent(part, for: tracker, known: course.coverage)
    else { return Origin(metres: Double(along), at: taken) }
    while votes.isSilent(part, for: tracker, known: course.coverage) { part += 1 }
    return Origin(metres: CoverageVotes.metres(part, of: course), at: contact.at)
  }

  /// How far it may have got, metres along the course.
  private func reach(_ origin: Origin, at time: UTC) -> Double {
    // Whoever has rested may walk again.
    let fast = max(Bounds.usualPace, pace ?? 0) * Bounds.paceShare.upperBound
    return origin.metres + fast * Double((time - origin.at).count) / 1000
  }

  /// When it is so far along the course at the latest.
  private func latest(_ origin: Origin, at metres: Double, on course: MappedCourse) -> UTC {
    let rest = max(0, metres - origin.metres)
    let pace = max(Bounds.leastPace, pace ?? Bounds.usualPace)
    let slow = max(Bounds.leastPace, pace * Bounds.paceShare.lowerBound)
    let even = origin.at + Milliseconds(Int64(rest / slow * 1000))
    // It may rest, and night may fall.
    guard let taken = last?.taken,
      let forecast = way.arrival(after: Int32(clamping: Int64(rest)), on: course)?.latest
    else { return even }
    return max(even, origin.at + (forecast - taken))
  }

  /// Where it must have tried in vain, if it is due and nothing known explains its silence.
  func suspicion(
    _ outages: [Traffic.Outage], _ votes: CoverageVotes, on course: MappedCourse, at now: UTC
  ) -> CoverageVotes.Suspicion? {
    guard let due, let contact, let missed = missed(after: contacts.count - 1), now >= missed,
      let origin = origin(votes, contact, on: course), !isBatteryEmpty(at: now)
    else { return nil }
    let tried = missed + Milliseconds(-Bounds.contactTakes.count)
    let excuse = excuse(outages, votes, on: course, contact, promise: tried)
    guard now >= excuse.until, excuse.outage == nil || excuse.outageEnd != nil else { return nil }
    func part(_ time: UTC, _ pace: Double, _ more: Int32) -> Int32 {
      // A phone or a text message may have told since where it is.
      let metres = origin.metres + pace * Double(max(0, (time - origin.at).count)) / 1000
      return CoverageVotes.part(Int32(clamping: Int64(metres)) + more, of: course)
    }
    let early = now < due ? missed : nil
    let pace = max(Bounds.leastPace, pace ?? Bounds.usualPace)
    let fast = max(Bounds.usualPace, pace) * Bounds.paceShare.upperBound
    if let end = excuse.outageEnd {
      return .init(
        parts: part(end, pace * Bounds.paceShare.lowerBound, 0)...part(end, fast, 0), weight: 1,
        early: early)
    }
    return .init(
      parts: part(tried, pace, -Bounds.contactMetres)...part(tried, fast, Bounds.contactMetres),
      weight: 2, early: early)
  }
}

/// The teams of the table of which nothing has come, and since when that needs a human.
struct Unheard {
  /// Those that should have been heard by now, by their start.
  private(set) var overdue: [(start: UTC, trackers: [String])] = []
  /// When there are more; `nil`: never.
  private(set) var nextChange: UTC?

  /// - Parameter heard: whether something has come from a tracker.
  init(_ plan: RacePlan, at now: UTC, heard: (String) -> Bool) {
    for team in plan.teams where !heard(team.number) {
      guard let start = plan.start(of: team) else { continue }
      let due = start + Bounds.firstContact
      // A course from last year has last year's hours.
      guard now - start < Bounds.raceSpan else { continue }
      if due > now {
        nextChange = min(nextChange ?? due, due)
      } else if let index = overdue.firstIndex(where: { $0.start == start }) {
        overdue[index].trackers.append(team.number)
      } else {
        overdue.append((start, [team.number]))
      }
    }
    for index in overdue.indices { overdue[index].trackers.sort() }
    overdue.sort { $0.start < $1.start }
  }

  /// One for all that were to start together: at a start nobody needs forty alarms.
  var concerns: [(subject: Subject, concern: Concern)] {
    overdue.map { (.stretch($0.trackers), Self.concern($0.start)) }
  }

  func concern(of tracker: String) -> Concern? {
    overdue.first { $0.trackers.contains(tracker) }.map { Self.concern($0.start) }
  }

  private static func concern(_ start: UTC) -> Concern {
    Concern(need: .unheard, since: start, evidence: .unheard(start: start))
  }
}

extension RacePlan {
  /// When a team is to start: by the timetable, else when the course's start opens; `nil`: nobody
  /// has said so.
  func start(of team: RosterTeam) -> UTC? {
    timetable?.start(of: team.name)
      ?? course?.places.first { $0.place.kind == .start }?.place.opens
  }
}
