import Foundation
import ModemTerminal
import Simulation
import TestSupport
import Uplink

/// A daemon that is about to start, its modem on a pseudo-terminal, and a server, which it reaches
/// by the modem's own HTTP.
struct ModemRig {
  let camp: CampServer
  let modem: ModemTerminal
  let run: DaemonRun
  private let folder: URL

  /// - Parameters:
  ///   - script: a family, or a file of `traces/modems`.
  ///   - speed: of the daemon and of its modem.
  ///   - forward: what becomes of the modem's requests; by default the server gets them.
  init(
    _ script: String, speed: Int = 20,
    forward: @escaping @Sendable (HTTPRequest) -> HTTPReply = { $0.performWithCurl() }
  ) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("modem-camp-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    camp = try CampServer(folder: folder)
    modem = try ModemTerminal(
      try ModemScript(named: script), speed: Double(speed), forward: forward)
    run = try DaemonRun(["--speed", "\(speed)"])
    run.server = "http://127.0.0.1:\(camp.port)/arcgis/rest/services/TrailWalker/FeatureServer/0"
    run.settings["bearer"] = "'modem'"
    run.settings["modemPort"] = "'\(modem.path)'"
    run.settings["apn"] = "'internet'"
    run.settings["capture"] = "{ policy: 'standard', interval: '30 s' }"
    run.settings["transmit"] = "{ interval: '1 min' }"
    run.settings["reconnectFloor"] = "'0 s'"
    run.line.walk(speed: Double(speed))
  }

  func stop() {
    modem.stop()
    try? FileManager.default.removeItem(at: folder)
  }
}
