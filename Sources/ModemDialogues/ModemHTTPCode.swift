/// A modem's code in place of a status when it got no answer.
///
/// Codes 601 to 604 and 701 to 719 are in SIMCom's manuals, 720 is newer.
struct ModemHTTPCode: Sendable, Equatable {
  var number: Int

  /// Whether certainly nothing of the request was sent to the server.
  var isBeforeSending: Bool {
    switch number {
    case 603, 710, 712, 713, 714, 715, 717, 719: true
    default: false
    }
  }

  /// Whether there is no network at all, so that the core has to search again.
  var isNetworkLost: Bool { number == 601 || number == 709 || number == 717 }

  var text: String {
    switch number {
    case 601, 709, 717: "no data connection; check the coverage and the access point (apn)"
    case 603, 713: "the server's name was not found"
    case 704: "the connection was closed"
    case 705: "no answer in time"
    case 706, 718: "the connection broke while sending"
    case 712, 714: "no connection to the server"
    case 710, 715: "TLS failed"
    case 719: "the authority's certificate is not in the modem"
    case 720: "the server took too long"
    default: "the modem failed"
    }
  }
}
