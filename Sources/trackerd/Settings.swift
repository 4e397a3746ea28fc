import BoardSupport
import CommandLineSupport
import Courier
import Courses
import HTTPTransfer
import LinuxHost
import MachineAccess
import ModemDialogues
import TrackerCore
import Uplink

/// All settings, read and checked before anything else happens.
struct Settings {
  let board: BoardDescription
  let core: ConfigurationFile
  /// To be read again with what people order.
  let file: SettingsFile
  let daemon: DaemonSettings
  let dialogue: AnyDialogue
  let network: HTTPClientConfiguration
  let receiver: LineAddress
  let modem: LineAddress
  /// The SIM's PIN.
  let pin: Secret?
  let consoleLock: ConsoleLock
  var mayActFor: Milliseconds { core.mayActFor ?? CourierBounds.mayActFor }
  /// What to follow; `nil`: nothing.
  let course: MappedCourse?
  /// Why a course that is in the settings is not followed. Captures are worth more than a course,
  /// so a tracker starts without it.
  let courseProblem: FileError?
  /// `nil` if requests go through the operating system.
  let modemHTTP: ModemHTTP?

  /// - Throws: the first mistake in any of the files: file, key, what to do.
  init(_ options: Options) throws {
    board = try BoardDescription.load(named: options.board)
    if let reason = board.assembly.energyModelOnly {
      throw HostError(
        "the board \(board.identifier) is a model of energy, for the simulator only (\(reason)); "
          + "choose another")
    }
    let root = try FileNode.load(path: options.config)
    file = try SettingsFile(root, on: board)
    core = file.plain.core
    try core.check(on: board, path: options.config)
    daemon = try DaemonSettings(root)
    try daemon.checkBroker(core.configuration.bearer)
    let secrets = try daemon.secrets.map { node throws in try SecretsFile.load(node.path()) }
    dialogue = try AnyDialogue(daemon.server, secrets)
    pin = try Self.pin(secrets, daemon)
    consoleLock = try Self.consoleLock(secrets, daemon)
    (course, courseProblem) = try Self.course(daemon.course, core)
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
      case .gpsd: throw node.error("gpsd has no modems; write the modem's own port")
      case .serial(_, .search):
        throw node.error("a modem's speed cannot be found by trying; write it instead of auto")
      case .serial: break
      }
    }
  }

  private static func course(
    _ node: FileNode?, _ core: ConfigurationFile
  ) throws -> (MappedCourse?, FileError?) {
    guard let node else { return (nil, nil) }
    let path = try node.path()
    do {
      var course = try MappedCourse(InputFile.regularBytes(of: path, atMost: 64 << 20))
      course.limits = core.courseLimits
      if let coverage = core.coverage { course.use(coverage: coverage) }
      return (course, nil)
    } catch let problem as CourseError {
      return (nil, node.error("\(path): \(problem.description)"))
    } catch let problem as FileAccessError {
      return (nil, node.error("\(problem); give a GeoJSON or GPX file, or remove the key"))
    }
  }

  private static func line(
    _ node: FileNode?, _ board: BoardDescription, _ role: String, _ port: Port
  ) throws -> LineAddress {
    let text = try node?.path() ?? port.device
    do throws(LineError) {
      return try LineAddress(text)
    } catch {
      if let node { throw node.error(error.description) }
      throw HostError(
        "board \(board.identifier): ports.\(role): \(error); or set \(role)Port in the settings")
    }
  }

  /// chrony needs the time at which sentences arrive, not that at which they have gathered.
  var gathering: Milliseconds { daemon.clock == .chrony ? 0 : daemon.gathering }

  /// What to do about a ModemManager that would use the modem's port.
  func modemManagerAdvice(_ options: Options) -> ModemManagerAdvice? {
    usesModem ? ModemManagerAdvice(modem, below: options.machine) : nil
  }

  /// Whether the modem's port is opened.
  var usesModem: Bool {
    core.configuration.bearer != .none || board.board.receiver.dialect == .modemGPS
  }

  /// Where the link has to lead.
  var linkTarget: LinkTarget {
    get throws {
      LinkTarget(server: try daemon.server.address.path(), proxy: daemon.network.proxy)
    }
  }

  // MARK: The SIM

  private static func pin(_ secrets: SecretsFile?, _ daemon: DaemonSettings) throws -> Secret? {
    guard secrets?.hasGoodSIMPIN ?? true else {
      let path = try daemon.secrets?.path() ?? ""
      throw HostError("\(path): pin is not a PIN; write 4 to 8 digits")
    }
    return secrets?["pin"]
  }

  private static func consoleLock(
    _ secrets: SecretsFile?, _ daemon: DaemonSettings
  ) throws -> ConsoleLock {
    switch daemon.console {
    case .full: return ConsoleLock(.full)
    case .readOnly: return ConsoleLock(.readOnly)
    case .off: return ConsoleLock(.off)
    case .pin:
      let path = try daemon.secrets?.path() ?? "console"
      guard let pin = secrets?.consolePIN else {
        throw HostError(
          "\(path): console \"pin\" needs a PIN; add consolePin = 4 to 64 characters to the "
            + "secrets file")
      }
      return ConsoleLock(.pin, pin: pin)
    }
  }

  /// The modem's HTTP commands, if the configuration uses them.
  private static func modemHTTP(
    _ configuration: Configuration, _ board: BoardDescription, _ daemon: DaemonSettings
  ) throws -> ModemHTTP? {
    guard configuration.bearer == .modem else { return nil }
    let trust = daemon.network.modemAuthority.map { ModemTrust.authority($0) } ?? .nobody
    try daemon.checkTrust(of: configuration.bearer)
    guard let http = ModemHTTP(family: board.board.modem.family, trust: trust) else {
      throw daemon.server.address.error(
        "the modem \(board.board.modem.family) has no HTTP commands; "
          + "write bearer: \"interface\""
      )
    }
    return http
  }

  /// Beside the store, because it belongs to the device.
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
}
