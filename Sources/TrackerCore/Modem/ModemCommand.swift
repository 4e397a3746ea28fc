/// What a tracker sends to a modem. `ModemCommandFormatter` writes it in the family's syntax.
public enum ModemCommand: UInt8, Sendable, Equatable {
  /// Whether the modem answers.
  case attention
  case reportErrors
  case simStatus
  /// The host adds the digits from its secrets; neither they nor the line may be logged or
  /// recorded.
  ///
  /// It comes right after `Effect.rememberPIN(isTried: true)`. If the host could not save that, it
  /// must not send anything.
  case enterPIN
  case subscriber
  case equipment
  case definePDP
  /// All domains in one line.
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
  /// The number of PIN tries left.
  case pinTries
  // One domain each, for a modem that refuses the line with all of them.
  case circuitRegistration
  case packetRegistration
  case epsRegistration
  /// The name of the network's operator.
  case networkOperator
  /// Answers in words: numbers, or none, may be stored in it. Also whether it answers.
  case wordAnswers
  /// Short messages are stored, not delivered.
  case storeTexts
  /// The radio and the SIM, for a modem that refuses `radioOff`.
  case minimumFunction
}

extension ModemCommand {
  /// The form of a command's answer.
  enum Answer: Sendable, Equatable {
    /// OK or an error only.
    case plain
    /// A line that only this command gets, then OK.
    case named
    /// A line of digits, then OK.
    case digits
  }

  var answer: Answer {
    switch self {
    case .attention, .reportErrors, .enterPIN, .definePDP, .radioOn, .radioOff, .reset, .powerOff,
      .receiverOn, .receiverOff, .wordAnswers, .storeTexts, .minimumFunction:
      .plain
    case .simStatus, .registration, .circuitRegistration, .packetRegistration, .epsRegistration,
      .signal, .supply, .pinTries, .networkOperator:
      .named
    case .subscriber, .equipment: .digits
    }
  }

  /// Whether it only asks whether the modem answers.
  var isAttention: Bool { self == .attention || self == .wordAnswers }

  /// Whether it asks for the registration.
  var asksForRegistration: Bool {
    switch self {
    case .registration, .circuitRegistration, .packetRegistration, .epsRegistration: true
    case .attention, .reportErrors, .simStatus, .enterPIN, .subscriber, .equipment, .definePDP,
      .signal, .supply, .radioOn, .radioOff, .reset, .powerOff, .receiverOn, .receiverOff,
      .pinTries, .networkOperator, .wordAnswers, .storeTexts, .minimumFunction:
      false
    }
  }

  /// How long an answer may take, unless the modem is slow.
  var limit: Milliseconds {
    switch self {
    case .attention, .wordAnswers: Bounds.attentionInterval
    case .radioOn, .radioOff, .minimumFunction: Bounds.radioLimit
    case .reportErrors, .simStatus, .enterPIN, .subscriber, .equipment, .definePDP, .registration,
      .circuitRegistration, .packetRegistration, .epsRegistration, .signal, .supply, .reset,
      .powerOff, .receiverOn, .receiverOff, .pinTries, .networkOperator, .storeTexts:
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
