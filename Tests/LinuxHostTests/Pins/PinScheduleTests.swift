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

  @Test(arguments: (UInt8(0)..<7).compactMap(Light.init))
  func `A code is so many blinks and a pause, again and again`(_ light: Light) {
    var schedule = PinSchedule()
    schedule.show(light, at: 0)
    for _ in 0..<3 {
      var (blinks, now) = (Int32(0), schedule.next ?? 0)
      while true {
        #expect(schedule.changes(at: now) == [Change(output: .light, isActive: true)])
        blinks += 1
        let litAt = now
        now = schedule.next ?? 0
        #expect(now - litAt == (light == .stopped ? 1500 : 200))
        #expect(schedule.changes(at: now) == [Change(output: .light, isActive: false)])
        let pause = (schedule.next ?? 0) - now
        now += pause
        if pause == 2500 { break }
        #expect(pause == 300)
      }
      #expect(blinks == light.blinks, "\(light) \(Self.again)")
    }
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
