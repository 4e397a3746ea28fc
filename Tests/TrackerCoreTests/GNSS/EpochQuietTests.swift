import Testing

@testable import TrackerCore

/// When a position report is complete.
@Suite struct EpochQuietTests {
  @Test func `A report is taken when the line has been quiet for 200 ms, to the millisecond`() {
    var tracker = Tracker(
      board: .bench, configuration: Configuration(), identity: .bench, at: .start)
    var sink = Sink()
    let utc = UTC(milliseconds: 1_780_000_000_000)
    let bytes = Array(Sentences.report(.olot, accuracyMetres: 5, utc: utc).utf8)
    tracker.receive(bytes.span, from: .receiver, at: .at(1000), into: &sink)
    #expect(tracker.nextDeadline == .at(1200), again(Self.self))
    tracker.handle(.deadlineReached, at: .at(1199), into: &sink)
    #expect(tracker.fixes.epochs == 0, again(Self.self))
    tracker.handle(.deadlineReached, at: .at(1200), into: &sink)
    #expect(tracker.fixes.epochs == 1 && tracker.fixes.accepted == 1, again(Self.self))
  }

  @Test func `Bytes that come one by one make the same reports`() {
    var whole = Bench()
    var split = Bench()
    whole.sky = .silent
    split.sky = .silent
    for second in Int64(0)..<20 {
      let utc = UTC(milliseconds: 1_780_000_000_000 + second * 1000)
      let text = Sentences.report(.olot.north(second), accuracyMetres: 5, utc: utc)
      whole.receive(text, from: .receiver)
      for character in text { split.receive(String(character), from: .receiver) }
      whole.run(seconds: 1)
      split.run(seconds: 1)
    }
    #expect(whole.tracker.fixes == split.tracker.fixes, again(Self.self))
    #expect(whole.log == split.log && whole.sequences == [1], again(Self.self))
  }
}
