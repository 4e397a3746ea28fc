public import TrackerCore

/// What is said to a modem, and what it says, for requests by its own commands.
///
/// Sources: SIM7500_SIM7600 Series AT Command Manual V3.00 and A76XX Series AT Command Manual
/// V1.09, "HTTP(S)" and "SSL".
public enum ModemWebWords {
  public static let open: StaticString = "AT+HTTPINIT"
  public static let close: StaticString = "AT+HTTPTERM"
  /// The address follows, and a quotation mark.
  public static let address: StaticString = "AT+HTTPPARA=\"URL\",\""
  public static let get: StaticString = "AT+HTTPACTION=0"
  public static let post: StaticString = "AT+HTTPACTION=1"
  /// Followed by where to begin, a comma, and how many bytes.
  public static let read: StaticString = "AT+HTTPREAD="

  // Some of what follows is refused by some firmware and needed by other.

  // TLS 1.2, and the server's name in the handshake (SNI): many servers need it, and modems do not
  // send it by default.
  public static let tlsVersion: StaticString = "AT+CSSLCFG=\"sslversion\",0,3"
  public static let serverName: StaticString = "AT+CSSLCFG=\"enableSNI\",0,1"
  public static let useTLS: StaticString = "AT+HTTPPARA=\"SSLCFG\",0"
  /// The server's certificate is not verified.
  public static let trustAll: StaticString = "AT+CSSLCFG=\"authmode\",0,0"
  /// Its validity period is not checked, as the modem may not know the date.
  public static let ignoreDate: StaticString = "AT+CSSLCFG=\"ignorelocaltime\",0,1"
  /// The name of the file with the authority's certificate follows, and a quotation mark.
  public static let authority: StaticString = "AT+CSSLCFG=\"cacert\",0,\""
  /// It is verified by that authority.
  public static let verify: StaticString = "AT+CSSLCFG=\"authmode\",0,1"
}

/// What a modem reports of a request: `1,200,57` or `1,200,chunk`: method, status, length.
public struct ModemWebReport: Sendable, Equatable {
  public var code: Int32
  /// Bytes of the body; `nil`: not known, because the server sends it in chunks.
  public var length: Int32?

  /// - Parameter line: `+HTTPACTION: `, and that.
  public init?(_ line: ModemLineBuffer) {
    guard let first = line.firstComma(after: 13), let second = line.firstComma(after: first + 1),
      let code = line.integer(after: first + 1)
    else { return nil }
    self.code = code
    length = line.integer(after: second + 1)
    var place = second + 1
    while line[place] == 0x20 { place += 1 }
    if length == nil && line[place] | 0x20 != UInt8(ascii: "c") { return nil }
  }
}

/// A modem's code in place of a status when it got no answer.
///
/// Codes 601 to 604 and 701 to 719 are in SIMCom's manuals, 720 is newer.
public struct ModemHTTPCode: Sendable, Equatable {
  public var number: Int32

  /// - Returns: `nil` for a status.
  public init?(_ number: Int32) {
    if (100..<600).contains(number) { return nil }
    self.number = number
  }

  /// Whether certainly nothing of the request was sent to the server.
  public var isBeforeSending: Bool {
    switch number {
    case 603, 710, 712, 713, 714, 715, 717, 719: true
    default: false
    }
  }

  /// Whether there is no network at all, so that the core has to search again.
  public var isNetworkLost: Bool { number == 601 || number == 709 || number == 717 }
}
