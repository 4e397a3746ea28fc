import Synchronization
import SystemCalls
import TrackerCore

/// When which outputs change. It has no clock of its own.
struct PinSchedule {
  /// Something that is switched.
  enum Output: Hashable, Sendable {
    case pin(OutputPin)
    case light
  }

  struct Change: Equatable {
    var output: Output
    var isActive: Bool
  }

  /// Pulses that have not begun, and when those that have end.
  private var ordered: [(pin: OutputPin, milliseconds: Int64)] = []
  private var running: [(pin: OutputPin, end: Int64)] = []
  private var blinker = Blinker()

  mutating func pulse(_ pin: OutputPin, milliseconds: Int64) {
    ordered.removeAll { $0.pin == pin }
    ordered.append((pin, milliseconds))
  }

  mutating func show(_ light: Light, at now: Int64) {
    blinker.show(light, at: Instant(milliseconds: now))
  }

  /// When `changes` has to be called again.
  var next: Int64? {
    if !ordered.isEmpty { return 0 }
    return (running.map(\.end) + [blinker.dueAt?.milliseconds].compactMap { $0 }).min()
  }

  /// The changes that are due. A pulse that is ordered again starts over.
  mutating func changes(at now: Int64) -> [Change] {
    var changes: [Change] = []
    for (pin, end) in running where now >= end {
      changes.append(Change(output: .pin(pin), isActive: false))
    }
    running.removeAll { now >= $0.end }
    for (pin, milliseconds) in ordered {
      running.removeAll { $0.pin == pin }
      running.append((pin, now + milliseconds))
      changes.append(Change(output: .pin(pin), isActive: true))
    }
    ordered = []
    if let isLit = blinker.change(at: Instant(milliseconds: now)) {
      changes.append(Change(output: .light, isActive: isLit))
    }
    return changes
  }
}

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
  private let thread = Mutex<SmallThread?>(nil)

  /// - Parameter set: called on that thread only.
  /// - Throws: if the system has no descriptors or threads left.
  init(
    _ outputs: [PinSchedule.Output], set: @escaping @Sendable (PinSchedule.Output, Bool) -> Void
  ) throws(SystemError) {
    self.outputs = outputs
    self.set = set
    wake = try DescriptorPipe()
    let thread = try SmallThread(isDetached: false) { [self] in run() }
    self.thread.withLock { $0 = thread }
  }

  func pulse(_ pin: OutputPin, milliseconds: Int64) {
    orders.withLock { $0.schedule.pulse(pin, milliseconds: milliseconds) }
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
    thread?.join()
  }

  /// Milliseconds of the clock that the kernel stamps edges with.
  static var now: Int64 { KernelTimer.monotonic.milliseconds }

  private func hurry() { wake.signal() }

  private func run() {
    // It hardly ever runs.
    SmallThread.hurry()
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
    let limit = next.map { min(max(0, $0 - Self.now), 60_000) }
    guard !poll(wake.readEnd.number, atMost: limit).isEmpty else { return }
    _ = try? wake.readEnd.firstBytes(atMost: 16)
  }
}
