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

    /// Until when it lets a tracker be silent; `nil`: as long as it goes on.
    var excusesUntil: UTC? { until.map { $0 + Bounds.backoff } }

    /// Whether a promise that was not kept may be due to it.
    ///
    /// - Parameter contact: the one with which the promise was made. Whoever was heard after the
    ///   outage is back.
    func excuses(_ promise: UTC, of contact: UTC) -> Bool {
      promise > from && until.map { contact < $0 && promise < $0 + Bounds.backoff } ?? true
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
    // What is usual is counted in the last hour; the rest is dropped now and then.
    let old = times.partitionPoint { time - $0 < Bounds.trafficSpan }
    if old > times.count / 2 { times.removeFirst(old) }
  }

  /// The outage that goes on; `nil`: there is none.
  func current(at now: UTC, _ stories: [Story]) -> Outage? {
    gap(until: now, stories).map { Outage(from: $0) }
  }

  /// Whether a promise that was broken is nobody else's fault: somebody was heard since, or nothing
  /// speaks for an outage by now.
  func isHearing(since promise: UTC, at now: UTC) -> Bool {
    times.last.map { $0 > promise } ?? false || now >= promise + Bounds.proofOfLife
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
    let broken = stories.filter { story in
      let contact = story.contact(until: last)
      return contact?.promise.map { $0 >= last && $0 + Bounds.promiseGrace <= now } ?? false
    }
    guard broken.count >= Bounds.together, !Self.isOnePlace(broken, stories, last, until: now)
    else { return nil }
    return last
  }

  /// Whether only one place is silent: a whole field that walks into a valley falls silent there
  /// one after another, while a server falls silent for teams that are anywhere.
  private static func isOnePlace(
    _ broken: [Story], _ stories: [Story], _ last: UTC, until now: UTC
  ) -> Bool {
    let places = broken.compactMap { $0.position(at: last) }
    let far = Int64(Bounds.stretchMetres) * 1000
    guard places.count == broken.count, let first = places.first else { return false }
    // Of thousands not each pair is measured: near one of them they are near each other.
    let areNear = places.allSatisfy { first.distanceMillimetres(to: $0) <= far * 49 / 100 }
    guard
      areNear
        || places.allSatisfy({ a in places.allSatisfy { a.distanceMillimetres(to: $0) <= far } })
    else { return false }
    let heard = stories.flatMap { $0.alongs(heardUntil: last) }.sorted()
    // Contacts that are missing of teams elsewhere, or on their way between places of contact.
    let missing = stories.reduce(0.0) { sum, story in
      guard let contact = story.contact(until: last),
        let promise = contact.promise, promise > last, promise > contact.at,
        story.position(at: last).map({ $0.distanceMillimetres(to: first) > far }) ?? true
          || story.isCovered(by: heard, since: last, until: min(promise, now))
      else { return sum }
      return sum + min(1, Double((now - last).count) / Double((promise - contact.at).count))
    }
    return missing < Bounds.missingElsewhere
  }
}

extension Story {
  /// The last one by a time; `nil`: there is none.
  fileprivate func contact(until utc: UTC) -> Contact? {
    contacts[..<contacts.partitionPoint { $0.at > utc }].last
  }

  /// Where it was last when nothing had arrived after a time.
  fileprivate func position(at utc: UTC) -> Coordinate? {
    captures.last { $0.at <= utc }?.position
  }

  /// Where it was heard, metres along the course.
  fileprivate func alongs(heardUntil utc: UTC) -> [Int32] {
    guard wasOnCourse else { return [] }
    return contacts.prefix { $0.at <= utc }.compactMap { contact in
      lastCapture(before: contact.at, within: Bounds.contactHere).map { alongs[$0] }
    }.filter { $0 >= 0 }
  }

  /// Whether it walks where it, or others before it, were heard all the way.
  ///
  /// - Parameters:
  ///   - heard: metres along the course, in order.
  ///   - last: what arrived later does not count.
  fileprivate func isCovered(by heard: [Int32], since last: UTC, until now: UTC) -> Bool {
    guard wasOnCourse, let index = captures.lastIndex(where: { $0.at <= last }),
      alongs[index] >= 0,
      let taken = captures[index].taken
    else { return false }
    let fast = max(Bounds.usualPace, pace ?? 0) * Bounds.paceShare.upperBound
    let end = Double(alongs[index]) + fast * Double((now - taken).count) / 1000
    var here = alongs[index]
    for place in heard where place > here {
      guard place - here <= Bounds.coveredMetres else { return false }
      here = place
      if Double(here + Bounds.contactMetres) >= end { return true }
    }
    return Double(here + Bounds.contactMetres) >= end
  }
}
