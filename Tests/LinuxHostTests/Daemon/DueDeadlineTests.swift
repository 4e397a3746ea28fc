import Foundation
import MachineAccess
import SystemCalls
import TestSupport
import Testing
import TrackerCore

@testable import LinuxHost

/// A deadline that is due and bytes that lie ready, also those of a burst that still gathers.
@Suite(.serialized, .blocking) struct DueDeadlineTests {
  @Test func `Bytes that lie ready come before a deadline, also when their burst still gathers`()
    throws
  {
    let rig = try SerialRig()
    let clock = BootClock()
    var world = try Self.opened(rig, clock)
    var bytes = [UInt8](repeating: 0, count: 1024)
    let report = ReceiverLine.report(Date(), 1)
    rig.receiver.say(report)
    let deadline = clock.now + 100
    var buffer = bytes.mutableSpan
    var arrival = world.wait(until: deadline, filling: &buffer)
    #expect(
      arrival == .bytes(count: report.utf8.count, from: .receiver) && clock.now >= deadline,
      "repeat with: swift test --filter DueDeadlineTests")
    buffer = bytes.mutableSpan
    arrival = world.wait(until: deadline, filling: &buffer)
    #expect(arrival == .event(.deadlineReached))
  }

  @Test func `Bytes that came while the world was busy come before a deadline that was due then`()
    throws
  {
    let rig = try SerialRig()
    let clock = BootClock()
    var world = try Self.opened(rig, clock)
    var bytes = [UInt8](repeating: 0, count: 1024)
    let report = ReceiverLine.report(Date(), 1)
    rig.receiver.say(report)
    // The kernel passes it on when it has time.
    let descriptor = try #require(world.lines.first?.line.descriptor)
    #expect(SystemCalls.poll(descriptor, atMost: 60_000) == .readable)
    for wanted in [.bytes(count: report.utf8.count, from: .receiver), .event(.deadlineReached)]
      as [Arrival]
    {
      var buffer = bytes.mutableSpan
      let arrival = world.wait(until: .start, filling: &buffer)
      #expect(arrival == wanted, "repeat with: swift test --filter DueDeadlineTests")
    }
  }

  /// One whose line has opened, while nothing was there but a deadline.
  private static func opened(_ rig: SerialRig, _ clock: BootClock) throws -> LinuxWorld {
    var world = try world(rig, clock)
    var bytes: [UInt8] = [0]
    var buffer = bytes.mutableSpan
    #expect(world.wait(until: clock.now + 50, filling: &buffer) == .event(.deadlineReached))
    return world
  }

  /// A world whose receiver's bursts gather for as long as nobody is in a hurry.
  static func world(_ rig: SerialRig, _ clock: BootClock) throws -> LinuxWorld {
    let line = try LineAddress("\(rig.address)@4800").line(baud: 4800, gathering: .minutes(1))
    return try LinuxWorld(try LinuxParts.idle(receiver: line), clock: clock)
  }
}
