import Testing

@testable import TrackerCore

/// An emergency that a person answers by a text message.
@Suite struct EmergencyTextAnswerTests {
  private static let marta = TextsOutcome.answered(by: InlineText("Marta"))

  /// Data is dead, text messages are not: the first one has gone out.
  private func told() -> Bench {
    var bench = Bench.walking()
    bench.hasBearer = false
    bench.raise()
    while bench.texts.isEmpty, bench.now < .start + .hours(2) { bench.run(seconds: 1) }
    return bench
  }

  @Test func `Where data is dead an answer by text message says that a person has read it`() {
    var bench = told()
    bench.run(until: bench.now + .minutes(4))
    #expect(bench.emergency?.stage == .stored && bench.readings.count > 2, again(Self.self))
    bench.inbox = Self.marta
    let asked = bench.now
    while bench.emergency?.stage == .stored, bench.now < asked + .minutes(10) {
      bench.run(seconds: 1)
    }
    #expect(bench.emergency?.stage == .read, again(Self.self, bench.late(asked)))
    #expect(bench.emergency?.person == InlineText("Marta"), again(Self.self))
    #expect(bench.emergency?.answered != nil, again(Self.self))
    #expect(bench.now - asked <= .minutes(3), again(Self.self, bench.late(asked)))
    #expect(bench.memories.last?.emergency?.stage == .read, "before anything shows it")
    // The last reading deletes the answer; then neither texts nor readings follow.
    let (texts, readings) = (bench.texts.count, bench.readings.count)
    bench.run(until: bench.now + .minutes(20))
    #expect(bench.texts.count == texts && bench.readings.count <= readings + 1, again(Self.self))
  }

  @Test func `What had come in before the first message went out is no answer`() {
    var bench = Bench.walking()
    bench.hasBearer = false
    bench.inbox = Self.marta
    bench.raise()
    while bench.texts.isEmpty, bench.now < .start + .hours(2) { bench.run(seconds: 1) }
    #expect(bench.readings.count == 1, again(Self.self))
    #expect(bench.emergency?.stage == .stored, again(Self.self))
    bench.run(until: bench.now + .minutes(4))
    #expect(bench.emergency?.stage == .stored, again(Self.self))
    bench.inbox = Self.marta
    bench.run(until: bench.now + .minutes(4))
    #expect(bench.emergency?.stage == .read, again(Self.self))
  }

  @Test func `Answers are looked for once a minute at most`() {
    var bench = told()
    bench.run(until: bench.now + .minutes(60))
    let readings = bench.readings
    #expect(readings.count > 10, again(Self.self, "\(readings)"))
    for (earlier, later) in zip(readings, readings.dropFirst()) {
      #expect(later - earlier >= Bounds.answerTexts, again(Self.self, "\(readings)"))
    }
  }

  @Test func `Messages that cannot be read do not keep the call waiting, nor count as read`() {
    var bench = Bench.walking()
    bench.hasBearer = false
    bench.inbox = .failed
    bench.raise()
    while bench.texts.isEmpty, bench.now < .start + .hours(2) { bench.run(seconds: 1) }
    #expect(bench.texts.count == 1, again(Self.self))
    // The first that succeeds is of what was there before.
    bench.inbox = Self.marta
    bench.run(until: bench.now + .minutes(3))
    #expect(bench.emergency?.stage == .stored, again(Self.self))
    bench.inbox = Self.marta
    bench.run(until: bench.now + .minutes(4))
    #expect(bench.emergency?.stage == .read, again(Self.self))
  }

  @Test func `Without an emergency, without a number and once a person has read it none are read`()
  {
    var bench = Bench.walking()
    bench.run(until: bench.now + .hours(2))
    #expect(bench.readings.isEmpty, again(Self.self))
    bench.raise()
    bench.run(seconds: 60)
    bench.answer = .answered(bench.read())
    bench.run(until: bench.now + .minutes(2))
    #expect(bench.emergency?.stage == .read, again(Self.self))
    let readings = bench.readings.count
    bench.run(until: bench.now + .minutes(30))
    #expect(bench.readings.count == readings, again(Self.self))
    var silent = Bench.walking { $0.textTo = nil }
    silent.raise()
    silent.run(until: silent.now + .minutes(30))
    #expect(silent.readings.isEmpty, again(Self.self))
  }

  @Test func `While a server has it a text message can answer it too`() {
    var bench = Bench.walking()
    bench.raise()
    bench.run(until: bench.now + .minutes(2))
    #expect(bench.emergency?.stage == .delivered && bench.texts.count == 1, again(Self.self))
    bench.inbox = Self.marta
    bench.run(until: bench.now + .minutes(5))
    #expect(bench.emergency?.stage == .read, again(Self.self))
  }

  @Test func `An answer that nobody asked the modem for changes nothing`() {
    var bench = told()
    for id: UInt32 in [0, 1, 77, .max] {
      bench.handle(.textsRead(RequestID(id), Self.marta))
    }
    #expect(bench.emergency?.stage == .stored, again(Self.self))
    var idle = Bench.walking()
    idle.handle(.textsRead(RequestID(1), Self.marta))
    #expect(idle.emergency == nil, again(Self.self))
  }

  @Test func `One that was withdrawn is not read any more, and the next one begins anew`() {
    var bench = told()
    bench.withdraw()
    bench.run(until: bench.now + .minutes(4))
    bench.inbox = Self.marta
    bench.run(until: bench.now + .minutes(10))
    #expect(bench.emergency?.stage == .withdrawn, again(Self.self))
    bench.raise()
    // What came in for the one before.
    bench.run(until: bench.now + .minutes(3))
    #expect(bench.emergency?.stage == .stored, again(Self.self))
  }
}
