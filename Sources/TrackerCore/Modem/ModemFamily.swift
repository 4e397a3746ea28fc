/// A family of modems with the same commands and messages.
public enum ModemFamily: UInt8, Sendable, Equatable {
  /// Only what 3GPP TS 27.007 and 27.005 require of every modem.
  case generic
  case sim5320
  /// SIM7500 and SIM7600.
  case sim7600
  /// A7670 and the other A76XX.
  case a7670

  /// The strings of the family.
  public var words: ModemStrings {
    switch self {
    case .generic: .generic
    case .sim5320: .sim5320
    case .sim7600: .sim7600
    case .a7670: .a7670
    }
  }
}

/// The commands and messages of a modem family. A new family is one more value of this type.
///
/// Commands are without the CR that ends them. Unsolicited lines are alternatives separated by `|`;
/// a line matches one if it begins with it.
public struct ModemStrings: Sendable {
  /// The name that a board file gives.
  public var name: StaticString

  // Unsolicited lines

  /// The first line after power-on; later it indicates a restart.
  public var begins: StaticString
  /// It has booted and accepts commands from here on.
  var ready: StaticString
  /// The SIM was removed, or cannot be used any more.
  public var simGone: StaticString

  // Commands

  /// Whether the modem answers; also switches the echo off, so that answers are easier to identify.
  public var attention: StaticString = "ATE0"
  /// The same, with results, and these in words (ITU-T V.250 §6.2.5, §6.2.6).
  var wordAnswers: StaticString = "ATE0Q0V1"
  /// Errors as numbers.
  var reportErrors: StaticString = "AT+CMEE=1"
  public var simStatus: StaticString = "AT+CPIN?"
  /// The PIN follows, and a quotation mark.
  var enterPIN: StaticString = "AT+CPIN=\""
  /// The number of PIN tries left: 3GPP TS 27.007 §8.65, from release 10 on.
  var pinTries: StaticString = "AT+CPINR"
  /// IMSI.
  var subscriber: StaticString = "AT+CIMI"
  /// IMEI.
  var equipment: StaticString = "AT+CGSN"
  /// The access point follows, and a quotation mark.
  var definePDP: StaticString = "AT+CGDCONT=1,\"IP\",\""
  /// All the domains that the family supports, in one line.
  var registration: StaticString = "AT+CREG?;+CGREG?;+CEREG?"
  // The same one by one (3GPP TS 27.007 §7.2, §10.1.20, §10.1.22).
  var circuitRegistration: StaticString = "AT+CREG?"
  var packetRegistration: StaticString = "AT+CGREG?"
  var epsRegistration: StaticString = "AT+CEREG?"
  public var signal: StaticString = "AT+CSQ"
  /// The modem's own supply voltage.
  var supply: StaticString = "AT+CBC"
  /// The operator that it is registered with (3GPP TS 27.007 §7.3). Unlike `AT+COPS=?` it does not
  /// search.
  var networkOperator: StaticString = "AT+COPS?"
  var radioOn: StaticString = "AT+CFUN=1"
  /// Only the radio: the SIM stays unlocked and the receiver keeps running.
  var radioOff: StaticString = "AT+CFUN=4"
  /// The radio and the SIM.
  var minimumFunction: StaticString = "AT+CFUN=0"
  /// Neither short messages nor reports about them are delivered (3GPP TS 27.005 §3.4.1).
  var storeTexts: StaticString = "AT+CNMI=2,0,0,0,0"
  /// Restarts the modem.
  var reset: StaticString
  var powerOff: StaticString = "AT+CPOF"
  /// The receiver inside the modem; empty if there is none that AT commands control.
  public var receiverOn: StaticString = ""
  var receiverOff: StaticString = ""

  /// `nil`: it cannot send requests by itself, or only in a way that is not supported here.
  public var http: ModemHTTPStrings?
}

/// How a modem sends HTTP requests by itself (`AT+HTTPINIT` and what follows).
public struct ModemHTTPStrings: Sendable {
  /// Longest body of a request, bytes.
  public var longestBody: Int32
  /// Longest address, bytes.
  public var longestAddress: Int32
  /// Longest text of additional headers, bytes.
  public var longestHeaders: Int32
}

// The families. Sources:
// - 3GPP TS 27.007 and 27.005: everything without another source.
// - `AT+SPIC` (tries left for PIN1, and the other codes after it): SIMCom's manuals of each series.
// - SIM5320: AT Command Manual V2.02, Hardware Design V1.07.
// - SIM7600: SIM7500_SIM7600 Series AT Command Manual V3.00; Hardware Design V1.01 (`RDY`, which is
//   not sent with automatic baud rate); lengths of address and headers unverified.
// - A7670: A76XX Series AT Command Manual V1.09; `*ATREADY: 1` as A76XX firmware prints it.
extension ModemStrings {
  static let generic = ModemStrings(
    name: "generic", begins: "RDY|START", ready: "PB DONE|SMS DONE|+CPIN: READY",
    simGone: "+CPIN: NOT READY|+CPIN: NOT INSERTED|+CPIN: SIM REMOVED|+SIMCARD: NOT AVAILABLE",
    reset: "AT+CFUN=1,1")

  static let sim5320 = ModemStrings(
    name: "SIM5320", begins: "START", ready: "PB DONE|SMS DONE|+CPIN: READY",
    simGone: "+CPIN: NOT READY|+CPIN: SIM REMOVED|+SIMCARD: NOT AVAILABLE",
    pinTries: "AT+SPIC", registration: "AT+CREG?;+CGREG?", reset: "AT+CRESET",
    receiverOn: "AT+CGPS=1", receiverOff: "AT+CGPS=0")

  static let sim7600 = ModemStrings(
    name: "SIM7600", begins: "RDY|START", ready: "PB DONE|SMS DONE|+CPIN: READY",
    simGone: "+CPIN: NOT READY|+CPIN: SIM REMOVED|+SIMCARD: NOT AVAILABLE",
    pinTries: "AT+SPIC", reset: "AT+CRESET",
    receiverOn: "AT+CGPS=1", receiverOff: "AT+CGPS=0",
    http: http)

  // Its receiver, if there is one, is a separate chip that AT+CGNSSPWR switches.
  static let a7670 = ModemStrings(
    name: "A7670", begins: "*ATREADY: 1|RDY", ready: "PB DONE|SMS DONE|+CPIN: READY",
    simGone: "+CPIN: NOT READY|+CPIN: SIM REMOVED|+SIMCARD: NOT AVAILABLE",
    pinTries: "AT+SPIC", reset: "AT+CRESET",
    receiverOn: "AT+CGNSSPWR=1", receiverOff: "AT+CGNSSPWR=0",
    http: http)

  private static let http = ModemHTTPStrings(
    longestBody: 153_600, longestAddress: 512, longestHeaders: 256)
}
