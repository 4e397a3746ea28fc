import NMEA
import Testing
import TrackerCore

@testable import FieldConsole

/// What a running tracker says of its receiver and of the date that it has from it.
@Suite struct ReceiverFactsTests {
  private let again: Comment = "repeat with: swift test --filter ReceiverFactsTests"

  /// Passes on what a tracker reads.
  private struct Reading: EffectSink {
    var board = StatusBoard()
    var now = Instant.start

    mutating func push(_ effect: Effect) {}
    mutating func remember(_ memory: Memory) {}
    mutating func heard(_ report: Epoch) { board.heard(report, at: now) }
    mutating func heard(_ counts: SentenceCounts, isReportOpen: Bool) {
      board.heard(counts, at: now)
    }

    mutating func receive(_ bytes: [UInt8], at now: Instant, by tracker: inout Tracker) {
      self.now = now
      board.received(bytes.span, from: .receiver, at: now)
      tracker.receive(bytes.span, from: .receiver, at: now, into: &self)
    }
  }

  private static let first = Array(
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
    var reading = Reading()
    var tracker = Self.tracker()
    let fix = Instant.start + .seconds(100)
    func noFix(at seconds: Int64) -> Milliseconds? {
      TrackerFacts(tracker, reading.board, at: .start + .seconds(seconds)).receiver.noFix
    }
    #expect(noFix(at: 30) == .seconds(30), again)
    reading.receive(Self.first, at: fix, by: &tracker)
    reading.receive(Self.next, at: fix, by: &tracker)
    #expect(noFix(at: 110) == .seconds(10), again)
    reading.board.pushed(.sendToReceiver(.wake), at: .start + .seconds(400))
    #expect(noFix(at: 403) == .seconds(3), again)
  }

  @Test func `What is no sentence, is damaged or of a kind that nobody needs is counted apart`() {
    var (reading, tracker) = (Reading(), Self.tracker())
    let bytes =
      Self.first + Array("$GPTXT,01,01,02,ANTENNA OK*36\r\n$GPRMC,1*00\r\nnoise\r\n".utf8)
    for _ in 0..<3 { reading.receive(bytes, at: .start, by: &tracker) }
    let facts = TrackerFacts(tracker, reading.board, at: .start + .seconds(1)).receiver
    #expect(facts.sentencesPerMinute == 6 && facts.badChecksumsPerMinute == 3, again)
    #expect(facts.rejectedPerMinute == 6 && facts.bytesPerMinute == Int64(3 * bytes.count), again)
  }

  @Test(arguments: [
    // Counted from 40 s on, the last burst that is a minute old, for 85 s.
    ([(0, 100), (40, 10), (80, 10), (120, 10)], 125, 21),
    // What came before a minute of silence does not count.
    ([(0, 100), (100, 1)], 101, 1),
  ])
  func `Sentences of the last minute are those since a burst that is at least a minute old`(
    _ bursts: [(second: Int64, count: Int)], _ now: Int64, _ count: Int64
  ) {
    var (reading, tracker) = (Reading(), Self.tracker())
    for burst in bursts {
      let bytes = (0..<burst.count).flatMap { _ in Self.first }
      reading.receive(bytes, at: .start + .seconds(burst.second), by: &tracker)
    }
    let facts = TrackerFacts(tracker, reading.board, at: .start + .seconds(now)).receiver
    #expect(facts.sentencesPerMinute == count, again)
  }

  @Test func `A report without satellites or position leaves those of the reports before`() {
    var (reading, tracker) = (Reading(), Self.tracker())
    let reports = [
      "GPRMC,100000.00,A,4210.9320,N,00229.3400,E,2.5,180.0,180426,,,A",
      "GPRMC,100001.00,A,4211.0000,N,00229.3400,E,2.5,180.0,180426,,,A",
      "GPRMC,100002.00,V,4215.0000,N,00229.3400,E,2.5,180.0,180426,,,N",
    ]
    for (second, report) in reports.enumerated() {
      let satellites = second == 0 ? sentence("GPGSV,1,1,01,07,40,100,30") : ""
      reading.receive(
        Array((sentence(report) + satellites).utf8), at: .start + .seconds(100 + Int64(second)),
        by: &tracker)
    }
    reading.now = .start + .seconds(104)
    tracker.handle(.deadlineReached, at: reading.now, into: &reading)
    #expect(tracker.fixes.epochs == 3, again)
    let facts = TrackerFacts(tracker, reading.board, at: .start + .seconds(162)).receiver
    #expect(facts.satellitesSeen == 1 && facts.satellites.isEmpty && facts.bestSignal == 30, again)
    // The third report has ended the second.
    #expect(facts.latitude == 421_833_333 && facts.fixAge == .seconds(60), again)
  }

  @Test func `A position that a pause has ended is told at once, and as old as its bytes`() {
    var (reading, tracker) = (Reading(), Self.tracker())
    reading.receive(Self.first, at: .start + .seconds(100), by: &tracker)
    reading.now = .start + .seconds(101)
    tracker.handle(.deadlineReached, at: reading.now, into: &reading)
    #expect(tracker.fixes.epochs == 1, again)
    let atOnce = TrackerFacts(tracker, reading.board, at: .start + .seconds(103)).receiver
    #expect(atOnce.fixAge == .seconds(3) && atOnce.latitude != nil, again)
    for second: Int64 in [110, 120] {
      reading.receive([0x01, 0x0A], at: .start + .seconds(second), by: &tracker)
    }
    let facts = TrackerFacts(tracker, reading.board, at: .start + .seconds(130)).receiver
    #expect(facts.fixAge == .seconds(30), again)
  }

  @Test func `A promise is told in time from now only with a date that is trusted`() {
    var tracker = Self.tracker()
    var sink = Reading()
    sink.board.pushed(
      .upload(
        UploadRequest(
          id: RequestID(1), selection: .oldest(limit: 1), nextContactBy: Self.date + .minutes(5))),
      at: .start)
    tracker.receive(Self.first.span, from: .receiver, at: .start + .seconds(1), into: &sink)
    tracker.handle(.deadlineReached, at: .start + .seconds(3), into: &sink)
    let facts = TrackerFacts(tracker, sink.board, at: .start + .seconds(4))
    #expect(facts.clock.utc != nil && !facts.clock.isTrusted, again)
    #expect(facts.sending.promised == nil, again)
  }
}
