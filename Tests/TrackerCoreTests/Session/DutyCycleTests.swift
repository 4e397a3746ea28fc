import Testing

@testable import TrackerCore

/// A receiver that sleeps between captures.
@Suite struct DutyCycleTests {
  private func sleepsAndWakes(_ bench: Bench) -> [Bench.Entry] {
    bench.log.filter { if case .sendToReceiver = $0.effect { true } else { false } }
  }

  @Test func `The receiver sleeps after a capture and wakes before the slot`() {
    var bench = Bench { $0.receiverUse = .dutyCycle }
    bench.run(seconds: 1300)
    let taken = bench.captureTimes
    #expect(taken.count == 3 && taken[1] - taken[0] == 600, again(Self.self, "\(taken)"))
    let orders = sleepsAndWakes(bench)
    let kinds = orders.map(\.effect)
    #expect(
      kinds == [
        .sendToReceiver(.sleep), .sendToReceiver(.wake), .sendToReceiver(.sleep),
        .sendToReceiver(.wake), .sendToReceiver(.sleep),
      ], again(Self.self))
    // Hot start 2 s and the margin of 10 s.
    let slot = bench.log.first { $0.effect == .note(.captured(sequence: 1)) }.map { $0.at }
    #expect(slot.map { orders[1].at - $0 } == .seconds(588), again(Self.self))
    #expect(!bench.notes.contains(.receiverSilent), "asleep is not silent")
  }

  @Test func `A receiver that cannot sleep is left awake`() {
    var board = Board.bench
    board.receiver.canSleep = false
    var bench = Bench(board: board) { $0.receiverUse = .dutyCycle }
    bench.run(seconds: 700)
    bench.handle(.commandGiven(.stop, from: .script))
    #expect(sleepsAndWakes(bench).isEmpty && bench.tracker.isReceiverAwake, again(Self.self))
  }

  @Test func `An order for a capture wakes it, and it goes back to sleep`() {
    var bench = Bench { $0.receiverUse = .dutyCycle }
    bench.run(seconds: 200)
    #expect(!bench.tracker.isReceiverAwake, again(Self.self))
    bench.handle(.commandGiven(.captureNow, from: .script))
    #expect(bench.tracker.isReceiverAwake, again(Self.self))
    bench.run(seconds: 5)
    #expect(bench.sequences == [1, 2] && !bench.tracker.isReceiverAwake, again(Self.self))
    bench.run(seconds: 500)
    #expect(bench.captureTimes.last == 603, again(Self.self))
  }

  @Test func `A stopped session does not wake it any more`() {
    var bench = Bench { $0.receiverUse = .dutyCycle }
    bench.run(seconds: 200)
    bench.handle(.commandGiven(.stop, from: .script))
    bench.run(seconds: 7200)
    #expect(!bench.tracker.isReceiverAwake, again(Self.self))
    bench.handle(.commandGiven(.start, from: .script))
    #expect(bench.tracker.isReceiverAwake, again(Self.self))
  }

  @Test func `It does not sleep when the next slot is near`() {
    var bench = Bench {
      $0.receiverUse = .dutyCycle
      $0.capture = .standard(
        interval: .seconds(23), minimumDistanceMetres: 0, heartbeat: .minutes(30))
    }
    bench.run(seconds: 200)
    #expect(sleepsAndWakes(bench).isEmpty, again(Self.self))
  }

  @Test func `A watch tells silence once, and a word ends it`() {
    var watch = ReceiverWatch(at: .at(1000))
    var sink = Sink()
    watch.deadlineReached(at: .at(30_999), into: &sink)
    #expect(sink.take() == [], again(Self.self))
    watch.deadlineReached(at: .at(31_000), into: &sink)
    #expect(sink.take() == [.note(.receiverSilent)], again(Self.self))
    #expect(watch.deadline == nil, again(Self.self))
    watch.deadlineReached(at: .at(99_000), into: &sink)
    watch.wake(at: .at(99_000), into: &sink)
    #expect(sink.take() == [], again(Self.self))
    _ = watch.heard(80, at: .at(99_500), into: &sink)
    #expect(sink.take() == [.note(.receiverHeard)], again(Self.self))
    #expect(watch.deadline == .at(129_500), again(Self.self))
    watch.sleep(until: .at(200_000), into: &sink)
    _ = watch.heard(80, at: .at(99_600), into: &sink)
    #expect(sink.take() == [.sendToReceiver(.sleep)], "the tail of what it said")
    watch.sleep(until: nil, into: &sink)
    #expect(sink.take() == [] && watch.deadline == nil, again(Self.self))
    watch.wake(at: .at(300_000), into: &sink)
    #expect(sink.take() == [.sendToReceiver(.wake)], again(Self.self))
  }
}
