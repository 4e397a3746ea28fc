import BoardSupport
import CaptureStore
import CommandLineSupport
import Simulation
import SystemCalls
import TrackerCore

/// `bench --modems SCRIPT…`: six hours of a walk with each modem, or with the usual one
/// in each scenario. How much of it is delivered, and how long the modem's radio is on for that.
enum ModemBench {
  private static let hours = 6

  private struct Row {
    var name: String
    var captured = 0
    var delivered = 0
    var radio = Milliseconds(0)
    /// The last reason given for sending nothing.
    var reason: Reason?

    mutating func add(_ row: Row) {
      captured += row.captured
      delivered += row.delivered
      radio = radio + row.radio
    }

    var line: String {
      let seconds = Double(radio.count) / 1000
      let each = delivered > 0 ? MachineBench.fixed(seconds / Double(delivered)) : "-"
      return name.leftAligned(in: 28) + "\(captured)".rightAligned(in: 6)
        + "\(delivered)".rightAligned(in: 11)
        + "\(radio.count / 1000)".rightAligned(in: 9) + each.rightAligned(in: 9)
        + (reason.map { "  " + "\($0.text(in: .english))" } ?? "") + "\n"
    }
  }

  /// The last reason for sending nothing that says more than that the modem is off.
  private struct LastReason: HostObserver {
    var reason: Reason?

    mutating func arrived(_ arrival: Arrival, at now: Instant) {}

    mutating func pushed(_ effect: Effect, at now: Instant) {
      guard case .note(.sending(let told?)) = effect else { return }
      switch told {
      case .modemOff, .notDue, .nothingPending, .reconnectFloor: break
      default: reason = told
      }
    }
  }

  static func run(_ paths: [String]) throws {
    let worlds = try paths.map { path throws in
      (name: name(path), scenario: try scenario(path))
    }
    let log = "\(temporaryDirectory)/bench-\(ownProcess).nmea"
    defer { try? removeFile(log) }
    let file = try OutputFile(path: log)
    try file.write(BenchData(seconds: hours * 3600).bytes)
    try file.finish()
    try printOut(
      "\(hours) h of walking with each modem\n"
        + "".leftAligned(in: 28) + "captures  delivered  radio s   s each  not sent because\n")
    var total = Row(name: "all")
    var delivering = Row(name: "all that deliver")
    for (name, scenario) in worlds {
      let hasHTTP = scenario.modemScript?.hasHTTP ?? true
      for bearer in hasHTTP ? [Bearer.interface, .modem] : [.interface] {
        let row = try play(name, scenario, bearer, log)
        total.add(row)
        if row.delivered > 0 { delivering.add(row) }
        try printOut(row.line)
      }
    }
    try printOut(total.line + delivering.line)
  }

  /// `lte-only` for `traces/modems/lte-only.script`.
  private static func name(_ path: String) -> String {
    let file = path.split(separator: "/").last ?? ""
    return String(file.split(separator: ".").first ?? file)
  }

  private static func scenario(_ path: String) throws -> Scenario {
    if path.hasSuffix(".json5") { return try Scenario.load(path: path, read) }
    var scenario = Scenario()
    let script = try script(path)
    scenario.modemScript = script
    scenario.sim.pin = script.pin
    scenario.sim.secret = script.pin
    return scenario
  }

  private static func read(_ path: String) throws -> [UInt8] {
    try InputFile.bytes(of: path, atMost: 1 << 20)
  }

  private static func script(_ path: String) throws -> ModemScript {
    let text = String(decoding: try read(path), as: UTF8.self)
    do throws(ModemScriptError) {
      return try ModemScript(text, name: path)
    } catch {
      throw UsageError(error.description)
    }
  }

  private static func play(
    _ name: String, _ scenario: Scenario, _ bearer: Bearer, _ log: String
  ) throws -> Row {
    var board = try MachineBench.board()
    if let script = scenario.modemScript {
      if script.restsWithRadioOff { board.board.modem.rest = .radioOff }
      if !script.hasKey { board.board.modem.hasPowerKey = false }
    }
    var configuration = Configuration()
    configuration.bearer = bearer
    let identity = Identity(
      device: UniqueID(high: 1, low: 2), team: InlineText("Bench"), seed: 1,
      simPIN: scenario.sim.state)
    let store = try CaptureStore.open(
      .memory, for: .device(identity.device), at: UTC(milliseconds: 0))
    var world = try World(
      trace: try TracePlayer(path: log), board: board.board, sensor: board.batterySensor,
      scenario: scenario, store: store, seed: 1)
    world.use(configuration)
    var tracker = Tracker(
      board: board.board, configuration: configuration, identity: identity, at: .start)
    var host = Observed(world, by: LastReason())
    TrackerCore.run(&tracker, in: &host)
    if let error = host.base.traceError { throw error }
    var row = Row(name: bearer == .modem ? name + ", own HTTP" : name)
    let tally = host.base.tally
    row.delivered = Int(tally.acknowledged)
    row.captured = row.delivered + Int(tally.pending + tally.setAside)
    row.radio = host.base.radioOnTime
    row.reason = tracker.pending > 0 ? host.observer.reason : nil
    return row
  }
}
