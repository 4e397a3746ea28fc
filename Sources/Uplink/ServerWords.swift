import LeanUplink
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
    for byte in body { if let isPage = LeanUplink.isPage(beginningWith: byte) { return isPage } }
    return false
  }
}

/// Makes a server's message fit for the log.
enum LogLine {
  static func make(_ words: Texts, hiding secrets: [String]) -> Texts {
    words.map { make($0, hiding: secrets) }
  }

  /// One line of bounded length without secrets, as servers may quote what they were sent.
  static func make(_ words: String, hiding secrets: [String]) -> String {
    var text = words
    for secret in secrets where !secret.isEmpty {
      var form = FormText()
      form.add("", secret)
      text = replace(secret, in: text)
      text = replace(String(form.text.dropFirst()), in: text)
    }
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(UplinkBounds.quotedScalars) {
      let isPlain =
        scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
        && scalar.value != 0x2028 && scalar.value != 0x2029
      line.append(isPlain ? scalar : " ")
    }
    return String(line)
  }

  /// Byte by byte: canonical equivalence must not make the search miss a secret.
  private static func replace(_ secret: String, in text: String) -> String {
    let wanted = Array(secret.utf8)
    let bytes = Array(text.utf8)
    guard wanted.count <= bytes.count else { return text }
    var kept: [UInt8] = []
    var place = 0
    while place < bytes.count {
      if bytes[place] == wanted[0], bytes[place...].starts(with: wanted) {
        kept += Array("…".utf8)
        place += wanted.count
      } else {
        kept.append(bytes[place])
        place += 1
      }
    }
    return String(decoding: kept, as: UTF8.self)
  }
}
