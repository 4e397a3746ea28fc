import Testing

@testable import TrackerCore

/// When the next contact is, what is promised of it, and that the tracker wakes for it.
@Suite struct ContactPromiseTests {
  @Test func `A single capture that is left is reason enough to wake for the next contact`() {
    var bench = Bench()
    bench.run(seconds: 100)
    #expect(bench.received == [1], again(Self.self))
    bench.hasBearer = false
    bench.sky = .silent
    bench.handle(.commandGiven(.stop, from: .script))
    #expect(bench.queue == [2], again(Self.self))
    bench.run(seconds: 1200)
    for _ in 0..<600 where bench.tracker.modemPhase != .off { bench.run(seconds: 1) }
    // Nothing else is to be done: no session, a silent receiver, a modem that is off.
    #expect(bench.tracker.modemPhase == .off && bench.uploads.count == 1, again(Self.self))
    #expect(bench.tracker.nextDeadline != nil, again(Self.self))
    bench.hasBearer = true
    bench.run(seconds: 1900)
    #expect(bench.received == [1, 2] && bench.queue.isEmpty, again(Self.self))
    #expect(bench.tracker.nextDeadline == nil, again(Self.self))
  }

  @Test func `A single capture from before the start is sent by itself`() {
    var identity = Identity.bench
    (identity.nextSequence, identity.pending) = (2, 1)
    var bench = Bench(identity: identity) { $0.startsBySelf = false }
    bench.sky = .silent
    bench.run(seconds: 10)
    #expect(bench.uploads.count == 1, again(Self.self))
  }

  /// Limits that a good connection may use up: boot 15 s, search 180 s, link 60 s, upload 120 s.
  static let limits: Int64 = 375

  /// The floor is ten minutes and counts from the beginning of a contact; captures come every
  /// minute. What would be due a minute before its end or later waits for the end; what is due
  /// earlier joins the capture after it.
  @Test(arguments: [
    (seconds: Int64(300), between: BetweenUploads.off, contact: Int64(660)),
    (60, .off, 660), (539, .off, 660), (540, .off, 540), (599, .off, 599), (700, .off, 700),
    (300, .attached, 300), (60, .attached, 60),
  ])
  func `A promise counts from the end of the reconnect floor where that comes later, and is kept`(
    _ seconds: Int64, _ between: BetweenUploads, _ contact: Int64
  ) throws {
    var bench = Bench {
      $0.capture = .standard(interval: .minutes(1), minimumDistanceMetres: 0, heartbeat: .hours(1))
      $0.transmitInterval = .seconds(seconds)
      $0.betweenUploads = between
    }
    bench.run(seconds: 3600)
    let began = try #require(bench.log.first { $0.effect == .says(.attention) }?.at)
    let date = try #require(bench.date)
    // The report that dates it was closed by 200 ms of quiet.
    let promised = bench.uploads.first?.nextContactBy.map { $0 - (date + (began - .start)) }
    #expect(promised == .seconds(contact + Self.limits) + -200, again(Self.self))

    let contacts: [(at: UTC, by: UTC)] = try bench.log.compactMap { entry in
      guard case .upload(let request) = entry.effect else { return nil }
      return (date + (entry.at - .start), try #require(request.nextContactBy))
    }
    #expect(contacts.count >= 5, again(Self.self, "\(contacts.count) contacts;"))
    for (one, next) in zip(contacts, contacts.dropFirst()) {
      #expect(next.at <= one.by, again(Self.self))
    }
  }
}
