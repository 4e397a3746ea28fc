import Testing
import TrackerCore

@testable import Reports

/// When a stated reason becomes a silence of the summary.
@Suite struct SilenceTrackTests {
  private static let again: Comment = "repeat with: swift test --filter ReportsTests.SilenceTrack"

  /// Plays changes of the reason (seconds), and returns the silences.
  private func silences(_ changes: [(at: Int64, reason: Reason?)]) -> [Silence] {
    var track = SilenceTrack(.sending)
    for change in changes { track.change(to: change.reason, at: instant(change.at)) }
    return track.silences
  }

  private func instant(_ seconds: Int64) -> Instant { Instant(milliseconds: seconds * 1000) }

  private func silence(_ from: Int64, _ to: Int64, _ reason: Reason) -> Silence {
    Silence(subject: .sending, from: instant(from), to: instant(to), reason: reason)
  }

  @Test func `A minute without is a silence, less is the ordinary course`() {
    let long = silences([(10, .searching), (70, nil)])
    #expect(long == [silence(10, 70, .searching)], Self.again)
    var track = SilenceTrack(.capturing)
    track.change(to: .noFix, at: Instant(milliseconds: 0))
    track.change(to: nil, at: Instant(milliseconds: 59_999))
    #expect(track.silences.isEmpty, Self.again)
  }

  @Test(arguments: [Reason.notDue, .nothingPending])
  func `Planned waiting is not a silence`(_ reason: Reason) {
    #expect(silences([(0, reason), (9000, nil)]).isEmpty, Self.again)
  }

  @Test func `An attempt that is short and in vain does not cut a silence in two`() {
    let changes: [(Int64, Reason?)] = [
      (0, .noBearer), (300, .modemOff), (320, .searching), (359, .noBearer), (700, nil),
    ]
    #expect(silences(changes) == [silence(0, 700, .noBearer)], Self.again)
  }

  @Test func `An attempt of a minute, another reason or a success does`() {
    let slow: [(Int64, Reason?)] = [
      (0, .noBearer), (300, .modemOff), (360, .noBearer), (700, nil),
    ]
    let apart = [
      silence(0, 300, .noBearer), silence(300, 360, .modemOff), silence(360, 700, .noBearer),
    ]
    #expect(silences(slow) == apart, Self.again)
    let other: [(Int64, Reason?)] = [(0, .noBearer), (300, .noSIM), (700, nil)]
    #expect(
      silences(other) == [silence(0, 300, .noBearer), silence(300, 700, .noSIM)], Self.again)
    var track = SilenceTrack(.sending)
    track.change(to: .noFix, at: Instant(milliseconds: 0))
    track.change(to: nil, at: Instant(milliseconds: 300_000))
    track.succeed(at: Instant(milliseconds: 305_000))
    track.change(to: .noFix, at: Instant(milliseconds: 310_000))
    track.change(to: nil, at: Instant(milliseconds: 700_000))
    #expect(
      track.silences == [silence(0, 300, .noFix), silence(310, 700, .noFix)], Self.again)
  }

  @Test func `Pieces that are each too short add up where no success comes between`() {
    let changes: [(Int64, Reason?)] = (0..<20).flatMap {
      [($0 * 10, .storeFailed), ($0 * 10 + 9, nil)]
    }
    #expect(silences(changes) == [silence(0, 199, .storeFailed)], Self.again)
  }

  @Test func `Another status is another reason`() {
    let changes: [(Int64, Reason?)] = [
      (0, .backingOff(status: 500)), (100, .backingOff(status: 503)), (200, nil),
    ]
    #expect(silences(changes).count == 2, Self.again)
  }
}
