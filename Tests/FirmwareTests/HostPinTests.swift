import CardStore
import Testing
import TrackerCore

@testable import FirmwareHost

/// The firmware's host on this machine, with lines that the test holds.
@Suite struct HostPinTests {
  private final class Desk {
    var now = Instant.start
    var isPressed = false
    /// How long the power key was pressed.
    var key: [Milliseconds] = []
    /// When the light was switched on and off.
    var light: [(at: Instant, isLit: Bool)] = []
    /// What the converter shows, one after the other, and then again and again the last.
    var battery: [UInt16?] = []
  }

  private struct Board: Machine {
    let desk: Desk
    var now: Instant { desk.now }
    let cycles: UInt32 = 0
    func sleep(until deadline: Instant) { desk.now = deadline }
    func receive(from port: MachinePort, into buffer: inout MutableSpan<UInt8>) -> Int { 0 }
    func send(_ bytes: Span<UInt8>, to port: MachinePort) {}
    func pressPowerKey(for length: Milliseconds) { desk.key.append(length) }
    func readButton() -> Bool { desk.isPressed }
    func setLight(isLit: Bool) { desk.light.append((desk.now, isLit)) }
    func readBattery() -> UInt16? {
      desk.battery.count > 1 ? desk.battery.removeFirst() : desk.battery.first ?? nil
    }
    func restart() {}
  }

  private struct NoCard: BlockDevice {
    let blockCount: UInt32 = 0
    func read(_ number: UInt32, into block: inout Block) -> Bool { false }
    func write(_ block: inout Block, to number: UInt32) -> Bool { false }
  }

  /// A single one, which has 4.2 V when it is full.
  private static let cell = Battery(
    cellsInSeries: 1, cellsInParallel: 1, cellCapacityMilliampHours: 3000,
    cellMillivolts: [3000, 3400, 3500, 3600, 3650, 3700, 3750, 3800, 3900, 4000, 4200],
    cutOffMillivolts: 3000, capacityAtFreezingPercent: 80, regulator: .linear)

  private func withHost(
    at desk: Desk, batteryRange: Int32 = 0,
    _ body: (inout FirmwareHost<Board, NoCard>) throws -> Void
  ) throws {
    let card = UnsafeMutablePointer<CardStore<NoCard>>.allocate(capacity: 1)
    card.initialize(to: CardStore(NoCard()))
    defer {
      card.deinitialize(count: 1)
      card.deallocate()
    }
    var settings = FirmwareSettings(
      board: .none, configuration: Configuration(),
      identity: Identity(device: UniqueID(high: 1, low: 2), team: InlineText(), seed: 1))
    settings.batteryRange = batteryRange
    settings.core.board.battery = Self.cell
    var host = FirmwareHost(Board(desk: desk), card: card, &settings, coreVersion: 1)
    try body(&host)
  }

  private func event(
    of host: inout FirmwareHost<Board, NoCard>, until deadline: Instant
  ) -> Event? {
    var bytes = [UInt8](repeating: 0, count: 16)
    var buffer = bytes.mutableSpan
    if case .event(let event) = host.wait(until: deadline, filling: &buffer) { return event }
    return nil
  }

  @Test func `The power key is pressed for as long as the tracker asks`() throws {
    let desk = Desk()
    try withHost(at: desk) { host in host.push(.pulse(.modemPowerKey, Milliseconds(100))) }
    #expect(desk.key == [Milliseconds(100)])
  }

  @Test func `The tracker hears once that the button is pressed, and once that it is let go`()
    throws
  {
    let desk = Desk()
    try withHost(at: desk) { host in
      desk.isPressed = true
      let end = Instant.start + .seconds(1)
      #expect(
        event(of: &host, until: end) == .pinChanged(.button, isActive: true, since: .seconds(0)))
      #expect(event(of: &host, until: end) == .deadlineReached)
      desk.isPressed = false
      #expect(
        event(of: &host, until: end) == .pinChanged(.button, isActive: false, since: .seconds(0)))
    }
  }

  @Test func `The light shows the code that the tracker asks for, until it asks for another`()
    throws
  {
    let desk = Desk()
    try withHost(at: desk) { host in
      host.push(.setLight(.waiting))
      #expect(event(of: &host, until: .start + .seconds(3)) == .deadlineReached)
      host.push(.setLight(.emergencyRead))
      #expect(event(of: &host, until: .start + .hours(1)) == .deadlineReached)
    }
    #expect(desk.light.map(\.isLit) == [true, false, true, false, true])
    #expect(desk.light.map(\.at.milliseconds) == [0, 200, 500, 700, 3000])
  }

  /// 4 V and 4.2 V of 4.8 V.
  private static let readings: (low: UInt16, high: UInt16) = (54_614, 57_344)

  @Test func `The battery is measured at the start and each minute: the median of what can be`()
    throws
  {
    let desk = Desk()
    let (low, high) = Self.readings
    desk.battery = [high, 0, low, nil, low, high]
    try withHost(at: desk, batteryRange: 4800) { host in
      let first = event(of: &host, until: .start + .seconds(90))
      #expect(first == .batteryMeasured(BatteryReading(millivolts: 4000)))
      #expect(desk.now == .start)
      let second = event(of: &host, until: .start + .seconds(90))
      #expect(second == .batteryMeasured(BatteryReading(millivolts: 4200)))
      #expect(desk.now == .start + .minutes(1))
      #expect(event(of: &host, until: .start + .seconds(90)) == .deadlineReached)
    }
  }

  @Test(arguments: [nil, 0, .max] as [UInt16?])
  func `A battery that cannot be measured is lost at the second time`(_ shown: UInt16?) throws {
    let desk = Desk()
    desk.battery = Array(repeating: Self.readings.low, count: 5) + [shown]
    // The low one is then 5000 mV, and the largest 6000: more than such a cell can have.
    try withHost(at: desk, batteryRange: 6000) { host in
      let end = Instant.start + .minutes(10)
      #expect(
        event(of: &host, until: end) == .batteryMeasured(BatteryReading(millivolts: 5000)))
      #expect(event(of: &host, until: end) == .batteryLost)
      #expect(desk.now == .start + .seconds(65))
      #expect(event(of: &host, until: end) == .deadlineReached)
    }
  }

  @Test func `Two readings of five are not enough`() throws {
    let desk = Desk()
    let low = Self.readings.low
    desk.battery = [low, nil, low, 0, nil, low]
    try withHost(at: desk, batteryRange: 4800) { host in
      _ = event(of: &host, until: .start + .minutes(10))
      #expect(desk.now == .start + .minutes(1), "measured at the second time")
    }
  }

  @Test func `Without a divider nothing is measured`() throws {
    let desk = Desk()
    desk.battery = [Self.readings.low]
    try withHost(at: desk) { host in
      #expect(event(of: &host, until: .start + .minutes(10)) == .deadlineReached)
    }
  }
}
