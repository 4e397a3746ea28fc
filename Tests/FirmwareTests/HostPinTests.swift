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
    let card = LooseCard.Medium()
    var restarts: [Instant] = []
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
    func restart() { desk.restarts.append(desk.now) }
  }

  /// A single one, which has 4.2 V when it is full.
  private static let cell = Battery(
    cellsInSeries: 1, cellsInParallel: 1, cellCapacityMilliampHours: 3000,
    cellMillivolts: [3000, 3400, 3500, 3600, 3650, 3700, 3750, 3800, 3900, 4000, 4200],
    cutOffMillivolts: 3000, capacityAtFreezingPercent: 80, regulator: .linear)

  private func withHost(
    at desk: Desk, batteryRange: Int32 = 0,
    _ body: (inout FirmwareHost<Board, LooseCard>) throws -> Void
  ) throws {
    let card = UnsafeMutablePointer<CardStore<LooseCard>>.allocate(capacity: 1)
    card.initialize(to: CardStore(LooseCard(medium: desk.card)))
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
    of host: inout FirmwareHost<Board, LooseCard>, until deadline: Instant
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

  private static let pressed = Event.pinChanged(.button, isActive: true, since: .seconds(0))

  /// A desk with a card that is formatted, and cannot be read yet.
  private func deskWithBadContacts() -> Desk {
    let desk = Desk()
    var card = CardStore(LooseCard(medium: desk.card))
    let isFormatted = card.format(log: 1, of: UniqueID(high: 1, low: 2))
    #expect(isFormatted)
    desk.card.isReadable = false
    return desk
  }

  /// With a card that can be read at last the tracker begins anew, and a button that is held then
  /// does not count.
  @Test func `A card that can be read at last waits for whoever holds the button`() throws {
    let desk = deskWithBadContacts()
    try withHost(at: desk) { host in
      #expect(event(of: &host, until: .start + .seconds(59)) == .deadlineReached)
      (desk.isPressed, desk.card.isReadable) = (true, true)
      desk.now = .start + .seconds(61)
      #expect(event(of: &host, until: .start + .seconds(67)) == Self.pressed)
      #expect(event(of: &host, until: .start + .seconds(67)) == .deadlineReached)
      #expect(desk.restarts.isEmpty)
      // One that is stuck does not keep the card away.
      #expect(event(of: &host, until: .start + .minutes(3)) == .deadlineReached)
      #expect(desk.restarts == [.start + .seconds(121)])
    }
  }

  @Test func `A press that was over does not keep the card away`() throws {
    let desk = deskWithBadContacts()
    try withHost(at: desk) { host in
      (desk.isPressed, desk.card.isReadable) = (true, true)
      desk.now = .start + .seconds(50)
      #expect(event(of: &host, until: .start + .seconds(52)) == Self.pressed)
      desk.isPressed = false
      _ = event(of: &host, until: .start + .seconds(52))
      #expect(event(of: &host, until: .start + .seconds(70)) == .deadlineReached)
      #expect(desk.restarts == [.start + .seconds(60)])
    }
  }

  @Test func `A press that begins while the machine is restarted for a card counts`() throws {
    let desk = deskWithBadContacts()
    try withHost(at: desk) { host in
      desk.card.isReadable = true
      #expect(event(of: &host, until: .start + .seconds(61)) == .deadlineReached)
    }
    #expect(desk.restarts == [.start + .seconds(60)])
    desk.isPressed = true
    try withHost(at: desk) { host in
      #expect(event(of: &host, until: .start + .seconds(62)) == Self.pressed)
      #expect(event(of: &host, until: .start + .seconds(62)) == .deadlineReached)
    }
    // As always, one that is held when the power comes does not.
    try withHost(at: desk) { host in
      #expect(event(of: &host, until: .start + .seconds(63)) == .deadlineReached)
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
