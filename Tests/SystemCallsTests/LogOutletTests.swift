import Foundation
import TestSupport
import Testing

@testable import SystemCalls

/// A log's way out where it cannot be made not to block.
@Suite(.blocking) struct LogOutletTests {
  private let again: Comment = "repeat with: swift test --filter LogOutletTests"

  /// With 15 of 16 pages full, poll(2) finds room, but for one page only.
  @Test func `Into another user's pipe no more is written than there is room for`() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let (reader, writer) = (ends[0], ends[1])
    defer { for end in [reader, writer] { close(end) } }
    // F_SETPIPE_SZ (linux/fcntl.h), which Swift does not see.
    try #require(fcntl(writer, 1031, 65_536) == 65_536)
    for _ in 0..<15 { try writeAll([UInt8](repeating: 1, count: 4096), to: writer) }
    let outlet = LogOutlet(writer, canReopen: false)
    let line = [UInt8](repeating: 2, count: 10_000)
    // If it blocks, somebody must read, or the test would never end.
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      guard isDone.wait(timeout: .now() + 10) == .timedOut else { return }
      var bytes = [UInt8](repeating: 0, count: 65_536)
      _ = read(reader, &bytes, bytes.count)
    }
    let count = outlet.write(line[...])
    isDone.signal()
    #expect(count == 4096, again)
    #expect(outlet.write(line[count...]) == 0, again)
  }
}
