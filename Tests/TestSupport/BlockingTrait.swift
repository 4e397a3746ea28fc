import Foundation
public import Testing

/// Runs the tests of a suite on threads that may wait.
///
/// All other tests share as many threads as the machine has processors. Two of them that waited for
/// something else than a program that is busy would leave its processors idle.
public struct BlockingTrait: SuiteTrait, TestTrait, TestScoping {
  private let threads: BlockingThreads

  init(threads: BlockingThreads = .shared) { self.threads = threads }

  /// With threads of its own, which stay until the program ends.
  public init(threads count: Int) { self.init(threads: BlockingThreads(count: count)) }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(threads, operation: function)
  }
}

extension Trait where Self == BlockingTrait {
  /// For tests that wait for a program that runs beside them, a device or the clock.
  public static var blocking: Self { Self() }
}

/// A fixed number of threads, each of which runs one job at a time.
final class BlockingThreads: TaskExecutor, @unchecked Sendable {
  /// Most of them wait; what the others and their programs do is the load that the tests bear.
  static let shared = BlockingThreads(count: 12)

  private let change = NSCondition()
  private var jobs: [UnownedJob] = []

  init(count: Int) {
    for _ in 0..<count {
      Thread.detachNewThread { [self] in
        Thread.current.threadDictionary[Self.mark] = true
        while true { take().runSynchronously(on: asUnownedTaskExecutor()) }
      }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    change.withLock {
      jobs.append(job)
      change.signal()
    }
  }

  private func take() -> UnownedJob {
    change.withLock {
      while jobs.isEmpty { change.wait() }
      return jobs.removeFirst()
    }
  }

  private static let mark = "BlockingThreads"

  /// Reports a test that waits on a thread that others need.
  static func check() {
    // A thread that a test has begun itself runs no task.
    guard withUnsafeCurrentTask(body: { $0 != nil }),
      Thread.current.threadDictionary[mark] == nil
    else { return }
    Issue.record("This test waits: its suite needs the trait .blocking.")
  }
}
