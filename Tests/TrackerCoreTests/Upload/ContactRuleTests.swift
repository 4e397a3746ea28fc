import Testing

@testable import TrackerCore

/// Which of two settings spaces the contacts.
@Suite struct ContactRuleTests {
  static let rows: [(interval: Int64, floor: Int64, BetweenUploads, Bearer, ContactRule)] = [
    (10, 10, .off, .interface, .transmitInterval), (9, 10, .off, .interface, .reconnectFloor),
    (1, 10, .off, .modem, .reconnectFloor), (1, 10, .attached, .modem, .transmitInterval),
    (1, 10, .off, .none, .transmitInterval), (11, 10, .off, .interface, .transmitInterval),
    (1, 0, .off, .interface, .transmitInterval),
  ]

  @Test(arguments: rows.indices)
  func `The longer one rules, and the floor only a modem that connects anew`(_ number: Int) {
    let (interval, floor, between, bearer, rule) = Self.rows[number]
    var configuration = Configuration()
    configuration.transmitInterval = .minutes(interval)
    configuration.reconnectFloor = .minutes(floor)
    configuration.betweenUploads = between
    configuration.bearer = bearer
    #expect(configuration.contactRule == rule, again(Self.self, "row \(number)"))
    let minutes = rule == .reconnectFloor ? floor : interval
    #expect(configuration.contactInterval == .minutes(minutes), again(Self.self, "row \(number)"))
  }

  /// What is said is what is done.
  @Test(arguments: [BetweenUploads.off, .attached])
  func `Contacts are as far apart as the rule says`(_ between: BetweenUploads) {
    var bench = Bench {
      $0.transmitInterval = .minutes(1)
      $0.reconnectFloor = .minutes(10)
      $0.betweenUploads = between
      $0.capture = .standard(
        interval: .seconds(30), minimumDistanceMetres: 0, heartbeat: .minutes(30))
    }
    bench.run(seconds: 3600)
    let contacts = bench.log.count { if case .upload = $0.effect { true } else { false } }
    #expect(between == .off ? (5...7).contains(contacts) : contacts > 50, "\(contacts)")
  }
}
