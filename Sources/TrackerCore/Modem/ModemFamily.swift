/// A family of modems that say and understand the same words.
public enum ModemFamily: UInt8, Sendable, Equatable {
  /// Only what 3GPP TS 27.007 and 27.005 ask of every modem.
  case generic
  case sim5320
  /// SIM7500 and SIM7600.
  case sim7600
  /// A7670 and the other A76XX.
  case a7670

  /// The row of the family in the table.
  public var words: ModemStrings {
    switch self {
    case .generic: .generic
    case .sim5320: .sim5320
    case .sim7600: .sim7600
    case .a7670: .a7670
    }
  }
}

/// What a family of modems says and understands. A new family is one more value.
///
/// Commands stand without the CR that ends them. What a modem says by itself stands as alternatives
/// with `|` between them; a line is one of them when it begins with it.
public struct ModemStrings: Sendable {
  /// The name that a board file gives.
  public var name: StaticString

  // What it says by itself

  /// The first words after power-on: heard later, they tell of a restart.
  public var begins: StaticString
  /// It has booted: the commands are understood from here on.
  public var ready: StaticString
  /// The SIM has gone, or cannot be used any more.
  public var simGone: StaticString

  // Commands

  /// Is anybody there? Echo off in the same breath: answers are easier to tell apart.
  public var attention: StaticString = "ATE0"
  /// Errors as numbers.
  public var reportErrors: StaticString = "AT+CMEE=1"
  public var simStatus: StaticString = "AT+CPIN?"
  /// The PIN follows, and a quotation mark.
  public var enterPIN: StaticString = "AT+CPIN=\""
  /// How many times the PIN may be entered yet: 3GPP TS 27.007 §8.65, from release 10 on.
  public var pinTries: StaticString = "AT+CPINR"
  /// IMSI.
  public var subscriber: StaticString = "AT+CIMI"
  /// IMEI.
  public var equipment: StaticString = "AT+CGSN"
  /// The access point follows, and a quotation mark.
  public var definePDP: StaticString = "AT+CGDCONT=1,\"IP\",\""
  /// All the domains that the family has, in one line.
  public var registration: StaticString
  public var signal: StaticString = "AT+CSQ"
  /// The modem's own supply voltage.
  public var supply: StaticString = "AT+CBC"
  public var radioOn: StaticString = "AT+CFUN=1"
  /// The radio alone: the SIM stays unlocked and the receiver goes on.
  public var radioOff: StaticString = "AT+CFUN=4"
  /// Starts it anew.
  public var reset: StaticString
  public var powerOff: StaticString = "AT+CPOF"
  /// The receiver inside the modem; empty: there is none that AT commands reach.
  public var receiverOn: StaticString = ""
  public var receiverOff: StaticString = ""

  /// `nil`: it cannot send requests by itself, or only in a way that is not spoken here.
  public var http: ModemHTTPStrings?
}

/// How a modem sends HTTP requests by itself (`AT+HTTPINIT` and what follows).
public struct ModemHTTPStrings: Sendable {
  /// What a secure request needs beforehand; one of these may be refused, as firmware differs.
  public var secure: StaticString
  /// Longest body of a request, bytes.
  public var longestBody: Int32
  /// Longest address, bytes.
  public var longestAddress: Int32
  /// Longest text of additional headers, bytes.
  public var longestHeaders: Int32
}
