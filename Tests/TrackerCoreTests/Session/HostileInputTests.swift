import Testing

@testable import TrackerCore

/// Input never traps, however absurd, and never leaves a deadline that nothing serves.
@Suite struct HostileInputTests {
  static let numbers: [Int64] = [
    .min, .min + 1, -900_000_000_000_000, -1, 0, 1, 30_000, 900_000_000_000_000, .max - 1, .max,
  ]

  private func event(_ seeded: inout Seeded) -> Event {
    let id = RequestID(UInt32(truncatingIfNeeded: seeded.next() % 6))
    let sequence: UInt32 = [0, 1, 2, .max][Int(seeded.next() % 4)]
    let count: UInt32 = [0, 1, 7, .max][Int(seeded.next() % 4)]
    let code: Int32 = [.min, -1, 0, .max][Int(seeded.next() % 4)]
    let time = Milliseconds(Self.numbers[Int(seeded.next() % 10)])
    let queue = QueueCounts(pending: count, setAside: sequence)
    switch seeded.next() % 24 {
    case 0: return .deadlineReached
    case 1: return .batteryMeasured(BatteryReading(millivolts: code))
    case 2, 3: return .captureStored(sequence: sequence, queue: queue)
    case 4: return .storeFailed(sequence: sequence)
    case 5:
      let outcome = UploadOutcome.answered(
        acknowledged: count, refused: sequence, firstRefused: CaptureKey(sequence), code: code)
      return .uploadFinished(id, outcome, queue: queue)
    case 6:
      let outcome = UploadOutcome.refused(code: code, first: CaptureKey(sequence), count: count)
      return .uploadFinished(id, outcome, queue: queue)
    case 7:
      return .uploadFinished(id, .busy(status: code, retryAfter: time), queue: queue)
    case 8: return .uploadFinished(id, .ambiguous, queue: queue)
    case 9: return .reconcileFinished(id, .settled(confirmed: count), queue: queue)
    case 10: return .reconcileFinished(id, .failed(status: code), queue: queue)
    case 11: return .queueChanged(queue)
    case 12: return .linkChanged(isUp: seeded.chance(70))
    case 13:
      let pin = InputPin(rawValue: UInt8(seeded.next() % 3)) ?? .button
      return .pinChanged(pin, isActive: seeded.chance(50), since: time)
    case 14: return .commandGiven(.start, from: .script)
    case 15: return .commandGiven(.stop, from: .script)
    case 16: return .commandGiven(.captureNow, from: .script)
    case 17: return .textFinished(id, wasSent: seeded.chance(50))
    case 22: return .textsRead(id, seeded.chance(50) ? .nothing : .answered(by: InlineText("M")))
    case 18: return .lineChanged(.modem, isPresent: seeded.chance(50))
    case 19: return .lineChanged(.receiver, isPresent: seeded.chance(50))
    case 20: return .batteryLost
    case 21:
      let percent = UInt8(truncatingIfNeeded: seeded.next())
      return .batteryMeasured(
        BatteryReading(millivolts: code, currentMilliamps: code, percent: percent))
    default: return .commandGiven(.sendNow, from: .script)
    }
  }

  @Test(arguments: UInt64(0)..<40)
  func `Absurd events at absurd instants do not trap`(_ seed: UInt64) {
    var seeded = Seeded(seed)
    var configuration = Configuration()
    configuration.bearer = [.interface, .modem, .none][Int(seed % 3)]
    configuration.textAfter = .hours(1)
    configuration.textTo = PhoneNumber([0x31, 0x31, 0x32].span)
    var board = Board.bench
    board.modem.rest = seed % 4 == 0 ? .radioOff : .off
    board.modem.family = .sim7600
    board.modem.hasPowerKey = seed % 8 != 0
    board.receiver.dialect = seed % 4 == 0 ? .modemGPS : .ublox
    var tracker = Tracker(
      board: board, configuration: configuration, identity: .bench, at: .start)
    var sink = Sink()
    for _ in 0..<600 {
      let now = Instant.at(Self.numbers[Int(seeded.next() % 10)])
      switch seeded.next() % 4 {
      case 0:
        let place = Coordinate(
          latitude: Int32(truncatingIfNeeded: seeded.next() % 900_000_000),
          longitude: Int32(truncatingIfNeeded: seeded.next() % 1_800_000_000))
        let utc = UTC(milliseconds: Int64(seeded.next() % 4_000_000_000_000))
        let text = Sentences.report(place, accuracyMetres: 5, utc: utc)
        let bytes = Array(text.utf8)
        tracker.receive(bytes.span, from: .receiver, at: now, into: &sink)
      case 1:
        let lines = ["OK", "+CPIN: READY", "+CREG: 0,1", "ERROR", "RDY", "+CPIN: SIM PIN"]
        let text = (0..<4).map { _ in lines[Int(seeded.next() % 6)] }.joined(separator: "\r\n")
        let bytes = Array((text + "\r\n").utf8)
        tracker.receive(bytes.span, from: .modem, at: now, into: &sink)
      default: tracker.handle(event(&seeded), at: now, into: &sink)
      }
    }
    #expect(tracker == tracker, again(Self.self, "seed \(seed);"))
  }

  @Test func `Rubbish on every line is only counted`() {
    var seeded = Seeded(5)
    var bench = Bench()
    bench.run(seconds: 30)
    for role in [SerialRole.receiver, .modem] {
      for _ in 0..<200 {
        let bytes = (0..<(seeded.next() % 700)).map { _ in UInt8(truncatingIfNeeded: seeded.next())
        }
        var sink = Sink()
        bench.tracker.receive(bytes.span, from: role, at: bench.now, into: &sink)
      }
    }
    bench.run(seconds: 700)
    #expect(bench.sequences == [1, 2], again(Self.self))
  }

  @Test func `Absurd boards and configurations do not trap`() {
    for number in [Int32.min, -1, 0, 1, .max] {
      var board = Board.bench
      board.battery.cellsInSeries = number
      board.battery.cellMillivolts[3] = number
      let time = Milliseconds(Int64(number) * Int64(Int32.max))
      board.modem = ModemBoard(
        powerOnPulse: time, powerOffPulse: time, bootLimit: time, powerOffTime: time,
        offOnGap: time)
      board.receiver.hotStart = time
      var bench = Bench(board: board) {
        $0.capture = .adaptive(interval: time)
        $0.accuracyMetres = number
        $0.maximumSpeedMetresPerSecond = number
        $0.transmitInterval = time
        $0.reconnectFloor = .seconds(1)
        $0.receiverUse = .dutyCycle
        $0.finish = number % 2 == 0 ? .after(time) : .at(UTC(milliseconds: time.count))
        $0.endAfterFinish = time
        $0.reservePercent = number
        $0.notBefore = UTC(milliseconds: time.count)
      }
      bench.isModemMute = number > 0
      for step in 0..<20 {
        bench.handle(.batteryMeasured(BatteryReading(millivolts: 9000 - Int32(step) * 100)))
        bench.handle(.commandGiven(step % 3 == 0 ? .captureNow : .sendNow, from: .script))
        if number > 0 { bench.run(seconds: 200) }
      }
    }
  }
}
