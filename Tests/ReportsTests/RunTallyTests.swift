import Testing
import TrackerCore

@testable import Reports

/// The figures of a run, from what passes between a tracker and its world.
@Suite struct RunTallyTests {
  private static let again: Comment = "repeat with: swift test --filter ReportsTests.RunTally"

  private func instant(_ seconds: Int64) -> Instant { Instant(milliseconds: seconds * 1000) }

  private func finished(_ outcome: UploadOutcome) -> Arrival {
    .event(.uploadFinished(RequestID(1), outcome, queue: QueueCounts(pending: 0)))
  }

  @Test func `Outcomes are counted as successes and failures`() {
    var tally = RunTally()
    let outcomes: [UploadOutcome] = [
      .answered(acknowledged: 1, refused: 4, firstRefused: 2, code: 1),
      .answered(acknowledged: 0, refused: 4, firstRefused: 2, code: 1),
      .refused(code: 1, first: 1, count: 1), .unauthorised, .busy(status: 503, retryAfter: nil),
      .unreachable, .ambiguous,
    ]
    let request = UploadRequest(id: RequestID(1), selection: .oldest(limit: 9))
    for outcome in outcomes {
      tally.pushed(.upload(request), at: instant(0))
      tally.arrived(finished(outcome), at: instant(1))
    }
    #expect(tally.succeeded == 1 && tally.failed == 6, Self.again)
  }

  @Test func `An answer without its request does not trap`() {
    var tally = RunTally()
    tally.arrived(finished(.empty), at: instant(1))
    #expect(tally.attempts == 0, Self.again)
  }

  @Test func `A contact is a link that comes up or, without one, a modem in use`() {
    var tally = RunTally()
    for _ in 1...2 {
      tally.arrived(.event(.linkChanged(isUp: true)), at: instant(1))
      tally.pushed(.note(.modem(.inUse)), at: instant(1))
      tally.arrived(.event(.linkChanged(isUp: false)), at: instant(2))
      tally.pushed(.note(.modem(.stopping)), at: instant(2))
    }
    #expect(tally.contacts == 2, Self.again)
    for _ in 1...3 {
      tally.pushed(.note(.modem(.inUse)), at: instant(3))
      tally.pushed(.note(.modem(.stopping)), at: instant(4))
    }
    #expect(tally.contacts == 5, Self.again)
  }

  @Test func `Lacks are counted by reason in the order of their first`() {
    var tally = RunTally()
    for reason in [Reason.noFix, .atRest, .noFix] {
      tally.pushed(.note(.notCaptured(reason)), at: instant(1))
    }
    #expect(tally.notCaptured.map(\.reason) == [.noFix, .atRest], Self.again)
    #expect(tally.notCaptured.map(\.count) == [2, 1], Self.again)
  }

  @Test func `Captures are counted with the longest pause between two`() {
    var tally = RunTally()
    for (sequence, second) in [(UInt32(1), Int64(5)), (2, 605), (3, 1805), (4, 2405)] {
      tally.pushed(.note(.captured(sequence: sequence)), at: instant(second))
    }
    #expect(tally.taken == 4 && tally.lastCaptureAt == instant(2405), Self.again)
    #expect(tally.longestPauseBetweenCaptures == .seconds(1200), Self.again)
  }

  @Test
  func `The end of the run ends the silences that are open, in the order of their beginnings`() {
    var tally = RunTally()
    tally.pushed(.note(.sending(.searching)), at: instant(100))
    tally.pushed(.note(.capturing(.noFix)), at: instant(50))
    tally.arrived(.end, at: instant(200))
    #expect(tally.silences.map(\.from) == [instant(50), instant(100)], Self.again)
    #expect(tally.silences.map(\.to) == [instant(200), instant(200)], Self.again)
  }
}
