import Glibc
import Synchronization

/// Does numbered pieces of work on several threads. The results are in the order of their numbers,
/// whoever did them.
public final class Workers<Result: Sendable>: Sendable {
  private let count: Int
  private let work: @Sendable (Int) throws -> Result
  private let next = Atomic<Int>(0)
  private let results: Mutex<[Result?]>
  private let problem = Mutex<(any Error)?>(nil)

  private init(_ count: Int, _ work: @escaping @Sendable (Int) throws -> Result) {
    self.count = count
    self.work = work
    results = Mutex(Array(repeating: nil, count: count))
  }

  /// - Parameters:
  ///   - threads: `nil`: as many as there are processors.
  ///   - work: called with 0..<`count`, on any thread.
  /// - Throws: what the work threw; then the rest is not begun.
  public static func run(
    _ count: Int, threads: Int?, _ work: @escaping @Sendable (Int) throws -> Result
  ) throws -> [Result] {
    let workers = Workers(count, work)
    let wanted = min(count, threads ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    var started: [pthread_t] = []
    // This thread works too, and alone if the system has no more threads.
    for _ in 1..<max(2, wanted) where wanted > 1 {
      if let thread = workers.start() { started.append(thread) }
    }
    workers.workOn()
    for thread in started { pthread_join(thread, nil) }
    if let problem = workers.problem.withLock({ $0 }) { throw problem }
    return workers.results.withLock { $0.compactMap { $0 } }
  }

  private func start() -> pthread_t? {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(Box { self.workOn() })
    let code = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
        return nil
      }, context.toOpaque())
    guard code == 0 else {
      context.release()
      return nil
    }
    return thread
  }

  private func workOn() {
    while true {
      let number = next.add(1, ordering: .relaxed).oldValue
      guard number < count else { return }
      do {
        let result = try work(number)
        results.withLock { $0[number] = result }
      } catch {
        problem.withLock { if $0 == nil { $0 = error } }
        next.store(count, ordering: .relaxed)
        return
      }
    }
  }
}

/// Passes a closure through C.
private final class Box: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
