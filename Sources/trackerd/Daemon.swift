import BoardSupport
import CaptureStore
import Courier
import LinuxHost
import Traces
import TrackerCore

/// Wires a tracker to this machine and runs it until a signal ends it.
enum Daemon {
  /// - Returns: the exit code.
  static func run(_ settings: Settings, _ options: Options) throws -> Int32 {
    let clock = BootClock(speed: options.speed)
    let signals = try SignalWatch()
    let path = try settings.daemon.store.path()
    StateFolder.make(for: path)
    let store = try CaptureStore.open(
      .file(path), for: owner(settings, options), at: BootClock.date)
    let control = try settings.daemon.control.map { node throws in
      try ControlSocket(path: node.path())
    }
    let log = Log()
    log.write(
      .notice, "started",
      [
        "version": Help.version, "board": settings.board.identifier,
        "device": "\(store.device.lowercaseText)", "pending": "\(store.tally.pending)",
      ])
    if case .salvaged(let salvage) = store.opening {
      log.write(.error, "the store was damaged", ["what": "\(salvage)"])
    }
    if let succession = store.succession {
      let why: String =
        switch succession.cause {
        case .otherBoard: "the store is on another board"
        case .chosen: "the configuration names another device"
        }
      log.write(
        .warning, "another device begins",
        [
          "why": why, "before": succession.before.lowercaseText,
          "now": store.device.lowercaseText,
        ])
    }

    var team = settings.core.team
    var parts = LinuxParts(
      signals: signals,
      courier: Courier(
        store, settings.dialogue, mayActFor: settings.mayActFor, boot: clock.boot),
      receiver: settings.receiver.line(
        baud: Int(settings.board.receiverPort.baud), gathering: settings.daemon.gathering),
      reload: {
        let new = try Settings(options)
        defer { team = new.core.team }
        return try Self.reloaded(new, since: settings, team: team)
      })
    parts.log = log
    parts.network = settings.network
    parts.control = control
    let recording = options.record.map { path in TraceFileSink(path: path) { tell($0, log) } }
    parts.recording = recording
    addModem(to: &parts, settings)
    parts.link = settings.daemon.network.interface.map { LinkWatch(interface: $0) }
    parts.linkCommands.up = settings.daemon.network.up
    parts.linkCommands.down = settings.daemon.network.down
    parts.team = settings.core.team
    parts.configuration = settings.core.configuration
    parts.language = settings.daemon.language

    var board = settings.board.board
    // Without the line to its key, a modem that is off stays off: it rests with its radio off.
    if parts.pins == nil {
      board.modem.hasPowerKey = false
      board.modem.rest = .radioOff
    }
    let beginning = Beginning(
      board: board, configuration: settings.core.configuration,
      identity: identity(settings, store), at: clock.now, utc: BootClock.date,
      program: "trackerd \(Help.version)", comments: ["Board: \(settings.board.identifier)"])
    var tracker = beginning.tracker
    let world = try LinuxWorld(parts, clock: clock)
    MemoryTrim.run()
    if let sink = recording {
      var host = Observed(world, by: Recorder(beginning, into: sink))
      TrackerCore.run(&tracker, in: &host)
    } else {
      var host = world
      TrackerCore.run(&tracker, in: &host)
    }
    log.write(.notice, "ended", ["pending": "\(store.tally.pending)"])
    return 0
  }

  private static func tell(_ news: TraceFileSink.News, _ log: Log) {
    switch news {
    case .stopped(let trouble):
      log.write(.error, "nothing is recorded", ["why": "\(trouble)"])
    case .goesOn: log.write(.notice, "recording goes on", [:])
    }
  }

  private static func addModem(to parts: inout LinuxParts, _ settings: Settings) {
    let board = settings.board.board
    let configuration = settings.core.configuration
    parts.dialect = board.receiver.dialect
    // Behind gpsd the receiver is gpsd's to command.
    if case .gpsd = settings.receiver { parts.dialect = .none }
    parts.isLinkAlwaysWanted = configuration.bearer == .none
    guard configuration.bearer != .none || board.receiver.dialect == .modemGPS else { return }
    parts.modem = settings.modem.modemLine(baud: Int(settings.board.modemPort.baud))
    parts.wording = ModemWording(
      family: board.modem.family, accessPoint: configuration.accessPoint)
    parts.modemHTTP = settings.modemHTTP
    parts.textTo = configuration.textTo
    parts.pin = settings.pin
    parts.pinMemory = settings.pinMemory
  }

  /// A chosen device goes before the board's.
  private static func owner(_ settings: Settings, _ options: Options) -> StoreOwner {
    settings.core.device.map { .device($0) } ?? .board(.read(below: options.machine))
  }

  private static func identity(_ settings: Settings, _ store: CaptureStore) -> Identity {
    var generator = SystemRandomNumberGenerator()
    return Identity(
      device: store.device, team: settings.core.team, nextSequence: store.nextSequence,
      pending: store.counts.pending, seed: generator.next(), simPIN: settings.pinState)
  }

  /// What the files say now. What only a new start can change stays as it is and is named.
  private static func reloaded(
    _ new: Settings, since old: Settings, team: InlineText<64>
  ) throws -> Reloaded {
    var keys: [String] = []
    if try new.daemon.store.path() != old.daemon.store.path() { keys.append("store") }
    if try new.daemon.control?.path() != old.daemon.control?.path() { keys.append("control") }
    if new.core.device != old.core.device { keys.append("device") }
    if new.receiver != old.receiver { keys.append("receiverPort") }
    if new.daemon.gathering != old.daemon.gathering { keys.append("gathering") }
    if new.modem != old.modem { keys.append("modemPort") }
    if new.board.board != old.board.board { keys.append("--board") }
    if new.daemon.network.interface != old.daemon.network.interface {
      keys.append("network.interface")
    }
    if new.pin != old.pin { keys.append("secrets: pin") }
    var configuration = new.core.configuration
    let before = old.core.configuration
    if configuration.bearer != before.bearer { keys.append("bearer") }
    if configuration.accessPoint != before.accessPoint { keys.append("apn") }
    if configuration.textAfter != before.textAfter { keys.append("textAfter") }
    if configuration.textTo != before.textTo { keys.append("textTo") }
    configuration.bearer = before.bearer
    configuration.accessPoint = before.accessPoint
    configuration.textAfter = before.textAfter
    configuration.textTo = before.textTo
    // A team's name that somebody gave by hand stays until the file says something new.
    return Reloaded(
      configuration: configuration, team: new.core.team == team ? nil : new.core.team,
      dialogue: new.dialogue, mayActFor: new.mayActFor, network: new.network,
      needsRestart: keys)
  }
}
