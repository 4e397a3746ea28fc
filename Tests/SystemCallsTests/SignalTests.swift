import Foundation
import SystemCalls
import Testing

/// Signals that are held back or heard, on the thread that asks for it.
@Suite struct SignalTests {
  private let again: Comment = "repeat with: swift test --filter SignalTests"

  /// Runs with SIGHUP held back by this thread, or not.
  private func holding(_ isHeld: Bool, _ body: () throws -> Void) rethrows {
    var set = sigset_t()
    var before = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGHUP)
    pthread_sigmask(isHeld ? SIG_BLOCK : SIG_UNBLOCK, &set, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try body()
  }

  private var isHeld: Bool {
    var set = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &set)
    return sigismember(&set, SIGHUP) == 1
  }

  @Test(arguments: [false, true])
  func `Signals are held back as long as somebody holds them, and then as before`(
    _ wasHeld: Bool
  ) {
    holding(wasHeld) {
      do {
        let held = HeldSignals([.hangUp])
        #expect(isHeld && !held.isPending, again)
      }
      #expect(isHeld == wasHeld, again)
    }
  }

  @Test func `Signals that the parent process held back are heard`() throws {
    try holding(true) {
      _ = try SignalPipe([.hangUp])
      #expect(!isHeld, again)
    }
  }
}
