import NMEA
import Testing

@testable import TrackerCore

/// The date that a promise names, from what it is made of.
@Suite struct ContactPromiseDateTests {
  static let date = UTC(milliseconds: 1_780_300_800_000)
  /// Boot 15 s, search 180 s, link 60 s, upload 120 s.
  static let limits = Milliseconds.seconds(375)
  static let now = Instant.at(10_000)

  struct Row {
    var due: Int64
    var isInReserve = false
    var floorEnd: Int64?
    var sessionEnd: Int64?
    /// When the contact begins, milliseconds; `nil`: nothing is promised.
    var contact: Int64?
  }

  /// The next capture comes at 60 000 ms, and then one every minute.
  static let rows: [Row] = [
    // Without a capture there is nothing to send.
    Row(due: 30_000, contact: 60_000), Row(due: 90_000, contact: 90_000),
    Row(due: 90_000, isInReserve: true, contact: 3_610_000),
    Row(due: 4_000_000, isInReserve: true, contact: 4_000_000),
    // Held back by the floor for more than a minute it joins the capture after the floor's end.
    Row(due: 90_000, floorEnd: 80_000, contact: 90_000),
    Row(due: 90_000, floorEnd: 150_000, contact: 90_000),
    Row(due: 90_000, floorEnd: 150_001, contact: 210_001),
    Row(due: 90_000, sessionEnd: 60_000, contact: nil),
    Row(due: 90_000, sessionEnd: 60_001, contact: 90_000),
  ]

  private func clock() -> Clock {
    var clock = Clock(notBefore: Configuration().notBefore)
    for second in Int64(0)...10 {
      let utc = Self.date.milliseconds + second * 1000
      var epoch = Epoch()
      epoch.mode = .threeDimensional
      epoch.dayNumber = Int32(utc / 86_400_000)
      epoch.timeOfDayMilliseconds = Int32(utc % 86_400_000)
      _ = clock.hear(epoch, at: .at(second * 1000))
    }
    return clock
  }

  private func promise(_ row: Row) -> ContactPromise {
    let configuration = Configuration()
    let budget = EnergyBudget()
    var gauge = BatteryGauge(Board.bench.battery)
    if row.isInReserve { gauge.measure(BatteryReading(millivolts: 6000), at: .start) }
    let policy = CapturePolicy.standard(
      interval: .minutes(1), minimumDistanceMetres: 0, heartbeat: .hours(1))
    return ContactPromise(
      schedule: CaptureSchedule(policy, at: .at(60_000)), budget: budget,
      terms: ContactTerms(configuration, budget: budget, gauge: gauge, isSessionRunning: true),
      due: .at(row.due), floorEnd: row.floorEnd.map(Instant.at),
      sessionEnd: row.sessionEnd.map(Instant.at), bootLimit: .seconds(15),
      searchLimit: Bounds.searchLimit, uploadLimit: configuration.bearer.uploadLimit)
  }

  @Test(arguments: rows.indices)
  func `A promise names the latest time of the next contact`(_ number: Int) {
    let row = Self.rows[number]
    let contact = row.contact.map { Self.date + Milliseconds($0) + Self.limits }
    #expect(
      promise(row).date(by: clock(), at: Self.now) == contact, again(Self.self, "row \(number);"))
  }

  @Test func `Without a date nothing is promised`() {
    let clock = Clock(notBefore: Configuration().notBefore)
    #expect(promise(Row(due: 90_000)).date(by: clock, at: Self.now) == nil, again(Self.self))
  }
}
