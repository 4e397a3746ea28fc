/// What a tracker says to a modem. The words are the family's: `ModemCommandFormatter`.
public enum ModemCommand: UInt8, Sendable, Equatable {
  /// Is anybody there?
  case attention
  case reportErrors
  case simStatus
  /// The host adds the digits from its secrets; neither they nor the line may be written anywhere.
  ///
  /// It comes right after `Effect.rememberPIN(isTried: true)`. A host that could not remember that
  /// must send nothing.
  case enterPIN
  case subscriber
  case equipment
  case definePDP
  case registration
  case signal
  case supply
  case radioOn
  case radioOff
  case reset
  case powerOff
  /// The receiver inside the modem.
  case receiverOn
  case receiverOff
  /// How many times the PIN may be entered yet.
  case pinTries
}

extension ModemCommand {
  /// How a command is answered.
  enum Answer: Sendable, Equatable {
    /// With OK or an error alone.
    case plain
    /// With a line of its own that no other command gets, and then OK.
    case named
    /// With a line of digits, and then OK.
    case digits
  }

  var answer: Answer {
    switch self {
    case .attention, .reportErrors, .enterPIN, .definePDP, .radioOn, .radioOff, .reset, .powerOff,
      .receiverOn, .receiverOff:
      .plain
    case .simStatus, .registration, .signal, .supply, .pinTries: .named
    case .subscriber, .equipment: .digits
    }
  }

  /// How long an answer may take.
  var limit: Milliseconds {
    switch self {
    case .attention: Bounds.attentionInterval
    case .radioOn, .radioOff: Bounds.radioLimit
    case .reportErrors, .simStatus, .enterPIN, .subscriber, .equipment, .definePDP, .registration,
      .signal, .supply, .reset, .powerOff, .receiverOn, .receiverOff, .pinTries:
      Bounds.answerLimit
    }
  }
}

/// A set of commands.
struct CommandSet: Sendable, Equatable {
  private var bits: UInt32 = 0

  var isEmpty: Bool { bits == 0 }
  func contains(_ command: ModemCommand) -> Bool { bits & 1 << UInt32(command.rawValue) != 0 }
  mutating func insert(_ command: ModemCommand) { bits |= 1 << UInt32(command.rawValue) }
  mutating func remove(_ command: ModemCommand) { bits &= ~(1 << UInt32(command.rawValue)) }
}
