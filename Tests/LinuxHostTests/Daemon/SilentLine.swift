import SystemCalls
import TrackerCore

@testable import MachineAccess

/// A line at which nothing ever happens.
class SilentLine: ByteLine {
  var descriptor: Int32? { nil }
  let wantsWrite = false
  let wakeAt: Instant? = nil
  let isConnected = false
  func tend(at now: Instant) {}
  func ready(_ found: PollEvents, at now: Instant, into buffer: inout MutableSpan<UInt8>) -> Int {
    0
  }
  func send(_ bytes: [UInt8], at now: Instant) -> Bool { false }
  func takeEvents() -> [LineEvent] { [] }
}
