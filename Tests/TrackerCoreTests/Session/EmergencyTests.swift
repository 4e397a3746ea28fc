import Testing

@testable import TrackerCore

/// A team calls for help.
@Suite struct EmergencyTests {
  /// One that has walked for an hour, with a telephone number to write to.
  private static func walking(
    board: Board = .bench, _ adjust: (inout Configuration) -> Void = { _ in }
  ) -> Bench {
    var bench = Bench(board: board) {
      $0.textTo = PhoneNumber(Array("+34600000000".utf8).span)
      adjust(&$0)
    }
    bench.run(until: bench.now + .minutes(61))
    return bench
  }

  @Test func `It is on disk and at the server within a minute, whatever the floor says`() {
    var bench = Self.walking { $0.reconnectFloor = .hours(2) }
    let raised = bench.now
    bench.raise()
    #expect(bench.kept.emergency?.stage == .raised, "remembered before anything else")
    bench.run(seconds: 60)
    #expect(bench.emergency?.stage == .delivered, again(Self.self, "\(bench.late(raised))"))
    #expect(bench.stored.last { $0.trigger == .emergency } != nil, again(Self.self))
    #expect(bench.texts.count == 1, "the text message goes out beside it")
  }

  @Test func `While it stands there is a capture each minute, and the modem stays attached`() {
    var bench = Self.walking()
    bench.raise()
    bench.run(seconds: 60)
    let before = bench.stored.count
    bench.run(until: bench.now + .minutes(30))
    let captures = bench.stored.count - before
    #expect((29...34).contains(captures), again(Self.self, "\(captures)"))
    #expect(bench.queue.count <= 1, again(Self.self, "\(bench.queue)"))
    #expect(bench.tracker.modemPhase == .attached, again(Self.self))
  }

  @Test func `A server that is down hears of it within two minutes of its return`() {
    var bench = Self.walking()
    bench.server = .ends(.unreachable)
    bench.raise()
    bench.run(until: bench.now + .hours(3))
    #expect(bench.emergency?.stage == .stored, again(Self.self))
    #expect(bench.texts.count > 20, again(Self.self, "\(bench.texts.count) messages"))
    bench.server = .accepts
    bench.run(until: bench.now + .minutes(2))
    #expect(bench.emergency?.stage == .delivered, again(Self.self))
    let texts = bench.texts.count
    bench.run(until: bench.now + .hours(1))
    #expect(bench.texts.count <= texts + 1, "no more messages once a server has it")
  }

  @Test func `Whatever way a server comes to have it, the tracker knows`() {
    for trouble: Bench.Server in [
      .losesAnswer, .refuses(code: 400), .ends(.unauthorised), .ends(.stalled), .mute,
    ] {
      var bench = Self.walking()
      bench.server = trouble
      bench.raise()
      bench.run(until: bench.now + .minutes(4))
      let had = bench.emergency?.stage
      bench.server = .accepts
      bench.run(until: bench.now + .minutes(4))
      #expect(
        bench.emergency?.stage == .delivered,
        again(Self.self, "\(trouble), before: \(String(describing: had));"))
    }
  }

  @Test func `A question that the server cannot answer does not keep it waiting`() {
    var bench = Self.walking()
    bench.server = .losesAnswer
    bench.failsQuestions = true
    bench.raise()
    bench.run(until: bench.now + .minutes(2))
    bench.server = .accepts
    bench.run(until: bench.now + .minutes(3))
    #expect(bench.emergency?.stage == .delivered, again(Self.self, "\(bench.queue)"))
  }

  @Test func `With a backlog its captures and its answer still come within a minute`() {
    var bench = Self.walking()
    bench.server = .ends(.unreachable)
    bench.run(until: bench.now + .hours(19))
    #expect(bench.queue.count > 100, again(Self.self))
    bench.server = .accepts
    bench.raise()
    bench.run(seconds: 60)
    #expect(bench.emergency?.stage == .delivered, again(Self.self))
    bench.answer = .answered(bench.read())
    bench.run(seconds: 30)
    #expect(bench.emergency?.stage == .read, again(Self.self))
  }

  @Test func `Without any position the text message goes out all the same`() {
    var bench = Bench { $0.textTo = PhoneNumber(Array("+34600000000".utf8).span) }
    bench.server = .ends(.unreachable)
    bench.sky = .noFix
    bench.run(until: bench.now + .minutes(5))
    bench.raise()
    bench.run(until: bench.now + .minutes(2))
    #expect(bench.texts.count == 1, again(Self.self, "\(bench.texts)"))
    bench.run(until: bench.now + .minutes(11))
    #expect(bench.texts.count == 3, again(Self.self, "\(bench.texts)"))
    bench.server = .accepts
    bench.sky = .fix(accuracyMetres: 5)
    bench.run(until: bench.now + .minutes(2))
    #expect(bench.emergency?.stage == .delivered, again(Self.self))
  }

  @Test func `A session that is stopped meanwhile leaves the receiver awake`() {
    var bench = Self.walking()
    bench.raise()
    bench.run(seconds: 60)
    bench.handle(.commandGiven(.stop, from: .console))
    bench.run(until: bench.now + .minutes(5))
    #expect(bench.tracker.isReceiverAwake, again(Self.self))
    bench.withdraw()
    bench.run(until: bench.now + .minutes(3))
    #expect(!bench.tracker.isReceiverAwake, "nothing needs it any more")
  }

  @Test
  func `Withdrawn while the server is down it ends all the same once everything is delivered`() {
    var bench = Self.walking()
    bench.raise()
    bench.run(seconds: 60)
    bench.server = .ends(.unreachable)
    bench.run(until: bench.now + .minutes(3))
    bench.withdraw()
    bench.run(until: bench.now + .minutes(25))
    #expect(bench.stored.last?.trigger == .interval, "its end is not the newest any more")
    #expect(bench.tracker.isEmergency, again(Self.self))
    bench.server = .accepts
    bench.run(until: bench.now + .minutes(30))
    #expect(bench.queue.isEmpty && !bench.tracker.isEmergency, again(Self.self))
    #expect(bench.tracker.modemPhase == .off, again(Self.self))
  }

  @Test func `While only a backlog gets through the server is not said to have it`() {
    var bench = Self.walking()
    bench.server = .ends(.unreachable)
    bench.run(until: bench.now + .hours(19))
    bench.server = .takesOldest
    // A first request with the newest is lost; then the backlog begins to shrink.
    for _ in 0..<2 {
      bench.handle(.commandGiven(.sendNow, from: .console))
      bench.run(seconds: 20)
    }
    bench.raise()
    bench.run(seconds: 3)
    let before = bench.received.count
    bench.run(seconds: 40)
    #expect(bench.received.count > before && bench.queue.count > 1, again(Self.self))
    #expect(bench.emergency?.stage == .stored, again(Self.self))
  }

  @Test func `What may have been lost is not said to be there`() {
    var bench = Self.walking()
    bench.server = .mute
    bench.raise()
    bench.run(seconds: 1)
    #expect(bench.tracker.emergency.isNewest, again(Self.self))
    bench.tracker.uploader.take(
      QueueCounts(pending: 5, held: 1, heldFor: .minutes(10)), at: bench.now)
    var sink = Sink()
    bench.tracker.emergencyUploaded(.ambiguous, at: bench.now, into: &sink)
    #expect(!bench.tracker.emergency.isNewest, again(Self.self))
  }

  /// The modem needs as long to start and to register as with data.
  @Test(arguments: [true, false])
  func `The text message goes as soon as the modem is registered`(hasBearer: Bool) {
    var bench = Self.walking()
    bench.hasBearer = hasBearer
    bench.server = .mute
    let (raised, uploads) = (bench.now, bench.uploads.count)
    bench.raise()
    while bench.texts.isEmpty, bench.now < raised + .seconds(60) { bench.run(seconds: 1) }
    #expect(bench.texts.count == 1, again(Self.self, "\(bench.late(raised))"))
    #expect(bench.uploads.count == uploads, "the text goes before the captures")
  }

  @Test func `A text message that hangs keeps the captures waiting no longer than its limit`() {
    var bench = Self.walking()
    bench.isTextMute = true
    bench.raise()
    bench.run(until: bench.now + Bounds.textLimit + .seconds(60))
    #expect(bench.texts.isEmpty, again(Self.self))
    #expect(bench.emergency?.stage == .delivered, again(Self.self))
  }

  @Test func `A modem that was given up is tried again within two minutes`() {
    var bench = Self.walking()
    bench.isModemMute = true
    while bench.tracker.modemPhase != .faulted, bench.now < .start + .hours(4) {
      bench.run(seconds: 1)
    }
    bench.isModemMute = false
    bench.raise()
    bench.run(seconds: 120)
    #expect(bench.emergency?.stage == .delivered, again(Self.self))
  }

  @Test func `Raised again before the end of the first one was stored, both ends are told`() {
    var bench = Self.walking()
    bench.raise()
    bench.run(seconds: 60)
    bench.disk = .fails
    bench.withdraw()
    bench.run(seconds: 20)
    bench.raise()
    bench.run(seconds: 20)
    bench.disk = .works
    bench.run(until: bench.now + .minutes(2))
    let triggers = bench.stored.map(\.trigger).drop { $0 != .emergency }
    #expect(triggers.contains(.emergencyOver), again(Self.self, "\(triggers)"))
    #expect(triggers.last == .emergency, again(Self.self, "\(triggers)"))
    #expect(bench.emergency?.stage == .delivered, again(Self.self))
  }

  @Test func `A capture that a full disk refuses does not keep the call waiting behind it`() {
    for pause: Int64 in [0, 1, 11] {
      var bench = Self.walking()
      bench.disk = .spare
      while bench.tracker.captureReason != .storeFailed { bench.run(seconds: 1) }
      bench.run(seconds: pause)
      let first = bench.stored.count
      bench.raise()
      bench.run(seconds: 90)
      #expect(bench.emergency?.stage == .delivered, again(Self.self, "\(pause)"))
      #expect(
        bench.stored.dropFirst(first).allSatisfy { $0.trigger == .emergency }, again(Self.self))
      bench.answer = .answered(bench.read())
      bench.run(seconds: 40)
      #expect(bench.emergency?.stage == .read, again(Self.self, "\(pause)"))
    }
  }

  @Test(arguments: Restart.allCases)
  func `Raised after a restart that followed another one, that one is ended first`(
    _ restart: Restart
  ) {
    var bench = Self.walking()
    bench.raise()
    bench.run(seconds: 60)
    bench.disk = .fails
    bench.answer = .answered(bench.read(.ended))
    bench.run(seconds: 30)
    #expect(bench.emergency?.stage == .ended, again(Self.self))
    var next = bench.restarted(restart)
    next.run(seconds: 20)
    next.raise()
    next.run(seconds: 40)
    let triggers = next.stored.map(\.trigger).filter { $0 != .start }
    #expect(
      triggers.starts(with: [.emergencyOver, .emergency]), again(Self.self, "\(triggers)"))
  }

  @Test func `Without a network it is tried each minute or two`() {
    var bench = Self.walking()
    bench.registrationAnswer = "+CREG: 0,2"
    bench.raise()
    bench.run(until: bench.now + .hours(12))
    bench.registrationAnswer = "+CREG: 0,1"
    bench.run(until: bench.now + .minutes(5))
    #expect(bench.emergency?.stage == .delivered, again(Self.self))
  }

  @Test func `A tracker in its battery's reserve calls at once`() {
    var bench = Self.walking { $0.reservePercent = 90 }
    bench.handle(.batteryMeasured(BatteryReading(millivolts: 7200)))
    bench.run(until: bench.now + .minutes(5))
    bench.raise()
    bench.run(seconds: 60)
    #expect(bench.emergency?.stage == .delivered, again(Self.self))
  }

  @Test func `Without a session it works as well`() {
    var bench = Self.walking()
    bench.handle(.commandGiven(.stop, from: .console))
    bench.run(until: bench.now + .minutes(20))
    bench.raise()
    bench.run(until: bench.now + .minutes(2))
    #expect(bench.emergency?.stage == .delivered, again(Self.self))
    bench.run(until: bench.now + .minutes(10))
    #expect(bench.stored.filter { $0.trigger == .emergency }.count >= 10, again(Self.self))
    #expect(!bench.tracker.isSessionRunning, "that is another matter")
    #expect(bench.tracker.captureReason == .notDue, again(Self.self))
  }

  @Test func `Without a fix the last one is sent, and a fresh one as soon as there is one`() {
    var bench = Self.walking()
    let known = bench.place
    bench.sky = .noFix
    bench.run(until: bench.now + .minutes(40))
    bench.raise()
    bench.run(seconds: 40)
    #expect(bench.stored.last?.position == known, again(Self.self))
    #expect(bench.emergency?.stage == .delivered, again(Self.self))
    bench.place = known.north(300)
    bench.sky = .fix(accuracyMetres: 5)
    bench.run(seconds: 3)
    #expect(bench.stored.last?.position == known.north(300), again(Self.self))
  }

  @Test func `Without any position ever it is sent without one, and the first fix follows`() {
    var bench = Bench()
    bench.sky = .noFix
    bench.run(seconds: 30)
    bench.raise()
    bench.run(seconds: 90)
    #expect(bench.stored.first?.trigger == .emergency, again(Self.self))
    #expect(bench.stored.allSatisfy { $0.position == nil }, again(Self.self))
    #expect(bench.emergency?.stage == .delivered, again(Self.self))
    bench.sky = .fix(accuracyMetres: 5)
    bench.run(seconds: 3)
    #expect(bench.stored.last?.position == bench.place, again(Self.self))
  }

  @Test func `Raised twice it is one`() {
    var bench = Self.walking()
    bench.raise()
    bench.run(seconds: 5)
    let first = bench.emergency
    bench.raise()
    #expect(bench.emergency == first, again(Self.self))
  }

  @Test(arguments: Restart.allCases)
  func `A restart leaves it standing`(_ restart: Restart) {
    var bench = Self.walking()
    bench.server = .mute
    bench.raise()
    bench.run(seconds: 20)
    var next = bench.restarted(restart)
    next.run(until: next.now + .minutes(3))
    #expect(next.emergency?.stage == .delivered, again(Self.self))
    #expect(next.emergency?.firstSequence == bench.emergency?.firstSequence, again(Self.self))
  }

  @Test func `The tracker asks until somebody has read it, and knows who`() {
    var bench = Self.walking()
    bench.raise()
    bench.run(seconds: 60)
    let asked = bench.fetches
    bench.run(seconds: 60)
    #expect(bench.fetches >= asked + 3, again(Self.self, "\(asked), \(bench.fetches)"))
    bench.answer = .answered(bench.read())
    bench.run(seconds: 16)
    #expect(bench.emergency?.stage == .read, again(Self.self))
    #expect(bench.emergency?.person == InlineText("Marta"), again(Self.self))
  }

  @Test func `What somebody read of an earlier emergency says nothing about this one`() {
    var bench = Self.walking()
    bench.raise()
    bench.run(seconds: 60)
    let old = bench.read()
    bench.withdraw()
    bench.run(seconds: 60)
    bench.answer = .answered(old)
    bench.raise()
    bench.run(until: bench.now + .minutes(3))
    #expect(bench.emergency?.stage == .delivered, again(Self.self))
  }

  @Test func `What was answered before it was raised is no answer to it`() {
    var bench = Self.walking()
    bench.raise()
    bench.run(seconds: 60)
    var old = bench.read(.ended)
    old.at = UTC(milliseconds: 1_780_000_000_000)
    bench.answer = .answered(old)
    bench.run(seconds: 60)
    #expect(bench.emergency?.stage == .delivered, again(Self.self))
  }

  @Test func `Withdrawn it needs a person who confirms that`() {
    var bench = Self.walking()
    bench.raise()
    bench.run(seconds: 60)
    bench.withdraw()
    bench.run(seconds: 60)
    #expect(bench.emergency?.stage == .withdrawn, again(Self.self))
    #expect(bench.stored.last?.trigger == .emergencyOver, again(Self.self))
    #expect(bench.queue.isEmpty, "the server knows")
    bench.answer = .answered(bench.read(.ended))
    bench.run(until: bench.now + .minutes(15))
    #expect(bench.emergency?.stage == .ended, again(Self.self))
    #expect(bench.tracker.modemPhase == .off, "as in between contacts")
  }

  @Test func `Ended by a person it says so once, and the tracker goes on as usual`() {
    var bench = Self.walking()
    bench.raise()
    bench.run(seconds: 60)
    bench.answer = .answered(bench.read(.ended))
    bench.run(seconds: 60)
    #expect(bench.emergency?.stage == .ended, again(Self.self))
    #expect(bench.stored.last?.trigger == .emergencyOver && bench.queue.isEmpty, again(Self.self))
    bench.answer = .answered(nil)
    bench.run(until: bench.now + .minutes(30))
    let since = bench.stored.suffix(4).map(\.trigger)
    #expect(since == [.emergencyOver, .interval, .interval, .interval], again(Self.self))
    bench.raise()
    bench.run(seconds: 60)
    #expect(bench.emergency?.stage == .delivered, "raised again it is another one")
  }

  @Test func `A server without messages is not asked again`() {
    var bench = Self.walking()
    bench.answer = .unsupported
    bench.raise()
    bench.run(until: bench.now + .minutes(10))
    #expect(bench.fetches == 1, again(Self.self, "\(bench.fetches)"))
    #expect(bench.queue.count <= 1, again(Self.self))
  }

  @Test func `A question that fails keeps no capture waiting`() {
    var bench = Self.walking()
    bench.answer = .failed(status: 500)
    bench.raise()
    bench.run(until: bench.now + .minutes(10))
    #expect(bench.queue.count <= 1, again(Self.self, "\(bench.queue)"))
  }

  @Test func `It can be switched off`() {
    var bench = Self.walking { $0.emergency = false }
    bench.raise()
    bench.press(.button, for: 7000)
    #expect(bench.emergency == nil && !bench.tracker.isSessionRunning, again(Self.self))
  }

  @Test func `A board that halts stays awake while it stands`() {
    var bench = Bench.halting()
    bench.run(until: bench.now + .minutes(5))
    bench.raise()
    let halts = bench.halts
    bench.run(until: bench.now + .hours(2))
    #expect(bench.halts == halts, again(Self.self))
  }

  @Test func `The light shows each stage, and warns while the only button is held`() {
    var board = Board.bench
    board.hasLight = true
    var bench = Self.walking(board: board)
    bench.press(.button, for: 7000)
    bench.run(seconds: 60)
    bench.answer = .answered(bench.read())
    bench.run(seconds: 60)
    bench.press(.button, for: 7000)
    bench.run(seconds: 10)
    let lights = bench.lights.filter { $0 != .working && $0 != .waiting && $0 != .noPosition }
    #expect(
      lights == [
        .emergencyAhead, .emergencyRaised, .emergencyDelivered, .emergencyRead, .emergencyAhead,
      ], again(Self.self, "\(lights)"))
  }

  @Test func `Let go in time, the only button stops the session`() {
    var bench = Self.walking()
    bench.press(.button, for: 5000)
    #expect(bench.emergency == nil && !bench.tracker.isSessionRunning, again(Self.self))
  }

  @Test func `A button of its own is held for two seconds, and the other one then never calls`() {
    var board = Board.bench
    board.hasEmergencyButton = true
    var bench = Self.walking(board: board)
    bench.press(.emergency, for: 1500)
    #expect(bench.emergency == nil, again(Self.self))
    bench.press(.button, for: 7000)
    #expect(bench.emergency == nil && !bench.tracker.isSessionRunning, again(Self.self))
    bench.press(.emergency, for: 2000)
    #expect(bench.emergency?.stage == .raised, again(Self.self))
  }
}

extension Bench {
  fileprivate var emergency: EmergencyRecord? { tracker.emergencyRecord }
  fileprivate mutating func raise() { handle(.commandGiven(.raiseEmergency, from: .console)) }
  fileprivate mutating func withdraw() {
    handle(.commandGiven(.withdrawEmergency, from: .console))
  }

  /// What Marta, who has seen the newest capture, has done.
  fileprivate func read(_ kind: EmergencyAnswer.Kind = .read) -> EmergencyAnswer {
    EmergencyAnswer(
      kind: kind, sequence: stored.last?.sequence ?? 0, by: InlineText("Marta"),
      at: UTC(milliseconds: 1_780_000_000_000) + (now - .start))
  }

  fileprivate var fetches: Int {
    log.count { if case .fetch = $0.effect { true } else { false } }
  }
  fileprivate var halts: Int {
    log.count { if case .halt = $0.effect { true } else { false } }
  }
  fileprivate var lights: [Light] {
    log.compactMap { if case .setLight(let light) = $0.effect { light } else { nil } }
  }

  fileprivate func late(_ since: Instant) -> String {
    log.filter { $0.at >= since }.map { "\($0.at.milliseconds): \($0.effect)" }
      .joined(separator: "\n")
  }

  fileprivate mutating func press(_ pin: InputPin, for length: Int64) {
    handle(.pinChanged(pin, isActive: true, since: 0))
    run(until: now + Milliseconds(length))
    handle(.pinChanged(pin, isActive: false, since: 0))
  }
}
