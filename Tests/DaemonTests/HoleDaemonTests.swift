import CaptureStore
import Foundation
import ModemTerminal
import Simulation
import TestSupport
import Testing
import TrackerCore

/// What has gathered in a hole in the coverage is brought home by the real daemon, over each kind
/// of bearer, whatever it is that has gathered.
@Suite(.serialized, .blocking) struct HoleDaemonTests {
  static let sizes: [UInt32] = [1, 2, 3, 20, 200, 5000]
  private static let speed = 10

  @Test(arguments: sizes)
  func `By the modem's own HTTP, over a serial line at 115200`(_ size: UInt32) throws {
    let run = try DaemonRun(["--speed", "\(Self.speed)"])
    let camp = try CampServer(folder: run.folder)
    let modem = try ModemTerminal(
      try ModemScript(named: "sim7600"), speed: Double(Self.speed), baud: 115_200)
    defer { modem.stop() }
    run.settings["bearer"] = "'modem'"
    run.settings["modemPort"] = "'\(modem.path)'"
    try deliver(size, run, camp)
    let posts = modem.requests.filter { $0.url.hasSuffix("applyEdits") }
    // One contact, and no batch smaller than it has to be.
    #expect(posts.count == (Int(size) + 99) / 100, "\(run.command)")
    #expect(modem.heard.filter { $0 == "AT+CFUN=1" }.count == 1, "\(run.command)")
    // 410 bytes of a capture take 36 ms on the line; the rest is for a machine that is busy. What
    // it is without one is in ModemEmulatorTests.HoleTests.
    let seconds = modem.radioOnMilliseconds / 1000
    #expect(seconds < 240 + Int64(size) / 20 + Int64(posts.count) * 15, "\(seconds) s")
    #expect(!modem.isRadioOn, "\(run.command)")
  }

  @Test(arguments: sizes)
  func `Over an interface of the system`(_ size: UInt32) throws {
    let run = try DaemonRun(["--speed", "\(Self.speed)"])
    let camp = try CampServer(folder: run.folder)
    let modem = try ModemTerminal(
      try ModemScript(named: "sim7600"), speed: Double(Self.speed), baud: 115_200)
    defer { modem.stop() }
    run.settings["modemPort"] = "'\(modem.path)'"
    run.settings["network"] = "{ interface: 'lo' }"
    try deliver(size, run, camp)
    #expect(!modem.isRadioOn, "\(run.command)")
  }

  @Test(arguments: sizes)
  func `Without a modem`(_ size: UInt32) throws {
    let run = try DaemonRun(["--speed", "\(Self.speed)"])
    let camp = try CampServer(folder: run.folder)
    run.settings["bearer"] = "'none'"
    try deliver(size, run, camp)
  }

  /// Has so many captures wait, lets the daemon send them, and looks what has arrived.
  private func deliver(_ size: UInt32, _ run: DaemonRun, _ camp: CampServer) throws {
    let device = try run.fill(size)
    run.server =
      "http://127.0.0.1:\(camp.port)/arcgis/rest/services/TrailWalker/FeatureServer/0"
    run.settings["startsBySelf"] = "false"
    try run.startAndWait()
    try run.wait("sending reason=nothingPending", seconds: 240)
    if run.settings["bearer"] != "'none'" { try run.wait("modem phase=off", seconds: 60) }
    run.end(SIGTERM)
    let expected = (1...size).map { UniqueID(device: device, sequence: $0) }
    let arrived = try camp.identifiers()
    #expect(arrived.count == expected.count, "\(run.command)")
    #expect(Set(arrived) == Set(expected), "\(run.command)")
  }
}

extension DaemonRun {
  /// Has so many captures wait in the store before the daemon starts, as long ones as a walk
  /// brings.
  func fill(_ count: UInt32) throws -> UniqueID {
    let store = try CaptureStore.open(
      .file(path("queue.db")), at: UTC(milliseconds: 1_780_000_000_000))
    for sequence in 1...count {
      var capture = Capture(
        sequence: sequence, utc: UTC(milliseconds: 1_780_000_000_000 + Int64(sequence) * 10_000),
        isTimeTrusted: true,
        position: Coordinate(latitude: 421_822_000 + Int32(sequence), longitude: -24_890_000),
        team: InlineText("Els Caminants de la Nit"), trigger: .interval)
      capture.altitudeMillimetres = 443_000
      capture.accuracyMetres = 5
      capture.batteryPercent = 77
      try store.append(capture, at: UTC(milliseconds: 1_780_000_000_000))
    }
    return store.device
  }
}
