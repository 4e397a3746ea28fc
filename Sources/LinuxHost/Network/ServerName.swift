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
    let rest = url[colon...].dropFirst(3)
    let authority = rest.prefix { !"/?#\\".contains($0) }
    let host = authority.lastIndex(of: "@").map { authority[$0...].dropFirst() } ?? authority
    return "\(url[..<colon].lowercased())://\(host.prefix(100))"
  }
}
