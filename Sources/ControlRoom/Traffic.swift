import Courses
import TrackerCore

/// When trackers were heard, whichever: it shows when nobody was.
struct Traffic: Sendable, Equatable {
  /// A time in which the server heard nobody, although many were to be heard.
  struct Outage: Sendable, Equatable {
    /// The last contact before it.
    var from: UTC
    /// The first one after it; `nil`: it goes on.
    var until: UTC?

    /// Whether a promise that was not kept may be due to it.
    func excuses(_ promise: UTC, retryingFor retry: Milliseconds, at now: UTC) -> Bool {
      promise > from && until.map { now < $0 + retry && promise < $0 + retry } ?? true
    }
  }

  private(set) var times: [UTC] = []
  private(set) var outages: [Outage] = []

  /// - Parameter stories: as they stand now.
  init(_ stories: [Story] = []) {
    var all: [UTC] = []
    for story in stories {
      var before: UTC?
      for contact in story.contacts {
        if before.map({ contact.at - $0 > Bounds.oneContact }) ?? true { all.append(contact.at) }
        before = contact.at
      }
    }
    for time in all.sorted() { add(time, stories) }
  }

  /// - Returns: `false` if it comes before others: then the whole has to be made anew.
  mutating func note(_ story: Story, _ stories: [Story]) -> Bool {
    guard let last = story.contacts.last?.at else { return true }
    let before = story.contacts.dropLast().last?.at
    guard before.map({ last - $0 > Bounds.oneContact }) ?? true else { return true }
    guard times.last.map({ last >= $0 }) ?? true else { return false }
    add(last, stories)
    return true
  }

  private mutating func add(_ time: UTC, _ stories: [Story]) {
    if let gap = gap(until: time, stories) { outages.append(Outage(from: gap, until: time)) }
    times.append(time)
  }

  /// The outage that goes on; `nil`: there is none.
  func current(at now: UTC, _ stories: [Story]) -> Outage? {
    gap(until: now, stories).map { Outage(from: $0) }
  }

  /// When the silence after the last contact can no longer be chance; `nil`: never.
  var suspicion: UTC? {
    guard let last = times.last else { return nil }
    let before = times.partitionPoint { last - $0 < Bounds.trafficSpan }
    let usual = Double(Bounds.trafficSpan.count) / Double(times.count - before)
    return last + Milliseconds(Int64((usual * Bounds.missingContacts).rounded(.up)))
  }

  /// The time of the last contact, if so long a silence after it cannot be chance and promises were
  /// broken in it.
  private func gap(until now: UTC, _ stories: [Story]) -> UTC? {
    guard let last = times.last, let suspicion, now >= suspicion else { return nil }
    let broken = stories.count { story in
      let contact = story.contacts.prefix { $0.at <= last }.last
      return contact?.promise.map { $0 >= last && $0 + Bounds.promiseGrace <= now } ?? false
    }
    return broken >= Bounds.together ? last : nil
  }
}

/// Where along the course the trackers of this race made contact, and where they tried in vain.
///
/// Nobody tells where a contact failed. But between a promise that was not kept and the contact
/// after it a tracker tried, and the captures that it delivered then show where it was.
struct CoverageVotes: Sendable {
  /// What one tracker says: the parts of the course (`CourseCoverage`).
  struct Ballot: Sendable, Equatable {
    var reached: Set<Int32> = []
    var silent: Set<Int32> = []
  }

  private var ballots: [String: Ballot] = [:]
  private var reached = [Int](repeating: 0, count: CourseCoverage.parts)
  private var silent = [Int](repeating: 0, count: CourseCoverage.parts)

  mutating func take(_ ballot: Ballot, from tracker: String) {
    let before = ballots.updateValue(ballot, forKey: tracker) ?? Ballot()
    for part in before.reached { reached[Int(part)] -= 1 }
    for part in before.silent { silent[Int(part)] -= 1 }
    for part in ballot.reached { reached[Int(part)] += 1 }
    for part in ballot.silent { silent[Int(part)] += 1 }
  }

  /// Whether other trackers, or those of an earlier race, were silent in a part of the course.
  func isSilent(_ part: Int32, for tracker: String, known: CourseCoverage) -> Bool {
    let own = ballots[tracker]
    let said = known[part]
    let against =
      silent[Int(part)] - (own?.silent.contains(part) == true ? 1 : 0)
      + (said == .silent ? 1 : 0)
    let inFavour =
      reached[Int(part)] - (own?.reached.contains(part) == true ? 1 : 0)
      + (said == .reached ? 1 : 0)
    return against > 0 && against * 2 > inFavour
  }

  /// What a later race on the course can use.
  func map(known: CourseCoverage) -> CourseCoverage {
    var map = known
    for part in 0..<Int32(CourseCoverage.parts) {
      let (no, yes) = (silent[Int(part)], reached[Int(part)])
      if no + yes > 0 { map[part] = no * 2 > yes ? .silent : .reached }
    }
    return map
  }

  /// The part at so many metres along a course.
  static func part(_ metres: Int32, of course: MappedCourse) -> Int32 {
    let length = max(1, Int64(course.lengthMetres))
    let parts = Int64(CourseCoverage.parts)
    return Int32(min(max(0, Int64(metres)), length - 1) * parts / length)
  }

  /// Where a part begins, metres along a course.
  static func metres(_ part: Int32, of course: MappedCourse) -> Double {
    course.lengthMetres * Double(part) / Double(CourseCoverage.parts)
  }
}

extension Story {
  /// What it shows of the coverage, apart from times in which nobody was heard.
  func ballot(on course: MappedCourse, _ outages: [Traffic.Outage]) -> CoverageVotes.Ballot {
    var ballot = CoverageVotes.Ballot()
    for (index, contact) in contacts.enumerated() {
      if let last = lastCapture(before: contact.at, within: Bounds.contactHere),
        alongs[last] >= 0
      {
        let (first, end) = (
          alongs[last] - Bounds.contactMetres, alongs[last] + Bounds.contactMetres
        )
        for part in CoverageVotes.part(first, of: course)...CoverageVotes.part(end, of: course) {
          ballot.reached.insert(part)
        }
      }
      guard index > 0, let promise = contacts[index - 1].promise,
        contact.at > promise + Bounds.promiseGrace
      else { continue }
      let end = contact.at + Milliseconds(-Bounds.contactHere.count)
      guard !outages.contains(where: { $0.from < end && ($0.until ?? end) > promise }) else {
        continue
      }
      addSilence(from: promise, to: end, on: course, &ballot)
    }
    return ballot
  }

  private func addSilence(
    from: UTC, to: UTC, on course: MappedCourse, _ ballot: inout CoverageVotes.Ballot
  ) {
    var before: Int32?
    for (capture, along) in zip(captures, alongs) {
      guard let taken = capture.taken, taken >= from else { continue }
      guard taken <= to else { break }
      guard along >= 0 else {
        before = nil
        continue
      }
      let part = CoverageVotes.part(along, of: course)
      for one in min(before ?? part, part)...max(before ?? part, part) {
        ballot.silent.insert(one)
      }
      before = part
    }
  }

  private func lastCapture(before utc: UTC, within span: Milliseconds) -> Int? {
    let index = captures.partitionPoint { ($0.taken ?? utc) > utc } - 1
    guard index >= 0, let taken = captures[index].taken, utc - taken <= span else { return nil }
    return index
  }
}
