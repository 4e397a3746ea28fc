public import FieldConsole
import TrackerCore
public import Uplink

/// What a console on a terminal may do, and the PIN that unlocks its orders: after three wrong ones
/// it takes none for a minute.
public struct ConsoleLock: Sendable {
  var access: TrackerFacts.ConsoleAccess
  private let pin: Secret?
  private var wrong = 0
  private var closedUntil = Instant.start

  enum Verdict: Sendable, Equatable {
    case open
    case wrong
    /// Nothing was compared.
    case wait(Milliseconds)
  }

  public init(_ access: TrackerFacts.ConsoleAccess = .full, pin: Secret? = nil) {
    self.access = access
    self.pin = pin
  }

  mutating func verdict(on typed: [UInt8], at now: Instant) -> Verdict {
    if closedUntil > now { return .wait(closedUntil - now) }
    guard let pin, Self.isSame(typed, pin.revealed) else {
      wrong += 1
      if wrong >= HostBounds.consoleTries {
        wrong = 0
        closedUntil = now + HostBounds.consolePause
      }
      return .wrong
    }
    wrong = 0
    return .open
  }

  /// Takes as long for a PIN that is nearly right as for any other of its length.
  private static func isSame(_ typed: [UInt8], _ pin: [UInt8]) -> Bool {
    var difference = typed.count ^ pin.count
    for index in typed.indices {
      difference |= Int(typed[index] ^ (index < pin.count ? pin[index] : 0))
    }
    return difference == 0
  }
}
