import CaptureStore
import Foundation
import TestSupport
import Testing
import TrackerCore

/// The real daemon with a sensor for its battery, in a folder laid out as sysfs is.
@Suite(.serialized, .blocking) struct BatteryDaemonTests {
  /// The usual board with another sensor.
  private func board(_ sensor: String, for run: DaemonRun) throws {
    let usual = Built.repository.appendingPathComponent("boards/pi-zero-2w-sim7600/board.json5")
    let text = try String(contentsOf: usual, encoding: .utf8)
      .replacingOccurrences(
        of: "\n  combines:", with: "\n  battery: { sensor: \(sensor) },\n  combines:")
    run.board = run.path("board.json5")
    try Data(text.utf8).write(to: URL(fileURLWithPath: run.board))
  }

  private static let converter = """
    { kind: "iio", name: { value: "ads1015", source: "test" },
      channel: { value: 0, source: "test" }, divider: { value: 2, source: "test" } }
    """

  /// A daemon whose minutes last a second, on the way to a server.
  private func run(to camp: CampServer) throws -> (run: DaemonRun, tree: SensorTree) {
    let run = try DaemonRun(["--speed", "60"])
    let tree = try SensorTree(in: run.folder.appendingPathComponent("machine"))
    run.arguments += ["--machine", tree.root, "--record", run.path("day.nmea")]
    run.server = "http://127.0.0.1:\(camp.port)/arcgis/rest/services/TrailWalker/FeatureServer/0"
    run.settings["capture"] = "{ policy: 'standard', interval: '30 s' }"
    run.settings["transmit"] = "{ interval: '1 min' }"
    run.settings["bearer"] = "'none'"
    return (run, tree)
  }

  private func wait(_ run: DaemonRun, forStatus text: String) throws {
    try eventually("'\(text)': \(try run.ask("status").output)\n\(run.logText); \(run.command)") {
      try run.status().contains(text)
    }
  }

  private func uploads(_ run: DaemonRun) -> Int {
    run.logText.components(separatedBy: "upload finished").count - 1
  }

  @Test func `A converter is read, lost, found again under another number, and the reserve acts`()
    throws
  {
    let scratch = try ScratchFolder()
    let camp = try CampServer(folder: scratch.url)
    let (run, tree) = try run(to: camp)
    try board(Self.converter, for: run)
    let file = "bus/iio/devices/iio:device0/in_voltage0_raw"
    try tree.iio(0, "ads1015", ["in_voltage0_raw": "1300", "in_voltage0_scale": "1.500000"])
    run.line.walk(speed: 60)
    try run.startAndWait()
    try run.wait("battery measured millivolts=3900")
    try wait(run, forStatus: "\nbattery:        3900 mV, 67 % by its voltage\ncharge:         6")
    #expect(try run.ask("status").output.contains("), estimated\n"), run.note)
    try run.wait("captured sequence=2")

    try tree.breakFile(file)
    try run.wait("battery not measured why=\"ads1015: Input/output error\"")
    try wait(run, forStatus: "\nbattery:        not measured: ads1015: Input/output error; ")
    #expect(try !run.ask("status").output.contains("charge:"), run.note)
    let lost = run.announced.count
    try run.wait("captured sequence=\(lost + 3)\n")

    // 9 % of a battery whose reserve is 10 %.
    try tree.remove("bus/iio/devices/iio:device0")
    try tree.iio(4, "ads1015", ["in_voltage0_raw": "1600", "in_voltage0_scale": "1.000000"])
    try run.wait("battery measured millivolts=3200")
    try run.wait("sending reason=batteryReserve")
    // A contact that was under way has ended then.
    try wait(run, forStatus: "\nsending:        no: battery in its reserve")
    let held = uploads(run)
    Thread.sleep(forTimeInterval: 5)
    #expect(uploads(run) == held, "5 min without a contact; \(run.command)\n\(run.logText)")

    try tree.write("1950\n", to: "bus/iio/devices/iio:device4/in_voltage0_raw")
    try run.wait("upload finished", times: held + 1)
    try wait(run, forStatus: "\nbattery:        3900 mV, 67 % by its voltage\n")
    try run.wait("captured sequence=\(run.announced.count + 2)\n")
    run.end(SIGTERM)

    let store = try CaptureStore.openForReading(run.path("queue.db"))
    let volts = try store.page(after: 0, limit: 100_000).map(\.capture.batteryMillivolts)
    let inOrder = volts.reduce(into: [Int32?]()) { if $0.last != .some($1) { $0.append($1) } }
    // The first capture may come before the first reading.
    let measured = inOrder.first == .some(nil) ? inOrder.dropFirst() : inOrder[...]
    #expect(measured == [3900, nil, 3200, 3900], run.note)
    #expect(run.logText.components(separatedBy: "battery not measured").count == 2, run.note)
    let replay = try ProgramResult("tracker-sim", ["replay", run.path("day.nmea")])
    #expect(replay.code == 0 && replay.output.contains(": identical\n"), "\(replay.output)")
  }

  @Test func `A board without a sensor, or with one that is not there, says so and goes on`() throws
  {
    let scratch = try ScratchFolder()
    let camp = try CampServer(folder: scratch.url)
    for (sensor, text) in [
      (nil, "\nbattery:        not measured: the board names no sensor\n"),
      (
        "{ kind: 'powerSupply', name: { value: 'battery', source: 'test' } }",
        "\nbattery:        not measured: battery: there is no such device in "
      ),
    ] {
      let (run, _) = try run(to: camp)
      if let sensor { try board(sensor, for: run) } else { run.board = "pi-3b-sim5320" }
      run.line.walk(speed: 60)
      try run.startAndWait()
      try wait(run, forStatus: text)
      try run.wait("captured sequence=2")
      run.end(SIGTERM)
      let warnings = run.logText.components(separatedBy: "battery not measured").count - 1
      #expect(warnings == (sensor == nil ? 0 : 1), run.note)
    }
  }

  @Test func `A fuel gauge's percentage and current stand in the status and the recording`() throws
  {
    let scratch = try ScratchFolder()
    let camp = try CampServer(folder: scratch.url)
    let (run, tree) = try run(to: camp)
    try board("{ kind: 'powerSupply' }", for: run)
    try tree.supply(
      "battery",
      [
        "type": "Battery", "voltage_now": "3987500", "capacity": "81", "status": "Discharging",
        "current_now": "-240000",
      ])
    run.line.walk(speed: 60)
    try run.startAndWait()
    try wait(run, forStatus: "\nbattery:        3988 mV, 81 % by its fuel gauge, 240 mA\n")
    try run.wait("captured sequence=2")
    run.end(SIGTERM)
    let recording = try String(contentsOfFile: run.path("day.nmea"), encoding: .utf8)
    #expect(recording.contains("battery,3988,240,81*"), run.note)
    let store = try CaptureStore.openForReading(run.path("queue.db"))
    let last = try #require(try store.page(after: 0, limit: 1000).last)
    #expect(last.capture.batteryPercent == 81, run.note)
  }
}

extension DaemonRun {
  /// What a failure says.
  fileprivate var note: Comment { "\(command)\n\(logText)" }
}
