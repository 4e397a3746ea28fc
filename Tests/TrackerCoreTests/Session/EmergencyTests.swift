import Testing

@testable import TrackerCore

/// A team calls for help, whatever is in the way.
@Suite struct EmergencyTests {
  @Test func `It is on disk and at the server within a minute, whatever the floor says`() {
    var bench = Bench.walking { $0.reconnectFloor = .hours(2) }
    let raised = bench.now
    bench.raise()
    #expect(bench.kept.emergency?.stage == .raised, "remembered before anything else")
    bench.run(seconds: 60)
    #expect(bench.emergency?.stage == .delivered, again(Self.self, "\(bench.late(raised))"))
    #expect(bench.stored.last { $0.trigger == .emergency } != nil, again(Self.self))
    #expect(bench.texts.count == 1, "the text message goes out beside it")
  }

  @Test func `The floor counts again when it is over, from when the network was joined in it`() {
    var bench = Bench.walking { $0.reconnectFloor = .hours(2) }
    bench.raise()
    bench.run(seconds: 60)
    let joined = bench.now
    #expect(bench.tracker.link.modem?.floorEnd == .start, "nothing waits for it")
    bench.handle(.commandGiven(.withdrawEmergency, from: .button))
    bench.run(until: bench.now + .minutes(10))
    #expect(!bench.tracker.isEmergency && bench.tracker.modemPhase == .off, again(Self.self))
    let end = bench.tracker.link.modem?.floorEnd ?? .start
    #expect(end > joined + .minutes(110), again(Self.self, "\(end)"))
  }

  @Test func `While it stands there is a capture each minute, and the modem stays attached`() {
    var bench = Bench.walking()
    bench.raise()
    bench.run(seconds: 60)
    let before = bench.stored.count
    bench.run(until: bench.now + .minutes(30))
    let captures = bench.stored.count - before
    #expect((29...34).contains(captures), again(Self.self, "\(captures)"))
    #expect(bench.queue.count <= 1, again(Self.self, "\(bench.queue)"))
    #expect(bench.tracker.modemPhase == .attached, again(Self.self))
  }

  @Test(arguments: [UploadOutcome.unreachable, .stalled])
  func `In an emergency no failure keeps it from trying again for long`(_ outcome: UploadOutcome) {
    var bench = Bench.walking()
    bench.server = .ends(outcome)
    bench.raise()
    bench.run(until: bench.now + .minutes(2))
    let start = bench.now
    bench.run(until: start + .minutes(10))
    let times = bench.log.compactMap { entry -> Instant? in
      switch entry.effect {
      case .upload, .fetch, .reconcile: entry.at >= start ? entry.at : nil
      default: nil
      }
    }
    let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
    // 10 s, give or take, and 2 s for the answer; text messages come in between.
    #expect(gaps.count > 20, again(Self.self, "\(gaps.count) gaps"))
    #expect(gaps.allSatisfy { $0 <= .seconds(30) }, again(Self.self, "\(gaps.max() ?? 0)"))
  }

  @Test func `A server that is down hears of it within two minutes of its return`() {
    var bench = Bench.walking()
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

  /// Such a server has a queue of backlogs, which a call for help does not join.
  @Test(arguments: [Milliseconds.seconds(25), .minutes(50)])
  func `A call for help ends the wait that a server has asked for`(_ wait: Milliseconds) {
    var bench = Bench.walking()
    bench.server = .ends(.busy(status: 503, retryAfter: wait))
    while !bench.tracker.uploader.isBackingOff { bench.run(seconds: 1) }
    bench.server = .accepts
    let isAttached = bench.tracker.modemPhase == .attached
    bench.raise()
    bench.run(seconds: isAttached ? 10 : 60)
    #expect(isAttached == (wait < .minutes(1)), again(Self.self))
    #expect(bench.emergency?.stage == .delivered, again(Self.self))
  }

  @Test func `A call for help is not put off with the request that was on its way before it`() {
    var bench = Bench.walking()
    bench.server = .ends(.busy(status: 503, retryAfter: .minutes(50)))
    while !bench.tracker.uploader.isRequesting { bench.run(seconds: 1) }
    bench.raise()
    bench.server = .accepts
    bench.run(seconds: 10)
    #expect(bench.emergency?.stage == .delivered, again(Self.self))
  }

  @Test func `Whatever way a server comes to have it, the tracker knows`() {
    for trouble: Bench.Server in [
      .losesAnswer, .refuses(code: 400), .ends(.unauthorised), .ends(.stalled), .mute,
    ] {
      var bench = Bench.walking()
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
    var bench = Bench.walking()
    bench.server = .losesAnswer
    bench.failsQuestions = true
    bench.raise()
    bench.run(until: bench.now + .minutes(2))
    bench.server = .accepts
    bench.run(until: bench.now + .minutes(3))
    #expect(bench.emergency?.stage == .delivered, again(Self.self, "\(bench.queue)"))
  }

  @Test func `With a backlog its captures and its answer still come within a minute`() {
    var bench = Bench.walking()
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
    var bench = Bench.walking()
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
    var bench = Bench.walking()
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
    var bench = Bench.walking()
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
    var bench = Bench.walking()
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
    var bench = Bench.walking()
    bench.hasBearer = hasBearer
    bench.server = .mute
    let (raised, uploads) = (bench.now, bench.uploads.count)
    bench.raise()
    while bench.texts.isEmpty, bench.now < raised + .seconds(60) { bench.run(seconds: 1) }
    #expect(bench.texts.count == 1, again(Self.self, "\(bench.late(raised))"))
    #expect(bench.uploads.count == uploads, "the text goes before the captures")
  }

  @Test func `A text message that hangs keeps the captures waiting no longer than its limit`() {
    var bench = Bench.walking()
    bench.isTextMute = true
    bench.raise()
    bench.run(until: bench.now + Bounds.textLimit + .seconds(60))
    #expect(bench.texts.isEmpty, again(Self.self))
    #expect(bench.emergency?.stage == .delivered, again(Self.self))
  }

  @Test func `A modem that was given up is tried again within two minutes`() {
    var bench = Bench.walking()
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
    var bench = Bench.walking()
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
      var bench = Bench.walking()
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
    var bench = Bench.walking()
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
    var bench = Bench.walking()
    bench.registrationAnswer = "+CREG: 0,2"
    bench.raise()
    bench.run(until: bench.now + .hours(12))
    bench.registrationAnswer = "+CREG: 0,1"
    bench.run(until: bench.now + .minutes(5))
    #expect(bench.emergency?.stage == .delivered, again(Self.self))
  }

  @Test func `A tracker in its battery's reserve calls at once`() {
    var bench = Bench.walking { $0.reservePercent = 90 }
    bench.handle(.batteryMeasured(BatteryReading(millivolts: 7200)))
    bench.run(until: bench.now + .minutes(5))
    bench.raise()
    bench.run(seconds: 60)
    #expect(bench.emergency?.stage == .delivered, again(Self.self))
  }

  @Test func `Without a session it works as well`() {
    var bench = Bench.walking()
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
    var bench = Bench.walking()
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
    var bench = Bench.walking()
    bench.raise()
    bench.run(seconds: 5)
    let first = bench.emergency
    bench.raise()
    #expect(bench.emergency == first, again(Self.self))
  }

  @Test(arguments: Restart.allCases)
  func `A restart leaves it standing`(_ restart: Restart) {
    var bench = Bench.walking()
    bench.server = .mute
    bench.raise()
    bench.run(seconds: 20)
    var next = bench.restarted(restart)
    next.run(until: next.now + .minutes(3))
    #expect(next.emergency?.stage == .delivered, again(Self.self))
    #expect(next.emergency?.firstSequence == bench.emergency?.firstSequence, again(Self.self))
  }
}
