/// The states of a modem without their values: those of `ModemPower`, with `on` replaced by those
/// of `NetworkJoining`, or `serving` (the receiver inside it).
enum ModemStep: UInt8, Sendable {
  case off
  case lingering
  case probing
  case pressingOn
  case starting
  case serving
  case checkingSIM
  case searching
  case registered
  case attached
  case inUse
  case texting
  case cyclingRadio
  case pressingOff
  case stopping
  case faulted

  init(_ power: ModemPower.State) {
    switch power {
    case .off: self = .off
    case .lingering: self = .lingering
    case .probing: self = .probing
    case .pressingOn: self = .pressingOn
    case .starting: self = .starting
    case .on(nil): self = .serving
    case .on(let network?): self.init(network.state)
    case .pressingOff: self = .pressingOff
    case .stopping: self = .stopping
    case .faulted: self = .faulted
    }
  }

  private init(_ network: NetworkJoining.State) {
    switch network {
    case .checkingSIM: self = .checkingSIM
    case .searching: self = .searching
    case .registered: self = .registered
    case .attached: self = .attached
    case .inUse: self = .inUse
    case .texting: self = .texting
    case .cyclingRadio: self = .cyclingRadio
    }
  }
}

// The table of transitions. A test compares it with the transitions taken, both ways.
extension ModemStep {
  /// Which state (across) can follow which (down).
  ///
  /// `lingering` and `stopping` lead to `off`: `lingering` where a modem rests with its radio off
  /// or may still be on. A modem that restarts by itself, or whose port was gone, goes back to
  /// `starting`; if that repeats, to `faulted`.
  static let table = TransitionTable(
    """
                 off lin prb kOn sta srv SIM sea reg att use txt cyc kOf stp flt
    off            .   x   x   .   x   .   .   .   .   .   .   .   .   .   .   .
    lingering      x   .   x   .   x   .   .   .   .   .   .   .   .   x   x   .
    probing        .   x   .   x   x   x   x   .   .   .   .   .   .   .   x   x
    pressingOn     .   x   .   .   x   .   .   .   .   .   .   .   .   .   x   .
    starting       .   x   .   .   .   x   x   .   .   .   .   .   .   x   x   x
    serving        x   x   .   .   x   .   .   .   .   .   .   .   .   x   x   x
    checkingSIM    .   x   .   .   x   .   .   x   .   .   .   x   .   x   x   x
    searching      .   x   .   .   x   .   x   .   x   .   .   x   .   x   x   x
    registered     .   x   .   .   x   .   x   .   .   x   .   x   x   x   x   .
    attached       .   x   .   .   x   .   x   x   .   .   x   x   .   .   x   .
    inUse          .   x   .   .   x   .   x   x   .   x   .   .   .   .   x   .
    texting        .   x   .   .   x   .   x   x   .   x   .   .   .   .   x   x
    cyclingRadio   .   x   .   .   x   .   x   x   .   .   .   .   .   x   x   .
    pressingOff    .   x   .   .   .   .   .   .   .   .   .   .   .   .   x   .
    stopping       x   x   .   .   .   .   .   .   .   .   .   .   .   x   .   .
    faulted        x   x   .   .   .   .   .   .   .   .   .   .   .   .   .   .
    """, states: 16)
}
