import Foundation
import SystemCalls
import TestSupport
import Testing
import TrackerCore

@testable import LinuxHost

/// The machine's date set by a helper. No test here touches this machine's.
@Suite(.serialized, .blocking) struct ClockHelperTests {
  private let again: Comment = "repeat with: swift test --filter ClockHelperTests"
  private static let day = UTC(milliseconds: 1_777_615_200_000)

  private final class FakeClock: SystemClock {
    var isKept = false
    var refusal: SystemError?
    private(set) var sets: [UTC] = []
    var date: UTC { ClockHelperTests.day }
    func isSynchronised() throws(SystemError) -> Bool { isKept }
    func set(_ date: UTC) throws(SystemError) -> Bool {
      if let refusal { throw refusal }
      sets.append(date)
      return true
    }
  }

  @Test(arguments: ["set", "kept", "refused"])
  func `It sets the date that it is told, unless a time service keeps it`(
    _ what: String
  ) throws {
    let scratch = try ScratchFolder()
    let path = scratch.path("clock")
    let listener = try #require(UnixAddress(path)).listener(backlog: 4)
    let clock = FakeClock()
    clock.isKept = what == "kept"
    if what == "refused" { clock.refusal = SystemError(code: EPERM) }
    nonisolated(unsafe) let fake = clock
    let done = DispatchSemaphore(value: 0)
    let number = listener.release()
    Thread.detachNewThread {
      _ = ClockHelper.serveNext(Descriptor(owning: number), fake)
      done.signal()
    }
    let outcome = Result { () throws(SystemError) in
      try HelperClock(path: path).set(Self.day)
    }
    done.wait()
    switch what {
    case "set":
      #expect(outcome == .success(true), again)
      // It took some time to get there, which counts.
      let late = try #require(clock.sets.first) - Self.day
      #expect(late.count >= 0 && late <= HostBounds.clockRequestAge, again)
    case "kept": #expect(outcome == .success(false) && clock.sets.isEmpty, again)
    default: #expect(outcome == .failure(SystemError(code: EPERM)), again)
    }
  }

  @Test func `Without a helper it fails, which the keeper of the clock tells`() {
    let outcome = Result { () throws(SystemError) in
      try HelperClock(path: "/nowhere/clock").set(Self.day)
    }
    #expect(outcome == .failure(SystemError(code: ECONNREFUSED)), again)
  }

  @Test func `A request takes the time that it took`() {
    let request = ClockRequest(date: Self.day, at: 5000)
    #expect(ClockRequest(request.line) == request, again)
    #expect(request.date(at: 5000) == Self.day, again)
    #expect(request.date(at: 5300) == Self.day + 300, again)
    #expect(request.date(at: 15_000) == Self.day + 10_000, again)
    #expect(request.date(at: 15_001) == nil && request.date(at: 4999) == nil, again)
  }

  @Test(arguments: [
    "", "set", "set 1", "set x 5", "get 1 2", "set 1 2 3", "set 99999999999999999999 5",
  ])
  func `What is no request is refused`(_ line: String) {
    let clock = FakeClock()
    let outcome = ClockHelper.obey(line, clock)
    #expect(outcome == .failure(SystemError(code: EINVAL)) && clock.sets.isEmpty, again)
  }

  @Test(arguments: [Int64.min, -1, 0, 1_577_836_799_999, 4_102_444_800_001, .max])
  func `An impossible date is refused`(_ date: Int64) {
    let clock = FakeClock()
    let now = KernelTimer.boot.milliseconds
    let line = ClockRequest(date: UTC(milliseconds: date), at: now).line
    #expect(ClockHelper.obey(line, clock) == .failure(SystemError(code: EINVAL)), again)
    #expect(clock.sets.isEmpty, again)
  }

  @Test func `A stamp that overflows does not trap`() {
    let clock = FakeClock()
    for at in [Int64.min, .max] {
      let line = ClockRequest(date: Self.day, at: at).line
      #expect(ClockHelper.obey(line, clock) == .failure(SystemError(code: EINVAL)), again)
    }
  }
}
