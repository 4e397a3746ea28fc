import Testing

@testable import TrackerCore

/// A whole tracker that knows where on its course the network is.
@Suite struct CourseCoverageTests {
  /// 25.6 km to the north, parts of 200 m: a little more than two minutes each.
  private func bench(
    silent: ClosedRange<Int32>? = nil, reached: ClosedRange<Int32>? = nil
  ) -> Bench {
    var bench = Bench {
      $0.transmitInterval = .minutes(30)
      $0.finish = .after(.hours(20))
    }
    bench.points = (0...1).map {
      CoursePoint(
        position: Coordinate.olot.north(Int64($0) * 25_600), alongMillimetres: $0 * 25_600_000)
    }
    if let silent { for index in silent { bench.coverage[index] = .silent } }
    if let reached { for index in reached { bench.coverage[index] = .reached } }
    bench.metresPerReport = 1
    return bench
  }

  /// Runs until so many contacts in a row have failed, and returns when the last one had begun.
  private func fail(_ bench: inout Bench, _ count: Int32 = 1) -> Instant {
    var begun = bench.now
    for _ in 0..<3 * 3600 where bench.tracker.uploader.failedContacts < count {
      if !bench.tracker.uploader.isInContact { begun = bench.now }
      bench.run(seconds: 1)
    }
    return begun
  }

  private func wait(_ bench: Bench) -> Milliseconds { bench.tracker.uploader.due - bench.now }

  @Test func `A contact that would fall into a hole comes before it, and is promised so`() {
    var usual = bench()
    usual.run(seconds: 60)
    #expect(abs((wait(usual) - .minutes(30)).count) < 60_000, again(Self.self, "\(wait(usual))"))
    var one = bench(silent: 10...40)
    one.run(seconds: 60)
    #expect((.minutes(15) ... .minutes(24)).contains(wait(one)), again(Self.self, "\(wait(one))"))
    func promise(_ bench: Bench) -> UTC? {
      for entry in bench.log.reversed() {
        if case .upload(let request) = entry.effect { return request.nextContactBy }
      }
      return nil
    }
    let (early, late) = (promise(one), promise(usual))
    #expect(early != nil && late != nil && early! < late!, again(Self.self))
    #expect(one.received == [1] && one.tracker.coverage[0] == .reached, again(Self.self))
  }

  @Test func `A map on which nothing is reached changes nothing, and is not taken over`() {
    var bench = bench(silent: 0...127)
    bench.run(seconds: 60)
    #expect(abs((wait(bench) - .minutes(30)).count) < 60_000, again(Self.self, "\(wait(bench))"))
    // Kept is what it has found itself.
    #expect(bench.tracker.coverage[100] == .unknown, again(Self.self))
    bench.run(seconds: 3600)
    #expect(bench.received.count >= 3, again(Self.self, "\(bench.received)"))
  }

  @Test func `A search in vain is put off in a hole, not beyond what was promised`() {
    var bench = bench(silent: 0...127)
    bench.registrationAnswer = "+CREG: 0,2"
    let begun = fail(&bench)
    let due = bench.tracker.uploader.due
    #expect(due - begun > .minutes(28), again(Self.self, "\(due - begun)"))
    #expect(due - begun <= .minutes(30), again(Self.self, "\(due - begun)"))
    #expect(bench.tracker.coverage[0] == .silent, again(Self.self))
    // A person's order is not put off.
    var other = self.bench(silent: 0...127)
    other.registrationAnswer = "+CREG: 0,2"
    while !other.tracker.uploader.isInContact { other.run(seconds: 1) }
    other.handle(.commandGiven(.sendNow, from: .socket))
    _ = fail(&other)
    #expect(wait(other) <= .minutes(1), again(Self.self, "\(wait(other))"))
  }

  @Test func `It is repeated where the network was reached, and not again and again`() {
    var bench = bench(reached: 2...10)
    bench.registrationAnswer = "+CREG: 0,2"
    _ = fail(&bench)
    #expect(wait(bench) < .minutes(6), again(Self.self, "\(wait(bench))"))
    // The team rests.
    bench.metresPerReport = 0
    _ = fail(&bench, 2)
    #expect(wait(bench) >= .minutes(14), again(Self.self, "\(wait(bench))"))
  }

  @Test func `A failure that the place does not explain is neither noted nor moved`() {
    var bench = bench(reached: 0...127)
    bench.simAnswer = "+CME ERROR: 10"
    _ = fail(&bench)
    #expect(wait(bench) >= .minutes(7), again(Self.self, "\(wait(bench))"))
    #expect(bench.tracker.coverage.isEmpty, again(Self.self))
  }

  @Test func `Where it was long ago is not where the network is now`() {
    var bench = bench()
    bench.run(seconds: 60)
    let before = bench.tracker.coverage
    #expect(before[0] == .reached, again(Self.self))
    // The next capture waits for the next contact, which is twenty minutes after it.
    bench.run(seconds: 600)
    bench.sky = .noFix
    bench.registrationAnswer = "+CREG: 0,2"
    _ = fail(&bench)
    #expect(bench.queue == [2], again(Self.self, "\(bench.queue)"))
    #expect(bench.tracker.coverage == before, again(Self.self))
  }

  @Test func `The map goes on after a restart, and with the next session`() {
    var first = bench()
    first.run(seconds: 60)
    var identity = Identity.bench
    identity.memory = first.kept
    var second = Bench(identity: identity)
    second.points = first.points
    second.place = first.place
    second.run(seconds: 2)
    #expect(second.tracker.coverage == first.tracker.coverage, again(Self.self))
    second.handle(.commandGiven(.stop, from: .socket))
    second.handle(.commandGiven(.start, from: .socket))
    #expect(second.tracker.coverage[0] == .reached, again(Self.self))
  }
}
