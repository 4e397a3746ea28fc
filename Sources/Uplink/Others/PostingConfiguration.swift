/// The settings for a server that takes positions and cannot be queried.
public struct PostingConfiguration: Sendable, Equatable {
  public enum Format: Sendable, Equatable {
    /// Traccar's OsmAnd protocol: one position in the query of each request.
    case osmAnd
    /// OwnTracks over HTTP: one `location` in each request.
    case ownTracks(user: String)
    /// An array of all captures with everything that is known about them (`CaptureJSON`).
    case json
  }

  public enum Credentials: Sendable, Equatable {
    case none
    /// `Authorization: Bearer …` (RFC 6750).
    case bearer(Secret)
    /// `Authorization: Basic …` (RFC 7617).
    case basic(user: String, password: Secret)
  }

  public var format: Format
  /// Where to post to.
  public var url: String
  public var credentials = Credentials.none
  /// The device's name on the server; `nil`: its identifier.
  public var deviceCode: String?

  /// - Throws: if the address cannot be used.
  public init(
    format: Format, url: String, credentials: Credentials = .none
  ) throws(AddressError) {
    try LayerAddress.checkCharacters(url)
    let lower = url.lowercased()
    guard lower.hasPrefix("https://") || lower.hasPrefix("http://") else {
      throw LayerAddress.error(url, "has no scheme", "write https:// in front")
    }
    guard !url.contains("#") else {
      throw LayerAddress.error(url, "has a fragment", "end it before the #")
    }
    let authority = url.drop { $0 != ":" }.dropFirst(3).prefix { $0 != "/" && $0 != "?" }
    guard !authority.isEmpty else {
      throw LayerAddress.error(url, "has no host", "write it as in https://host/path")
    }
    guard !authority.contains("@") else {
      throw AddressError(
        description: "server address: contains a user name or password;"
          + " move them to the secrets file")
    }
    guard credentials == .none || !LayerAddress.isInTheClear(url) else {
      throw LayerAddress.error(
        url, "would send credentials unencrypted", "use https://")
    }
    self.format = format
    self.url = url
    self.credentials = credentials
  }

  var secrets: [String] {
    switch credentials {
    case .none: []
    case .bearer(let token): [token.text]
    case .basic(_, let password): [password.text]
    }
  }
}

extension PostingConfiguration: CustomStringConvertible, CustomReflectable {
  /// Without the query of the address, because some services have the key there.
  public var description: String { "\(format) to \(url.prefix { $0 != "?" })" }
  public var customMirror: Mirror { Mirror(self, children: ["server": description]) }
}
