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

  /// How long each part of a code takes, milliseconds: blinks that can be counted by eye, and a
  /// pause that separates two codes.
  enum Blink {
    static let on: Int64 = 200
    static let off: Int64 = 300
    static let pause: Int64 = 2500
    /// The one long blink while no session is running, and those of an emergency.
    static let long: Int64 = 1500
    /// Those of an emergency that a server has: slow, so that nobody takes them for "two blinks".
    static let slow: Int64 = 900
    /// While a button that will call for help is being held.
    static let flicker: Int64 = 80
  }

  /// Pulses that have not begun, and when those that have end.
  private var ordered: [(pin: OutputPin, milliseconds: Int64)] = []
  private var running: [(pin: OutputPin, end: Int64)] = []
  private var light: Light?
  private var isLit = false
  /// Of the code in progress, how many of its blinks are over.
  private var blinksDone = 0
  private var lightDueAt: Int64?

  mutating func pulse(_ pin: OutputPin, milliseconds: Int64) {
    ordered.removeAll { $0.pin == pin }
    ordered.append((pin, milliseconds))
  }

  mutating func show(_ light: Light, at now: Int64) {
    guard light != self.light else { return }
    self.light = light
    // The code in progress would be miscounted if it were continued as another one.
    blinksDone = 0
    if lightDueAt == nil || light.isUrgent { lightDueAt = now }
  }

  /// When `changes` has to be called again.
  var next: Int64? {
    if !ordered.isEmpty { return 0 }
    return (running.map(\.end) + [lightDueAt].compactMap { $0 }).min()
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
    if let change = blink(at: now) { changes.append(change) }
    return changes
  }

  private mutating func blink(at now: Int64) -> Change? {
    guard let light, let due = lightDueAt, now >= due else { return nil }
    let blinks = light.blinks
    guard !blinks.isEmpty else {
      lightDueAt = nil
      guard !isLit else { return nil }
      isLit = true
      return Change(output: .light, isActive: true)
    }
    if isLit {
      isLit = false
      // Before another code there is a pause, too.
      let isWithin = blinksDone > 0 && blinksDone < blinks.count
      lightDueAt = now + (isWithin ? light.gap : light.pause)
    } else {
      if blinksDone >= blinks.count { blinksDone = 0 }
      lightDueAt = now + blinks[blinksDone]
      blinksDone += 1
      isLit = true
    }
    return Change(output: .light, isActive: isLit)
  }
}

extension Light {
  /// How long each of its blinks is, milliseconds; none: it is lit all the time.
  var blinks: [Int64] {
    typealias Blink = PinSchedule.Blink
    switch self {
    case .working: return [Blink.on]
    case .waiting: return [Int64](repeating: Blink.on, count: 2)
    case .noPosition: return [Int64](repeating: Blink.on, count: 3)
    case .modemTrouble: return [Int64](repeating: Blink.on, count: 4)
    case .serverTrouble: return [Int64](repeating: Blink.on, count: 5)
    case .storeTrouble: return [Int64](repeating: Blink.on, count: 6)
    case .stopped: return [Blink.long]
    case .emergencyAhead: return [Blink.flicker]
    case .emergencyRaised:
      return [Int64](repeating: Blink.on, count: 3) + [Int64](repeating: Blink.long, count: 3)
    case .emergencyDelivered: return [Int64](repeating: Blink.slow, count: 2)
    case .emergencyRead: return []
    case .callAsked: return [Blink.long, Blink.on, Blink.long, Blink.on]
    }
  }

  /// Between two of its blinks.
  fileprivate var gap: Int64 {
    self == .emergencyDelivered ? PinSchedule.Blink.slow : PinSchedule.Blink.off
  }

  fileprivate var pause: Int64 {
    self == .emergencyAhead ? PinSchedule.Blink.flicker : PinSchedule.Blink.pause
  }

  /// Whether it does not wait for the pause of the code before.
  fileprivate var isUrgent: Bool {
    switch self {
    case .emergencyAhead, .emergencyRaised, .emergencyDelivered, .emergencyRead: true
    case .working, .waiting, .noPosition, .modemTrouble, .serverTrouble, .storeTrouble, .stopped,
      .callAsked:
      false
    }
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
