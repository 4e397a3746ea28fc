import Wording

/// Words for an answer that is not the server's: the network's own, or another server's.
///
/// Networks with a login page (captive portals) redirect every request to it, or answer with it.
enum ForeignAnswer {
  /// Describes a status other than success.
  ///
  /// - Parameter address: where the request was sent.
  static func describe(_ status: Int32, _ headers: [HTTPHeader], from address: String) -> Texts {
    switch status {
    case 301, 302, 303, 307, 308:
      let (place, isOwn) = redirection(headers, from: address)
      let shown = place?.texts ?? UplinkPhrase.anotherAddress.texts
      return (isOwn ? UplinkPhrase.redirected : .redirectedAway).texts("\(status)", shown)
    case 511: return UplinkPhrase.wantsLogin.texts
    default: return UplinkPhrase.status.texts("\(status)")
    }
  }

  /// Where such a status comes from; `nil`: the server itself.
  static func cause(
    _ status: Int32, _ headers: [HTTPHeader], from address: String
  ) -> FailureCause? {
    switch status {
    case 301, 302, 303, 307, 308:
      redirection(headers, from: address).isOwn ? .foreignServer : .portal
    case 407: .proxy
    case 511: .portal
    default: nil
    }
  }

  /// Where a redirect leads, and whether that is still the same server.
  private static func redirection(
    _ headers: [HTTPHeader], from address: String
  ) -> (place: String?, isOwn: Bool) {
    let location = headers.first { $0.name.lowercased() == "location" }?.value ?? ""
    let own = server(of: address) ?? ""
    let isPath = location.hasPrefix("/") && !location.hasPrefix("//")
    let place = isPath ? own : server(of: location)
    return (place, place.map { host($0) == host(own) } ?? false)
  }

  /// Scheme, host and port: the rest may hold secrets.
  private static func server(of address: String) -> String? {
    guard let scheme = address.place(of: "://"),
      address[..<scheme.lowerBound].allSatisfy({ $0.isLetter && $0.isASCII })
    else { return nil }
    let rest = address[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    // A user and a password may come first.
    let host = rest.split(separator: "@").last ?? ""
    return host.isEmpty ? nil : "\(address[..<scheme.upperBound])\(host)"
  }

  private static func host(_ server: String) -> Substring {
    server.lowercased().drop { $0 != "/" }.drop { $0 == "/" }.prefix { $0 != ":" }
  }

  /// Whether a body is a web page.
  static func isPage(_ body: [UInt8]) -> Bool {
    body.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) } == UInt8(ascii: "<")
  }
}
