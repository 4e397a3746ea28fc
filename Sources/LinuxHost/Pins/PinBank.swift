import MachineAccess
public import TrackerCore
public import Wording

/// The digital lines of this computer. Levels are logical: active or not, whatever the polarity.
public protocol PinBank: AnyObject {
  /// - Returns: whether the line took it.
  func set(_ pin: OutputPin, isActive: Bool) -> Bool
  /// Makes a line active for so long, whatever the caller does meanwhile.
  ///
  /// - Returns: whether the line exists.
  func pulse(_ pin: OutputPin, milliseconds: Int64) -> Bool
  func show(_ light: Light)
  /// Readable when there are changes to take.
  var descriptors: [Int32] { get }
  /// The milliseconds after which to look for changes anyway.
  var wakesIn: Int64? { get }
  /// What does not work, and what to do.
  var problem: Texts? { get }
  /// The changes since the last call, in order; at the first call the levels of those inputs that
  /// have a state.
  func takeChanges() -> [PinChange]
}

/// A change of an input.
public struct PinChange: Sendable, Equatable {
  var pin: InputPin
  var isActive: Bool
  /// For how long it has been so.
  var ageMilliseconds: Int64
}

/// A board's pins in the loop.
final class PinSource: PollSource {
  private let bank: (any PinBank)?
  private let clock: BootClock
  /// What does not work, as last logged.
  private(set) var problem: Texts?

  /// - Parameter problem: why there are none although the board has some.
  init(_ bank: (any PinBank)?, problem: Texts?, _ clock: BootClock) {
    self.bank = bank
    self.clock = clock
    self.problem = problem
  }

  func tend(_ pass: inout Pass) {
    for change in bank?.takeChanges() ?? [] {
      let age = clock.time(ofReal: change.ageMilliseconds)
      pass.news.append(
        .event(.pinChanged(change.pin, isActive: change.isActive, since: age)))
    }
    guard let news = bank?.problem, news != problem else { return }
    problem = news
    pass.log.write(.error, "a pin does not work", ["why": news.english])
  }

  func register(in wait: inout LoopWait, at now: Instant) {
    for descriptor in bank?.descriptors ?? [] { wait.add(descriptor) }
    wait.wake(within: bank?.wakesIn)
  }

  func set(_ pin: OutputPin, isActive: Bool, _ log: Log) {
    if bank?.set(pin, isActive: isActive) != true { missing(pin, log) }
  }

  /// - Parameter length: of the tracker's clock.
  func pulse(_ pin: OutputPin, length: Milliseconds, _ log: Log) {
    if bank?.pulse(pin, milliseconds: clock.sleep(length)) != true { missing(pin, log) }
  }

  func show(_ light: Light) { bank?.show(light) }

  private func missing(_ pin: OutputPin, _ log: Log) {
    log.write(.warning, "pin not wired", ["pin": "\(pin)"])
  }
}

/// Turns an input's edges and levels into changes. It has no clock of its own; times are
/// milliseconds.
struct PinInput {
  let pin: InputPin
  /// As last reported.
  private var isActive: Bool?
  /// A level that has not held for long enough, and since when it has held.
  private var candidate: (isActive: Bool, since: Int64)?
  private var edgesInWindow = 0
  private var windowBegan: Int64 = 0

  init(_ pin: InputPin) { self.pin = pin }

  /// It changes more often than anything that is connected.
  var isFlooding: Bool { edgesInWindow > HostBounds.pinFlood }

  /// When to call `changes` if no edge comes before.
  var settlesAt: Int64? { candidate.map { $0.since + HostBounds.pinSettling.count } }

  /// - Parameters:
  ///   - edges: since the last call, in order.
  ///   - level: what it is now.
  mutating func changes(
    _ edges: [(isActive: Bool, at: Int64)], level: Bool, at now: Int64
  ) -> [(isActive: Bool, since: Int64)] {
    if now - windowBegan >= HostBounds.pinFloodWindow.count {
      (edgesInWindow, windowBegan) = (0, now)
    }
    edgesInWindow += edges.count
    switch pin {
    case .modemStatus, .powerGood:
      if level == isActive && edges.isEmpty { candidate = nil }
      if !edges.isEmpty || candidate == nil && level != isActive { candidate = (level, now) }
      guard let held = candidate,
        now - held.since >= HostBounds.pinSettling.count || isActive == nil
      else { return [] }
      candidate = nil
      return report(level, since: held.since)
    case .button, .emergency:
      // One that is pressed at the start counts from its next press.
      guard isActive != nil else {
        isActive = level
        return []
      }
      var changes = edges.flatMap { report($0.isActive, since: $0.at) }
      // The kernel had no room for the last change.
      changes += report(level, since: now)
      return changes
    }
  }

  private mutating func report(
    _ isActive: Bool, since: Int64
  ) -> [(isActive: Bool, since: Int64)] {
    guard isActive != self.isActive else { return [] }
    self.isActive = isActive
    return [(isActive, since)]
  }
}
