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
