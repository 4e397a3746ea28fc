/// The part of an address that may be shown.
enum ServerName {
  static func isWeb(_ url: String) -> Bool {
    let start = url.prefix(8).lowercased()
    return start.hasPrefix("https://") || start.hasPrefix("http://")
  }

  /// Scheme, host and port: `https://example.org:8443`. User name, password, path and query may be
  /// secrets. An address in any other form is not shown at all.
  static func shown(_ url: String) -> String {
    guard isWeb(url), let colon = url.firstIndex(of: ":") else { return "the server's address" }
    return "\(url[..<colon].lowercased())://\(authority(url).prefix(100))"
  }

  /// Name or number of the host, without the port; an IPv6 address without its brackets.
  static func host(_ url: String) -> String {
    let authority = authority(url)
    if authority.hasPrefix("[") { return String(authority.dropFirst().prefix { $0 != "]" }) }
    return String(authority.prefix { $0 != ":" })
  }

  /// Host and port.
  private static func authority(_ url: String) -> Substring {
    guard isWeb(url), let colon = url.firstIndex(of: ":") else { return "" }
    let authority = url[colon...].dropFirst(3).prefix { !"/?#\\".contains($0) }
    return authority.lastIndex(of: "@").map { authority[$0...].dropFirst() } ?? authority
  }
}
