import Glibc

/// A thread that runs a closure, and that `deinit` waits for.
struct Watch: ~Copyable {
  private final class Task {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private var thread = pthread_t()

  /// - Parameter body: ends by itself.
  init(_ body: @escaping @Sendable () -> Void) {
    let task = Unmanaged.passRetained(Task(body))
    let code = pthread_create(
      &thread, nil,
      { task in
        if let task { Unmanaged<Task>.fromOpaque(task).takeRetainedValue().body() }
        return nil
      }, task.toOpaque())
    precondition(code == 0, "a program that just opened a socket can start a thread")
  }

  deinit { pthread_join(thread, nil) }
}
