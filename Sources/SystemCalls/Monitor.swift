internal import Glibc

/// State that threads share, and whose changes they can wait for. The corresponding C functions are
/// `pthread_cond_wait` and `pthread_cond_broadcast`.
///
/// `@unchecked`, because the compiler does not know that the mutex guards the state.
public final class Monitor<State: Sendable>: @unchecked Sendable {
  public enum Step<Result> {
    case done(Result)
    /// Asked again after the next change, or at this time of `KernelTimer.monotonic`.
    case wait(until: Int64?)
  }

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var state: State

  public init(_ state: State) {
    self.state = state
    mutex.initialize(to: pthread_mutex_t())
    changed.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Whom a change concerns.
  public enum Waiters: Sendable {
    case all
    /// Any of them, since they all wait for the same.
    case one
    case none
  }

  /// Changes the state, and wakes who waits.
  public func change<Result>(
    waking waiters: Waiters = .all, _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_mutex_unlock(mutex)
      switch waiters {
      case .all: pthread_cond_broadcast(changed)
      case .one: pthread_cond_signal(changed)
      case .none: break
      }
    }
    return try body(&state)
  }

  /// Waits until `body` is done.
  public func wait<Result>(_ body: (inout State) -> Step<Result>) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      switch body(&state) {
      case .done(let result): return result
      case .wait(nil): pthread_cond_wait(changed, mutex)
      case .wait(let end?):
        var time = timespec(
          tv_sec: time_t(end / 1000), tv_nsec: Int(end % 1000) * 1_000_000)
        pthread_cond_timedwait(changed, mutex, &time)
      }
    }
  }
}
