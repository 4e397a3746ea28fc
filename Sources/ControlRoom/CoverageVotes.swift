import Courses
import TrackerCore

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
  private var suspects: [String: Suspicion] = [:]
  private var suspected = [Int](repeating: 0, count: CourseCoverage.parts)
  private var reached = [Int](repeating: 0, count: CourseCoverage.parts)
  private var silent = [Int](repeating: 0, count: CourseCoverage.parts)

  /// Where a tracker must have tried in vain that is still silent. Of one whose place is known
  /// well it counts twice.
  struct Suspicion: Sendable, Equatable {
    var parts: ClosedRange<Int32>
    var weight: Int
    /// When it missed the contact that it usually makes; `nil`: its promise is broken.
    var early: UTC?
  }

  mutating func suspect(_ suspicion: Suspicion, of tracker: String) {
    suspects[tracker] = suspicion
    guard suspicion.early == nil else { return }
    for part in suspicion.parts { suspected[Int(part)] += suspicion.weight }
  }

  /// Whether others fall silent in a part from which nobody, or hardly anybody, was heard.
  ///
  /// - Parameter due: from when it is silent. Who has not broken a promise yet can only be asked
  ///   then: else a tracker that has long been missed would be excused by each one that is late.
  func isSuspect(_ part: Int32, for tracker: String, due: UTC) -> Bool {
    guard part < Int32(CourseCoverage.parts) else { return false }
    let own = suspects[tracker].map { $0.parts.contains(part) ? $0.weight : 0 } ?? 0
    let early = suspects.values.reduce(0) { sum, other in
      guard let since = other.early, since <= due, other.parts.contains(part) else { return sum }
      return sum + other.weight
    }
    let against = suspected[Int(part)] + early - own
    return against >= Bounds.suspicion && against + own > reached[Int(part)]
  }

  mutating func take(_ ballot: Ballot, from tracker: String) {
    let before = ballots.updateValue(ballot, forKey: tracker) ?? Ballot()
    for part in before.reached { reached[Int(part)] -= 1 }
    for part in before.silent { silent[Int(part)] -= 1 }
    for part in ballot.reached { reached[Int(part)] += 1 }
    for part in ballot.silent { silent[Int(part)] += 1 }
  }

  /// Whether other trackers, or those of an earlier race, were silent in a part of the course.
  func isSilent(_ part: Int32, for tracker: String, known: CourseCoverage) -> Bool {
    guard part < Int32(CourseCoverage.parts) else { return false }
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

  /// Whether a part in which a tracker was silent is a hole: most of the others that were there
  /// were not heard either, or there were none.
  func isHole(_ part: Int32, for tracker: String) -> Bool {
    let own = ballots[tracker]?.reached.contains(part) == true ? 1 : 0
    return silent[Int(part)] * 2 > reached[Int(part)] - own
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
      ballot.silent.formUnion(
        parts(
          silentFrom: promise, of: contacts[index - 1].at, until: contact.at, outages, on: course)
      )
    }
    return ballot
  }

  /// The parts in which it tried in vain, as its captures show that were delivered later.
  ///
  /// - Parameter before: its contact before that.
  private func parts(
    silentFrom promise: UTC, of before: UTC, until contact: UTC, _ outages: [Traffic.Outage],
    on course: MappedCourse
  ) -> Set<Int32> {
    let to = contact + Milliseconds(-Bounds.contactHere.count)
    // The promised time is the latest one: it has tried before.
    var spans = [(from: promise + Milliseconds(-Bounds.promiseGrace.count), to: to)]
    // What failed in an outage shows nothing, and after it a tracker tries again some time later.
    for outage in outages where outage.until.map({ $0 > before }) ?? true {
      let again = (outage.until ?? to) + Bounds.backoff
      spans = spans.flatMap { span in
        [(span.from, min(span.to, outage.from)), (max(span.from, again), span.to)]
      }.filter { $0.from < $0.to }
    }
    return spans.reduce(into: []) { $0.formUnion(parts(from: $1.from, to: $1.to, on: course)) }
  }

  /// The parts where it was in a time, as its captures show.
  private func parts(from: UTC, to: UTC, on course: MappedCourse) -> Set<Int32> {
    var parts: Set<Int32> = []
    var before: (at: UTC, along: Int32)?
    for (capture, along) in zip(captures, alongs) {
      guard let taken = capture.taken else { continue }
      guard along >= 0 else {
        before = nil
        continue
      }
      if let before, taken > from {
        func place(at utc: UTC) -> Int32 {
          let whole = Double((taken - before.at).count)
          let part = Double((min(max(utc, before.at), taken) - before.at).count)
          let share = whole > 0 ? part / whole : 1
          return before.along + Int32((Double(along - before.along) * share).rounded())
        }
        let ends = (place(at: from), place(at: to))
        let first = CoverageVotes.part(min(ends.0, ends.1), of: course)
        for part in first...CoverageVotes.part(max(ends.0, ends.1), of: course) {
          parts.insert(part)
        }
      }
      if taken > to { break }
      before = (taken, along)
    }
    return parts
  }

  /// What its silences were that are over.
  func pastSilences(
    _ outages: [Traffic.Outage], _ votes: CoverageVotes, on course: MappedCourse?
  ) -> [PastSilence] {
    contacts.indices.dropFirst().compactMap { index in
      let (before, contact) = (contacts[index - 1], contacts[index])
      guard let promise = before.promise, !before.silence.isEnd,
        contact.at > promise + Bounds.promiseGrace
      else { return nil }
      var silence = PastSilence(from: promise, until: contact.at, kind: .unknown)
      let excused = outages.contains { $0.excuses(promise, of: before.at) }
      if excused {
        silence.kind = .server
      } else if let course,
        parts(
          silentFrom: promise, of: before.at, until: contact.at, [], on: course
        ).contains(where: {
          votes.isHole($0, for: tracker)
        })
      {
        silence.kind = .deadZone
      } else if outages.contains(where: { $0.from < contact.at && $0.until ?? promise > promise }) {
        silence.kind = .server
      }
      return silence
    }
  }

  /// The index of the last capture before a time, if it was taken so short before.
  func lastCapture(before utc: UTC, within span: Milliseconds) -> Int? {
    let index = captures.partitionPoint { ($0.taken ?? utc) > utc } - 1
    guard index >= 0, let taken = captures[index].taken, utc - taken <= span else { return nil }
    return index
  }
}
