import Foundation
import MachineAccess
import SystemCalls
import TestSupport
import Testing
import TrackerCore

/// What every kind of line does, whatever is behind it.
@Suite(
  .blocking, .serialized, .enabled(if: GpsdRig.isInstalled, "no gpsd is installed; run .ci/setup"))
struct LineContractTests {
  static func pump(
    _ rig: any Rig, room: Int = 1024, speed: Int64 = 1, gathering: Milliseconds = 0
  ) throws -> LinePump {
    let line = try LineAddress(rig.address).line(baud: 9600, gathering: gathering)
    return LinePump(line, room: room, speed: speed)
  }

  /// Has the receiver talk until it comes through: gpsd takes its time to know a new receiver.
  static func warm(_ rig: any Rig, _ pump: LinePump) throws {
    let before = pump.bytes.count
    var second = 0
    var due = Date()
    try pump.run("the receiver is heard") { pump in
      if Date() >= due {
        rig.receiver.say(ReceiverLine.report(Date(), second))
        second += 1
        due = Date(timeIntervalSinceNow: 0.1)
      }
      return pump.bytes.count > before
    }
  }

  @Test(arguments: LineKind.allCases)
  func `What the receiver says comes whole through a buffer of seven bytes`(
    _ kind: LineKind
  ) throws {
    let rig = try kind.rig()
    let pump = try Self.pump(rig, room: 7, gathering: 50)
    try Self.warm(rig, pump)
    let said = (0..<20).map { ReceiverLine.report(Date(timeIntervalSince1970: 9e8), $0) }
    for report in said { rig.receiver.say(report) }
    try pump.run("all of it") { $0.text.hasSuffix(said[19]) }
    #expect(pump.text.hasSuffix(said.joined()), "\(pump.command)")
    #expect(pump.longest <= 7, "\(pump.command)")
  }

  @Test(arguments: LineKind.allCases)
  func `What goes away is lost once, and found again when it is back`(_ kind: LineKind) throws {
    let rig = try kind.rig()
    let pump = try Self.pump(rig, speed: 10, gathering: 250)
    for round in 1...3 {
      try Self.warm(rig, pump)
      try rig.vanish()
      try pump.run("the loss") { $0.losses == round }
      #expect(!pump.line.isConnected && pump.line.descriptor == nil, "\(pump.command)")
      try rig.comeBack()
      try pump.run("the return") { $0.openings == round + 1 }
    }
    try Self.warm(rig, pump)
    #expect(pump.openings == 4 && pump.losses == 3, "\(pump.events); \(pump.command)")
  }

  @Test(arguments: LineKind.allCases)
  func `What is not there is said once, tried with growing pauses, and leaves no descriptor`(
    _ kind: LineKind
  ) throws {
    let rig = try kind.rig()
    try rig.vanish()
    let line = try LineAddress(rig.address).line(baud: 9600, gathering: 0)
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    var now = Instant.start
    var pauses: [Int64] = []
    var events: [LineEvent] = []
    var buffer = [UInt8](repeating: 0, count: 16)
    for _ in 0..<120 {
      line.tend(at: now)
      // A connection is refused at once or after a moment.
      while let descriptor = line.descriptor {
        let found = poll(descriptor, [.readable, .writable], atMost: 1000)
        var free = buffer.mutableSpan
        _ = line.ready(found, at: now, into: &free)
      }
      events += line.takeEvents()
      let due = try #require(line.wakeAt)
      pauses.append((due - now).count)
      now = due
    }
    #expect(
      pauses == [250, 500, 1000, 2000, 4000] + Array(repeating: 5000, count: 115),
      "repeat with: swift test --filter LineContractTests")
    #expect(events.count == 1, "\(events)")
    // Other tests of the process open and close some meanwhile; a leak would be 120.
    let after = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    #expect(after < open + 100, "repeat with: swift test --filter LineContractTests")
  }

  @Test(arguments: LineKind.allCases)
  func `In a hurry what lies ready is read at once, also while a burst gathers`(
    _ kind: LineKind
  ) throws {
    let rig = try kind.rig()
    let pump = try Self.pump(rig, room: 4096, gathering: 1000)
    try Self.warm(rig, pump)
    try pump.run("the burst is read") { $0.line.descriptor != nil }
    // Nothing is ready, so nothing changes.
    pump.line.hurry(at: pump.now)
    rig.receiver.say(ReceiverLine.report(Date(), 1))
    try pump.run("a burst gathers") { $0.line.isConnected && $0.line.descriptor == nil }
    let before = pump.bytes.count
    pump.line.hurry(at: pump.now)
    #expect(pump.line.descriptor != nil, "\(pump.command)")
    pump.step()
    #expect(pump.bytes.count > before, "\(pump.command)")
  }
}
