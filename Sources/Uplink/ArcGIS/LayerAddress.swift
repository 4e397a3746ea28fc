import Wording

/// Why an address cannot be used. One line: what, where, what to do.
public struct AddressError: Error, Equatable, CustomStringConvertible {
  public let description: String
}

/// The address of a layer of a FeatureServer.
public struct LayerAddress: Sendable, Equatable, CustomStringConvertible {
  /// Without a trailing slash: `https://host/arcgis/rest/services/TrailWalker/FeatureServer/0`.
  public let layer: String
  /// The part before `/rest/services…`, which tokens are valid for; `nil` if the address has no
  /// such part.
  public let site: String?

  public var description: String { layer }

  private static let example = "https://host/arcgis/rest/services/TrailWalker/FeatureServer/0"

  public init(_ text: String) throws(AddressError) {
    try Self.checkCharacters(text)
    let lower = text.lowercased()
    guard lower.hasPrefix("https://") || lower.hasPrefix("http://") else {
      throw Self.error(text, "has no scheme", "write https:// in front, as in \(Self.example)")
    }
    guard !text.contains("?"), !text.contains("#") else {
      throw Self.error(text, "has a query", "end it after the layer's number")
    }
    var parts = text.split(separator: "/", omittingEmptySubsequences: false)
    while parts.count > 3, parts.last == "" { parts.removeLast() }
    guard parts.count > 2, !parts[2].isEmpty else {
      throw Self.error(text, "has no host", "write it as in \(Self.example)")
    }
    guard !parts[2].contains("@") else {
      throw AddressError(
        description: "server address: contains a user name or password;"
          + " move them to the secrets file")
    }
    guard !parts.contains(where: { $0.lowercased() == "mapserver" }) else {
      throw Self.error(text, "is a MapServer, which takes no captures", "use its FeatureServer")
    }
    guard parts.count > 4, parts[parts.count - 2].lowercased() == "featureserver",
      UInt32(parts[parts.count - 1]) != nil
    else {
      throw Self.error(
        text, "has no layer number", "end it with FeatureServer and the layer's number, as in /0")
    }
    layer = parts.joined(separator: "/")
    let rest = parts.indices.dropFirst(3).first {
      parts[$0].lowercased() == "rest" && parts[$0 + 1].lowercased() == "services"
    }
    site = rest.map { parts[..<$0].joined(separator: "/") }
  }

  /// Whether requests are sent unencrypted over a network.
  public var isInTheClear: Bool { Self.isInTheClear(layer) }

  /// Whether the server is on this machine.
  public var isThisMachine: Bool { Self.isThisMachine(layer) }

  /// Plain HTTP, other than to this machine.
  static func isInTheClear(_ url: String) -> Bool {
    url.lowercased().hasPrefix("http://") && !isThisMachine(url)
  }

  private static func isThisMachine(_ url: String) -> Bool {
    guard let start = url.place(of: "://") else { return false }
    let authority = url[start.upperBound...].prefix { $0 != "/" && $0 != "?" }
    let host =
      authority.hasPrefix("[")
      ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
    return ["localhost", "127.0.0.1", "[::1]"].contains(host.lowercased())
  }

  /// Spaces and control characters in an address could forge a request.
  static func checkCharacters(_ text: String) throws(AddressError) {
    guard !text.isEmpty else {
      throw AddressError(description: "server address: is empty; write it as in \(example)")
    }
    guard text.utf8.count <= 2000, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw AddressError(
        description: "server address: contains spaces, control or non-ASCII characters, or more"
          + " than 2000; percent-encode them")
    }
  }

  /// A query or a user name may be a secret and is not repeated.
  static func error(_ text: String, _ what: String, _ cure: String) -> AddressError {
    let shown = text.contains("@") ? "" : " " + text.prefix { $0 != "?" && $0 != "#" }
    return AddressError(description: "server address\(shown): \(what); \(cure)")
  }
}
