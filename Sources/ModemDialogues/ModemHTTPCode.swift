/// What a modem says instead of a status when it got no answer.
///
/// Codes 601 to 604 and 701 to 719 stand in SIMCom's manuals, 720 is newer.
struct ModemHTTPCode: Sendable, Equatable {
  var number: Int

  /// Nothing of the request can have left the modem for the server.
  var isBeforeSending: Bool {
    switch number {
    case 603, 710, 712, 713, 714, 715, 717, 719: true
    default: false
    }
  }

  /// There is no network at all: whoever manages it should look.
  var isNetworkLost: Bool { number == 601 || number == 709 || number == 717 }

  var text: String {
    switch number {
    case 601, 709, 717: "no network"
    case 603, 713: "the server's name was not found"
    case 704: "the connection was closed"
    case 705: "no answer in time"
    case 706, 718: "the connection broke while sending"
    case 712, 714: "no connection to the server"
    case 710, 715: "TLS did not come about"
    case 719: "the authority's certificate is not in the modem"
    case 720: "the server took too long"
    default: "the modem failed"
    }
  }
}
