import Foundation
import MachineAccess
import SystemCalls
import Testing

/// What signals ask a program for.
@Suite struct SignalWatchTests {
  private let again: Comment = "repeat with: swift test --filter SignalWatchTests"

  @Test(
    arguments: [
      ([], nil), ([SIGCHLD], nil), ([SIGHUP], .reload), ([SIGHUP, SIGCHLD], .reload),
      ([SIGTERM], .end), ([SIGHUP, SIGINT], .end), ([SIGTERM, SIGHUP], .end),
      ([SIGINT, SIGCHLD, SIGHUP], .end),
    ] as [([Int32], SignalWatch.Request?)])
  func `Whoever asks for the end gets it, whatever comes with it`(
    _ signals: [Int32], _ request: SignalWatch.Request?
  ) throws {
    let watch = try SignalWatch()
    // What their handlers would write. Real ones would reach the other tests.
    let handlers = try Descriptor(opening: "/proc/self/fd/\(watch.descriptor)", .write)
    try handlers.writeAll(signals.map { UInt8($0) })
    #expect(watch.take() == request, again)
    #expect(watch.take() == nil, again)
  }
}
