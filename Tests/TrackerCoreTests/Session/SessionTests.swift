import Testing

@testable import TrackerCore

/// Sessions, the disk, and what a capture carries.
@Suite struct SessionTests {
  @Test func `Captures come every ten minutes, are sent, and have no gaps`() {
    var bench = Bench()
    bench.run(until: .at(24 * 3_600_000))
    #expect(bench.sequences == Array(1...144), again(Self.self))
    let steps = zip(bench.captureTimes.dropFirst(), bench.captureTimes).map { $0 - $1 }
    #expect(Set(steps) == [600], again(Self.self, "no drift in 24 h;"))
    #expect(bench.received == bench.sequences && bench.queue.isEmpty, again(Self.self))
  }

  @Test func `The tracker names no deadline when it is stopped and has nothing to send`() {
    var bench = Bench { $0.startsBySelf = false }
    bench.sky = .silent
    #expect(bench.tracker.nextDeadline == .start, "its first act")
    bench.run(seconds: 120)
    #expect(bench.tracker.nextDeadline == nil, again(Self.self))
    bench.sky = .fix(accuracyMetres: 5)
    bench.handle(.commandGiven(.start, from: .script))
    bench.run(seconds: 60)
    bench.handle(.commandGiven(.stop, from: .script))
    #expect(!bench.tracker.isReceiverAwake, again(Self.self))
    bench.run(seconds: 1200)
    #expect(bench.received == [1, 2], again(Self.self))
    #expect(bench.tracker.nextDeadline == nil, again(Self.self))
    #expect(bench.tracker.sendReason == .nothingPending, again(Self.self))
  }

  @Test func `Stopping erases nothing, sends what is there, and the next session counts on`() {
    var bench = Bench()
    bench.server = .ends(.unreachable)
    bench.run(seconds: 1300)
    #expect(bench.queue == [1, 2, 3], again(Self.self))
    bench.handle(.commandGiven(.stop, from: .script))
    bench.handle(.commandGiven(.stop, from: .script))
    #expect(bench.notes.filter { $0 == .sessionStopped }.count == 1, again(Self.self))
    #expect(bench.queue == [1, 2, 3, 4] && bench.tracker.pending == 3, again(Self.self))
    bench.server = .accepts
    bench.run(seconds: 1300)
    #expect(bench.queue.isEmpty && bench.sequences == [1, 2, 3, 4], again(Self.self))
    bench.handle(.commandGiven(.start, from: .script))
    bench.handle(.commandGiven(.start, from: .script))
    bench.run(seconds: 700)
    #expect(bench.sequences == [1, 2, 3, 4, 5, 6], again(Self.self))
    #expect(bench.notes.filter { $0 == .sessionStarted }.count == 2, again(Self.self))
    let triggers: [Trigger] = [.start, .interval, .interval, .end, .start, .interval]
    #expect(bench.stored.map(\.trigger) == triggers, again(Self.self))
  }

  @Test func `A session ends with a capture of its last position, however old, with its time`()
    throws
  {
    var bench = Bench()
    bench.run(seconds: 100)
    bench.sky = .noFix
    bench.run(seconds: 300)
    bench.handle(.commandGiven(.stop, from: .script))
    bench.run(seconds: 700)
    let last = try #require(bench.stored.last)
    #expect(bench.stored.count == 2 && last.trigger == .end, again(Self.self))
    let date = try #require(bench.date)
    #expect(last.utc.map { (.seconds(95) ... .seconds(100)).contains($0 - date) } == true)
    #expect(bench.received == [1, 2] && bench.uploads.last?.silence == .stoppedByPerson)
    // The next one has found no position, and the last one's is not its own.
    bench.handle(.commandGiven(.start, from: .script))
    bench.run(seconds: 60)
    bench.handle(.commandGiven(.stop, from: .script))
    bench.run(seconds: 700)
    #expect(bench.stored.count == 2, again(Self.self))
  }

  @Test func `A capture that is being stored when the session ends is its last`() {
    var bench = Bench()
    bench.disk = .fails
    bench.run(seconds: 10)
    bench.handle(.commandGiven(.stop, from: .script))
    bench.disk = .works
    bench.run(seconds: 900)
    #expect(bench.stored.map(\.trigger) == [.start] && bench.received == [1], again(Self.self))
    #expect(bench.uploads.last?.silence == .stoppedByPerson, again(Self.self))
  }

  @Test func `A capture that the disk refuses is offered every ten seconds until it is stored`() {
    var bench = Bench()
    bench.disk = .fails
    bench.run(seconds: 45)
    #expect(bench.captureTimes == [3, 13, 23, 33, 43], again(Self.self))
    bench.disk = .works
    bench.run(seconds: 620)
    #expect(bench.sequences == [1, 2], again(Self.self))
    // So late a capture begins a new grid.
    #expect(bench.captureTimes.suffix(2) == [53, 653], again(Self.self))
    #expect(bench.notes.filter { $0 == .captured(sequence: 1) }.count == 1, again(Self.self))
  }

  @Test func `Reports of the disk about other captures are ignored`() {
    var bench = Bench()
    bench.disk = .mute
    bench.run(seconds: 10)
    let before = bench.tracker
    for sequence: UInt32 in [0, 2, .max] {
      bench.handle(.captureStored(sequence: sequence, queue: QueueCounts(pending: 9)))
      bench.handle(.storeFailed(sequence: sequence))
    }
    #expect(bench.tracker == before, again(Self.self))
    bench.handle(.captureStored(sequence: 1, queue: QueueCounts(pending: 1)))
    bench.handle(.captureStored(sequence: 1, queue: QueueCounts(pending: 1)))
    bench.handle(.storeFailed(sequence: 1))
    #expect(bench.tracker.session.nextSequence == 2, again(Self.self))
    #expect(bench.tracker.session.storing == .nothing, again(Self.self))
  }

  @Test func `A stop while a capture is on its way to disk loses nothing`() {
    var bench = Bench()
    bench.disk = .fails
    bench.run(seconds: 10)
    bench.handle(.commandGiven(.stop, from: .script))
    bench.disk = .works
    bench.run(seconds: 60)
    #expect(bench.sequences == [1] && bench.received == [1], again(Self.self))
    bench.handle(.commandGiven(.start, from: .script))
    bench.run(seconds: 60)
    #expect(bench.sequences == [1, 2], again(Self.self))
  }

  @Test func `A queue from before the start is continued`() {
    var identity = Identity.bench
    identity.nextSequence = 41
    identity.pending = 7
    var bench = Bench(identity: identity)
    bench.sky = .silent
    bench.run(seconds: 5)
    #expect(bench.uploads.count == 1, "what was left is sent without a new capture")
    bench.sky = .fix(accuracyMetres: 5)
    bench.run(seconds: 60)
    #expect(bench.sequences == [41], again(Self.self))
  }

  @Test func `An order brings a capture at once, and the grid stays`() {
    var bench = Bench()
    bench.run(seconds: 100)
    bench.handle(.commandGiven(.captureNow, from: .script))
    bench.run(seconds: 600)
    #expect(bench.captureTimes == [3, 100, 603], again(Self.self))
    #expect(bench.stored[1].trigger == .command, again(Self.self))
    bench.handle(.commandGiven(.stop, from: .script))
    bench.handle(.commandGiven(.captureNow, from: .script))
    bench.run(seconds: 600)
    #expect(bench.sequences == [1, 2, 3, 4], again(Self.self))
    #expect(bench.stored.last?.trigger == .end, "a stopped session takes no orders")
  }

  @Test func `An order without a fix is carried out with the next fix`() {
    var bench = Bench()
    bench.run(seconds: 60)
    bench.sky = .noFix
    bench.run(seconds: 60)
    bench.handle(.commandGiven(.captureNow, from: .script))
    bench.run(seconds: 60)
    #expect(bench.sequences == [1], again(Self.self))
    bench.sky = .fix(accuracyMetres: 5)
    bench.run(seconds: 2)
    #expect(bench.sequences == [1, 2], again(Self.self))
  }

  @Test func `A capture carries what was known when it was taken`() throws {
    var bench = Bench()
    bench.handle(.batteryMeasured(BatteryReading(millivolts: 7500)))
    bench.handle(.commandGiven(.setTeam(InlineText("Gat i Gos")), from: .script))
    bench.run(seconds: 10)
    let capture = try #require(bench.stored.first, again(Self.self))
    #expect(capture.team == InlineText("Gat i Gos"), again(Self.self))
    #expect(capture.batteryMillivolts == 7500 && capture.batteryPercent == 50, again(Self.self))
    #expect(capture.isTimeTrusted && capture.accuracyMetres == 5, again(Self.self))
    #expect(capture.satellites == 8 && capture.altitudeMillimetres == 500_000, again(Self.self))
    let distance = try #require(capture.position).distanceMillimetres(to: .olot)
    #expect(distance < 20 && capture.utc != nil, again(Self.self))
  }

  @Test func `A promise names the next contact, and none is given without a trusted date`() {
    var bench = Bench()
    bench.run(seconds: 30)
    // From the beginning of this contact: interval, boot, search, link and upload limits,
    // 600 + 15 + 180 + 60 + 120 s.
    let beganAt = bench.log.first { if case .sendToModem = $0.effect { true } else { false } }?.at
    let expected = bench.date.flatMap { date in beganAt.map { date + ($0 - .start) } }
    let until = bench.uploads.first?.nextContactBy
    // The report that dates it was closed by 200 ms of quiet.
    #expect(until == expected.map { $0 + .seconds(975) + -200 }, again(Self.self))

    bench = Bench()
    bench.date = nil
    bench.run(seconds: 150)
    #expect(bench.uploads.count == 1 && bench.uploads.first?.nextContactBy == nil)
  }

  @Test func `In the reserve contacts are an hour apart, unless somebody orders one`() {
    var bench = Bench()
    bench.handle(.batteryMeasured(BatteryReading(millivolts: 6400)))
    bench.run(seconds: 3590)
    #expect(bench.uploads.count == 1, again(Self.self))
    bench.run(seconds: 100)
    #expect(bench.uploads.count == 2 && bench.queue.isEmpty, again(Self.self))
    bench.run(seconds: 900)
    bench.handle(.commandGiven(.sendNow, from: .script))
    bench.run(seconds: 30)
    #expect(bench.queue.isEmpty, again(Self.self))
  }

  @Test func `In the reserve an order that the reconnect floor puts off is met at its end`() {
    var bench = Bench()
    bench.handle(.batteryMeasured(BatteryReading(millivolts: 6400)))
    bench.run(seconds: 3690)
    let contacts = bench.uploads.count
    bench.run(seconds: 120)
    bench.handle(.commandGiven(.sendNow, from: .script))
    bench.run(seconds: 1320)
    #expect(bench.uploads.count == contacts + 1, again(Self.self))
  }

  @Test func `Attached between uploads the modem is switched on once`() {
    var bench = Bench { $0.betweenUploads = .attached }
    bench.run(until: .at(2 * 3_600_000))
    #expect(bench.sequences.count == 12 && bench.queue.isEmpty, again(Self.self))
    let probes = bench.log.filter { $0.effect == .says(.attention) }
    #expect(probes.count == 1 && bench.tracker.modemPhase == .attached, again(Self.self))
    bench.handle(.commandGiven(.stop, from: .script))
    bench.run(seconds: 60)
    #expect(bench.received.last == 13, again(Self.self))
    #expect(bench.tracker.modemPhase == .off, again(Self.self))
  }
}
