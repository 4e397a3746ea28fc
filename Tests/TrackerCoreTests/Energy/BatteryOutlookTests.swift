import Testing

@testable import TrackerCore

/// The bench's board draws some 100 mA of its battery, which has 2.6 Ah.
@Suite struct BatteryOutlookTests {
  private static func charge(
    _ percent: Int32, deviation: Int32 = 20_000, drain: Int32 = 1_000_000
  ) -> ChargeRecord {
    ChargeRecord(
      charge: percent * 10_000, deviation: deviation, drain: drain, drainDeviation: 60_000,
      at: Moment(at: .start))
  }

  private static func outlook(
    _ charge: ChargeRecord = Self.charge(80), age: Milliseconds = 0, board: Board = .bench,
    untilFinish: Milliseconds? = nil, confidence: Int32 = 90,
    _ configure: (inout Configuration) -> Void = { _ in }
  ) throws -> BatteryOutlook {
    var configuration = Configuration()
    configure(&configuration)
    return try #require(
      BatteryOutlook(
        charge, age: age, board: board, configuration: configuration, untilFinish: untilFinish,
        confidence: confidence), again(Self.self))
  }

  private static func standard(_ minutes: Int64) -> CapturePolicy {
    .standard(interval: .minutes(minutes), minimumDistanceMetres: 0, heartbeat: .minutes(30))
  }

  @Test func `A full battery reaches a finish in 3 hours, and none in 200`() throws {
    func reaches(_ finish: Milliseconds?) throws -> Bool? {
      try Self.outlook(Self.charge(100), untilFinish: finish).reachesFinish
    }
    #expect(try reaches(.hours(3)) == true, again(Self.self))
    #expect(try reaches(.hours(200)) == false, again(Self.self))
    #expect(try reaches(nil) == nil, again(Self.self))
  }

  @Test func `The finish is reached up to the minute until which the battery lasts`() throws {
    let expected = try Self.outlook(confidence: 50).lasts
    #expect(
      expected > .hours(15) && expected < .hours(25), again(Self.self, "\(expected)"))
    let lasts = try Self.outlook().lasts
    #expect(try Self.outlook(untilFinish: lasts).reachesFinish == true, again(Self.self))
    #expect(
      try Self.outlook(untilFinish: lasts + .seconds(1)).reachesFinish == false, again(Self.self))
  }

  @Test func `After the finish any charge is enough that lasts at all`() throws {
    for finish in [0, -1, Milliseconds(.min)] {
      #expect(
        try Self.outlook(untilFinish: finish).reachesFinish == true, again(Self.self, "\(finish)"))
      let empty = try Self.outlook(Self.charge(0), untilFinish: finish)
      #expect(
        empty == BatteryOutlook(lasts: 0, reachesFinish: false), again(Self.self, "\(finish)"))
    }
  }

  @Test func `With the charge's age it lasts as much shorter`() throws {
    let fresh = try Self.outlook().lasts
    #expect(try Self.outlook(age: .minutes(100)).lasts == fresh - .minutes(100), again(Self.self))
    #expect(try Self.outlook(age: fresh + 1).lasts == 0, again(Self.self))
    #expect(try Self.outlook(age: -1000).lasts == fresh, again(Self.self))
  }

  @Test func `It lasts shorter with more doubt, more confidence and a faster drain`() throws {
    func fall(_ values: [Int32], _ lasts: (Int32) throws -> Milliseconds) throws {
      let lasts = try values.map(lasts)
      for (more, less) in zip(lasts, lasts.dropFirst()) {
        #expect(less < more, again(Self.self, "\(lasts)"))
      }
    }
    try fall([0, 20_000, 50_000, 100_000, 300_000]) {
      try Self.outlook(Self.charge(80, deviation: $0)).lasts
    }
    try fall([50, 60, 80, 90, 95, 99]) { try Self.outlook(confidence: $0).lasts }
    try fall([600_000, 1_000_000, 1_500_000]) {
      try Self.outlook(Self.charge(80, drain: $0)).lasts
    }
    try fall([100, 80, 50, 20]) { percent in
      var board = Board.bench
      board.battery.capacityAtFreezingPercent = percent
      return try Self.outlook(board: board).lasts
    }
  }

  @Test func `It lasts longer with rarer contacts`() throws {
    var last = Milliseconds(0)
    for minutes in [10, 15, 30, 60, 120] as [Int64] {
      let lasts = try Self.outlook { $0.transmitInterval = .minutes(minutes) }.lasts
      #expect(lasts > last, again(Self.self, "every \(minutes) min"))
      last = lasts
    }
  }

  @Test func `The policy adaptive lasts as long as with the least that it can fall back to`() throws
  {
    let fixed = try Self.outlook { $0.capture = Self.standard(10) }.lasts
    let adaptive = try Self.outlook { $0.capture = .adaptive(interval: .minutes(10)) }.lasts
    let least = try Self.outlook {
      $0.capture = Self.standard(5)
      $0.transmitInterval = .minutes(60)
      $0.receiverUse = .dutyCycle
    }.lasts
    #expect(adaptive > fixed + .hours(1), again(Self.self, "\(adaptive), \(fixed)"))
    #expect(adaptive == least, again(Self.self, "\(adaptive), \(least)"))
  }

  @Test func `Under a policy by distance the receiver is awake and each contact has a capture`()
    throws
  {
    let awake = try Self.outlook { $0.capture = Self.standard(10) }.lasts
    for policy in [CapturePolicy.significant, .proximity, .route(everyMetres: 500)] {
      let lasts = try Self.outlook {
        $0.capture = policy
        $0.receiverUse = .dutyCycle
      }.lasts
      #expect(lasts == awake, again(Self.self, "\(policy)"))
    }
  }

  @Test func `A greater reserve lasts longer, unless contacts are rare anyway`() throws {
    func lasts(_ reserve: Int32, every minutes: Int64 = 10, deviation: Int32 = 0) throws
      -> Milliseconds
    {
      try Self.outlook(Self.charge(80, deviation: deviation)) {
        $0.reservePercent = reserve
        $0.transmitInterval = .minutes(minutes)
      }.lasts
    }
    #expect(try lasts(50) > lasts(20), again(Self.self))
    #expect(try lasts(90) > lasts(50), again(Self.self))
    #expect(try lasts(90) == lasts(100), again(Self.self))
    let rare = try (lasts(0, every: 60), lasts(50, every: 60))
    #expect(abs(rare.0.count - rare.1.count) < Milliseconds.hours(1).count, again(Self.self))
    // A tracker that believes to have 10 percent more notices the reserve only then.
    #expect(
      try lasts(10, deviation: 100_000) == lasts(0, deviation: 100_000), again(Self.self))
  }

  @Test func `A battery of unknown capacity has no outlook`() {
    #expect(
      BatteryOutlook(
        Self.charge(80), age: 0, board: .none, configuration: Configuration(),
        untilFinish: .hours(3), confidence: 90) == nil, again(Self.self))
  }

  @Test func `Nothing is foretold beyond the bound`() throws {
    var board = Board.bench
    board.battery.cellsInParallel = 1000
    let outlook = try Self.outlook(Self.charge(100), board: board, untilFinish: .hours(900))
    #expect(
      outlook == BatteryOutlook(lasts: Bounds.longestOutlook, reachesFinish: true),
      again(Self.self))
  }

  // MARK: Absurd input

  @Test func `Absurd input does not trap, and with more charge it never lasts shorter`() {
    var seeded = Seeded(14)
    var telling = 0
    func any(_ seeded: inout Seeded) -> Int32 {
      let numbers: [Int32] = [.min, -1, 0, 1, 100, 20_000, 500_000, 1_000_000, .max - 1, .max]
      if seeded.chance(50) { return Int32(seeded.next() % 1_000_001) }
      return seeded.chance(50)
        ? numbers[Int(seeded.next() % 10)] : Int32(truncatingIfNeeded: seeded.next())
    }
    func anyTime(_ seeded: inout Seeded) -> Milliseconds {
      seeded.chance(70)
        ? .seconds(Int64(seeded.next() % 400_000))
        : Milliseconds(HostileInputTests.numbers[Int(seeded.next() % 10)])
    }
    for round in 0..<100_000 {
      var board = Board.bench
      var configuration = Configuration()
      configuration.transmitInterval = anyTime(&seeded)
      configuration.reconnectFloor = anyTime(&seeded)
      configuration.reservePercent = seeded.chance(80) ? Int32(seeded.next() % 91) : any(&seeded)
      configuration.betweenUploads = seeded.chance(50) ? .off : .attached
      configuration.bearer = [.interface, .modem, .none][Int(seeded.next() % 3)]
      configuration.receiverUse = seeded.chance(50) ? .always : .dutyCycle
      let time = anyTime(&seeded)
      let policies: [CapturePolicy] = [
        .standard(interval: time, minimumDistanceMetres: any(&seeded), heartbeat: time),
        .adaptive(interval: time), .significant, .proximity, .route(everyMetres: any(&seeded)),
      ]
      configuration.capture = policies[Int(seeded.next() % 5)]
      if seeded.chance(30) {
        board.battery.cellCapacityMilliampHours = any(&seeded)
        board.battery.capacityAtFreezingPercent = any(&seeded)
        board.battery.cutOffMillivolts = any(&seeded)
        board.battery.cellsInSeries = any(&seeded)
        board.loads.boardMicroamps = any(&seeded)
        board.loads.modemTransmittingMicroamps = any(&seeded)
        board.supplyMillivolts = any(&seeded)
        board.modem.rest = .radioOff
      }
      var charge = ChargeRecord(
        charge: any(&seeded), deviation: any(&seeded), drain: any(&seeded),
        drainDeviation: any(&seeded), at: Moment())
      let (age, finish) = (anyTime(&seeded), anyTime(&seeded))
      let confidence = seeded.chance(80) ? Int32(seeded.next() % 100) : any(&seeded)
      func outlook(_ charge: ChargeRecord) -> BatteryOutlook? {
        BatteryOutlook(
          charge, age: age, board: board, configuration: configuration, untilFinish: finish,
          confidence: confidence)
      }
      let less = outlook(charge)
      let more = any(&seeded)
      charge.charge = max(charge.charge, more)
      guard let less, let greater = outlook(charge) else { continue }
      let isInRange = less.lasts >= 0 && less.lasts <= Bounds.longestOutlook
      guard isInRange, less.lasts <= greater.lasts,
        less.reachesFinish == false || greater.reachesFinish == true
      else {
        Issue.record(again(Self.self, "round \(round): \(less), \(greater);"))
        return
      }
      if less.lasts > 0, greater.lasts < Bounds.longestOutlook { telling += 1 }
    }
    #expect(telling > 10_000, again(Self.self, "\(telling)"))
  }

  // MARK: The time until the finish

  @Test func `The finish is as far as the tracker believes`() {
    var configuration = Configuration()
    let now = Instant.start + .hours(5)
    let noon = UTC(milliseconds: 1_780_000_000_000)
    func until(_ session: Moment?, _ date: UTC?) -> Milliseconds? {
      configuration.untilFinish(
        session: session.map { SessionRecord(number: 1, begun: $0, isOrdered: false) },
        date: date, now: now)
    }
    let begun = Moment(at: .start + .hours(1), utc: noon)
    #expect(until(begun, noon) == nil, again(Self.self))
    configuration.finish = .at(noon + .hours(2))
    #expect(until(nil, noon) == .hours(2), again(Self.self))
    #expect(until(nil, noon + .hours(3)) == .hours(-1), again(Self.self))
    #expect(until(begun, nil) == nil, again(Self.self))
    configuration.finish = .after(.hours(10))
    #expect(until(begun, nil) == .hours(6), again(Self.self))
    // The machine has been restarted: only the date is left.
    #expect(until(Moment(utc: noon), noon + .hours(7)) == .hours(3), again(Self.self))
    #expect(until(Moment(utc: noon), nil) == nil, again(Self.self))
    #expect(until(nil, noon) == nil, again(Self.self))
  }
}
