import BoardSupport
import LinuxHost
import TrackerCore
import Uplink

/// All that the files say, read and checked before anything is touched.
struct Settings {
  let board: BoardDescription
  let core: ConfigurationFile
  let daemon: DaemonSettings
  let dialogue: AnyDialogue
  let network: HTTPClientConfiguration
  let receiver: LineAddress
  let modem: LineAddress
  /// The SIM's PIN.
  let pin: Secret?
  /// `nil`: requests go by the operating system.
  let modemHTTP: ModemHTTP?

  /// - Throws: the first thing in any of the files that cannot be used: file, key and cure.
  init(_ options: Options) throws {
    board = try BoardDescription.load(named: options.board)
    let root = try FileNode.load(path: options.config)
    core = try ConfigurationFile(root)
    try core.check(on: board, path: options.config)
    daemon = try DaemonSettings(root)
    let secrets = try daemon.secrets.map { node throws in try SecretsFile.load(node.path()) }
    dialogue = try Self.dialogue(daemon.server, secrets)
    pin = try Self.pin(secrets, daemon)
    modemHTTP = try Self.modemHTTP(core.configuration, board, daemon)
    var network = HTTPClientConfiguration()
    network.interface = daemon.network.interface
    network.authoritiesFile = daemon.network.authorities
    network.proxy = daemon.network.proxy
    self.network = network
    receiver = try Self.line(daemon.receiverPort, board, "receiver", board.receiverPort)
    modem = try Self.line(daemon.modemPort, board, "modem", board.modemPort)
    try RecordingPath.check(
      options, store: try daemon.store.path(), secrets: daemon.secrets?.path())
    if let node = daemon.modemPort {
      switch modem {
      case .gpsd: throw node.error("gpsd has receivers, no modems; write the modem's own port")
      case .serial(_, .search):
        throw node.error("a modem's speed is not found by listening; write it instead of auto")
      case .serial: break
      }
    }
  }

  private static func line(
    _ node: FileNode?, _ board: BoardDescription, _ role: String, _ port: Port
  ) throws -> LineAddress {
    let text = try node?.path() ?? port.device
    do throws(LineProblem) {
      return try LineAddress(text)
    } catch {
      if let node { throw node.error(error.description) }
      throw HostProblem(
        "board \(board.identifier): ports.\(role): \(error); or give \(role)Port in the settings")
    }
  }

  // MARK: The SIM

  private static func pin(_ secrets: SecretsFile?, _ daemon: DaemonSettings) throws -> Secret? {
    guard let pin = secrets?["pin"] else { return nil }
    let wording = ModemWording(family: .generic, accessPoint: nil)
    guard wording.pinLine(pin.revealed.span) != nil else {
      let path = try daemon.secrets?.path() ?? ""
      throw HostProblem("\(path): pin is no PIN; write 4 to 8 digits")
    }
    return pin
  }

  /// The modem's own HTTP commands, where the configuration wants them.
  private static func modemHTTP(
    _ configuration: Configuration, _ board: BoardDescription, _ daemon: DaemonSettings
  ) throws -> ModemHTTP? {
    guard configuration.bearer == .modem else { return nil }
    let trust = daemon.network.modemAuthority.map { ModemTrust.authority($0) } ?? .nobody
    let isSecret = try daemon.server.address.path().lowercased().hasPrefix("https://")
    guard !isSecret || trust != .nobody else {
      throw daemon.server.address.error(
        "bearer \"modem\" has to know whom to trust; add network: { modemAuthority: \"ca.pem\" }, "
          + "a certificate among the modem's own files")
    }
    guard let http = ModemHTTP(family: board.board.modem.family, trust: trust) else {
      throw daemon.server.address.error(
        "the modem \(board.board.modem.family) sends no requests by itself; "
          + "write bearer: \"interface\""
      )
    }
    return http
  }

  /// Beside the store: it goes where the device's own memory goes.
  var pinMemory: PINMemory? {
    guard pin != nil, let store = try? daemon.store.path(),
      let secrets = try? daemon.secrets?.path()
    else { return nil }
    return PINMemory(path: store + ".pin", secrets: secrets)
  }

  var pinState: PINState {
    guard let pinMemory else { return .absent }
    return pinMemory.isTried ? .tried : .untried
  }

  // MARK: The server

  private static func dialogue(
    _ server: ServerSettings, _ secrets: SecretsFile?
  ) throws -> AnyDialogue {
    do {
      switch server.kind {
      case .arcGIS: return AnyDialogue(try ArcGISDialogue(arcGIS(server, secrets)))
      case .osmAnd: return AnyDialogue(PostingDialogue(try posting(.osmAnd, server, secrets)))
      case .json: return AnyDialogue(PostingDialogue(try posting(.json, server, secrets)))
      case .ownTracks:
        let format = PostingConfiguration.Format.ownTracks(user: server.user ?? "")
        return AnyDialogue(PostingDialogue(try posting(format, server, secrets)))
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
      case .sequence: configuration.fields.sequence = name
      case .nextContact: configuration.fields.nextContact = name
      }
    }
    let token = try server.tokenAddress?.path()
    if let user = server.user {
      configuration.credentials = .user(
        name: user, password: try secret("password", secrets, server), tokenURL: token)
    } else if let client = server.clientID {
      guard let token else {
        throw server.address.error("a clientId needs the place of its tokens; add tokenAddress")
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

  private static func posting(
    _ format: PostingConfiguration.Format, _ server: ServerSettings, _ secrets: SecretsFile?
  ) throws -> PostingConfiguration {
    var credentials = PostingConfiguration.Credentials.none
    if let password = secrets?["password"], let user = server.user {
      credentials = .basic(user: user, password: password)
    } else if let token = secrets?["token"] {
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
      "needs the secret \"\(name)\"; write it as a line of the file that secrets: names")
  }
}
