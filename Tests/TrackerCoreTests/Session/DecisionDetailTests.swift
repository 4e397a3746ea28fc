import Testing

@testable import TrackerCore

/// What the whole tracker does at the edges of its rules.
@Suite struct DecisionDetailTests {
  @Test func `A completion of no open request changes nothing and bothers no modem`() {
    // What they would change: the last delivery, and a bearer that the modem would search again.
    var bench = Bench {
      $0.bearer = .modem
      $0.textAfter = .hours(1)
      $0.textTo = PhoneNumber(Array("+34600000000".utf8).span)
    }
    bench.server = .mute
    bench.run(seconds: 20)
    #expect(bench.uploads.count == 1, again(Self.self))
    let open = bench.uploads[0].id.number
    for number in [0, open &+ 1, .max] {
      for outcome in [UploadOutcome.unreachable, .ambiguous, .took(1), .unauthorised] {
        let before = (bench.tracker, bench.log.count)
        bench.handle(
          .uploadFinished(RequestID(number), outcome, queue: QueueCounts(pending: 1)))
        #expect(bench.tracker == before.0 && bench.log.count == before.1, "\(number) \(outcome)")
      }
      for outcome in [ReconcileOutcome.failed(status: 0), .settled(confirmed: 1)] {
        let before = (bench.tracker, bench.log.count)
        bench.handle(
          .reconcileFinished(RequestID(number), outcome, queue: QueueCounts(pending: 1)))
        #expect(bench.tracker == before.0 && bench.log.count == before.1, "\(number) \(outcome)")
      }
    }
  }

  @Test func `A capture carries speed and course, and none where the receiver gives none`() throws {
    func first(_ speed: String, _ course: String) throws -> Capture {
      var bench = Bench()
      bench.sky = .silent
      let date = UTC(milliseconds: 1_780_000_000_000)
      for second in Int64(1)...8 {
        bench.run(seconds: 1)
        let text = Sentences.report(.olot, accuracyMetres: 5, utc: date + .seconds(second))
        let rmc = text.split(separator: "*")[0].dropFirst()
          .replacing(",E,0.0,0.0,", with: ",E,\(speed),\(course),")
        bench.receive(Sentences.framed(String(rmc)), from: .receiver)
      }
      bench.run(seconds: 5)
      return try #require(bench.stored.first, again(Self.self))
    }
    let moving = try first("10.0", "84.4")
    #expect(moving.speedMillimetresPerSecond == 5144, again(Self.self))
    #expect(moving.courseMillidegrees == 84_400, again(Self.self))
    let unknown = try first("", "")
    #expect(unknown.speedMillimetresPerSecond == nil && unknown.courseMillidegrees == nil)
  }

  @Test func `Only the adaptive policy stretches what it does`() {
    for (policy, isAdaptive) in [
      (CapturePolicy.adaptive(interval: .minutes(10)), true),
      (.standard(interval: .minutes(10), minimumDistanceMetres: 0, heartbeat: .hours(1)), false),
    ] {
      var bench = Bench { $0.capture = policy }
      bench.handle(.batteryMeasured(BatteryReading(millivolts: 9480)))
      bench.run(seconds: 3600)
      bench.handle(.batteryMeasured(BatteryReading(millivolts: 6700, percent: 12)))
      let plan = bench.tracker.budget.plan
      #expect((plan.contactPercent > 100) == isAdaptive, again(Self.self, "\(plan)"))
      #expect(plan.sleepsReceiver == isAdaptive, again(Self.self, "\(plan)"))
      let expected = Milliseconds.seconds(6 * plan.contactPercent)
      let terms = ContactTerms(
        bench.tracker.configuration, budget: bench.tracker.budget, gauge: bench.tracker.gauge,
        isSessionRunning: true)
      #expect(terms.interval == expected, again(Self.self))
      let slots = bench.tracker.session.schedule?.opportunity(budget: bench.tracker.budget)
      #expect(slots == (isAdaptive ? .minutes(5) : .minutes(10)), again(Self.self))
    }
  }

  @Test func `At rest the receiver sleeps too, and the reason stays until the next slot`() {
    var bench = Bench {
      $0.receiverUse = .dutyCycle
      $0.capture = .standard(
        interval: .minutes(5), minimumDistanceMetres: 200, heartbeat: .hours(1))
    }
    bench.run(seconds: 320)
    #expect(bench.sequences == [1] && !bench.tracker.isReceiverAwake, again(Self.self))
    #expect(bench.notes.contains(.notCaptured(.atRest)), again(Self.self))
    #expect(bench.tracker.captureReason == .atRest, again(Self.self))
    bench.run(seconds: 230)
    #expect(!bench.tracker.isReceiverAwake, "until shortly before the slot")
    bench.run(seconds: 60)
    #expect(bench.tracker.captureReason == .atRest, again(Self.self))
  }

  @Test func `No two captures of a device share an identifier, nor do two devices`() {
    var seen: Set<UniqueID> = []
    let devices = [
      UniqueID(high: 0, low: 0), UniqueID(high: 0, low: 1), UniqueID(high: 1, low: 0),
      UniqueID(high: .max, low: .max),
    ]
    let powers = (0..<32).map { UInt32(1) << $0 }
    let sequences: [UInt32] = Array(0..<3000) + powers + [UInt32.max, UInt32.max - 1]
    for device in devices {
      for sequence in Set(sequences) {
        let id = UniqueID(device: device, sequence: sequence)
        #expect(id.high & 0xF000 == 0x8000 && id.low >> 62 == 2, again(Self.self))
        seen.insert(id)
      }
    }
    #expect(seen.count == Set(sequences).count * devices.count, again(Self.self))
  }

  @Test func `A capture that is refused among others is set aside by the whole tracker`() {
    var bench = Bench()
    bench.server = .ends(.answered(acknowledged: 1, refused: 1, firstRefused: 1, code: 7))
    bench.run(seconds: 30)
    #expect(bench.log.contains { $0.effect == .setAside(.refusedOfLastUpload) }, again(Self.self))
  }

  @Test func `After a good fix a poor one from before explains nothing`() {
    var bench = Bench { $0.capture = .proximity }
    bench.run(seconds: 30)
    bench.sky = .fix(accuracyMetres: 500)
    bench.run(seconds: 60)
    bench.sky = .fix(accuracyMetres: 5)
    bench.run(seconds: 2)
    bench.sky = .noFix
    bench.reportEvery = .minutes(10)
    bench.run(seconds: 60)
    #expect(bench.tracker.captureReason == .noFix, again(Self.self))
  }

  @Test func `A policy by distance says whether the team rests or is on its way`() {
    for (metres, reason) in [(Int64(99), Reason.atRest), (101, .notDue), (499, .notDue)] {
      var tape = ScheduleTape(.proximity)
      tape.hear(.at(0))
      tape.look(at: 0)
      tape.hear(.at(121_000, .olot.north(metres)))
      tape.look(at: 121_000)
      #expect(tape.taken.count == 1 && tape.reason == reason, again(Self.self, "\(metres) m;"))
    }
  }

  @Test func `Without a minimum distance a slot at rest is an interval, with one a heartbeat`() {
    for (minimum, trigger, at) in [
      (Int32(0), Trigger.interval, Int64(60_000)),
      (-1, .interval, 60_000), (1, .heartbeat, 180_000),
    ] {
      var tape = ScheduleTape(
        .standard(
          interval: .minutes(1), minimumDistanceMetres: minimum, heartbeat: .minutes(3)))
      tape.walk(seconds: 200, metresPerSecond: 0)
      #expect(tape.taken.dropFirst().first == .init(at: at, trigger: trigger), again(Self.self))
    }
    var moving = ScheduleTape(
      .standard(interval: .minutes(1), minimumDistanceMetres: 50, heartbeat: .minutes(3)))
    moving.walk(seconds: 70, metresPerSecond: 1)
    #expect(moving.taken.last == .init(at: 60_000, trigger: .interval), again(Self.self))
  }

  @Test func `A configuration's defaults are those of the README`() {
    let configuration = Configuration()
    #expect(
      configuration.capture
        == .standard(interval: .minutes(10), minimumDistanceMetres: 0, heartbeat: .minutes(30)))
    #expect(configuration.transmitInterval == .minutes(10), again(Self.self))
    #expect(configuration.reconnectFloor == .minutes(10), again(Self.self))
    #expect(configuration.accuracyMetres == 200 && configuration.reservePercent == 10)
    #expect(configuration.maximumSpeedMetresPerSecond == 50 && configuration.startsBySelf)
    #expect(configuration.betweenUploads == .off && configuration.receiverUse == .always)
    #expect(configuration.bearer == .interface && configuration.textAfter == nil)
  }

  @Test func `The first input begins the session, be it a byte, an event or the deadline`() {
    for input in 0..<3 {
      var bench = Bench()
      bench.sky = .silent
      switch input {
      case 0: bench.receive("$", from: .receiver)
      case 1: bench.receive("x", from: .modem)
      default: bench.handle(.linkChanged(isUp: false))
      }
      #expect(bench.notes.contains(.sessionStarted), again(Self.self, "\(input);"))
      #expect(bench.notes.filter { $0 == .sessionStarted }.count == 1, again(Self.self))
    }
  }

  @Test func `A late contact joins the first slot that is not before the floor's end`() throws {
    // Failed at once, the contact would be due again a minute later, nine before the floor's end.
    var bench = Bench { $0.transmitInterval = .minutes(1) }
    bench.run(seconds: 120)
    let state = bench.tracker.uploader
    #expect(state.pending == 0 && bench.tracker.sendReason == .nothingPending)
    bench.handle(.commandGiven(.captureNow, from: .script))
    bench.run(seconds: 30)
    #expect(bench.tracker.sendReason == .reconnectFloor, again(Self.self))
    let slot = try #require(bench.tracker.session.schedule?.slot)
    #expect(bench.tracker.uploader.due == slot, again(Self.self))
    bench.run(seconds: 600)
    #expect(bench.queue.isEmpty && bench.sequences == [1, 2, 3], again(Self.self))
  }

  @Test func `A gauge reads a steep curve and a flat one`() {
    var battery = Board.bench.battery
    battery.cellsInSeries = 1
    battery.cellMillivolts = [1000, 1000, 1001, 1190, 1230, 1250, 1280, 1300, 1350, 1400, 1580]
    #expect(battery.percent(atMillivolts: 1000) == 0, again(Self.self))
    #expect(battery.percent(atMillivolts: 1001) == 20, again(Self.self))
    #expect(battery.percent(atMillivolts: 1096) == 25, again(Self.self))
    battery.cellsInSeries = 0
    #expect(battery.percent(atMillivolts: 1580) == 100, again(Self.self))
  }

  @Test func `A date at the bounds of belief`() {
    let built = Configuration().notBefore
    for (milliseconds, isBelieved) in [
      (built.milliseconds, true), (built.milliseconds - 60_000, false),
      ((built + Bounds.believableSpan).milliseconds - 10_000, true),
      ((built + Bounds.believableSpan).milliseconds + 1, false),
      (Bounds.firstGPSDate.milliseconds - 86_400_000, false),
    ] {
      var tape = TrustedDateTests.Tape()
      let isTrusted = tape.settle(milliseconds, from: 0) == 4
      #expect(isTrusted && tape.clock.correctionWeeks == 0 || !isBelieved, "\(milliseconds)")
      #expect(isTrusted == isBelieved || tape.clock.correctionWeeks != 0, "\(milliseconds)")
    }
  }

  @Test func `A text that is full takes no more, and one of its own length is whole`() {
    var text = InlineText<4>("abc")
    text.append(0x64)
    #expect(text == InlineText<4>("abcd") && text.count == 4, again(Self.self))
    text.append(0x65)
    #expect(text == InlineText<4>("abcd") && text.count == 4, again(Self.self))
    #expect(InlineText<4>("abcde") == text && text[3] == 0x64 && text[4] == 0, again(Self.self))
    #expect(InlineText<4>("abcd") != InlineText<4>("abce"), again(Self.self))
  }

  @Test func `Places on both sides of the date line are as near as they are`() {
    let west = Coordinate(latitude: 0, longitude: 1_800_000_000)
    let east = Coordinate(latitude: 0, longitude: -1_800_000_000)
    #expect(west.distanceMillimetres(to: east) == 0 && east.distanceMillimetres(to: west) == 0)
    let half = Coordinate(latitude: 0, longitude: 0)
    // Half a circle, 20 015 km, whichever way round.
    #expect(half.distanceMetres(to: west) == half.distanceMetres(to: east), again(Self.self))
    #expect(half.distanceMetres(to: west) == 20_015_114, again(Self.self))
    let pole = Coordinate(latitude: 900_000_000, longitude: 0)
    #expect(Coordinate.cosineMillionths(900_000_000) == 0, again(Self.self))
    #expect(Coordinate.cosineMillionths(-900_000_000) == 0, again(Self.self))
    #expect(
      pole.distanceMetres(to: Coordinate(latitude: 900_000_000, longitude: 900_000_000)) == 0)
  }

  @Test func `Each dialect has its own words`() {
    let words = ReceiverDialectTests.dialects.map { dialect in
      ReceiverDialectTests.commands.map { command -> [UInt8] in
        let bytes = dialect.words.bytes(of: command)
        return (0..<bytes.count).map { bytes[$0] }
      }
    }
    #expect(words[0][0] == [0xB5, 0x62, 2, 0x41, 8, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0x4D, 0x3B])
    #expect(words[1][0].count == 24 && words[1][1] == [0xFF], again(Self.self))
    #expect(String(decoding: words[2][0], as: UTF8.self) == "$PMTK161,0*28\r\n")
    #expect(String(decoding: words[2][2], as: UTF8.self) == "$PMTK220,1000*1F\r\n")
    #expect(String(decoding: words[3][0], as: UTF8.self) == "$PCAS12,65535*1E\r\n")
    #expect(String(decoding: words[3][2], as: UTF8.self) == "$PCAS02,1000*2E\r\n")
  }
}
