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

  var phrase: ModemPhrase {
    switch number {
    case 601, 709, 717: .noConnection
    case 603, 713: .nameNotFound
    case 704: .closed
    case 705: .noAnswer
    case 706, 718: .broke
    case 712, 714: .noServer
    case 710, 715: .tlsFailed
    case 719: .noAuthority
    case 720: .serverTooSlow
    default: .failed
    }
  }
}
