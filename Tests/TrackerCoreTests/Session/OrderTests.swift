import Testing

@testable import TrackerCore

/// How long an order holds: each cell of the table of `Order`.
@Suite struct OrderTests {
  private let name = InlineText<64>("Els Tardans")

  /// A tracker outdoors that has been told so.
  private func bench(
    _ commands: Command..., startsBySelf: Bool = true,
    _ adjust: (inout Configuration) -> Void = { _ in }
  ) -> Bench {
    var bench = Bench {
      $0.startsBySelf = startsBySelf
      adjust(&$0)
    }
    bench.run(seconds: 60)
    for command in commands { bench.handle(.commandGiven(command, from: .socket)) }
    bench.run(seconds: 60)
    return bench
  }

  private func settled(_ bench: Bench) -> Bench {
    var bench = bench
    bench.run(seconds: 60)
    return bench
  }

  // MARK: The control room

  @Test func `A stop of the control room is over after its limit, whatever happens meanwhile`() {
    for restart in [nil] + Restart.allCases.map(Optional.some) {
      var bench = bench(.captureNow) { $0.remoteLimit = .minutes(30) }
      bench.handle(.commandGiven(.stop, from: .room))
      bench.run(seconds: 60)
      #expect(!bench.tracker.isSessionRunning, again(Self.self))
      if let restart { bench = settled(bench.restarted(restart, after: .minutes(10))) }
      bench.run(until: bench.now + .minutes(restart == nil ? 28 : 16))
      #expect(!bench.tracker.isSessionRunning, again(Self.self, "\(String(describing: restart))"))
      bench.run(until: bench.now + .minutes(4))
      #expect(bench.tracker.isSessionRunning, again(Self.self, "\(String(describing: restart))"))
      #expect(bench.kept.sessionOrder?.origin == .room, again(Self.self))
    }
  }

  @Test func `A stop that a person gave after the control room's holds`() {
    var bench = bench { $0.remoteLimit = .minutes(30) }
    bench.handle(.commandGiven(.stop, from: .room))
    bench.handle(.commandGiven(.stop, from: .console))
    bench.run(until: bench.now + .hours(2))
    #expect(!bench.tracker.isSessionRunning, again(Self.self))
  }

  // MARK: A restart

  @Test(arguments: Restart.allCases)
  func `A team's name outlives restarts, and captures carry it`(_ restart: Restart) throws {
    var bench = bench(.setTeam(name))
    for off: Milliseconds in [.seconds(5), .minutes(10), .hours(30)] {
      bench = settled(bench.restarted(restart, after: off))
      #expect(bench.tracker.team == name, again(Self.self, "after \(off)"))
      #expect(try #require(bench.stored.first).team == name, again(Self.self))
    }
  }

  @Test(arguments: Restart.allCases)
  func `A stop outlives restarts within six hours`(_ restart: Restart) {
    var bench = bench(.stop)
    for off: Milliseconds in [.seconds(5), .minutes(90), .hours(4)] {
      bench = settled(bench.restarted(restart, after: off))
      #expect(!bench.tracker.isSessionRunning && bench.stored.isEmpty, again(Self.self))
      #expect(bench.tracker.captureReason == .sessionStopped, again(Self.self))
      #expect(!bench.tracker.isReceiverAwake, "it need not find out more; \(again(Self.self))")
    }
    #expect(bench.kept.sessionOrder?.value == false, again(Self.self))
  }

  @Test(arguments: Restart.allCases)
  func `Yesterday's stop does not silence today's race`(_ restart: Restart) {
    for off: Milliseconds in [.hours(6), .hours(9), .hours(24 * 7)] {
      let bench = settled(bench(.stop).restarted(restart, after: off))
      #expect(bench.tracker.isSessionRunning && bench.stored.count == 1, again(Self.self))
      #expect(bench.kept.sessionOrder == nil, again(Self.self))
      #expect(bench.kept.session?.number == 2, again(Self.self))
      #expect(bench.notes.contains(.orderEnded(.session)), again(Self.self))
    }
  }

  @Test(arguments: Restart.allCases)
  func `A start outlives restarts, though no session begins by itself`(_ restart: Restart) {
    var bench = bench(.start, startsBySelf: false)
    for off: Milliseconds in [.seconds(5), .hours(30)] {
      bench = settled(bench.restarted(restart, after: off))
      #expect(bench.tracker.isSessionRunning && bench.stored.count == 1, again(Self.self))
      #expect(bench.kept.session?.number == 1, "the same session; \(again(Self.self))")
    }
  }

  @Test func `Without a start none begins, restart or not`() {
    var bench = bench(startsBySelf: false)
    bench = settled(bench.restarted())
    #expect(!bench.tracker.isSessionRunning && bench.kept == Memory(), again(Self.self))
  }

  // MARK: Undone

  @Test func `An order that is undone is gone at once and after a restart`() {
    var bench = bench(.setTeam(name), .unsetTeam)
    #expect(bench.tracker.team == Identity.bench.team, again(Self.self))
    #expect(bench.kept.teamOrder == nil, again(Self.self))
    bench = self.bench(.stop, .start)
    #expect(settled(bench.restarted()).tracker.isSessionRunning, again(Self.self))
    bench = self.bench(.start, .stop, startsBySelf: false)
    #expect(!settled(bench.restarted()).tracker.isSessionRunning, again(Self.self))
  }

  // MARK: The configuration is edited

  @Test func `Another team in the configuration comes before the name that was ordered`() {
    let ordered = bench(.setTeam(name))
    let new = InlineText<64>("Les Formigues")
    var reread = ordered
    reread.adopt(ordered.tracker.configuration, team: new)
    let restarted = settled(ordered.restarted(team: "Les Formigues"))
    for bench in [reread, restarted] {
      #expect(bench.tracker.team == new, again(Self.self))
      #expect(bench.kept.teamOrder == nil, again(Self.self))
      #expect(bench.notes.contains(.orderEnded(.team)), again(Self.self))
    }
  }

  @Test func `Other keys that are edited leave orders alone`() {
    var bench = bench(.setTeam(name), .stop)
    bench.adopt(bench.tracker.configuration { $0.accuracyMetres = 50 })
    #expect(bench.tracker.team == name && !bench.tracker.isSessionRunning, again(Self.self))
    bench = settled(bench.restarted { $0.transmitInterval = .minutes(7) })
    #expect(bench.tracker.team == name && !bench.tracker.isSessionRunning, again(Self.self))
    // The team's name has nothing to do with startsBySelf, nor the other way round.
    bench = settled(bench.restarted(team: "Les Formigues"))
    #expect(!bench.tracker.isSessionRunning, again(Self.self))
    bench = self.bench(.setTeam(name), startsBySelf: false)
    bench = settled(bench.restarted { $0.startsBySelf = true })
    #expect(bench.tracker.team == name, again(Self.self))
  }

  @Test func `An edited startsBySelf ends a stop`() {
    let stopped = bench(.start, .stop, startsBySelf: false)
    var reread = stopped
    reread.adopt(stopped.tracker.configuration { $0.startsBySelf = true })
    let restarted = settled(stopped.restarted { $0.startsBySelf = true })
    for bench in [reread, restarted] {
      #expect(bench.tracker.isSessionRunning && bench.kept.sessionOrder == nil, again(Self.self))
    }
    // None begins by itself any more: nothing changes.
    let off = settled(bench(.stop).restarted(after: .hours(9)) { $0.startsBySelf = false })
    #expect(!off.tracker.isSessionRunning && off.kept.sessionOrder == nil, again(Self.self))
  }

  @Test func `An edited startsBySelf ends a start, but no session that runs`() {
    var bench = bench(.start)
    bench.adopt(bench.tracker.configuration { $0.startsBySelf = false })
    #expect(bench.tracker.isSessionRunning && bench.kept.sessionOrder == nil, again(Self.self))
    bench = settled(bench.restarted())
    #expect(!bench.tracker.isSessionRunning, again(Self.self))
    #expect(bench.kept.session?.ending == .stopped, again(Self.self))
    let edited = settled(self.bench(.start).restarted { $0.startsBySelf = false })
    #expect(!edited.tracker.isSessionRunning, again(Self.self))
  }

  // MARK: Sessions end and begin

  @Test func `A late team keeps its name after the finish, until the next session begins`() {
    var bench = bench(.setTeam(name)) {
      $0.finish = .after(.minutes(30))
      $0.endAfterFinish = .minutes(30)
    }
    bench.run(seconds: 2400)
    #expect(bench.tracker.isSessionRunning && bench.stored.last?.team == name, again(Self.self))
    bench.run(seconds: 2400)
    #expect(bench.tracker.captureReason == .finished, again(Self.self))
    bench = settled(bench.restarted())
    #expect(bench.tracker.captureReason == .finished, again(Self.self))
    #expect(bench.tracker.team == name, again(Self.self))
    bench.handle(.commandGiven(.start, from: .script))
    #expect(bench.tracker.team == Identity.bench.team, again(Self.self))
    #expect(bench.notes.contains(.orderEnded(.team)), again(Self.self))
  }

  @Test func `A name that is given between two sessions is meant for the next one`() {
    var bench = bench(.stop, .setTeam(name), .start)
    #expect(bench.tracker.team == name, again(Self.self))
    bench.handle(.commandGiven(.stop, from: .script))
    #expect(bench.tracker.team == name, again(Self.self))
    bench.handle(.commandGiven(.start, from: .script))
    #expect(bench.tracker.team == Identity.bench.team, again(Self.self))
  }

  @Test func `A stop in the grace stays a stop after the finish`() {
    var bench = bench(.stop) { $0.finish = .after(.minutes(10)) }
    bench.run(until: .at(8 * 3_600_000))
    #expect(bench.tracker.captureReason == .sessionStopped, again(Self.self))
  }

  // MARK: The disk and the power

  @Test func `An order and what it changes are kept together`() throws {
    var bench = bench()
    let before = bench.memories.count
    bench.handle(.commandGiven(.stop, from: .console))
    let kept = bench.memories[before...]
    let memory = try #require(kept.first, again(Self.self))
    #expect(kept.count == 1, again(Self.self))
    #expect(memory.sessionOrder?.value == false, again(Self.self))
    #expect(memory.sessionOrder?.origin == .console, again(Self.self))
    #expect(memory.session?.ending == .stopped, again(Self.self))
  }

  @Test func `The same order again is kept again, for the disk may have failed`() {
    var bench = bench()
    for command in [Command.setTeam(name), .stop, .stop, .start, .start] {
      let before = bench.memories.count
      bench.handle(.commandGiven(command, from: .script))
      #expect(bench.memories.count > before, again(Self.self, "\(command)"))
    }
  }

  @Test(arguments: Restart.allCases)
  func `A power cut before the disk has an order leaves all as it was`(_ restart: Restart) {
    var bench = bench()
    bench.isMemoryKept = false
    bench.handle(.commandGiven(.setTeam(name), from: .script))
    bench.handle(.commandGiven(.stop, from: .script))
    bench = settled(bench.restarted(restart))
    #expect(bench.tracker.isSessionRunning, again(Self.self))
    #expect(bench.tracker.team == Identity.bench.team, again(Self.self))
    #expect(bench.kept.session?.number == 1, again(Self.self))
  }

  // MARK: The clock

  @Test func `Before a date is known a stop from before holds, and after it is judged`() {
    var bench = bench(.stop).restarted(after: .hours(9))
    bench.sky = .noFix
    bench.run(until: .at(7_200_000))
    #expect(bench.tracker.captureReason == .sessionStopped, again(Self.self))
    #expect(bench.tracker.isReceiverAwake, "it has to find the date; \(again(Self.self))")
    bench.sky = .fix(accuracyMetres: 5)
    bench.run(seconds: 60)
    #expect(bench.tracker.isSessionRunning, again(Self.self))
  }

  @Test func `A stop that was never dated holds until the machine is restarted`() {
    var indoors = Bench()
    indoors.date = nil
    indoors.run(seconds: 60)
    indoors.handle(.commandGiven(.stop, from: .script))
    #expect(indoors.kept.sessionOrder?.given.utc == nil, again(Self.self))
    let again1 = settled(indoors.restarted(.program, after: .minutes(5)))
    #expect(!again1.tracker.isSessionRunning, again(Self.self))
    let late = settled(indoors.restarted(.program, after: .hours(7)))
    #expect(late.tracker.isSessionRunning, again(Self.self))
    let cut = settled(indoors.restarted(.machine, after: .minutes(5)))
    #expect(cut.tracker.isSessionRunning, again(Self.self))
  }

  @Test func `What was ordered before a date was known is dated as soon as one is`() throws {
    var bench = Bench()
    let date = try #require(bench.date)
    bench.sky = .noFix
    bench.run(seconds: 100)
    bench.handle(.commandGiven(.stop, from: .script))
    bench.handle(.commandGiven(.setTeam(name), from: .script))
    bench.sky = .fix(accuracyMetres: 5)
    bench.handle(.commandGiven(.start, from: .script))
    bench.run(seconds: 100)
    let given = try #require(bench.kept.teamOrder?.given.utc, again(Self.self))
    #expect((given - (date + .seconds(100))).count.magnitude < 1000, again(Self.self))
    #expect(bench.kept.session?.begun.utc != nil, again(Self.self))
  }

  @Test(arguments: [-24 * 90, -30, 30, 24 * 365] as [Int64])
  func `A date that steps ends no name, and no stop lasts longer for it`(_ hours: Int64) {
    let bench = settled(
      bench(.setTeam(name), .stop).restarted(dateStep: .hours(hours)))
    #expect(bench.tracker.isSessionRunning, again(Self.self))
    let running = settled(self.bench(.setTeam(name)).restarted(dateStep: .hours(hours)))
    #expect(running.tracker.team == name, again(Self.self))
    #expect(running.kept.session?.number == 1, again(Self.self))
  }

  // MARK: Hostile memories

  @Test func `Whatever is remembered, nothing traps and a tracker works`() {
    var seeded = Seeded(9)
    for _ in 0..<300 {
      func moment() -> Moment {
        Moment(
          at: seeded.chance(50) ? Instant(milliseconds: Int64(bitPattern: seeded.next())) : nil,
          utc: seeded.chance(50) ? UTC(milliseconds: Int64(bitPattern: seeded.next())) : nil)
      }
      var identity = Identity.bench
      let session = SessionRecord(
        number: seeded.chance(50) ? .max : UInt32(seeded.next() % 3), begun: moment(),
        isOrdered: seeded.chance(50),
        ending: seeded.chance(30) ? nil : seeded.chance(50) ? .stopped : .finished,
        ended: moment())
      identity.memory = Memory(
        session: seeded.chance(80) ? session : nil,
        sessionOrder: seeded.chance(50)
          ? Order(
            seeded.chance(50), from: .socket, given: moment(), session: .max,
            configured: seeded.chance(50)) : nil,
        teamOrder: seeded.chance(50)
          ? Order(
            name, from: .button, given: moment(), session: 0, configured: Identity.bench.team)
          : nil)
      var bench = Bench(identity: identity) {
        $0.startsBySelf = seeded.chance(50)
        let finishes: [Finish?] = [
          nil, .after(.hours(30)), .after(Milliseconds(Int64(bitPattern: seeded.next()))),
          .at(UTC(milliseconds: Int64(bitPattern: seeded.next()))),
        ]
        $0.finish = finishes[Int(seeded.next() % 4)]
        $0.endAfterFinish = seeded.chance(50) ? nil : Milliseconds(.max)
      }
      bench.run(seconds: 30)
      bench.handle(.commandGiven(.start, from: .script))
      bench.run(seconds: 30)
      bench.handle(.commandGiven(.stop, from: .script))
      bench.run(seconds: 30)
      #expect(!bench.tracker.isSessionRunning, again(Self.self))
    }
  }
}

extension Configuration {
  /// With something else in it.
  func callAsFunction(_ adjust: (inout Configuration) -> Void) -> Configuration {
    var copy = self
    adjust(&copy)
    return copy
  }
}
