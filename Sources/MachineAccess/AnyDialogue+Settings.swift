public import BoardSupport
public import Uplink

// Creates the dialogue for a configured server, for the daemon and for command-line tools.
extension AnyDialogue {
  /// The dialogue with the configured server.
  ///
  /// - Throws: if it can never work, with the place in the file.
  public init(_ server: ServerSettings, _ secrets: SecretsFile?) throws {
    do {
      switch server.kind {
      case .arcGIS: self.init(try ArcGISDialogue(Self.arcGIS(server, secrets)))
      case .osmAnd: self.init(PostingDialogue(try Self.posting(.osmAnd, server, secrets)))
      case .json: self.init(PostingDialogue(try Self.posting(.json, server, secrets)))
      case .ownTracks:
        let format = PostingConfiguration.Format.ownTracks(user: server.user ?? "")
        self.init(PostingDialogue(try Self.posting(format, server, secrets)))
      case .mqtt:
        // A topic's levels.
        let names = [server.user, server.deviceCode].compactMap { $0 }
        if let name = names.first(where: { !Publication.isLevel($0) }) {
          throw server.address.error(
            "'\(name)' cannot be part of a topic; write user and device without / + #")
        }
        guard secrets?["password"] == nil || server.user != nil else {
          throw server.address.error("has a password and no user; add for example user: \"t7\"")
        }
        let format = PostingConfiguration.Format.mqtt(
          user: server.user ?? "trailtracker", server.trustsBroker ? .broker : .receiver)
        self.init(PostingDialogue(try Self.posting(format, server, secrets)))
      }
    } catch let error as AddressError {
      throw server.address.error(error.description)
    }
  }

  private static func arcGIS(
    _ server: ServerSettings, _ secrets: SecretsFile?
  ) throws -> ArcGISConfiguration {
    var configuration = ArcGISConfiguration(
      address: try LayerAddress(try server.address.path()))
    configuration.deviceCode = server.deviceCode
    for (field, name) in server.fields {
      switch field {
      case .device: configuration.fields.device = name
      case .team: configuration.fields.team = name
      case .battery: configuration.fields.battery = name
      case .time: configuration.fields.time = name
      case .kind: configuration.fields.kind = name
      case .identifier: configuration.fields.identifier = name
      case .sequence: configuration.fields.sequence = name.map { .named($0) }
      case .nextContact: configuration.fields.nextContact = name.map { .named($0) }
      case .silence: configuration.fields.silence = name.map { .named($0) }
      case .done: configuration.fields.done = name.map { .named($0) }
      case .toGo: configuration.fields.toGo = name.map { .named($0) }
      case .place: configuration.fields.place = name.map { .named($0) }
      case .trigger: configuration.fields.trigger = name.map { .named($0) }
      case .accuracy: configuration.fields.accuracy = name.map { .named($0) }
      }
    }
    configuration.messages = try table(server.messages, configuration.address)
    configuration.notes = try table(server.notes, configuration.address)
    configuration.history = try table(server.history, configuration.address)
    let token = try server.tokenAddress?.path()
    if let user = server.user {
      configuration.credentials = .user(
        name: user, password: try secret("password", secrets, server), tokenURL: token)
    } else if let client = server.clientID {
      guard let token else {
        throw server.address.error("a clientId requires a token service; add tokenAddress")
      }
      configuration.credentials = .application(
        clientID: client, clientSecret: try secret("clientSecret", secrets, server),
        tokenURL: token)
    } else if let token = secrets?["token"] {
      configuration.credentials = .token(token)
    }
    try configuration.validate()
    return configuration
  }

  private static func table(
    _ table: ServerSettings.Table, _ layer: LayerAddress
  ) throws -> MailTable {
    switch table {
    case .next: return .next
    case .none: return .none
    case .number(let number): return .number(number)
    case .address(let node):
      let address: LayerAddress
      do { address = try LayerAddress(try node.path()) } catch let error as AddressError {
        throw node.error(error.description)
      }
      // It gets the same credentials.
      guard address.site != nil, address.site == layer.site else {
        throw node.error("is another server's than server.address; give a table of that one")
      }
      return .address(address)
    }
  }

  private static func posting(
    _ format: PostingConfiguration.Format, _ server: ServerSettings, _ secrets: SecretsFile?
  ) throws -> PostingConfiguration {
    var credentials = PostingConfiguration.Credentials.none
    if let password = secrets?["password"], let user = server.user {
      credentials = .basic(user: user, password: password)
    } else if let token = secrets?["token"], server.kind != .mqtt {
      credentials = .bearer(token)
    }
    var configuration = try PostingConfiguration(
      format: format, url: try server.address.path(), credentials: credentials)
    configuration.deviceCode = server.deviceCode
    return configuration
  }

  private static func secret(
    _ name: String, _ secrets: SecretsFile?, _ server: ServerSettings
  ) throws -> Secret {
    if let secret = secrets?[name] { return secret }
    throw server.address.error(
      "needs the secret \"\(name)\"; add it to the file that secrets: names")
  }
}
