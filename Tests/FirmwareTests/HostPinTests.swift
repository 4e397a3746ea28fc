import CardStore
import Testing
import TrackerCore

@testable import FirmwareHost

/// The firmware's host on this machine, with lines that the test holds.
@Suite struct HostPinTests {
  private final class Desk {
    var now = Instant.start
    var isPressed = false
    /// When the power key was pressed and let go.
    var key: [(at: Instant, isActive: Bool)] = []
  }

  private struct Board: Machine {
    let desk: Desk
    var now: Instant { desk.now }
    let cycles: UInt32 = 0
    func sleep(until deadline: Instant) { desk.now = deadline }
    func receive(from port: MachinePort, into buffer: inout MutableSpan<UInt8>) -> Int { 0 }
    func send(_ bytes: Span<UInt8>, to port: MachinePort) {}
    func setPowerKey(isActive: Bool) { desk.key.append((desk.now, isActive)) }
    func readButton() -> Bool { desk.isPressed }
    func restart() {}
  }

  private struct NoCard: BlockDevice {
    let blockCount: UInt32 = 0
    func read(_ number: UInt32, into block: inout Block) -> Bool { false }
    func write(_ block: inout Block, to number: UInt32) -> Bool { false }
  }

  private func withHost(
    at desk: Desk, _ body: (inout FirmwareHost<Board, NoCard>) throws -> Void
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

  @Test func `A pulse lasts as long as it is to, whatever the tracker waits for`() throws {
    let desk = Desk()
    try withHost(at: desk) { host in
      host.push(.pulse(.modemPowerKey, Milliseconds(100)))
      #expect(event(of: &host, until: .start + .seconds(5)) == .deadlineReached)
    }
    #expect(desk.key.map(\.isActive) == [true, false])
    #expect(desk.key.map(\.at) == [.start, .start + Milliseconds(100)])
    #expect(desk.now == .start + .seconds(5))
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
}
