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

extension ModemFamily {
  /// A command, or its beginning. Each asks for the words anew: then only those that differ between
  /// families are code in a firmware.
  fileprivate func text(of command: ModemCommand) -> StaticString {
    switch command {
    case .attention: words.attention
    case .reportErrors: words.reportErrors
    case .simStatus: words.simStatus
    case .enterPIN: words.enterPIN
    case .pinTries: words.pinTries
    case .subscriber: words.subscriber
    case .equipment: words.equipment
    case .definePDP: words.definePDP
    case .registration: words.registration
    case .circuitRegistration: words.circuitRegistration
    case .packetRegistration: words.packetRegistration
    case .epsRegistration: words.epsRegistration
    case .signal: words.signal
    case .supply: words.supply
    case .networkOperator: words.networkOperator
    case .radioOn: words.radioOn
    case .radioOff: words.radioOff
    case .reset: words.reset
    case .powerOff: words.powerOff
    case .receiverOn: words.receiverOn
    case .receiverOff: words.receiverOff
    case .wordAnswers: words.wordAnswers
    case .storeTexts: words.storeTexts
    case .minimumFunction: words.minimumFunction
    }
  }
}

/// Writes commands in the syntax of a modem family, with the values from the configuration.
public struct ModemCommandFormatter: Sendable {
  /// A whole line, ended by CR.
  public typealias Line = InlineText<160>

  public let family: ModemFamily
  let accessPoint: AccessPointName?

  public init(family: ModemFamily, accessPoint: AccessPointName?) {
    self.family = family
    self.accessPoint = accessPoint
  }

  /// The line to send.
  ///
  /// - Returns: `nil` when there is nothing to send: the family has no such command, no access
  ///   point is configured, or the command is `enterPIN`, which needs `pinLine`.
  @inline(never) public func line(of command: ModemCommand) -> Line? {
    switch command {
    case .enterPIN: return nil
    case .definePDP:
      return accessPoint.flatMap { Self.line(family.words.definePDP, quoting: $0.text) }
    case .attention, .reportErrors, .simStatus, .subscriber, .equipment, .registration, .signal,
      .supply, .radioOn, .radioOff, .reset, .powerOff, .receiverOn, .receiverOff, .pinTries,
      .circuitRegistration, .packetRegistration, .epsRegistration, .networkOperator, .wordAnswers,
      .storeTexts, .minimumFunction:
      return Self.line(family.text(of: command))
    }
  }

  /// The line that enters a PIN. It must not be logged or recorded.
  ///
  /// - Parameter digits: ASCII, four to eight (ETSI TS 102 221, §9.5.1).
  /// - Returns: `nil` when they are not a PIN.
  public func pinLine(_ digits: Span<UInt8>) -> Line? {
    guard digits.count >= 4 && digits.count <= 8 else { return nil }
    var text = InlineText<8>()
    for index in 0..<digits.count {
      guard digits[index].isDigit else { return nil }
      text.append(digits[index])
    }
    return Self.line(family.words.enterPIN, quoting: text)
  }

  @inline(never) private static func line(_ words: StaticString) -> Line? {
    guard words.utf8CodeUnitCount > 0 else { return nil }
    var line = Line(words)
    line.append(0x0D)
    return line
  }

  private static func line<let capacity: Int>(
    _ words: StaticString, quoting text: InlineText<capacity>
  ) -> Line? {
    var line = Line(words)
    for index in 0..<text.count { line.append(text[index]) }
    line.append(0x22)
    line.append(0x0D)
    return line
  }
}

/// The name of an access point, as an organiser configures it: `internet.movistar.es`.
public struct AccessPointName: Sendable, Equatable {
  public let text: InlineText<100>

  /// - Parameter bytes: 1 to 100 letters, digits, `.`, `-` and `_`: as in 3GPP TS 23.003 §9.1, so
  ///   nothing that could close the quotation marks around it.
  public init?(_ bytes: Span<UInt8>) {
    guard bytes.count > 0 && bytes.count <= 100 else { return nil }
    for index in 0..<bytes.count {
      let byte = bytes[index]
      let isMark = byte == 0x2D || byte == 0x2E || byte == 0x5F
      guard byte.isDigit || byte.isLetter || isMark else { return nil }
    }
    text = InlineText(bytes)
  }
}

/// A telephone number: `+34600000000`.
public struct PhoneNumber: Sendable, Equatable {
  public let text: InlineText<16>

  /// - Parameter bytes: 3 to 15 digits (ITU-T E.164), with or without a `+` before them.
  public init?(_ bytes: Span<UInt8>) {
    let start = bytes.count > 0 && bytes[0] == 0x2B ? 1 : 0
    guard bytes.count - start >= 3 && bytes.count - start <= 15 else { return nil }
    for index in start..<bytes.count where !bytes[index].isDigit { return nil }
    text = InlineText(bytes)
  }
}

extension UInt8 {
  var isDigit: Bool { self >= 0x30 && self <= 0x39 }
  var isLetter: Bool { (self | 0x20) >= 0x61 && (self | 0x20) <= 0x7A }
}
