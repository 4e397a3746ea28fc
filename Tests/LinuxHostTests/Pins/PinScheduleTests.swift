import Synchronization
import SystemCalls
import TestSupport
import Testing
import TrackerCore

@testable import LinuxHost

/// When outputs change: pulses, and the blinks of a light.
@Suite(.blocking) struct PinScheduleTests {
  private static let again: Comment = "repeat with: swift test --filter PinScheduleTests"
  private typealias Change = PinSchedule.Change
  private static let key = PinSchedule.Output.pin(.modemPowerKey)

  @Test func `A pulse begins when it is carried out and keeps its length`() {
    var schedule = PinSchedule()
    schedule.pulse(.modemPowerKey, milliseconds: 2000)
    #expect(schedule.next == 0, "at once")
    #expect(schedule.changes(at: 140) == [Change(output: Self.key, isActive: true)])
    #expect(schedule.next == 2140)
    #expect(schedule.changes(at: 2139).isEmpty)
    #expect(schedule.changes(at: 2140) == [Change(output: Self.key, isActive: false)])
    #expect(schedule.next == nil)
  }

  @Test func `A pulse that is ordered again starts over`() {
    var schedule = PinSchedule()
    schedule.pulse(.modemPowerKey, milliseconds: 2000)
    _ = schedule.changes(at: 0)
    schedule.pulse(.modemPowerKey, milliseconds: 3000)
    _ = schedule.changes(at: 1000)
    #expect(schedule.changes(at: 2000).isEmpty && schedule.next == 4000)
  }

  /// How long a light is lit and dark, in turn, from its first blink.
  private static func times(_ light: Light, _ count: Int) -> [Int64] {
    var schedule = PinSchedule()
    schedule.show(light, at: 0)
    var (times, now, isLit) = ([Int64](), schedule.next ?? 0, false)
    for _ in 0..<count {
      isLit.toggle()
      #expect(schedule.changes(at: now) == [Change(output: .light, isActive: isLit)])
      let next = schedule.next ?? 0
      times.append(next - now)
      now = next
    }
    return times
  }

  @Test(
    arguments: [
      (.working, 1), (.waiting, 2), (.noPosition, 3), (.modemTrouble, 4), (.serverTrouble, 5),
      (.storeTrouble, 6),
    ] as [(Light, Int)])
  func `A code is so many blinks and a pause, again and again`(_ light: Light, _ blinks: Int) {
    let one = [Int64]((0..<blinks).flatMap { [200, $0 == blinks - 1 ? 2500 : 300] })
    #expect(Self.times(light, 6 * blinks) == one + one + one, Self.again)
  }

  @Test func `Stopped is one long blink, an emergency three short and three long ones`() {
    #expect(Self.times(.stopped, 4) == [1500, 2500, 1500, 2500], Self.again)
    let raised: [Int64] = [200, 300, 200, 300, 200, 300, 1500, 300, 1500, 300, 1500, 2500]
    #expect(Self.times(.emergencyRaised, 24) == raised + raised, Self.again)
    #expect(Self.times(.emergencyDelivered, 8) == [900, 900, 900, 2500, 900, 900, 900, 2500])
    #expect(Self.times(.emergencyAhead, 4) == [80, 80, 80, 80], Self.again)
  }

  @Test func `The light is steady once a person has read an emergency, and blinks again after it`()
  {
    var schedule = PinSchedule()
    schedule.show(.emergencyRead, at: 0)
    #expect(schedule.changes(at: 0) == [Change(output: .light, isActive: true)])
    #expect(schedule.next == nil, "nothing changes it")
    schedule.show(.working, at: 60_000)
    #expect(schedule.changes(at: 60_000) == [Change(output: .light, isActive: false)])
    #expect(schedule.changes(at: 62_500) == [Change(output: .light, isActive: true)])
    #expect(schedule.next == 62_700, Self.again)
  }

  @Test func `An emergency's code does not wait for the pause of the one before`() {
    var schedule = PinSchedule()
    schedule.show(.working, at: 0)
    _ = schedule.changes(at: 0)
    _ = schedule.changes(at: 200)
    schedule.show(.emergencyAhead, at: 300)
    #expect(schedule.changes(at: 300) == [Change(output: .light, isActive: true)], Self.again)
  }

  @Test func `A code that changes is not mixed with the one before`() {
    var schedule = PinSchedule()
    schedule.show(.storeTrouble, at: 0)
    _ = schedule.changes(at: 0)
    schedule.show(.waiting, at: 100)
    _ = schedule.changes(at: 200)
    #expect(schedule.next == 2700, "a pause comes first")
  }

  @Test func `A pulse ends in time while the caller is held up, and everything is off at the end`()
    throws
  {
    let seen = Mutex<[(at: Int64, isActive: Bool)]>([])
    let timer = try PinTimer([Self.key, .light]) { output, isActive in
      guard output == Self.key else { return }
      seen.withLock { $0.append((KernelTimer.monotonic.milliseconds, isActive)) }
    }
    timer.pulse(.modemPowerKey, milliseconds: 200)
    // As a disk may hold the loop.
    pause(milliseconds: 600)
    let first = seen.withLock { $0 }
    #expect(first.map(\.isActive) == [true, false], "\(first)")
    timer.pulse(.modemPowerKey, milliseconds: 60_000)
    try eventually("the second pulse", pause: 0.001) { seen.withLock { $0.count } == 3 }
    timer.end()
    #expect(seen.withLock { $0.last?.isActive } == false)
  }
}
