import TestSupport
import Testing
import TrackerCore
import Wording

@testable import FieldConsole

@Suite struct ProgressTests {
  private let command: Comment = "repeat with: swift test --filter ProgressTests"

  private func facts(_ change: (inout TrackerFacts) -> Void = { _ in }) -> TrackerFacts {
    var facts = TrackerFacts()
    facts.identity.runningFor = 100_000
    facts.modem.isPresent = true
    facts.modem.phase = .off
    facts.session.state = .running
    facts.sending.reason = .notDue
    facts.queue.pending = 3
    change(&facts)
    return facts
  }

  private func at(_ seconds: Int64, _ change: (inout TrackerFacts) -> Void) -> TrackerFacts {
    facts {
      $0.identity.runningFor = .seconds(100 + seconds)
      change(&$0)
    }
  }

  @Test func `A contact is shown step by step, until something is delivered`() {
    var progress = Progress(since: facts { $0.sending.lastDelivery = 900_000 }, in: .english)
    var text = progress.take(at(0) { $0.sending.lastDelivery = 900_000 }).text()
    text += progress.take(at(1) { $0.modem.phase = .starting }).text()
    text += progress.take(at(2) { $0.modem.phase = .starting }).text()
    text += progress.take(
      at(63) {
        $0.modem.phase = .inUse
        $0.modem.signal = -83
        $0.sending.reason = nil
      }
    ).text()
    text += progress.take(
      at(65) {
        $0.modem.phase = .inUse
        $0.modem.signal = -83
        $0.sending.reason = nil
        $0.sending.lastDelivery = 500
        $0.sending.lastDelivered = 3
        $0.queue.pending = 0
      }
    ).text()
    let wanted = """
        0:00  modem: off
        0:01  modem: starting
        1:03  modem: in use, signal -83 dBm
        1:03  sending begins
        1:05  delivered: 3 captures; still waiting: 0

      """
    #expect(text == wanted, "\(text); \(command)")
    #expect(progress.outcome == .delivered && progress.outcome?.exitCode == 0, command)
  }

  @Test func `The wait before the network may be joined again is said`() {
    var progress = Progress(since: facts(), in: .english)
    let page = progress.take(
      at(0) {
        $0.sending.reason = .reconnectFloor
        $0.sending.nextContact = 192_000
      })
    #expect(
      page.text().contains("the network may be joined again in 3:12; if it is urgent: try now"),
      command)
    #expect(progress.outcome == nil, command)
  }

  @Test func `The test position and the operator are said`() {
    var progress = Progress(since: facts { $0.captures.last = 11 }, in: .english)
    var text = progress.take(at(0) { $0.captures.last = 11 }).text()
    text += progress.take(at(1) { $0.captures.last = 12 }).text()
    text += progress.take(
      at(2) {
        $0.captures.last = 12
        $0.modem.phase = .registered
        $0.modem.network = "Movistar"
        $0.modem.signal = -83
      }
    ).text()
    let wanted = """
        0:00  modem: off
        0:01  position taken, number 12
        0:02  modem: registered, Movistar, signal -83 dBm

      """
    #expect(text == wanted, "\(text); \(command)")
  }

  @Test func `A contact that ends without an answer has failed, with the reason`() {
    var progress = Progress(since: facts(), in: .english)
    _ = progress.take(at(1) { $0.sending.reason = nil })
    let page = progress.take(
      at(9) {
        $0.sending.reason = .backingOff(status: 503)
        $0.sending.contactsFailed = 1
        $0.sending.lastProblem = "HTTP 503".texts
        $0.sending.lastProblemAge = 100
      })
    #expect(page.text().contains("problem: HTTP 503"), "\(page.text()); \(command)")
    #expect(progress.outcome == .failed && progress.outcome?.exitCode == 1, command)
  }

  @Test func `A problem from before is not shown`() {
    let old: (inout TrackerFacts) -> Void = {
      $0.sending.lastProblem = "HTTP 503".texts
      $0.sending.lastProblemAge = $0.identity.runningFor
      $0.sending.reason = .backingOff(status: 503)
    }
    var progress = Progress(since: facts(old), in: .english)
    #expect(!progress.take(at(1, old)).text().contains("problem"), command)
    #expect(progress.outcome == nil, command)
  }

  @Test func `It ends when nothing waits, after six minutes, and with the tracker`() {
    var idle = Progress(since: facts(), in: .english)
    _ = idle.take(
      at(0) {
        $0.session.state = .stopped
        $0.queue.pending = 0
        $0.sending.reason = .nothingPending
      })
    #expect(idle.outcome == .idle, command)
    var slow = Progress(since: facts(), in: .english)
    _ = slow.take(at(359) { _ in })
    #expect(slow.outcome == nil, command)
    _ = slow.take(at(360) { _ in })
    #expect(slow.outcome == .timedOut, command)
    var lost = Progress(since: facts(), in: .english)
    _ = lost.take(at(1) { $0.identity.presence = .dead })
    #expect(lost.outcome == .lost, command)
    var again = Progress(since: facts(), in: .english)
    _ = again.take(facts { $0.identity.runningFor = 5 })
    #expect(again.outcome == .lost, command)
    #expect(again.take(facts()).isEmpty, command)
  }

  @Test func `Every text of the terminal is in four languages`() {
    #expect(problems(of: DoorPhrase.self, sameAsEnglish: ["PIN:"]) == [], command)
    #expect(problems(of: ProgressPhrase.self) == [], command)
  }
}
