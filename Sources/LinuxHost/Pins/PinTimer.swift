import Glibc
import Synchronization
import SystemCalls
import TrackerCore

/// Carries out a `PinSchedule` on a thread of its own: a pulse keeps its length while the loop
/// waits for an SD card. All outputs are inactive after its end.
final class PinTimer: Sendable {
  private struct Orders {
    var schedule = PinSchedule()
    var isEnding = false
  }

  private let orders = Mutex(Orders())
  private let wake: DescriptorPipe
  private let set: @Sendable (PinSchedule.Output, Bool) -> Void
  private let outputs: [PinSchedule.Output]
  private let thread = Mutex<pthread_t?>(nil)

  /// - Parameter set: called on that thread only.
  /// - Throws: if the system has no descriptors or threads left.
  init(
    _ outputs: [PinSchedule.Output], set: @escaping @Sendable (PinSchedule.Output, Bool) -> Void
  ) throws(SystemError) {
    self.outputs = outputs
    self.set = set
    wake = try DescriptorPipe()
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    // Its frames are small; the default of 8 MB would count as mapped memory.
    pthread_attr_setstacksize(&attributes, 256 * 1024)
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self)
    let code = pthread_create(
      &thread, &attributes,
      { context in
        guard let context else { return nil }
        Unmanaged<PinTimer>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, context.toOpaque())
    guard code == 0 else {
      context.release()
      throw SystemError(code: code)
    }
    self.thread.withLock { $0 = thread }
  }

  func pulse(_ pin: OutputPin, length: Int64) {
    orders.withLock { $0.schedule.pulse(pin, length: length) }
    hurry()
  }

  func show(_ light: Light) {
    orders.withLock { $0.schedule.show(light, at: Self.now) }
    hurry()
  }

  /// Makes all outputs inactive, at once, and waits until that is done.
  func end() {
    orders.withLock { $0.isEnding = true }
    hurry()
    let thread = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    if let thread { pthread_join(thread, nil) }
  }

  /// Milliseconds of the clock that the kernel stamps edges with.
  static var now: Int64 { milliseconds(of: CLOCK_MONOTONIC) }

  private func hurry() {
    var byte: UInt8 = 1
    // If the pipe is full the thread wakes up anyway.
    _ = write(wake.writeEnd.number, &byte, 1)
  }

  private func run() {
    // Before other threads where the service may have that; it hardly ever runs.
    var parameters = sched_param(sched_priority: 1)
    pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters)
    while true {
      let (changes, next, isEnding) = orders.withLock { orders in
        (orders.schedule.changes(at: Self.now), orders.schedule.next, orders.isEnding)
      }
      if isEnding { break }
      for change in changes { set(change.output, change.isActive) }
      sleep(until: next)
    }
    for output in outputs { set(output, false) }
  }

  private func sleep(until next: Int64?) {
    let limit = next.map { min(max(0, $0 - Self.now), 60_000) } ?? -1
    var entry = pollfd(fd: wake.readEnd.number, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, Int32(limit)) > 0 else { return }
    var bytes: (UInt64, UInt64) = (0, 0)
    _ = read(wake.readEnd.number, &bytes, 16)
  }
}
