import Testing

@testable import TrackerCore

/// Settings that are reloaded while a tracker runs.
@Suite struct ReconfigurationTests {
  private func configuration(_ adjust: (inout Configuration) -> Void) -> Configuration {
    var configuration = Configuration()
    adjust(&configuration)
    return configuration
  }

  private func every(_ seconds: Int64) -> CapturePolicy {
    .standard(interval: .seconds(seconds), minimumDistanceMetres: 0, heartbeat: .minutes(30))
  }

  @Test func `A shorter interval counts from the last capture, and the session goes on`() {
    var bench = Bench()
    bench.run(seconds: 100)
    let first = bench.captureTimes
    bench.adopt(configuration { $0.capture = every(200) })
    bench.run(seconds: 700)
    let taken = bench.captureTimes
    #expect(first.count == 1 && taken.starts(with: first), again(Self.self, "\(taken)"))
    #expect(
      zip(taken, taken.dropFirst()).allSatisfy { $1 - $0 == 200 } && taken.count == 4,
      again(Self.self, "\(taken)"))
    #expect(bench.sequences == [1, 2, 3, 4], again(Self.self))
    #expect(bench.notes.filter { $0 == .sessionStarted }.count == 1, again(Self.self))
  }

  @Test func `An interval that has passed already is due at once`() {
    var bench = Bench()
    bench.run(seconds: 300)
    bench.adopt(configuration { $0.capture = every(60) })
    bench.run(seconds: 3)
    #expect(bench.captureTimes.count == 2, again(Self.self, "\(bench.captureTimes)"))
  }

  @Test func `What the modem was set up for stays, whatever the host passes on`() throws {
    var bench = Bench()
    bench.run(seconds: 100)
    let before = bench.tracker.configuration
    bench.adopt(
      configuration {
        $0.capture = every(200)
        $0.bearer = .modem
        $0.accessPoint = AccessPointName(Array("internet".utf8).span)
        $0.textAfter = .hours(1)
        $0.textTo = PhoneNumber(Array("+34600000000".utf8).span)
      })
    let after = bench.tracker.configuration
    #expect(after.capture == every(200) && after.bearer == before.bearer, again(Self.self))
    #expect(after.accessPoint == nil && after.textTo == nil, again(Self.self))
    #expect(after.textAfter == before.textAfter, again(Self.self))
  }

  @Test func `The same settings again change nothing`() {
    var bench = Bench()
    var other = Bench()
    bench.run(seconds: 100)
    other.run(seconds: 100)
    bench.adopt(Configuration())
    bench.run(seconds: 2000)
    other.run(seconds: 2000)
    #expect(bench.log == other.log, again(Self.self))
  }

  @Test func `A shorter transmission interval counts at once`() {
    var bench = Bench { $0.transmitInterval = .hours(2) }
    bench.run(seconds: 1300)
    let before = bench.received.count
    bench.adopt(configuration { $0.transmitInterval = .minutes(10) })
    bench.run(seconds: 900)
    #expect(bench.received.count > before, again(Self.self, "\(before) \(bench.received)"))
  }

  @Test func `A receiver that need not save energy any more is woken`() {
    var bench = Bench { $0.receiverUse = .dutyCycle }
    bench.run(seconds: 200)
    #expect(!bench.tracker.isReceiverAwake, again(Self.self))
    bench.adopt(Configuration())
    #expect(bench.tracker.isReceiverAwake, again(Self.self))
  }

  @Test func `A stricter accuracy rejects from then on`() {
    var bench = Bench()
    bench.sky = .fix(accuracyMetres: 50)
    bench.run(seconds: 100)
    bench.adopt(configuration { $0.accuracyMetres = 20 })
    bench.run(seconds: 1000)
    #expect(bench.sequences == [1], again(Self.self, "\(bench.sequences)"))
    #expect(bench.tracker.captureReason == .poorAccuracy, again(Self.self))
  }
}
