import BoardSupport
import CaptureStore
import Courses
import FeatureService
import Foundation
import Reports
import Testing
import TrackerCore
import Uplink

@testable import Simulation

/// A run of the closed loop in this process, watched.
struct Race {
  var trace = "rest-40min"
  /// Played instead of `trace`.
  var walk: PreparedTrace?
  var configuration = Configuration()
  /// `nil`: none.
  var course: MappedCourse?
  var scenario = Scenario()
  var seed: UInt64 = 1
  var variation: Variation?
  var board = "pi-zero-2w-sim7600"
  /// `nil`: the board's, if it has one.
  var sensor: BatterySensor?
  var mayActFor: Milliseconds?
  /// Whether the modem rests with its radio off and has no power key.
  var isModemAlwaysOn = false
  var hasStatus = false
  /// `nil`: the board's.
  var radio: RadioFigures?
  /// Changes figures of the board.
  var adjust: (@Sendable (inout Board) -> Void)?

  static let device = UniqueID(high: 0, low: 1)

  /// What the world and its watcher know at the end.
  struct Result {
    var tracker: Tracker
    var tally = RunTally()
    var sequences: [UInt32] = []
    var ending: World.Ending?
    var acknowledged: UInt32 = 0
    var pending: UInt32 = 0
    var setAside: UInt32 = 0
    var received = 0
    var duplicates: UInt32 = 0
    var batteryPercent = 0.0
    var modemJoules = 0.0
    /// Of everything.
    var joules = 0.0
    /// How often the machine was halted and started again.
    var restarts = 0
    var hours = 0.0
    /// The longest time from a capture to its acknowledgement.
    var longestLatency = Milliseconds(0)
    /// Of each capture that was acknowledged.
    var latencies: [Milliseconds] = []
    var requests: UInt32 = 0
    /// How long the modem's radio was on.
    var radioOn = Milliseconds(0)
    /// How often the tracker spoke to the modem before the host had reported on a request.
    var intrusions = 0
    /// How often the modem was asked whether it is there.
    var probes = 0
    var bytesSent: Int64 = 0
    /// What the queue has at the end, in order.
    var captures: [StoredCapture] = []
    /// The server's own book.
    var rows: [ServerRow] = []
  }

  /// Watches as the reports do, and keeps the sequence numbers that were handed to the disk.
  private struct Watcher: HostObserver {
    var tally = RunTally()
    var sequences: [UInt32] = []
    var intrusions = 0
    var probes = 0
    var restarts = 0
    private var isAwaiting = false

    mutating func arrived(_ arrival: Arrival, at now: Instant) {
      tally.arrived(arrival, at: now)
      switch arrival {
      case .event(.uploadFinished), .event(.reconcileFinished): isAwaiting = false
      case .restart: restarts += 1
      case .event, .bytes, .newSettings, .inspection, .end: break
      }
    }

    mutating func pushed(_ effect: Effect, at now: Instant) {
      tally.pushed(effect, at: now)
      switch effect {
      case .upload, .reconcile: isAwaiting = true
      // The host passes that on before it reports.
      case .note(.modemRestarted): isAwaiting = false
      case .sendToModem where isAwaiting: intrusions += 1
      case .sendToModem(.attention): probes += 1
      default: break
      }
      if case .note(.captured(let sequence)) = effect { sequences.append(sequence) }
    }
  }

  func run() throws -> Result {
    let folder = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let path = folder.appendingPathComponent("traces/\(trace).nmea").path
    let player = if let walk { TracePlayer(walk) } else { try TracePlayer(path: path) }
    let description = try BoardDescription.load(
      named: board.contains("+") ? board : folder.appendingPathComponent("boards/\(board)").path)
    var board = description.board
    if isModemAlwaysOn {
      board.modem.rest = .radioOff
      board.modem.hasPowerKey = false
    }
    board.modem.hasStatus = hasStatus
    adjust?(&board)
    var tracker = Tracker(
      board: board, configuration: configuration,
      identity: Identity(
        device: Self.device, team: InlineText("Test"), seed: seed, simPIN: scenario.sim.state),
      at: .start)
    let store = try CaptureStore.open(
      .memory, for: .device(Self.device), at: UTC(milliseconds: 0))
    var world = try World(
      trace: player, board: board, sensor: sensor ?? description.batterySensor,
      scenario: scenario, store: store, seed: seed, variation: variation, mayActFor: mayActFor)
    world.courseTable = course.map { CourseTable($0) }
    world.hasThermometer = description.thermometer != nil
    world.use(configuration)
    world.use(radio ?? description.radio)
    var host = Observed(world, by: Watcher())
    TrackerCore.run(&tracker, in: &host)
    return Result(
      tracker: tracker, tally: host.observer.tally, sequences: host.observer.sequences,
      ending: host.base.ending, acknowledged: UInt32(store.tally.acknowledged),
      pending: UInt32(store.tally.pending), setAside: UInt32(store.tally.setAside),
      received: try host.base.server.received, duplicates: try host.base.server.duplicates,
      batteryPercent: host.base.battery.percent,
      modemJoules: host.base.meter.modemMillijoules / 1000,
      joules: host.base.meter.drawnMillijoules / 1000, restarts: host.observer.restarts,
      hours: Double(host.base.now.milliseconds) / 3_600_000,
      longestLatency: Milliseconds(host.base.latencies.max() ?? 0),
      latencies: host.base.latencies.map { Milliseconds($0) },
      requests: host.base.requestCount,
      radioOn: host.base.modem.radioOnTime(at: host.base.now),
      intrusions: host.observer.intrusions, probes: host.observer.probes,
      bytesSent: host.base.bytesSent,
      captures: try store.page(limit: .max), rows: try ServerRow.all(of: host.base.server))
  }
}

/// A capture as the server has it.
struct ServerRow {
  /// The attribute `UUID`.
  var identifier: String
  /// Web Mercator, metres.
  var x: Double
  var y: Double
  /// Milliseconds since 1970; `nil`: the tracker did not know.
  var time: Int64?
  /// The attributes `Motiu`, `ProperContacte` and `Silenci`.
  var trigger: String?
  var promise: Int64?
  var silence: String?

  /// All of them, in the order of their arrival, as anybody may ask for them.
  static func all(of server: SimulatedServer) throws -> [ServerRow] {
    func ask(_ url: String, _ form: String) throws -> [String: Any] {
      let request = HTTPRequest(
        method: .post, url: url,
        headers: [HTTPHeader("Content-Type", "application/x-www-form-urlencoded")],
        body: Array("f=json&\(form)".utf8))
      guard case .answer(_, _, let body, _, _) = server.answer(request) else { return [:] }
      return try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] ?? [:]
    }
    // Without tokens this is an error, and none is needed.
    let password = SimulatedServer.password.replacingOccurrences(of: " ", with: "+")
    let token = try ask(
      "\(SimulatedServer.site)/tokens/generateToken",
      "username=\(SimulatedServer.user)&password=\(password)")["token"]
    var rows: [ServerRow] = []
    while true {
      let answer = try ask(
        "\(SimulatedServer.layerAddress)/query",
        "where=1=1&outFields=UUID,Entrada,Motiu,ProperContacte,Silenci&orderByFields=OBJECTID"
          + "&resultOffset=\(rows.count)&token=\(token ?? "")")
      let features = try #require(answer["features"] as? [[String: [String: Any]]], "\(answer)")
      rows += try features.map { try ServerRow($0) }
      if answer["exceededTransferLimit"] == nil { return rows }
    }
  }

  private init(_ feature: [String: [String: Any]]) throws {
    let (attributes, place) = (feature["attributes"], feature["geometry"])
    identifier = try #require(attributes?["UUID"] as? String)
    x = try #require(place?["x"] as? Double)
    y = try #require(place?["y"] as? Double)
    time = attributes?["Entrada"] as? Int64
    trigger = attributes?["Motiu"] as? String
    promise = attributes?["ProperContacte"] as? Int64
    silence = attributes?["Silenci"] as? String
  }
}
