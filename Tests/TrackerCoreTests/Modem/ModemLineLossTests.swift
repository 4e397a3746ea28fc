import Testing

@testable import TrackerCore

/// A port that is unplugged, or comes back.
@Suite struct ModemLineLossTests {
  @Test func `A modem that is pulled out in use starts over when it is back`() {
    var tape = ModemTape.inUse(Self.self)
    tape.at(5000, .line(false), .setLink(isUp: false), .says(.attention))
    #expect(tape.modem.phase == .starting, again(Self.self))
    #expect(tape.modem.reason(at: .at(5000)) == .modemOff, again(Self.self))
    tape.at(6000, .deadline, .says(.attention))
    tape.at(6500, .line(true), .says(.attention))
    tape.at(6550, .hears("OK\r\n"), .says(.reportErrors))
    tape.at(6600, .hears("OK\r\n"), .says(.simStatus))
  }

  @Test func `A modem that stays away is power-cycled, after the floor, and given up`() {
    var tape = ModemTape.attached(Self.self)
    tape.play(.line(false), at: .at(5000))
    let effects = tape.wait(until: 2_000_000)
    #expect(effects.filter { $0.isPress }.count >= 2, again(Self.self))
    #expect(tape.modem.contact.failure == .modemSilent && tape.modem.isOff, again(Self.self))
  }

  @Test func `A modem that was given up without its port is tried as soon as that is back`() {
    var tape = ModemTape.checkingSIM(Self.self) { $0.floor = 0 }
    tape.play(.line(false), at: .at(5000))
    var now: Int64 = 5000
    while tape.modem.phase != .faulted && now < 2_000_000 {
      now += 100
      tape.wait(until: now)
    }
    #expect(tape.modem.phase == .faulted, again(Self.self))
    tape.at(now + 1000, .line(true))
    tape.at(now + 1000, .deadline)
    #expect(tape.modem.phase == .off, again(Self.self))
    tape.at(now + 2000, .connect, .says(.attention))
  }

  @Test func `A port that comes back with each fault ends the pause once, and not the next one`() {
    // The key that was to switch it off has switched it on.
    var tape = ModemTape(Self.self) { $0.floor = 0 }
    var (faults, now, isFaulted) = ([Int64](), Int64(0), false)
    while now < 3_600_000 {
      now += 1000
      tape.play(.connect, at: .at(now))
      tape.wait(until: now)
      if tape.modem.phase == .faulted, !isFaulted {
        faults.append(now)
        tape.play(.line(false), at: .at(now))
        tape.play(.line(true), at: .at(now))
      }
      isFaulted = tape.modem.phase == .faulted
    }
    let pauses = zip(faults, faults.dropFirst()).map { $1 - $0 }
    #expect(pauses.count > 6, again(Self.self))
    let isSpared = zip(pauses, pauses.dropFirst()).allSatisfy { $0 > 600_000 || $1 > 600_000 }
    #expect(isSpared, again(Self.self, "\(pauses)"))
    #expect(pauses.contains { $0 < 600_000 }, again(Self.self, "\(pauses)"))
  }

  @Test func `A port that goes with the power and comes back with it is as it should be`() {
    var tape = ModemTape(Self.self)
    tape.play(.connect, at: .at(0))
    tape.at(10, .line(false))
    tape.wait(until: 9000)
    tape.at(9100, .line(true), .says(.attention))
    tape.at(9150, .hears("OK\r\n"), .says(.reportErrors))
    tape.at(9200, .release, .says(.powerOff))
    tape.at(9300, .line(false))
    tape.wait(until: 20_000)
    #expect(tape.modem.isOff, again(Self.self))
    tape.at(30_000, .line(true))
    #expect(tape.modem.isOff && tape.modem.deadline == nil, again(Self.self))
  }

  @Test func `A port that comes back while the modem is probed is asked again before the key`() {
    var tape = ModemTape(Self.self)
    tape.at(0, .connect, .says(.attention))
    tape.at(900, .line(true), .says(.attention))
    tape.at(1000, .deadline)
    tape.at(1050, .hears("OK\r\n"), .says(.reportErrors))
  }

  @Test func `A port that comes and goes without end ends as a fault`() {
    var tape = ModemTape.checkingSIM(Self.self) { $0.floor = 0 }
    var now: Int64 = 1000
    for _ in 0..<400 where tape.modem.phase != .faulted {
      tape.play(.line(false), at: .at(now))
      tape.play(.line(true), at: .at(now + 50))
      tape.play(.hears("OK\r\nOK\r\n"), at: .at(now + 100))
      now += 3000
      tape.wait(until: now)
    }
    #expect(tape.modem.phase == .faulted, again(Self.self, "\(tape.modem.power.state)"))
  }

  @Test func `A hundred times unplugged, the whole tracker brings everything home`() {
    var bench = Bench {
      $0.capture = .standard(interval: .minutes(1), minimumDistanceMetres: 0, heartbeat: .hours(1))
      $0.transmitInterval = .minutes(1)
      $0.reconnectFloor = 0
    }
    var seeded = Seeded(3)
    for _ in 0..<100 {
      bench.run(seconds: Int64(seeded.next() % 120))
      bench.handle(.lineChanged(.modem, isPresent: false))
      bench.handle(.linkChanged(isUp: false))
      bench.run(seconds: Int64(seeded.next() % 20))
      bench.handle(.lineChanged(.modem, isPresent: true))
    }
    bench.run(seconds: 4000)
    #expect(bench.queue.count <= 1 && bench.sequences.count > 50, again(Self.self))
    #expect(bench.received == Array(bench.sequences.prefix(bench.received.count)))
  }

  @Test func `A receiver that is pulled out is said at once, with its reason`() {
    var bench = Bench()
    bench.run(seconds: 60)
    #expect(bench.tracker.captureReason == .notDue, again(Self.self))
    bench.sky = .silent
    bench.handle(.lineChanged(.receiver, isPresent: false))
    #expect(bench.notes.last == .capturing(.noFix), again(Self.self))
    #expect(bench.notes.contains(.receiverSilent), again(Self.self))
    bench.handle(.lineChanged(.receiver, isPresent: true))
    bench.sky = .fix(accuracyMetres: 5)
    bench.run(seconds: 2)
    #expect(bench.notes.contains(.receiverHeard), again(Self.self))
    #expect(bench.tracker.captureReason == .notDue, again(Self.self))
    bench.run(seconds: 600)
    #expect(bench.sequences == [1, 2], again(Self.self))
  }

  @Test func `A receiver that is back is told again what is wanted of it`() {
    var board = Board.bench
    board.receiver.dialect = .ublox
    var bench = Bench(board: board) { $0.receiverUse = .dutyCycle }
    let settings: [Effect] = [.sendToReceiver(.setRate), .sendToReceiver(.setSentences)]
    bench.run(seconds: 1)
    #expect(bench.log.prefix(2).map(\.effect) == settings, again(Self.self))
    bench.run(seconds: 100)
    #expect(!bench.tracker.isReceiverAwake, again(Self.self))
    let before = bench.log.count
    bench.handle(.lineChanged(.receiver, isPresent: false))
    bench.handle(.lineChanged(.receiver, isPresent: true))
    let after = bench.log[before...].map(\.effect).filter {
      if case .sendToReceiver = $0 { true } else { false }
    }
    #expect(after == settings + [.sendToReceiver(.sleep)], again(Self.self))
  }

  @Test func `A receiver that is woken without its line is silent at once`() {
    var bench = Bench { $0.receiverUse = .dutyCycle }
    bench.run(seconds: 100)
    bench.handle(.lineChanged(.receiver, isPresent: false))
    #expect(!bench.notes.contains(.receiverSilent), "asleep is not silent")
    bench.sky = .silent
    bench.run(until: .at(592_000))
    #expect(bench.notes.contains(.receiverSilent), again(Self.self))
  }

  @Test func `A flood from the receiver is told once, and again after it was over`() {
    var gauge = FloodDetector(at: .at(0))
    let bound = Int(Bounds.receiverFlood * Bounds.floodWindow.count / 1000)
    #expect(gauge.count(bound, at: .at(9_999)) == nil, again(Self.self))
    #expect(gauge.count(bound, at: .at(10_000)) == nil, "a window of its own")
    #expect(gauge.count(1, at: .at(19_999)) == Int32(bound + 1) / 9, again(Self.self))
    #expect(gauge.count(bound * 3, at: .at(20_000)) == nil, "it goes on")
    #expect(gauge.count(1, at: .at(30_000)) == nil, again(Self.self))
    #expect(gauge.count(1, at: .at(40_000)) == nil, again(Self.self))
    #expect(gauge.count(bound * 2, at: .at(40_500)) == Int32(bound * 2 + 1), again(Self.self))
    #expect(gauge.count(1, at: .at(0)) == nil, "the clock of a host that is wrong")
  }

  @Test func `The whole tracker tells of a flood`() {
    var bench = Bench()
    bench.run(seconds: 20)
    for _ in 0..<400 { bench.receive(String(repeating: "x", count: 1024), from: .receiver) }
    let floods = bench.notes.filter { if case .receiverFloods = $0 { true } else { false } }
    #expect(floods.count == 1, again(Self.self))
  }
}
