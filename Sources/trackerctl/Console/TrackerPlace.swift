import BoardSupport
import CommandLineSupport
import FieldConsole
import Glibc
import TrackerCore
import Wording

/// Which tracker of this machine a console is for: its socket, its store, and what its
/// configuration says of it.
struct TrackerPlace {
  var socket: String
  /// Whether only the store was named: the socket may be another tracker's.
  var isSocketGuessed = false
  var store = ConsoleOptions.defaultStore
  /// Whether it is the machine's own, trackerd.service.
  var isService = false
  /// The path of its configuration; `nil`: not known.
  var configuration: String?
  var number: String?
  var team: String?
  var language: Language?
  /// What a console may do, by its configuration.
  var consoleAccess = TrackerFacts.ConsoleAccess.full
  /// Why the machine's configuration cannot be read; trackerd does not start with it.
  var problem: String?

  /// - Throws: an error of one line about a configuration that was named.
  init(_ options: ConsoleOptions) throws {
    socket = ConsoleOptions.defaultSocket
    isService = options.config == nil && !options.isSocketGiven
    if let path = options.config {
      try read(path)
    } else if access(ConsoleOptions.defaultConfiguration, R_OK) == 0 {
      do { try read(ConsoleOptions.defaultConfiguration) } catch { problem = "\(error)" }
    }
    if options.isSocketGiven { socket = options.socket }
    guard let named = options.store, named != store else { return }
    store = named
    isService = false
    isSocketGuessed = !options.isSocketGiven
    // The configuration is another tracker's.
    if options.config == nil {
      (configuration, number, team, language, problem) = (nil, nil, nil, nil, nil)
    }
  }

  private mutating func read(_ path: String) throws {
    configuration = path
    let root = try FileNode.load(path: path)
    let settings = try DaemonSettings(root)
    store = try settings.store.path()
    number = settings.server.deviceCode
    consoleAccess =
      switch settings.console {
      case .full: .full
      case .readOnly: .readOnly
      case .pin: .pin
      case .off: .off
      }
    if case .text(let name)? = root.optional("team")?.value { team = name }
    if case .text(let code)? = root.optional("language")?.value { language = Language(code: code) }
    guard let control = settings.control else {
      throw UsageError(
        "\(path): has no control socket; add control: \"\(ConsoleOptions.defaultSocket)\" and "
          + "restart trackerd, or pass --store")
    }
    socket = try control.path()
  }
}
