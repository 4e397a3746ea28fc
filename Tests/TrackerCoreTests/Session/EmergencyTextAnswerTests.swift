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
    // The last reading deletes the answer; then no texts follow, and only its end is looked for.
    let (texts, readings) = (bench.texts.count, bench.readings.count)
    bench.run(until: bench.now + .minutes(20))
    #expect(bench.texts.count == texts, again(Self.self))
    #expect((2...5).contains(bench.readings.count - readings), again(Self.self))
  }

  /// When the emergency was raised.
  private func raised(_ bench: Bench) throws -> UTC { try #require(bench.emergency?.raised.utc) }

  /// An answer comes in, and the next reading finds it.
  private func answer(_ bench: inout Bench, sent: UTC?, after pause: Milliseconds = 0) {
    bench.run(until: bench.now + pause)
    bench.inbox = .answered(by: InlineText("Marta"), sent: sent)
    let readings = bench.readings.count
    let asked = bench.now
    while bench.readings.count == readings, bench.now < asked + .minutes(4) {
      bench.run(seconds: 1)
    }
    bench.run(seconds: 3)
  }

  @Test func `What the network has held back since before the call is no answer to it`() throws {
    var bench = told()
    bench.run(until: bench.now + .minutes(2))
    let slack = Bounds.answerSlack
    let old = try raised(bench) + (0 - slack) + (-1)
    answer(&bench, sent: old)
    #expect(bench.emergency?.stage == .stored, again(Self.self))
    // The next one comes at once, whenever it was sent.
    answer(&bench, sent: old + (0 - .hours(3)))
    #expect(bench.emergency?.stage == .stored, again(Self.self))
    answer(&bench, sent: try raised(bench) + (0 - slack))
    #expect(bench.emergency?.stage == .read, again(Self.self))
  }

  @Test func `A centre whose clock is hours late hides the first answer, not the second`() throws {
    var bench = told()
    bench.run(until: bench.now + .minutes(2))
    let late = try raised(bench) + (0 - .hours(7))
    let before = bench.now
    answer(&bench, sent: late)
    #expect(bench.emergency?.stage == .stored, again(Self.self))
    // Far apart when sent, not so when it came.
    answer(&bench, sent: late + .minutes(40), after: .minutes(5))
    #expect(bench.emergency?.stage == .stored, again(Self.self))
    let sent = late + .minutes(40) + .minutes(5)
    answer(&bench, sent: sent, after: .minutes(5))
    #expect(bench.emergency?.stage == .read, again(Self.self, bench.late(before)))
  }

  @Test func `Two that came in one after the other do not show that a centre's clock is late`()
    throws
  {
    var bench = told()
    bench.run(until: bench.now + .minutes(2))
    let late = try raised(bench) + (0 - .hours(7))
    answer(&bench, sent: late)
    answer(&bench, sent: late + .minutes(1))
    #expect(bench.emergency?.stage == .stored, again(Self.self))
  }

  @Test func `Without a date, or without a stamp, an answer counts`() throws {
    var bench = told()
    bench.run(until: bench.now + .minutes(2))
    answer(&bench, sent: nil)
    #expect(bench.emergency?.stage == .read, again(Self.self))
    var undated = Bench.walking()
    undated.date = nil
    undated = undated.restarted()
    undated.hasBearer = false
    undated.raise()
    while undated.texts.isEmpty, undated.now < .start + .hours(2) { undated.run(seconds: 1) }
    undated.run(until: undated.now + .minutes(2))
    #expect(undated.emergency?.raised.utc == nil, again(Self.self))
    answer(&undated, sent: UTC(milliseconds: 0))
    #expect(undated.emergency?.stage == .read, again(Self.self))
  }

  @Test func `The room ends it by a text message, before or after somebody has read it`() {
    for isRead in [false, true] {
      var bench = told()
      bench.run(until: bench.now + .minutes(3))
      if isRead {
        answer(&bench, sent: nil)
        #expect(bench.emergency?.stage == .read, again(Self.self))
      }
      let texts = bench.texts.count
      bench.inbox = .ended(by: InlineText("Pau"))
      bench.run(until: bench.now + .minutes(8))
      #expect(bench.emergency?.stage == .ended, again(Self.self, "read: \(isRead)"))
      #expect(bench.emergency?.person == InlineText("Pau"), again(Self.self))
      #expect(bench.stored.count { $0.trigger == .emergencyOver } == 1, again(Self.self))
      // Whoever got the call hears that the team knows.
      #expect(bench.texts.count == texts + 1, again(Self.self))
      let readings = bench.readings.count
      bench.run(until: bench.now + .minutes(30))
      #expect(bench.readings.count <= readings + 1, again(Self.self))
    }
  }

  @Test func `An end that is found when the answer is deleted counts, and is deleted, too`() {
    var resort = LastResort(after: nil, at: .start)
    resort.emergencyResumed(.delivered, isDated: true, at: .start)
    func read(_ outcome: TextsOutcome) -> Bool {
      guard case .read = resort.begin(at: .start) else { return false }
      defer { resort.ended(wasSent: false, at: .start) }
      return resort.texted(outcome)
    }
    #expect(read(Self.marta), again(Self.self))
    resort.emergencyRead(at: .start)
    #expect(read(.ended(by: InlineText("Pau"))), again(Self.self))
    resort.emergencyOver(at: .start)
    #expect(resort.isReadingDue(at: .start), again(Self.self))
    #expect(!read(.nothing) && !resort.isReadingDue(at: .distantFuture), again(Self.self))
  }

  @Test func `After a restart what had come in is no answer to a call without a date`() {
    var bench = Bench.walking()
    bench.date = nil
    bench = bench.restarted()
    bench.hasBearer = false
    bench.raise()
    while bench.texts.isEmpty, bench.now < .start + .hours(2) { bench.run(seconds: 1) }
    var next = bench.restarted()
    next.hasBearer = false
    next.inbox = Self.marta
    next.run(until: next.now + .minutes(3))
    #expect(!next.readings.isEmpty && next.emergency?.stage == .stored, again(Self.self))
  }

  @Test(arguments: Restart.allCases)
  func `After a restart a text message answers what a server has, until somebody has read it`(
    _ restart: Restart
  ) {
    var bench = Bench.walking()
    bench.raise()
    bench.run(until: bench.now + .minutes(2))
    #expect(bench.emergency?.stage == .delivered, again(Self.self))
    var next = bench.restarted(restart)
    next.inbox = Self.marta
    next.run(until: next.now + .minutes(5))
    #expect(next.emergency?.stage == .read, again(Self.self))
    #expect(next.texts.isEmpty, "the server has it: no other call goes out")
  }

  @Test func `What came in while the tracker was off answers the call from before`() throws {
    let bench = told()
    #expect(bench.emergency?.stage == .stored, again(Self.self))
    var next = bench.restarted()
    next.hasBearer = false
    next.inbox = .answered(by: InlineText("Marta"), sent: try raised(bench) + .minutes(1))
    next.run(until: next.now + .minutes(5))
    #expect(next.emergency?.stage == .read, again(Self.self))
  }

  @Test func `After a restart whoever got the call hears that it is over`() {
    for isWithdrawnBefore in [false, true] {
      var bench = told()
      bench.run(until: bench.now + .minutes(1))
      // The modem is gone: the message does not go out.
      if isWithdrawnBefore {
        bench.takesText = false
        bench.withdraw()
        bench.run(seconds: 5)
      }
      var next = bench.restarted()
      next.hasBearer = false
      if !isWithdrawnBefore {
        next.takesText = false
        next.run(seconds: 5)
        next.withdraw()
        next.takesText = true
      }
      next.run(until: next.now + .minutes(10))
      #expect(next.emergency?.stage == .withdrawn, again(Self.self))
      #expect(next.texts.count == 1, again(Self.self, "before: \(isWithdrawnBefore)"))
    }
  }

  @Test func `After a restart one that somebody has read by text message can be ended by one`() {
    var bench = told()
    bench.run(until: bench.now + .minutes(2))
    answer(&bench, sent: nil)
    #expect(bench.emergency?.stage == .read, again(Self.self))
    var next = bench.restarted()
    next.hasBearer = false
    next.inbox = .ended(by: InlineText("Pau"))
    next.run(until: next.now + .minutes(8))
    #expect(next.emergency?.stage == .ended, again(Self.self))
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
    // Once more: somebody at a telephone may have answered, too.
    let readings = bench.readings.count
    bench.run(until: bench.now + .minutes(30))
    #expect(bench.readings.count <= readings + 1, again(Self.self))
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
