import Testing
import TrackerCore

@testable import Simulation

/// Races of a machine that is halted between captures.
@Suite struct HaltRaceTests {
  private let note: Comment = "repeat with: swift test --filter SimulationTests.HaltRaceTests"

  /// Figures as of a small computer with a clock that cuts its supply.
  private func race(
    _ keepsReceiver: Bool = true, sleep: Sleep = .halt, minutes: Int64 = 10, seed: UInt64 = 1
  ) -> Race {
    var race = Race()
    race.trace = "race"
    race.seed = seed
    race.configuration.sleep = sleep
    race.configuration.receiverUse = .dutyCycle
    race.configuration.transmitInterval = .minutes(minutes)
    race.adjust = {
      $0.halting = Halting(
        microamps: 100, wakeTime: .seconds(20), wakeMicroamps: 200_000, stopTime: .seconds(5),
        keepsReceiver: keepsReceiver, keepsModem: false)
    }
    return race
  }

  @Test(arguments: [true, false])
  func `A race of a sleeping machine has all captures, and takes half`(_ keeps: Bool) throws {
    let awake = try race(sleep: .never).run()
    let asleep = try race(keeps).run()
    #expect(asleep.restarts > 140, "\(asleep.restarts); \(note)")
    #expect(
      abs(Int(asleep.acknowledged) - Int(awake.acknowledged)) <= 2 && asleep.pending == 0,
      "\(asleep.acknowledged) of \(awake.acknowledged); \(note)")
    #expect(asleep.sequences == Array(1...UInt32(asleep.sequences.count)))
    #expect(asleep.duplicates == 0 && asleep.received == Int(asleep.acknowledged))
    #expect(
      asleep.joules < awake.joules / 2,
      "\(asleep.joules) of \(awake.joules) J; \(note)")
    // Captures stay on their grid, within what a boot may take longer.
    let times = asleep.captures.map(\.takenAt.milliseconds)
    let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
    #expect(gaps.filter { abs($0 - 600_000) > 40_000 }.count <= 2, "\(gaps)")
  }

  @Test func `Contacts stay as rare as they were, and each keeps its promise`() throws {
    let asleep = try race(minutes: 60).run()
    let awake = try race(sleep: .never, minutes: 60).run()
    #expect(asleep.acknowledged >= awake.acknowledged - 1 && asleep.pending == 0)
    #expect(abs(Int(asleep.tally.contacts) - Int(awake.tally.contacts)) <= 1, note)
    #expect(asleep.tally.promises.broken == 0, note)
  }

  @Test func `What it learns of its battery it keeps from halt to halt`() throws {
    var race = race()
    let adjust = race.adjust
    race.adjust = {
      adjust?(&$0)
      $0.battery.cellsInParallel = 1
      $0.battery.cellCapacityMilliampHours = 1800
    }
    // Which the tracker does not know: 1.5 times the drain.
    race.scenario.weakCellPercent = 67
    let result = try race.run()
    let charge = try #require(result.tracker.memory.charge, note)
    #expect(result.restarts > 140, "\(result.restarts); \(note)")
    #expect(charge.drainDeviation < 280_000, "\(charge); \(note)")
    let error = abs(Double(charge.drain) / 1e6 - 1 / 0.67)
    #expect(error < 2 * Double(charge.drainDeviation) / 1e6, "\(charge); \(note)")
    let off = abs(Double(charge.charge) / 1e4 - result.batteryPercent)
    #expect(off < 2 * Double(charge.deviation) / 1e4, "\(charge); \(note)")
  }

  /// Ten hours, eight of them in a sports hall.
  private static let hall = Result {
    var options = SynthOptions()
    options.duration = .hours(10)
    options.interval = 2000
    options.tunnels = [TimeSpan(from: .hours(1), to: .hours(9))]
    var trace = try Synthesizer(options: options, course: .olotToTheSea, command: "hall")
    var bytes: [UInt8] = []
    while let chunk = trace.nextChunk() { bytes += chunk }
    return try PreparedTrace(bytes)
  }

  @Test(arguments: [true, false])
  func `A night in a hall without a fix is slept through, and takes less than half`(
    _ keeps: Bool
  ) throws {
    func night(_ sleep: Sleep, finish: Finish? = nil) throws -> Race.Result {
      var race = race(keeps, sleep: sleep)
      race.walk = try Self.hall.get()
      race.configuration.finish = finish
      return try race.run()
    }
    let awake = try night(.never)
    let asleep = try night(.halt, finish: .after(.hours(12)))
    #expect(asleep.restarts > 50, "\(asleep.restarts); \(note)")
    #expect(
      asleep.joules < awake.joules * 0.5, "\(asleep.joules) of \(awake.joules) J; \(note)")
    // Each slot is missed once, as if it were awake: all but the one at which it is captured again.
    for night in [awake, asleep] {
      let missed = night.tally.notCaptured.first { $0.reason == .noFix }?.count ?? 0
      let pause = night.tally.longestPauseBetweenCaptures
      #expect(Int64(missed) == pause.count / 600_000 - 1, "\(missed) in \(pause); \(note)")
    }
    // It is seen again when the team leaves the hall, or one interval later; and a machine that has
    // been halted has no position for a last capture when it is stopped.
    #expect(
      asleep.acknowledged + 2 >= awake.acknowledged && asleep.pending == 0,
      "\(asleep.acknowledged) of \(awake.acknowledged); \(note)")
    let pause = asleep.tally.longestPauseBetweenCaptures
    #expect(pause <= .hours(8) + .minutes(21), "\(pause); \(note)")
    #expect(
      asleep.tally.promises.broken <= awake.tally.promises.broken,
      "\(asleep.tally.promises.broken) of \(awake.tally.promises.broken); \(note)")
  }

  @Test func `The same race gives the same result again`() throws {
    let (one, other) = (try race(seed: 9).run(), try race(seed: 9).run())
    #expect(one.joules == other.joules && one.latencies == other.latencies)
  }
}
