import Foundation
import Synchronization
import TestSupport
import Testing

/// The trait of suites that wait.
@Suite(.blocking) struct BlockingTraitTests {
  /// More than there are processors, and than threads for the other tests.
  private static let count = ProcessInfo.processInfo.activeProcessorCount + 2
  private static let arrived = Mutex(0)

  @Test(arguments: 0..<min(count, 10))
  func `More of them wait at once than there are processors`(_ number: Int) throws {
    Self.arrived.withLock { $0 += 1 }
    try eventually("the others to wait, too") {
      Self.arrived.withLock { $0 } >= min(Self.count, 10)
    }
  }
}

@Suite struct OtherTests {
  @Test func `A test that waits without the trait is reported`() {
    withKnownIssue {
      try eventually("what is already so") { true }
    }
  }

  @Test func `Each share is another one, and after the last comes the first`() {
    let shares = (0..<4).map { Share.of([1, 2, 3], atOnce: 2, which: "\($0)") }
    #expect(shares == [[1, 2], [3, 1], [2, 3], [1, 2]])
    #expect(Share.of([1, 2, 3], which: "all") == [1, 2, 3])
    #expect(Share.of([1, 2, 3], which: nil) == [1])
  }
}
