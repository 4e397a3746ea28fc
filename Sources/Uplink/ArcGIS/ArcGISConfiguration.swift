/// How a FeatureServer is to be spoken to.
public struct ArcGISConfiguration: Sendable, Equatable {
  public var address: LayerAddress
  public var fields = ArcGISFields()
  public var credentials = ArcGISCredentials.none
  /// What the attribute `Tipus` says: the kind of system that a capture comes from.
  public var kind = "trailtracker"
  /// What `CodiEquip` says; `nil`: the device's identifier.
  public var deviceCode: String?

  public init(address: LayerAddress) { self.address = address }
}

/// Names of the layer's attributes. One that is `nil` is not sent. Names are compared without
/// regard to case, as databases do, and sent as the layer spells them.
public struct ArcGISFields: Sendable, Equatable {
  public var device: String? = "CodiEquip"
  public var team: String? = "Equip"
  /// Percent.
  public var battery: String? = "Bateria"
  /// Time of the capture.
  public var time: String? = "Entrada"
  public var kind: String? = "Tipus"
  /// The capture's identifier: needed unless the layer takes GlobalIDs.
  public var identifier: String? = "UUID"
  /// The device's gapless count of captures.
  public var sequence: String?
  /// The latest time by which the tracker promises the next contact.
  public var nextContact: String?

  public init() {}
}

/// How we show who we are.
public enum ArcGISCredentials: Sendable, Equatable {
  case none
  /// A token from elsewhere, which cannot be renewed.
  case token(Secret)
  /// ArcGIS Server's or a portal's `generateToken`; without `tokenURL` the site's own.
  case user(name: String, password: Secret, tokenURL: String?)
  /// OAuth 2.0 client credentials, from a portal's `/sharing/rest/oauth2/token`.
  case application(clientID: String, clientSecret: Secret, tokenURL: String)
}

extension ArcGISConfiguration {
  /// Where tokens come from; `nil` when none are asked for.
  var tokenURL: String? {
    switch credentials {
    case .none, .token: nil
    case .user(_, _, let url): url ?? address.site.map { "\($0)/tokens/generateToken" }
    case .application(_, _, let url): url
    }
  }

  /// Finds what can never work: before the first request, one line with what to do.
  public func validate() throws(AddressError) {
    if credentials == .none { return }
    guard !address.isInTheClear else {
      throw LayerAddress.error(
        address.layer, "would carry credentials that anybody can read", "use https://")
    }
    switch credentials {
    case .none, .token: return
    case .user, .application: break
    }
    guard let tokenURL else {
      throw LayerAddress.error(
        address.layer, "does not tell where tokens come from", "state the token address too")
    }
    try LayerAddress.checkCharacters(tokenURL)
    let lower = tokenURL.lowercased()
    guard lower.hasPrefix("https://") || lower.hasPrefix("http://"), !lower.contains("@"),
      !LayerAddress.isInTheClear(tokenURL)
    else {
      throw AddressError(
        description: "token address: must be https:// without a user name; correct it")
    }
  }

  /// Everything that must not appear in a line of the log.
  var secrets: [String] {
    switch credentials {
    case .none: []
    case .token(let token): [token.text]
    case .user(_, let password, _): [password.text]
    case .application(_, let secret, _): [secret.text]
    }
  }
}
