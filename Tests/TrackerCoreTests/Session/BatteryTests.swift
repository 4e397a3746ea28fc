import Testing

@testable import TrackerCore

/// What captures, reserve and modem make of the battery, and of its loss.
@Suite struct BatteryTests {
  private func reading(_ millivolts: Int32) -> Event {
    .batteryMeasured(BatteryReading(millivolts: millivolts))
  }

  @Test func `Captures after the loss carry no figures, until the battery is measured again`()
    throws
  {
    var bench = Bench()
    bench.handle(reading(7500))
    bench.run(seconds: 10)
    bench.handle(.batteryLost)
    bench.handle(.commandGiven(.captureNow, from: .script))
    bench.run(seconds: 10)
    bench.handle(reading(7500))
    bench.handle(.commandGiven(.captureNow, from: .script))
    bench.run(seconds: 10)
    #expect(bench.stored.map(\.batteryMillivolts) == [7500, nil, 7500], again(Self.self))
    // Half a minute's load is counted meanwhile.
    #expect(bench.stored.map(\.batteryPercent) == [50, nil, 49], again(Self.self))
  }

  @Test func `A capture carries the fuel gauge's percentage`() throws {
    var bench = Bench()
    bench.handle(
      .batteryMeasured(
        BatteryReading(millivolts: 7500, currentMilliamps: 310, percent: 63)))
    bench.run(seconds: 10)
    let capture = try #require(bench.stored.first, again(Self.self))
    #expect(
      capture.batteryPercent == 63 && capture.batteryMillivolts == 7500, again(Self.self))
  }

  @Test(arguments: [ReceiverUse.always, .dutyCycle])
  func `Before the battery ends there is a last capture and with it a last contact, once`(
    _ use: ReceiverUse
  ) {
    var board = Board.bench
    // The end of the curve, where the estimate is less certain than it is high.
    board.battery.cutOffMillivolts = 6000
    var bench = Bench(board: board) {
      $0.reservePercent = 30
      $0.receiverUse = use
    }
    func gauge(_ percent: UInt8) -> Event {
      .batteryMeasured(BatteryReading(millivolts: 6900, percent: percent))
    }
    // In the reserve: contacts are an hour apart.
    for minute in 0..<20 {
      bench.handle(gauge(20))
      bench.run(seconds: minute == 0 ? 600 : 60)
    }
    let (contacts, captures) = (bench.uploads.count, bench.stored.count)
    #expect(contacts == 1, again(Self.self))
    // A gauge may be off by 3 %.
    // Another charge is believed at its third reading; the next regular capture is due after a
    // minute.
    for _ in 0..<3 {
      bench.handle(gauge(3))
      bench.run(seconds: 18)
    }
    #expect(bench.uploads.count > contacts && bench.queue.isEmpty, again(Self.self))
    #expect(bench.stored.count > captures, again(Self.self))
    let last = bench.uploads.count
    for _ in 0..<30 {
      bench.handle(gauge(3))
      bench.run(seconds: 60)
    }
    #expect(bench.uploads.count == last, again(Self.self))
  }

  @Test func `The sag of a transmission counts for the end, and a recovery for another one`() {
    var battery = Board.bench.battery
    battery.cutOffMillivolts = 6000
    battery.cellMilliohms = 200
    var gauge = BatteryGauge(battery)
    var minute: Int64 = 0
    func measure(_ percent: UInt8) {
      // Another battery is believed at its third reading.
      for _ in 0..<3 {
        gauge.measure(
          BatteryReading(millivolts: 7500, percent: percent), at: .start + .minutes(minute))
        minute += 1
      }
    }
    measure(20)
    var needs = [gauge.needsFinalContact(peak: 0)]
    // 1.2 ohms: 0.9 V, with which 20 % are 6 V.
    needs.append(gauge.needsFinalContact(peak: 750_000))
    needs.append(gauge.needsFinalContact(peak: 750_000))
    measure(60)
    needs.append(gauge.needsFinalContact(peak: 750_000))
    measure(20)
    needs.append(gauge.needsFinalContact(peak: 750_000))
    #expect(needs == [false, true, false, false, true], again(Self.self))
  }

  @Test func `A tracker that survives its last contact makes another one two percent later`() {
    var gauge = BatteryGauge(Board.bench.battery)
    gauge.measure(BatteryReading(millivolts: 6200, percent: 8), at: .start)
    var asked: [UInt8] = []
    for minute in Int64(1)...400 {
      // 2 % an hour.
      let percent = UInt8(8 - minute / 60)
      gauge.measure(
        BatteryReading(millivolts: 6200, percent: percent), at: .start + .minutes(minute),
        BatteryGauge.Drawn(
          microamps: Board.bench.battery.capacity / 3_600_000 / 100, time: .minutes(1)))
      if gauge.needsFinalContact(peak: 0) { asked.append(percent) }
    }
    #expect((2...4).contains(asked.count), again(Self.self, "\(asked)"))
  }

  @Test func `A battery that is lost in its reserve stays there, and a new reading ends that`() {
    var bench = Bench()
    bench.handle(reading(6400))
    bench.handle(.batteryLost)
    bench.run(seconds: 3500)
    #expect(bench.uploads.count == 1, again(Self.self))
    #expect(bench.tracker.sendReason == .batteryReserve, again(Self.self))
    bench.handle(reading(8000))
    bench.run(seconds: 90)
    #expect(bench.uploads.count == 2, again(Self.self))
  }

  @Test func `A battery that is lost above its reserve holds nothing back`() {
    var bench = Bench()
    bench.handle(reading(8000))
    bench.handle(.batteryLost)
    bench.run(seconds: 3690)
    #expect(bench.uploads.count > 5, again(Self.self))
  }

  @Test func `A measurement that is never repeated is forgotten after three hours`() throws {
    var bench = Bench { $0.capture = .adaptive(interval: .minutes(30)) }
    bench.handle(reading(8000))
    bench.run(seconds: 3 * 3600)
    let before = try #require(bench.stored.last, again(Self.self))
    #expect(before.batteryMillivolts == 8000, again(Self.self))
    bench.run(seconds: 3600)
    let after = try #require(bench.stored.last, again(Self.self))
    #expect(after.batteryMillivolts == nil, again(Self.self))
  }

  /// Three cells, 3000 to 4740 mV, which suits the 3810 mV that the bench's modem reports.
  private static func board(isMeasuredByModem: Bool) -> Board {
    var board = Board.bench
    board.battery.cellsInSeries = 3
    board.battery.cutOffMillivolts = 3300
    board.battery.isMeasuredByModem = isMeasuredByModem
    return board
  }

  @Test func `What the modem reports is the battery only where the board says so`() throws {
    for isBattery in [false, true] {
      var bench = Bench(board: Self.board(isMeasuredByModem: isBattery))
      bench.run(seconds: 700)
      let capture = try #require(bench.stored.last, again(Self.self))
      #expect(bench.stored.count == 2, again(Self.self))
      #expect(bench.notes.contains(.modemSupply(millivolts: 3810)), again(Self.self))
      #expect(capture.batteryMillivolts == (isBattery ? 3810 : nil), again(Self.self))
      #expect(capture.batteryPercent == (isBattery ? 56 : nil), again(Self.self))
    }
  }

  @Test func `What the modem reports and the cells cannot have is not used`() throws {
    var board = Self.board(isMeasuredByModem: true)
    board.battery.cellsInSeries = 20
    var bench = Bench(board: board)
    bench.run(seconds: 700)
    let capture = try #require(bench.stored.last, again(Self.self))
    #expect(bench.notes.contains(.modemSupply(millivolts: 3810)), again(Self.self))
    #expect(capture.batteryMillivolts == nil, again(Self.self))
  }
}
