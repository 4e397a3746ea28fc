// What a modem's power can be, and what comes of a change.
extension ModemPower {
  enum State: Sendable, Equatable {
    /// Switched off, or resting with its radio off.
    case off(restAt: Instant, then: Sequel)
    /// Not wanted and perhaps on: told to switch itself or its radio off until that is confirmed.
    case lingering(Lingering, then: Sequel)
    /// Asked whether it is on already.
    case probing(until: Instant, for: Purpose)
    /// PWRKEY held to switch on; `nil`: not wanted any more, and stopped when the key is let go.
    case pressingOn(until: Instant, for: Purpose?)
    /// Asked until it answers.
    case starting(askAt: Instant, giveUpAt: Instant, for: Purpose)
    /// `nil`: for the receiver inside it alone.
    case on(NetworkJoining?)
    /// PWRKEY held to switch a mute module off.
    case pressingOff(until: Instant, then: Sequel)
    /// On its way off. `isUnanswered`: it was told to switch itself off, and has not answered.
    case stopping(until: Instant, isUnanswered: Bool, then: Sequel)
    /// Mute after all power cycles.
    case faulted(until: Instant)
  }

  /// What it is switched on for.
  enum Purpose: Sendable, Equatable {
    case contact
    case receiver
  }

  /// What comes after off.
  enum Sequel: Sendable, Equatable {
    case rest
    /// It is power-cycled.
    case restart(Purpose)
  }

  /// How often it was told to switch off, and when it is told next.
  struct Lingering: Sendable, Equatable {
    var askAt: Instant
    var tries: Int32 = 0
    /// Its key was held to switch it off: silence is what that should bring.
    var isKeyTried = false
  }

  /// What a change of its state asks of the modem.
  enum Outcome: Sendable, Equatable {
    case nothing
    /// Ask whether it is on.
    case probe
    /// Start it anew by a command.
    case reset
    /// It may have lost its power, and all that it was told and asked.
    case forget
    /// Tell it to switch off.
    case tellOff
    /// Nobody wants it, and its key is let go: stop it.
    case stop
    /// It is left alone for `Bounds.faultPause`; what it was switched on for does not come about.
    case fault(Purpose)
  }
}
