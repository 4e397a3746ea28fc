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

// What follows from the state of a modem's power.
extension ModemPower {
  var isRestarting: Bool {
    switch state {
    case .off(_, .restart), .lingering(_, .restart), .pressingOff(_, .restart),
      .stopping(_, _, .restart):
      true
    case .off, .lingering, .probing, .pressingOn, .starting, .on, .pressingOff, .stopping,
      .faulted:
      false
    }
  }

  /// When `connect` could take effect; `nil` while it is not off.
  var connectableAt: Instant? {
    switch state {
    case .off(let restAt, .rest): max(restAt, floor.end)
    case .lingering(_, .rest): max(floor.end, sparedUntil)
    case .off, .lingering, .probing, .pressingOn, .starting, .on, .pressingOff, .stopping,
      .faulted:
      nil
    }
  }

  /// The next instant at which it has to act. `isIdle`: no command is in flight.
  func deadline(isIdle: Bool, slack: Milliseconds) -> Instant? {
    switch state {
    case .off(let restAt, .restart): restAt
    case .off(_, .rest): nil
    case .lingering(let lingering, let sequel):
      switch (sequel, isIdle) {
      case (.rest, true): lingering.askAt
      case (.rest, false): nil
      case (.restart, true): min(floor.end, lingering.askAt)
      case (.restart, false): floor.end
      }
    case .probing(let until, _), .pressingOn(let until, _), .pressingOff(let until, _),
      .stopping(let until, _, _), .faulted(let until):
      until
    case .starting(let askAt, let giveUpAt, _): isIdle ? min(askAt, giveUpAt) : giveUpAt
    case .on(let network): network?.deadline(isIdle: isIdle, slack: slack)
    }
  }

  /// What it is on, or starting, for.
  var purpose: Purpose {
    switch state {
    case .probing(_, .contact), .pressingOn(_, .contact), .starting(_, _, .contact), .on(.some):
      .contact
    case .off, .lingering, .probing, .pressingOn, .starting, .on, .pressingOff, .stopping,
      .faulted:
      .receiver
    }
  }

  /// What follows when it is off, in the current state.
  var sequel: Sequel {
    switch state {
    case .off(_, let sequel), .lingering(_, let sequel), .pressingOff(_, let sequel),
      .stopping(_, _, let sequel):
      sequel
    case .probing, .pressingOn, .starting, .on, .faulted: .rest
    }
  }

  /// Whether its radio may be on.
  var isRadioWanted: Bool {
    switch state {
    case .probing(_, .contact), .pressingOn(_, .contact), .starting(_, _, .contact), .on(.some):
      true
    // While switching off it detaches from the network.
    case .pressingOff, .stopping: true
    case .off, .lingering, .probing, .pressingOn, .starting, .on, .faulted: false
    }
  }
}
