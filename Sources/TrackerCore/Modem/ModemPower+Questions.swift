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
    case .lingering(_, .rest): floor.end
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
}
