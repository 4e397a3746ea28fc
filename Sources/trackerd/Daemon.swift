import BoardSupport
import CaptureStore
import CommandLineSupport
import Courier
import Courses
import FieldConsole
import LinuxHost
import MachineAccess
import ModemDialogues
import Traces
import TrackerCore
import Uplink

/// Connects a tracker to this machine and runs it until a signal ends it.
enum Daemon {
  /// - Returns: the exit code.
  static func run(_ settings: Settings, _ options: Options) throws -> Int32 {
    LinkProcesses.keepInheritedDescriptors()
    var settings = settings
    let helper = options.linkHelper.map { LinkHelperClient(path: $0) }
    let linkRunner: any LinkRunner = helper ?? LinkProcesses()
    var lasting = Lasting(
      signals: try SignalWatch(), service: .fromEnvironment(), linkRunner: linkRunner)
    defer { linkRunner.finish() }
    while true {
      let clock = BootClock(speed: options.speed)
      switch try runOnce(settings, options, lasting, clock) {
      case .told: return 0
      case .storeCanBeMended(let finding):
        lasting.service?.mends()
        lasting.mendingPause.startsAnew(finding, after: clock.now - .start)
        // The settings may have changed since the start; if they are unusable, the old ones stay.
        if let new = try? Settings(options) { settings = new }
      }
    }
  }

  /// What stays through all restarts.
  private struct Lasting {
    let signals: SignalWatch
    let service: ServiceManager?
    let linkRunner: any LinkRunner
    var mendingPause = MendingPause()
  }

  private static func runOnce(
    _ settings: Settings, _ options: Options, _ lasting: Lasting, _ clock: BootClock
  ) throws -> Ending {
    let path = try settings.daemon.store.path()
    // The peak is what is in memory at the same time: loading, settings, store and the network's
    // libraries each begin with a trim.
    MemoryTrim.run()
    StateFolder.make(for: path)
    // A key that a killed run left pressed is released first: a store may take minutes.
    let pins = Result { () throws(PinError) in try openPins(settings, options) }
    let store = try CaptureStore.open(
      .file(path), for: owner(settings, options), at: BootClock.date)
    store.spareRoom()
    MemoryTrim.run()
    let control = try settings.daemon.control.map { node throws in
      try ControlSocket(path: node.path())
    }
    let log = Log()
    tellStart(settings, options, store, log)
    let memory = memory(store, clock, log)
    let inForce = inForce(settings, store, memory, clock, log)
    let configuration = inForce.reading.core.configuration
    if lasting.linkRunner.remember(in: path + ".link", down: settings.daemon.network.down) {
      log.write(.warning, "the link was left open; it is closed first", [:])
    }
    do throws(FileError) {
      try inForce.reading.core.checkFinish(at: BootClock.date, path: options.config)
    } catch {
      log.write(.warning, "the finish is in the past", ["why": "\(error)"])
    }

    var parts = parts(
      settings, options, lasting,
      Courier(store, settings.dialogue, mayActFor: settings.mayActFor, boot: clock.boot))
    parts.log = log
    parts.control = control
    let recording = options.record.map { path in TraceFileSink(path: path) { tell($0, log) } }
    parts.recording = recording
    parts.modemMilliwatts = milliwatts(settings.board.board)
    parts.storeWatch = StoreWatch(
      store.waiting, from: clock.now,
      after: lasting.mendingPause.length(isWaiting: store.waiting != nil))
    add(pins, to: &parts)
    parts.battery = battery(settings, options)
    parts.halt = halt(settings, options)
    parts.clockKeeper = clockKeeper(settings, options, log)
    try addLink(to: &parts, settings)
    parts.configuration = configuration
    parts.memory = memory
    parts.settings = inForce
    addCourse(to: &parts, settings)
    parts.eventFile = path + ".events"

    var beginning = RecordingHeader(
      board: board(settings, hasPins: parts.pins != nil), configuration: configuration,
      identity: identity(settings, store, parts.memory), at: clock.now, utc: BootClock.date,
      program: "trackerd \(version)", comments: ["Board: \(settings.board.identifier)"])
    beginning.course = settings.course
    let mark = ModemMark(path: path + ".modem")
    beginning.identity.hasLeftModem = mark.renew(isUsed: configuration.bearer != .none)
    addModem(to: &parts, settings, hasLeft: beginning.identity.hasLeftModem)
    MemoryTrim.run()
    let ending = run(beginning, in: try LinuxWorld(parts, clock: clock), recording)
    switch ending {
    case .told: log.write(.notice, "ended", ["pending": "\(store.tally.pending)"])
    case .storeCanBeMended(let finding):
      log.write(.notice, "restarting", ["why": finding.why])
    }
    return ending
  }

  /// What the settings and what stays through restarts say; the rest is added to it.
  private static func parts(
    _ settings: Settings, _ options: Options, _ lasting: Lasting,
    _ courier: Courier<AnyDialogue>
  ) -> LinuxParts {
    var parts = LinuxParts(
      signals: lasting.signals, courier: courier,
      receiver: settings.receiver.line(
        baud: Int(settings.board.receiverPort.baud), gathering: settings.gathering),
      reload: {
        try Self.reloaded(Settings(options), since: settings)
      })
    parts.network = settings.network
    parts.consoleLock = settings.consoleLock
    parts.linkRunner = lasting.linkRunner
    parts.service = lasting.service
    parts.team = settings.core.team
    parts.number = settings.daemon.server.deviceCode
    parts.version = version
    parts.timeZone = settings.core.timeZone
    return parts
  }

  private static func addLink(to parts: inout LinuxParts, _ settings: Settings) throws {
    let network = settings.daemon.network
    let target = try settings.linkTarget
    parts.link = network.interface.map { LinkWatch(interface: $0, target: target) }
    parts.linkCommands.up = network.up
    parts.linkCommands.down = network.down
  }

  private static func addCourse(to parts: inout LinuxParts, _ settings: Settings) {
    parts.course = settings.course
    parts.courseProblem = settings.courseProblem?.texts
    if let course = settings.course { tell(course, parts.log) }
    if let problem = settings.courseProblem {
      parts.log.write(.error, "no course is followed", ["why": "\(problem)"])
    }
  }

  /// What a board's modem takes while it sends.
  private static func milliwatts(_ board: Board) -> Int {
    let microwatts = Int64(board.loads.modemTransmittingMicroamps) * Int64(board.supplyMillivolts)
    return Int(microwatts / 1_000_000)
  }

  /// The board for the core. Without the pin to its power key, a modem that is off would stay off;
  /// it rests with its radio off instead.
  private static func board(_ settings: Settings, hasPins: Bool) -> Board {
    var board = settings.board.board
    if hasPins { return board }
    board.modem.hasPowerKey = false
    board.modem.hasStatus = false
    board.modem.hasFlightMode = false
    board.hasLight = false
    board.modem.rest = .radioOff
    return board
  }

  private static func run(
    _ beginning: RecordingHeader, in world: consuming LinuxWorld, _ recording: TraceFileSink?
  ) -> Ending {
    var tracker = beginning.tracker
    MemoryTrim.run()
    guard let recording else {
      TrackerCore.run(&tracker, in: &world)
      return world.ending ?? .told
    }
    var host = Observed(world, by: Recorder(beginning, into: recording))
    TrackerCore.run(&tracker, in: &host)
    return host.base.ending ?? .told
  }

  private static func tellStart(
    _ settings: Settings, _ options: Options, _ store: CaptureStore, _ log: Log
  ) {
    log.write(
      .notice, "started",
      [
        "version": version, "board": settings.board.identifier,
        "device": "\(store.device.lowercaseText)", "pending": "\(store.tally.pending)",
      ])
    tell(store, log)
    if let advice = settings.modemManagerAdvice(options) {
      log.write(
        .warning, "ModemManager may use the modem's port",
        ["who": advice.program, "cure": "\(ModemManagerAdvice.file): \(advice.rule)"])
    }
  }

  private static func tell(_ course: MappedCourse, _ log: Log) {
    log.write(.notice, "course", ["name": course.name, "is": course.summary])
    for doubt in course.doubts { log.write(.warning, "course", ["what": doubt]) }
  }

  /// Logs what happened to the store and its device when it was opened.
  private static func tell(_ store: CaptureStore, _ log: Log) {
    if let succession = store.succession {
      let why: String =
        switch succession.cause {
        case .otherBoard: "the store is on another board"
        case .chosen: "the configuration names another device"
        }
      log.write(
        .warning, "new device identifier",
        [
          "why": why, "before": succession.before.lowercaseText,
          "now": store.device.lowercaseText,
        ])
    }
    switch store.opening {
    case .created, .opened: break
    case .migrated(let version):
      log.write(.notice, "the store was migrated to this version", ["from": "\(version)"])
    case .salvaged(let salvage):
      log.write(.error, "the store was damaged", ["what": "\(salvage)"])
    case .beside(let waiting):
      log.write(.error, "captures go to a second store", ["what": "\(waiting)"])
    }
    if let count = store.takenIn {
      log.write(.notice, "the second store was merged", ["captures": "\(count)"])
    }
    if let leftover = store.leftover {
      log.write(.error, "a second store waits", ["what": "\(leftover)"])
    }
  }

  private static func tell(_ event: TraceFileSink.Event, _ log: Log) {
    switch event {
    case .stopped(let trouble):
      log.write(.error, "nothing is recorded", ["why": "\(trouble)"])
    case .goesOn: log.write(.notice, "recording goes on", [:])
    }
  }

  /// `nil`: the board has none.
  private static func openPins(
    _ settings: Settings, _ options: Options
  ) throws(PinError) -> GPIOPins? {
    let pins = settings.board.pins
    return pins.wired.isEmpty ? nil : try GPIOPins(pins, in: options.machine + "/dev")
  }

  /// Without the chip, as on a desk, the modem is taken for one without a power key.
  private static func add(_ pins: Result<GPIOPins?, PinError>, to parts: inout LinuxParts) {
    switch pins {
    case .success(let pins): parts.pins = pins
    case .failure(let problem):
      parts.pinProblem = problem.notUsed
      parts.log.write(.warning, "no pins", ["why": "\(problem)"])
    }
  }

  /// - Parameter hasLeft: it is only to be switched off.
  private static func addModem(
    to parts: inout LinuxParts, _ settings: Settings, hasLeft: Bool
  ) {
    let board = settings.board.board
    let configuration = settings.core.configuration
    parts.dialect = board.receiver.dialect
    // gpsd configures its receiver itself.
    if case .gpsd = settings.receiver { parts.dialect = .none }
    parts.isLinkAlwaysWanted = configuration.bearer == .none
    guard settings.usesModem || hasLeft else { return }
    parts.modem = settings.modem.modemLine(
      baud: Int(settings.board.modemPort.baud), outgoingBytes: ModemBounds.outgoingBytes)
    parts.commandFormatter = ModemCommandFormatter(
      family: board.modem.family, accessPoint: configuration.accessPoint)
    parts.modemHTTP = settings.modemHTTP
    parts.textTo = configuration.textTo
    parts.pin = settings.pin
    parts.pinMemory = settings.pinMemory
  }

  private static func battery(_ settings: Settings, _ options: Options) -> BatteryWatch {
    let battery = settings.board.board.battery
    guard let sensor = settings.board.batterySensor else { return BatteryWatch(.none, of: battery) }
    let meter = SensorMeter(
      sensor, with: settings.board.thermometer, of: battery, below: options.machine)
    guard let meter else {
      return BatteryWatch(.modem, of: battery)
    }
    return BatteryWatch(.meter(meter), of: battery)
  }

  private static func halt(_ settings: Settings, _ options: Options) -> HaltParts? {
    guard let clock = settings.board.wakeClock, let halting = settings.board.board.halting else {
      return nil
    }
    return HaltParts(
      clock: clock, stopTime: halting.stopTime, helper: options.haltHelper, root: options.machine)
  }

  private static func clockKeeper(
    _ settings: Settings, _ options: Options, _ log: Log
  ) -> ClockKeeper {
    let use = settings.daemon.clock
    guard use == .leave || options.speed == 1 else {
      log.write(.notice, "in a rehearsal the system clock is left alone", [:])
      return ClockKeeper(.leave)
    }
    switch (use, settings.receiver) {
    case (.leave, _): return ClockKeeper(.leave)
    case (.set, _):
      let helper = options.clockHelper.map { HelperClock(path: $0) }
      return ClockKeeper(.set(helper ?? KernelClock()))
    case (.chrony, .gpsd):
      log.write(.notice, "chrony is not fed: gpsd, whose receiver it is, does that", [:])
      return ClockKeeper(.leave)
    case (.chrony, .serial): return ClockKeeper(.feed(SharedMemoryClock(), KernelClock()))
    }
  }

  /// A configured device takes precedence over the board's.
  private static func owner(_ settings: Settings, _ options: Options) -> StoreOwner {
    settings.core.device.map { .device($0) } ?? .board(.read(below: options.machine))
  }

  /// The orders and session in the store; empty if they cannot be read, so that the settings apply.
  private static func memory(_ store: CaptureStore, _ clock: BootClock, _ log: Log) -> Memory {
    do throws(StoreError) {
      return try store.memory(at: clock.machineTime)
    } catch {
      log.write(.error, "orders and session could not be read", ["why": "\(error)"])
      return Memory()
    }
  }

  /// The settings with the orders in the store; without them if they cannot be read.
  private static func inForce(
    _ settings: Settings, _ store: CaptureStore, _ memory: Memory, _ clock: BootClock, _ log: Log
  ) -> SettingsInForce {
    var inForce = SettingsInForce(settings.file)
    do throws(StoreError) {
      inForce.take(
        try store.settingOrders(at: clock.machineTime), session: memory.session?.number)
    } catch {
      log.write(.error, "orders about settings could not be read", ["why": "\(error)"])
    }
    return inForce
  }

  private static func identity(
    _ settings: Settings, _ store: CaptureStore, _ memory: Memory
  ) -> Identity {
    var generator = SystemRandomNumberGenerator()
    return Identity(
      device: store.device, team: settings.core.team, nextSequence: store.nextSequence,
      pending: store.counts.pending, seed: generator.next(), simPIN: settings.pinState,
      memory: memory)
  }

  /// The reloaded settings. Those that need a restart stay as they are and are listed.
  private static func reloaded(
    _ new: Settings, since old: Settings
  ) throws -> Reloaded {
    var keys: [String] = []
    if try new.daemon.store.path() != old.daemon.store.path() { keys.append("store") }
    if try new.daemon.control?.path() != old.daemon.control?.path() { keys.append("control") }
    if new.core.device != old.core.device { keys.append("device") }
    if new.receiver != old.receiver { keys.append("receiverPort") }
    if new.daemon.gathering != old.daemon.gathering { keys.append("gathering") }
    if new.daemon.clock != old.daemon.clock { keys.append("clock") }
    if new.modem != old.modem { keys.append("modemPort") }
    if new.board.board != old.board.board || new.board.batterySensor != old.board.batterySensor
      || new.board.thermometer != old.board.thermometer
      || new.board.pins != old.board.pins
    {
      keys.append("--board")
    }
    if new.daemon.network.interface != old.daemon.network.interface {
      keys.append("network.interface")
    }
    if new.pin != old.pin { keys.append("secrets: pin") }
    if new.courseProblem == nil, new.course != old.course { keys.append("course") }
    let wanted = new.core.configuration
    let configuration = wanted.keepingFixed(of: old.core.configuration)
    if wanted.bearer != configuration.bearer { keys.append("bearer") }
    if wanted.accessPoint != configuration.accessPoint { keys.append("apn") }
    if wanted.textAfter != configuration.textAfter { keys.append("textAfter") }
    if wanted.textTo != configuration.textTo { keys.append("textTo") }
    var reloaded = try Reloaded(
      file: new.file, team: new.core.team,
      dialogue: new.dialogue, mayActFor: new.mayActFor, network: new.network,
      linkTarget: new.linkTarget, consoleLock: new.consoleLock, needsRestart: keys)
    reloaded.courseProblem = new.courseProblem?.texts
    return reloaded
  }
}
