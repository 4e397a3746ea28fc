import BoardSupport
import CaptureStore
import CommandLineSupport
import FieldConsole
import MachineAccess
import Statistics
import SystemCalls
import TrackerCore
import Uplink
import Wording

/// A tracker on this machine, as a console sees it: running behind its socket, or not.
struct LinuxBackend: ConsoleBackend {
  let place: TrackerPlace
  /// The store of the tracker that answered last.
  private var store: String?
  /// The stores read for the facts, for the command that asked for them.
  private var snapshot: [CaptureStore]?

  /// The tracker's server, once it was asked.
  var server: ServerConnection?

  init(_ place: TrackerPlace) { self.place = place }

  mutating func facts() throws(ConsoleError) -> TrackerFacts {
    snapshot = nil
    if place.isSocketGuessed {
      if let facts = factsOfTracker() { return facts }
      return try factsOfStore()
    }
    do throws(AnswerError) {
      return try facts(at: place.socket)
    } catch {
      switch error.kind {
      case .absent: return AbsentTracker(place: place).dead()
      case .silent(let process): return AbsentTracker(place: place).hung(process)
      // Whatever listens there is not a working trackerd.
      case .other:
        var facts = AbsentTracker(place: place).hung(nil)
        facts.identity.systemd = error.texts
        return facts
      case .forbidden, .impossible: throw ConsoleError(error)
      }
    }
  }

  /// The facts of the tracker that uses the named store; `nil`: no such tracker.
  private mutating func factsOfTracker() -> TrackerFacts? {
    guard let facts = try? facts(at: place.socket), let used = facts.store.path,
      Export.isSame(used, place.store)
    else {
      store = nil
      return nil
    }
    return facts
  }

  private mutating func facts(at socket: String) throws(AnswerError) -> TrackerFacts {
    let facts: TrackerFacts
    do throws(AnswerError) {
      facts = try ControlClient.facts(at: socket, within: ControlBounds.facts)
    } catch {
      // It ended at this very moment, or had too many clients.
      guard error.kind == .other else { throw error }
      facts = try ControlClient.facts(at: socket, within: ControlBounds.facts)
    }
    store = facts.store.path
    return facts
  }

  mutating func ask(_ line: String) throws(ConsoleError) -> String {
    guard !place.isSocketGuessed || factsOfTracker() != nil else {
      throw ConsoleError(ProblemPhrase.storeTakesNoOrders.texts(place.store))
    }
    let answer: String
    do throws(AnswerError) { answer = try ControlClient.ask(line, at: place.socket) } catch {
      throw ConsoleError(error)
    }
    if answer.hasPrefix("ok\n") { return String(answer.dropFirst(3)) }
    throw ConsoleError(lines: answer)
  }

  mutating func stores() throws(ConsoleError) -> [CaptureStore] {
    if let snapshot {
      self.snapshot = nil
      return snapshot
    }
    do throws(StoreError) {
      let stores = try CaptureStore.openAnyForReading(store ?? place.store)
      for store in stores { Program.complainOfDamage(store) }
      return stores
    } catch {
      throw ConsoleError(error)
    }
  }

  mutating func keptEvents() -> (text: String, time: MachineTime)? {
    let path = (store ?? place.store) + ".events"
    // In a separate process, because a disk may hang.
    let deadline = KernelTimer.monotonic.milliseconds + ControlBounds.store.count
    guard
      let text = BriefProgram(["head", "-c", "\(FieldBounds.eventsBytes)", path])?
        .text(until: deadline)
    else { return nil }
    return (text, BootClock().machineTime)
  }

  /// The running tracker's log, or else the journal's.
  mutating func log(newest: Int) throws(ConsoleError) -> [String] {
    do throws(ConsoleError) {
      return try ask("log \(newest)").split(separator: "\n").map(String.init)
    } catch {
      let deadline = KernelTimer.monotonic.milliseconds + ControlBounds.service.count
      guard place.isService,
        let text = ServiceReport.journal(newest: newest)?.text(until: deadline), !text.isEmpty
      else { throw error }
      return text.split(separator: "\n").map(String.init)
    }
  }

  private mutating func factsOfStore() throws(ConsoleError) -> TrackerFacts {
    let stores = try stores()
    snapshot = stores
    var facts = StoreReport.facts(of: stores, place.store)
    place.add(to: &facts)
    if CaptureStore.isInUse(place.store) {
      facts.identity.presence = .hung
      facts.identity.systemd = ProblemPhrase.storeInUse.texts
    } else {
      facts.identity.systemd = ProblemPhrase.onlyStore.texts
    }
    return facts
  }
}

// The parts that need the tracker's configuration file.
extension LinuxBackend {
  mutating func configuration() throws(ConsoleError) -> String? {
    guard let path = place.configuration else { return nil }
    do {
      return String(
        decoding: try InputFile.bytes(of: path, atMost: ControlBounds.configurationFile),
        as: UTF8.self)
    } catch {
      throw ConsoleError(Texts(of: error))
    }
  }

  mutating func serverFit() -> ServerFit {
    guard let path = place.configuration else { return .unknown(nil) }
    do {
      var connection = try ServerConnection(
        configuration: path, within: ControlBounds.serverFit)
      return connection.check()
    } catch {
      return .unknown(Texts(of: error))
    }
  }

  mutating func known(_ captures: [StoredCapture]) throws(ConsoleError) -> Set<CaptureKey> {
    guard let path = place.configuration else {
      throw ConsoleError(ProblemPhrase.noConfiguration.texts)
    }
    do {
      var connection = try server ?? ServerConnection(configuration: path)
      defer { server = connection }
      return try connection.known(captures)
    } catch {
      throw ConsoleError(Texts(of: error))
    }
  }
}

extension LinuxBackend {
  mutating func served(team: String) throws(ConsoleError) -> [ServedCapture] {
    guard let path = place.configuration else {
      throw ConsoleError(ProblemPhrase.noConfiguration.texts)
    }
    let name = team.isEmpty ? place.team : team
    let code = place.number ?? (try? stores().first?.device.lowercaseText)
    do {
      var connection = try server ?? ServerConnection(configuration: path)
      defer { server = connection }
      return try connection.served(team: name, device: code)
    } catch {
      throw ConsoleError(Texts(of: error))
    }
  }
}

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

  /// - Throws: a one-line error about the configuration given as an option.
  init(_ options: ConsoleOptions) throws {
    socket = ConsoleOptions.defaultSocket
    isService = options.config == nil && !options.isSocketGiven
    if let path = options.config {
      try read(path)
    } else if may(.read, ConsoleOptions.defaultConfiguration) {
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

/// Which tracker to ask, and how to write its answer.
struct ConsoleOptions {
  static let defaultSocket = "/run/trailtracker/control"
  static let defaultStore = "/var/lib/trailtracker/captures.db"
  static let defaultConfiguration = "/etc/trailtracker/trackerd.json5"

  private let arguments: Arguments
  /// `trackerctl console` ends after so long without a key; 0: never.
  let idle: Milliseconds
  /// The command in the console's language.
  let words: [String]

  var socket: String { arguments.text(.socket) ?? Self.defaultSocket }
  var isSocketGiven: Bool { arguments.has(.socket) }
  /// `nil`: that of the tracker.
  var store: String? { arguments.text(.store) }
  var config: String? { arguments.text(.configuration) }
  var isJSON: Bool { arguments.has(.json) }
  /// Whether dangerous commands need no confirmation.
  var isConfirmed: Bool { arguments.has(.yes) }
  var language: Language? { arguments.language }
  /// `nil`: if standard output is a terminal.
  var isColoured: Bool? { arguments.has(.color) ? true : arguments.has(.noColor) ? false : nil }
  var isReadOnly: Bool { arguments.has(.readOnly) }
  /// Whether to treat the terminal as a serial line, whatever its name.
  var isSerial: Bool { arguments.has(.serial) }

  /// - Throws: a one-line error for a time that is not valid.
  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    idle = try arguments.value(.idle, Self.idle) ?? .minutes(10)
    // There they need no dashes.
    var words = [arguments.command.name] + arguments.operands
    for option in [Option.sessions, .every, .session] where arguments.has(option) {
      words += [String(option.name.dropFirst(2))] + (arguments.text(option).map { [$0] } ?? [])
    }
    if arguments.has(.fromServer) { words.append("server") }
    self.words = words.filter { !$0.isEmpty }
  }

  private static func idle(_ text: String) -> Milliseconds? {
    if text == "0" { return 0 }
    return Dimension.duration.amount(text).flatMap {
      (1000...86_400_000).contains($0) ? Milliseconds($0) : nil
    }
  }
}
