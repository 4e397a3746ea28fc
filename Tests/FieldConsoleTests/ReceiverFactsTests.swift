import Testing
import TrackerCore

@testable import FieldConsole

/// What a running tracker says of its receiver and of the date that it has from it.
@Suite struct ReceiverFactsTests {
  private let again: Comment = "repeat with: swift test --filter ReceiverFactsTests"

  private struct Nothing: EffectSink {
    mutating func push(_ effect: Effect) {}
    mutating func remember(_ memory: Memory) {}
  }

  private static let sentence = Array(
    "$GPRMC,100000.00,A,4210.9320,N,00229.3400,E,2.5,180.0,180426,,,A*59\r\n".utf8)
  /// A second later: with it the cycle before is complete.
  private static let next = Array(
    "$GPRMC,100001.00,A,4210.9320,N,00229.3400,E,2.5,180.0,180426,,,A*58\r\n".utf8)
  /// That of the first.
  private static let date = UTC(milliseconds: 1_776_506_400_000)

  private static func tracker() -> Tracker {
    Tracker(
      board: .none, configuration: Configuration(),
      identity: Identity(device: UniqueID(high: 1, low: 2), team: InlineText("A"), seed: 1),
      at: .start)
  }

  @Test func `Since it was woken it has no fix, however young the last one is`() {
    var board = StatusBoard()
    let (tracker, fix) = (Self.tracker(), Instant.start + .seconds(100))
    func noFix(at seconds: Int64) -> Milliseconds? {
      TrackerFacts(tracker, board, at: .start + .seconds(seconds)).receiver.noFix
    }
    #expect(noFix(at: 30) == .seconds(30), again)
    board.received(Self.sentence.span, from: .receiver, at: fix)
    board.received(Self.next.span, from: .receiver, at: fix)
    #expect(noFix(at: 110) == .seconds(10), again)
    board.pushed(.sendToReceiver(.wake), at: .start + .seconds(400))
    #expect(noFix(at: 403) == .seconds(3), again)
  }

  @Test func `A promise is told in time from now only with a date that is trusted`() {
    var tracker = Self.tracker()
    var sink = Nothing()
    var board = StatusBoard()
    board.pushed(
      .upload(
        UploadRequest(
          id: RequestID(1), selection: .oldest(limit: 1), nextContactBy: Self.date + .minutes(5))),
      at: .start)
    tracker.receive(Self.sentence.span, from: .receiver, at: .start + .seconds(1), into: &sink)
    tracker.handle(.deadlineReached, at: .start + .seconds(3), into: &sink)
    let facts = TrackerFacts(tracker, board, at: .start + .seconds(4))
    #expect(facts.clock.utc != nil && !facts.clock.isTrusted, again)
    #expect(facts.sending.promised == nil, again)
  }
}
