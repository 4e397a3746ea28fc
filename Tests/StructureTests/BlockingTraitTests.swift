import Foundation
import Synchronization
import TestSupport
import Testing

/// The trait of suites that wait.
@Suite(.blocking) struct BlockingTraitTests {
  private static let arrived = Mutex(0)

  @Test func `A test that waits with the trait is not reported`() throws {
    try eventually("what is already so") { true }
  }

  /// On threads of their own: those that all suites share may be taken by others' long tests.
  @Test func `More of them wait at once than there are processors`() async throws {
    let count = ProcessInfo.processInfo.activeProcessorCount + 2
    let trait = BlockingTrait(threads: count)
    let test = try #require(Test.current)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<count {
        group.addTask {
          try await trait.provideScope(for: test, testCase: nil) {
            Self.arrived.withLock { $0 += 1 }
            try eventually("the others to wait, too") { Self.arrived.withLock { $0 } == count }
          }
        }
      }
      try await group.waitForAll()
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
