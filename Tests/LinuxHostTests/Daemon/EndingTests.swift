import LinuxHost
import MachineAccess
import SystemCalls
import TestSupport
import Testing
import TrackerCore
import Wording

@testable import CaptureStore

/// How a run of the loop ends.
@Suite struct EndingTests {
  /// Counts how often it is to be polled.
  private final class CountingLine: SilentLine {
    private(set) var polls = 0
    override var descriptor: Int32? {
      polls += 1
      return nil
    }
  }

  @Test func `A run that ends for the store's sake waits for nothing any more`() throws {
    let scratch = try ScratchFolder()
    let clock = BootClock()
    let line = CountingLine()
    var parts = try LinuxParts.idle(receiver: line)
    // Nobody uses it any more: it can be taken in now.
    let waiting = WaitingStore(
      path: scratch.path("queue.db"), second: nil, cause: .inUse, problem: "".texts, waiting: nil)
    parts.storeWatch = StoreWatch(waiting, from: clock.now, after: Milliseconds(0))
    var world = try LinuxWorld(parts, clock: clock)
    var bytes = [UInt8](repeating: 0, count: 1024)
    var buffer = bytes.mutableSpan
    let again: Comment = "repeat with: swift test --filter EndingTests"
    #expect(world.wait(until: nil, filling: &buffer) == .end, again)
    #expect(line.polls == 0, again)
    guard case .storeCanBeMended(.usable) = world.ending else {
      Issue.record("it ended otherwise: \(String(describing: world.ending))")
      return
    }
  }
}
