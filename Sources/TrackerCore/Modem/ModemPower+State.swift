// The power states of a modem, and the outcomes of changes.
extension ModemPower {
  enum State: Sendable, Equatable {
    /// Switched off, or resting with its radio off.
    case off(restAt: Instant, then: Sequel)
    /// Not needed and possibly on: told to switch itself or its radio off until that is confirmed.
    case lingering(Lingering, then: Sequel)
    /// Being asked whether it is already on.
    case probing(until: Instant, for: Purpose)
    /// PWRKEY is held to switch it on; `nil`: no longer needed, and stopped when the key is
    /// released.
    case pressingOn(until: Instant, for: Purpose?)
    /// Asked with AT until it answers.
    case starting(askAt: Instant, giveUpAt: Instant, for: Purpose)
    /// `nil`: only for the receiver inside it.
    case on(NetworkJoining?)
    /// PWRKEY is held to switch a mute modem off, unless STATUS says that it is off.
    case pressingOff(until: Instant, then: Sequel)
    /// Switching off.
    case stopping(until: Instant, after: OffAnswer, then: Sequel)
    /// Mute after all power cycles.
    case faulted(until: Instant)
  }

  /// Why it is switched on.
  enum Purpose: Sendable, Equatable {
    case contact
    case receiver
  }

  /// What follows when it is off.
  enum Sequel: Sendable, Equatable {
    case rest
    /// It is switched on again (power cycle).
    case restart(Purpose)
  }

  /// What it has answered to the command to switch itself off.
  enum OffAnswer: Sendable, Equatable {
    case none
    /// An OK that may belong to another command, or none was needed: its key was held, or its port
    /// or its power is gone.
    case assumed
    case confirmed
  }

  /// How often it was told to switch off, and when it is told next.
  struct Lingering: Sendable, Equatable {
    var askAt: Instant
    var tries: Int32 = 0
    /// How often it has refused to switch its radio off.
    var refusals: UInt8 = 0
    /// Its key was held to switch it off, so silence is expected.
    var isKeyTried = false
  }

  /// What has to be done after a change of state.
  enum Outcome: Sendable, Equatable {
    case nothing
    /// Ask whether it is on.
    case probe
    /// Restart it by a command.
    case reset
    /// Forget what it was told and asked: it may have lost power.
    case forget
    /// Tell it to switch off.
    case tellOff
    /// Stop it: it is not needed, and its key is released.
    case stop
    /// It failed to serve its purpose and is left alone for `Bounds.faultPause`.
    case fault(Purpose)
  }
}
