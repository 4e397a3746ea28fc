import TestSupport
import Testing
import TrackerCore
import Wording

@testable import FieldConsole

/// The table that decides whether a tracker may go, row by row.
@Suite struct FitnessVerdictTests {
  typealias Change = @Sendable (inout TrackerFacts) -> Void

  /// What makes a row hold, and what comes just beside it.
  struct Row: Sendable {
    var cause: Cause
    var holds: [Change]
    var beside: [Change]
    /// Whether it is a wait.
    var isWait = false

    init(_ cause: Cause, _ holds: [Change], not beside: [Change], isWait: Bool = false) {
      self.cause = cause
      self.holds = holds
      self.beside = beside
      self.isWait = isWait
    }
  }

  private static let again: Comment = "repeat with: swift test --filter FitnessVerdictTests"
  static let fix = Milliseconds.minutes(3)
  static let contact = Milliseconds.minutes(20)

  private static func verdict(_ changes: Change...) -> FitnessVerdict {
    var facts = TrackerFacts.healthy
    for change in changes { change(&facts) }
    return FitnessVerdict(of: facts)
  }

  @Test func `A tracker under the policy adaptive is not told to take it`() throws {
    for (policy, says) in [("standard", true), ("adaptive", false)] {
      var facts = TrackerFacts.healthy
      facts.battery.reachesFinish = false
      facts.captures.policy = policy
      let verdict = FitnessVerdict(of: facts)
      let action = try #require(verdict.action(for: facts, in: .english))
      #expect(verdict.cause == .batteryShort && action.contains("battery"), "\(action)")
      #expect(action.contains("set policy adaptive") == says, "\(action)")
    }
  }

  @Test func `The rows are those of the table, in its order`() {
    #expect(Self.rows.map(\.cause) == Cause.allCases, Self.again)
    for row in Self.rows { #expect(row.cause.isWait == row.isWait, "\(row.cause); \(Self.again)") }
  }

  @Test(arguments: rows)
  func `A row holds on its side of the threshold, first and alone of its kind`(_ row: Row) {
    for (index, change) in row.holds.enumerated() {
      var facts = TrackerFacts.healthy
      change(&facts)
      let verdict = FitnessVerdict(of: facts)
      let note: Comment = "\(row.cause) \(index); \(Self.again)"
      #expect(verdict.cause == row.cause, note)
      #expect(verdict.kind == (row.isWait ? .wait : .noGo), note)
      #expect(verdict.exitCode == (row.isWait ? 3 : 1), note)
      let others = Cause.allCases.filter { !$0.isWait && $0.finding(in: facts) != nil }
      #expect(others == (row.isWait ? [] : [row.cause]), note)
    }
    for (index, change) in row.beside.enumerated() {
      let verdict = Self.verdict(change)
      #expect(verdict.cause != row.cause, "beside \(row.cause) \(index); \(Self.again)")
    }
  }

  @Test func `Of two causes that hold the earlier one wins, but of two waits the longer`() {
    var pairs = 0
    for (index, first) in Self.rows.enumerated() {
      for second in Self.rows[(index + 1)...] where !(first.isWait && second.isWait) {
        for changes in [[first, second], [second, first]] {
          var facts = TrackerFacts.healthy
          for row in changes { row.holds[0](&facts) }
          // Some exclude each other, as two words for the same fact do.
          guard first.cause.finding(in: facts) != nil, second.cause.finding(in: facts) != nil
          else { continue }
          pairs += 1
          guard !first.cause.isWait else { continue }
          let found = FitnessVerdict(of: facts).cause
          let isFirst = found == first.cause || found.map { $0.place < first.cause.place } ?? false
          #expect(isFirst, "\(first.cause) before \(second.cause): \(found as Any); \(Self.again)")
        }
      }
    }
    #expect(pairs > 200, "\(pairs); \(Self.again)")
  }

  @Test func `NO-GO comes before WAIT, and a wait lasts until the longest is over`() {
    let both = Self.verdict(
      {
        $0.receiver.fixAge = nil
        $0.receiver.noFix = 2000
      }, { $0.queue.setAside = 1 })
    #expect(both.cause == .setAside && both.kind == .noGo, Self.again)
    let waits = Self.verdict(
      {
        $0.receiver.fixAge = nil
        $0.receiver.noFix = 60_000
        $0.identity.runningFor = 60_000
        $0.sending.lastContact = nil
      })
    #expect(waits.cause == .firstContact && waits.word == "WAIT 19:00", Self.again)
  }

  @Test func `A healthy tracker is GO, and so is one that waits for coverage`() {
    #expect(Self.verdict().kind == .go && Self.verdict().exitCode == 0, Self.again)
    func text(_ change: Change) -> String {
      var facts = TrackerFacts.healthy
      change(&facts)
      let verdict = FitnessVerdict(of: facts)
      return verdict.word + " " + verdict.explanation(of: facts, in: .english)
    }
    #expect(text { _ in } == "GO ", Self.again)
    for reason in [Reason.searching, .noBearer, .backingOff(status: 0)] {
      #expect(
        text { ($0.queue.pending, $0.sending.reason) = (12, reason) }
          == "GO 12 waiting for coverage",
        Self.again)
    }
    #expect(
      text { ($0.queue.pending, $0.sending.reason) = (3, .backingOff(status: 503)) }
        == "GO 3 waiting for the server",
      Self.again)
    #expect(
      text { ($0.queue.pending, $0.sending.reason) = (1, .notDue) } == "GO 1 to send", Self.again)
    #expect(
      text { ($0.queue.pending, $0.sending.reason, $0.sending.pathLimit) = (1, .notDue, 1500) }
        == "GO 1 to send, the network loses large requests", Self.again)
  }

  @Test func `A finished tracker is GO, with what it still has to send`() {
    func text(_ change: Change) -> String {
      var facts = TrackerFacts.healthy
      facts.session.state = .finished
      facts.receiver.isAwake = false
      change(&facts)
      let verdict = FitnessVerdict(of: facts)
      return verdict.word + " " + verdict.explanation(of: facts, in: .english)
    }
    #expect(text { _ in } == "GO finished", Self.again)
    #expect(text { $0.queue.pending = 4 } == "GO finished, 4 to send", Self.again)
    #expect(text { $0.battery.isMeasured = false } == "GO finished", Self.again)
  }

  @Test func `What is wrong with a store is said without its path and without the cure`() {
    var facts = TrackerFacts.healthy
    facts.store.path = "/var/lib/trailtracker/captures.db"
    for (problem, text) in [
      (
        "/var/lib/trailtracker/captures.db: the disk is full; make room on it (SQLite 13)",
        "captures cannot be stored: the disk is full"
      ), ("/mnt/b: is damaged", "captures cannot be stored: /mnt/b: is damaged"),
    ] {
      facts.store.problem = problem.texts
      #expect(FitnessVerdict(of: facts).explanation(of: facts, in: .english) == text, Self.again)
    }
  }

  @Test func `A hung tracker's process and its last sign of life are shown`() {
    var facts = TrackerFacts.healthy
    (facts.identity.presence, facts.identity.lastSignOfLife) = (.hung, 90_000)
    facts.identity.systemd = Texts(ca: "ca", es: "es", en: "process 812 is stopped", fr: "arrêté")
    #expect(
      FitnessVerdict(of: facts).explanation(of: facts, in: .english)
        == "trackerd does not answer: process 812 is stopped; last sign of life 90 s ago",
      Self.again)
    #expect(
      FitnessVerdict(of: facts).explanation(of: facts, in: .french)
        == "trackerd ne répond pas : arrêté ; dernier signe de vie il y a 90 s", Self.again)
  }

  @Test func `What was days ago has its date, if the date is known`() {
    var facts = TrackerFacts()
    (facts.identity.presence, facts.clock.utc) = (.dead, Walk.start)
    func text(_ age: Milliseconds?, _ language: Language = .english) -> String {
      facts.identity.lastSignOfLife = age
      return FitnessVerdict(of: facts).explanation(of: facts, in: language)
    }
    let hours = Milliseconds.hours(48)
    let date = CalendarText.text(Walk.start + .hours(-48)).dropLast(3)
    #expect(text(hours - 1) == "trackerd does not run, for 47 h 59 min", Self.again)
    #expect(text(hours) == "trackerd does not run, since \(date) UTC", Self.again)
    #expect(text(hours, .catalan) == "trackerd no funciona, des de \(date) UTC", Self.again)
    #expect(text(nil) == "trackerd does not run", Self.again)
    facts.clock.utc = nil
    #expect(text(hours) == "trackerd does not run, for 2 d", Self.again)
  }

  @Test func `What nothing measures and a finish that nobody set are not causes`() {
    var facts = TrackerFacts.healthy
    (facts.battery.state, facts.battery.isMeasured, facts.battery.reachesFinish) = (
      .noSensor, false, nil
    )
    facts.session.untilFinish = nil
    let verdict = FitnessVerdict(of: facts)
    #expect(verdict.kind == .go, Self.again)
    #expect(
      verdict.explanation(of: facts, in: .english) == "battery not measured", Self.again)
  }
}

extension Cause {
  fileprivate var place: Int { Cause.allCases.firstIndex(of: self) ?? 0 }
}
