import Testing

@testable import TrackerCore

/// Each upload says why the tracker will be silent, where it knows.
@Suite struct PlannedSilenceTests {
  /// The date of the bench's start.
  private let start = UTC(milliseconds: 1_780_000_000_000)

  private func silences(_ bench: Bench) -> [PlannedSilence] { bench.uploads.map(\.silence) }

  @Test func `While captures and contacts come as usual there is no silence to explain`() {
    var bench = Bench()
    bench.run(seconds: 3600)
    #expect(bench.uploads.count == 6, again(Self.self))
    #expect(silences(bench).allSatisfy { $0 == .none }, again(Self.self))
  }

  @Test func `In the battery's reserve each upload says so, and promises the next in an hour`()
    throws
  {
    var bench = Bench()
    bench.run(seconds: 60)
    bench.handle(.batteryMeasured(BatteryReading(millivolts: 6400)))
    bench.run(seconds: 7500)
    #expect(silences(bench) == [.none, .reserve, .reserve], again(Self.self))
    let last = try #require(bench.log.last { if case .upload = $0.effect { true } else { false } })
    let promise = try #require(bench.uploads.last?.nextContactBy)
    #expect(promise - (start + (last.at - .start)) >= .minutes(60), again(Self.self))
    bench.handle(.commandGiven(.stop, from: .script))
    bench.run(seconds: 900)
    #expect(bench.uploads.last?.silence == .stoppedByPerson, "the stronger reason")
  }

  @Test func `What is sent after a stop says that a person stopped it, until one starts it again`()
    throws
  {
    var bench = Bench { $0.transmitInterval = .hours(2) }
    bench.run(seconds: 1300)
    #expect(bench.queue.count == 2, again(Self.self))
    bench.handle(.commandGiven(.stop, from: .script))
    bench.run(seconds: 900)
    #expect(bench.queue.isEmpty && silences(bench) == [.none, .stoppedByPerson], again(Self.self))
    #expect(bench.uploads.last?.nextContactBy == nil, again(Self.self))
    bench.handle(.commandGiven(.start, from: .script))
    bench.handle(.commandGiven(.sendNow, from: .script))
    bench.run(seconds: 1300)
    #expect(silences(bench) == [.none, .stoppedByPerson, .none], again(Self.self))
  }

  @Test func `The last upload before the session's end says that it is finished, and one at it`() {
    var bench = Bench {
      $0.finish = .at(start + .hours(1))
      $0.endAfterFinish = 0
    }
    bench.run(until: .at(4_000_000))
    let usual = [PlannedSilence](repeating: .none, count: 5)
    #expect(silences(bench) == usual + [.finished, .finished], again(Self.self))
    #expect(bench.stored.last?.trigger == .end, again(Self.self))
    #expect(bench.uploads.suffix(2).allSatisfy { $0.nextContactBy == nil }, again(Self.self))
  }

  @Test func `What is sent after the session's end says that it is finished`() {
    var bench = Bench {
      $0.finish = .after(.hours(1))
      $0.endAfterFinish = 0
    }
    bench.run(seconds: 1300)
    bench.hasBearer = false
    bench.run(seconds: 2400)
    #expect(bench.tracker.captureReason == .finished && !bench.queue.isEmpty, again(Self.self))
    let before = bench.uploads.count
    bench.hasBearer = true
    bench.run(seconds: 3600)
    let after = silences(bench).dropFirst(before)
    #expect(!after.isEmpty && after.allSatisfy { $0 == .finished }, again(Self.self))
  }

  /// After a power cut without a date it cannot tell how old the stop or the end is.
  @Test(arguments: [(Restart.program, true), (.machine, false)])
  func `After a restart nothing is said of a stop or an end that may not hold any more`(
    _ restart: Restart, _ isKnown: Bool
  ) {
    for ending in [PlannedSilence.stoppedByPerson, .finished] {
      var bench = Bench {
        $0.transmitInterval = .hours(2)
        $0.finish = .after(.seconds(ending == .finished ? 1250 : 9000))
        $0.endAfterFinish = 0
      }
      bench.run(seconds: 1240)
      bench.hasBearer = false
      bench.run(seconds: 20)
      if ending == .stoppedByPerson { bench.handle(.commandGiven(.stop, from: .script)) }
      #expect(!bench.tracker.isSessionRunning, again(Self.self))
      bench.sky = .silent
      bench = bench.restarted(restart, pending: 2)
      bench.run(seconds: 60)
      #expect(silences(bench) == [isKnown ? ending : .none], again(Self.self, "\(ending)"))
    }
  }

  @Test func `A tracker that waits for its first start has nothing to say`() {
    var identity = Identity.bench
    (identity.nextSequence, identity.pending) = (2, 1)
    var bench = Bench(identity: identity) { $0.startsBySelf = false }
    bench.run(seconds: 60)
    #expect(silences(bench) == [.none], again(Self.self))
  }
}
