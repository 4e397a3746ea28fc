import Testing
import TrackerCore

@testable import Simulation

/// What must not wait is noticed when it does.
@Suite struct UrgentWatchTests {
  private let minute = Instant.start + .minutes(30)

  private func watch() -> InvariantWatch { InvariantWatch(Scenario(), Configuration()) }

  @Test func `A call for help that is not on disk soon is noticed`() {
    let waiting = watch()
    waiting.pushed(.note(.emergency(.raised)), at: minute)
    waiting.checkUrgent(at: minute + .minutes(2))
    #expect(waiting.broken == [])
    waiting.checkUrgent(at: minute + .minutes(3))
    #expect(waiting.broken.map(\.invariant) == [.callStored])
    let kept = watch()
    kept.pushed(.note(.emergency(.raised)), at: minute)
    kept.pushed(.note(.emergency(.stored)), at: minute)
    kept.checkUrgent(at: minute + .minutes(3))
    #expect(kept.broken == [])
  }

  @Test(arguments: [false, true])
  func `A call that is put off with the request before it is noticed`(follows: Bool) {
    let watch = watch()
    let request = UploadRequest(id: RequestID(1), selection: .freshest(limit: 1))
    watch.pushed(.note(.modem(.inUse)), at: minute)
    watch.pushed(.upload(request), at: minute)
    watch.pushed(.note(.emergency(.raised)), at: minute)
    watch.pushed(.note(.emergency(.stored)), at: minute)
    let busy = UploadOutcome.busy(status: 503, retryAfter: .minutes(5))
    let finished = Event.uploadFinished(RequestID(1), busy, queue: QueueCounts(pending: 2))
    watch.arrived(.event(finished), at: minute + .seconds(5))
    if follows { watch.pushed(.upload(request), at: minute + .seconds(6)) }
    watch.checkUrgent(at: minute + .minutes(2))
    #expect(watch.broken.map(\.invariant) == (follows ? [] : [.callSoonHeard]))
  }

  @Test(arguments: [false, true])
  func `A capture that the disk has refused and nobody offers again is noticed`(again: Bool) {
    let watch = watch()
    watch.arrived(.event(.storeFailed(sequence: 4)), at: minute)
    if again {
      let capture = Capture(
        sequence: 4, utc: nil, isTimeTrusted: false, position: nil, team: InlineText("Test"),
        trigger: .interval)
      watch.pushed(.store(capture), at: minute + .seconds(10))
    }
    watch.checkUrgent(at: minute + .minutes(2))
    #expect(watch.broken.map(\.invariant) == (again ? [] : [.refusedRetried]))
  }
}
