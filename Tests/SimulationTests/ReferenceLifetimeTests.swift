import BoardSupport
import Testing
import TrackerCore

@testable import Simulation

/// The race's reference of 2013: an Arduino Uno with 3G on alkaline AA cells, which sent every ten
/// minutes. Six cells lasted for more than 27 h; which brand is not known. With cells as ten types
/// are on average they last for 25 h here, with those of an Energizer E91 for 27.
@Suite struct ReferenceLifetimeTests {
  private let again: Comment = "repeat with: swift test --filter ReferenceLifetimeTests"

  /// Seeds vary signal, time to register and first fix.
  ///
  /// - Parameter capacity: of one cell at 100 mA, milliampere-hours; `nil`: the mean of brands.
  private static func race(
    every interval: Milliseconds = .minutes(10), cells: Int32 = 6, seed: UInt64? = nil,
    capacity: Int32? = nil
  ) -> Race {
    var race = Race(trace: "race", board: "arduino-uno-3g")
    if let seed {
      race.seed = seed
      race.variation = Variation(seed: seed)
    }
    // The board's default.
    race.configuration.receiverUse = .dutyCycle
    race.configuration.capture = .standard(
      interval: interval, minimumDistanceMetres: 0, heartbeat: max(interval, .minutes(30)))
    race.configuration.transmitInterval = interval
    race.adjust = {
      $0.battery.cellsInSeries = cells
      if let capacity { $0.battery.cellCapacityMilliampHours = capacity }
    }
    return race
  }

  /// An E91 to 0.8 V at 100 mA (kurokatta.org, discharge graphs).
  static let goodBrand: Int32 = 2600

  private static let walk = Result {
    try PreparedTrace.walk(.hours(40), every: .seconds(5), seed: 1)
  }

  @Test func `Six alkaline cells of a good brand reach the end of the race`() throws {
    let board = try PublishedLifetimeTests.board("arduino-uno-3g")
    #expect(board.receiverUse == .dutyCycle, again)
    let result = try Self.race(seed: 1, capacity: Self.goodBrand).run()
    #expect(result.ending == .finished && result.pending == 0, "\(result.hours) h; \(again)")
  }

  @Test func `Six alkaline cells of a good brand last for 27 hours, those of the mean for 25`()
    throws
  {
    func lifetimes(_ capacity: Int32?) throws -> [Double] {
      try ([1, 2, 3] as [UInt64]).map { seed in
        var race = Self.race(seed: seed, capacity: capacity)
        race.walk = try Self.walk.get()
        return try race.run().hours
      }.sorted()
    }
    let good = try lifetimes(Self.goodBrand)
    #expect(good[1] > 27 && good[0] > 25 && good[2] < 31, "\(good) h; \(again)")
    let mean = try lifetimes(nil)
    #expect(mean[0] > 24.5 && mean[2] < 25.5, "\(mean) h; \(again)")
  }

  // What is spent whether it sends or not: the Uno, and the modem with its radio off. It is the
  // asymptote. Six cells do not come near it: they end when a transmission, however rare, pulls
  // them below the cut-off.
  @Test func `Eight cells last beyond 32 hours, and longer with the interval up to the base load`()
    throws
  {
    let walk = try Self.walk.get()
    var battery = try PublishedLifetimeTests.board("arduino-uno-3g").board.battery
    battery.cellsInSeries = 8
    let base = SimulatedBatteryTests.hours(battery, microamps: 46_500 + 25_000)
    var last = 0.0
    for minutes in [5, 10, 20, 40, 80, 240] as [Int64] {
      var race = Self.race(every: .minutes(minutes), cells: 8)
      race.walk = walk
      let hours = try race.run().hours
      // The published run sent every ten minutes.
      let least = max(minutes < 10 ? 31 : 32, last)
      #expect(hours > least && hours < base, "\(minutes) min: \(hours) h; \(again)")
      last = hours
    }
    #expect(last > base * 0.98, "\(last) h of \(base) h; \(again)")
  }

  @Test func `Six cells last longer with the interval`() throws {
    let walk = try Self.walk.get()
    var last = 0.0
    for minutes in [5, 10, 20, 40, 80, 240] as [Int64] {
      var race = Self.race(every: .minutes(minutes))
      race.walk = walk
      let hours = try race.run().hours
      // They end with a contact: from 40 min on with one of those before the battery's end, which
      // come however long the interval is.
      #expect(hours >= last * 0.97, "\(minutes) min: \(hours) h; \(again)")
      last = hours
    }
  }
}
