/// Writes commands in the syntax of a modem family, with the values from the configuration.
public struct ModemCommandFormatter: Sendable {
  /// A whole line, ended by CR.
  public typealias Line = InlineText<160>

  public let family: ModemFamily
  public let accessPoint: AccessPointName?

  public init(family: ModemFamily, accessPoint: AccessPointName?) {
    self.family = family
    self.accessPoint = accessPoint
  }

  /// The line to send.
  ///
  /// - Returns: `nil` when there is nothing to send: the family has no such command, no access
  ///   point is configured, or the command is `enterPIN`, which needs `pinLine`.
  public func line(of command: ModemCommand) -> Line? {
    let words = family.words
    switch command {
    case .attention: return Self.line(words.attention)
    case .reportErrors: return Self.line(words.reportErrors)
    case .simStatus: return Self.line(words.simStatus)
    case .enterPIN: return nil
    case .pinTries: return Self.line(words.pinTries)
    case .subscriber: return Self.line(words.subscriber)
    case .equipment: return Self.line(words.equipment)
    case .definePDP: return accessPoint.flatMap { Self.line(words.definePDP, quoting: $0.text) }
    case .registration: return Self.line(words.registration)
    case .circuitRegistration: return Self.line(words.circuitRegistration)
    case .packetRegistration: return Self.line(words.packetRegistration)
    case .epsRegistration: return Self.line(words.epsRegistration)
    case .signal: return Self.line(words.signal)
    case .supply: return Self.line(words.supply)
    case .networkOperator: return Self.line(words.networkOperator)
    case .radioOn: return Self.line(words.radioOn)
    case .radioOff: return Self.line(words.radioOff)
    case .reset: return Self.line(words.reset)
    case .powerOff: return Self.line(words.powerOff)
    case .receiverOn: return Self.line(words.receiverOn)
    case .receiverOff: return Self.line(words.receiverOff)
    case .wordAnswers: return Self.line(words.wordAnswers)
    case .storeTexts: return Self.line(words.storeTexts)
    case .minimumFunction: return Self.line(words.minimumFunction)
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

  private static func line(_ words: StaticString) -> Line? {
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
