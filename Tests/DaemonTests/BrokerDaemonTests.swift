import Foundation
import TestSupport
import Testing

/// A tracker that delivers on a broker, Debian's mosquitto.
@Suite(
  .serialized, .blocking, .enabled(if: MosquittoBroker.missing == nil, MosquittoBroker.missing))
struct BrokerDaemonTests {
  private func run(_ broker: MosquittoBroker, _ more: String = "") throws -> DaemonRun {
    let run = try DaemonRun(["--speed", "60"])
    run.settings["server"] = "{ kind: 'mqtt', address: '\(broker.address)', \(more) }"
    run.settings["capture"] = "{ policy: 'standard', interval: '30 s' }"
    run.settings["transmit"] = "{ interval: '1 min' }"
    run.settings["bearer"] = "'none'"
    run.line.walk(speed: 60)
    try run.startAndWait()
    return run
  }

  private func waitUntilDelivered(_ run: DaemonRun) throws {
    let status = { try run.ask("status").output }
    try eventually("all delivered: \(try status())\n\(run.logText)", within: 180, pause: 0.1) {
      try status().contains(" 0 waiting, 0 set aside")
    }
  }

  @Test func `Captures are basecamp's before they leave the tracker, though the broker dies`()
    throws
  {
    let folder = try ScratchFolder()
    let broker = try MosquittoBroker(folder)
    let run = try run(broker)
    try run.wait("nobody listens on owntracks/trailtracker/\(try run.device())")
    let camp = try CampServer(folder: run.folder, ["--mqtt", broker.address])
    try run.wait("answered: ", times: 2)
    try eventually("a connection; \(run.command)", pause: 0.01) { try keepsConnections(run) > 0 }
    broker.kill()
    try run.wait("request failed", times: 2)
    try broker.start()
    #expect(try run.ask("stop").code == 0, "\(run.command)")
    try waitUntilDelivered(run)
    #expect(try !run.status().contains("broker's word"), "\(run.command)")
    run.end(SIGTERM)
    let arrived = try camp.identifiers()
    try run.expectOnce(arrived)
    #expect(try arrived.count == run.stored().count, "\(run.command)")
  }

  /// The connection ends with the daemon, whatever it has started.
  ///
  /// - Returns: how many there are.
  private func keepsConnections(_ run: DaemonRun) throws -> Int {
    // Foundation reads the first page only.
    let connections = try ProgramResult(running: ["cat", "/proc/\(run.id)/net/tcp"]).output
    let process = "/proc/\(run.id)"
    var found = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: "\(process)/fd") {
      let files = FileManager.default
      guard let target = try? files.destinationOfSymbolicLink(atPath: "\(process)/fd/\(name)"),
        let node = target.firstMatch(of: /socket:\[(\d+)\]/)?.1,
        connections.contains(" \(node) "),
        let text = try? String(contentsOfFile: "\(process)/fdinfo/\(name)", encoding: .utf8),
        let flags = text.firstMatch(of: /flags:\s+0(\d+)/).flatMap({ Int($0.1, radix: 8) })
      else { continue }
      found += 1
      #expect(flags & 0o2_000_000 != 0, "descriptor \(name); \(run.command)")
    }
    return found
  }

  @Test func `Where the broker's word counts the status says so`() throws {
    let folder = try ScratchFolder()
    let broker = try MosquittoBroker(folder)
    let recorder = try MQTTWire(broker, "recorder")
    try recorder.subscribe("owntracks/#")
    let run = try run(broker, "acknowledgedBy: 'broker'")
    try run.wait("answered: 1 acknowledged")
    try eventually("whose word it is; \(run.command)") {
      let status = try run.status()
      return status.contains("(by the broker's word)")
        && status.contains("deliveries are such by the broker's word, which may lose them")
    }
  }
}
