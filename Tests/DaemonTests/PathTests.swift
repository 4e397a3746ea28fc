import Foundation
import TestSupport
import Testing
import TrackerCore

/// The real daemon, its real HTTP client and a real server, with a network between them that
/// carries little or nothing.
@Suite(.serialized, .blocking) struct PathTests {
  private static let speed = 10

  private func daemon() throws -> DaemonRun {
    let run = try DaemonRun(["--speed", "\(Self.speed)"])
    run.settings["bearer"] = "'none'"
    run.settings["startsBySelf"] = "false"
    return run
  }

  private func address(_ port: UInt16) -> String {
    "http://127.0.0.1:\(port)/arcgis/rest/services/TrailWalker/FeatureServer/0"
  }

  /// The limit counts all that a connection sends, as the worst networks do.
  @Test(arguments: [HoleProxy.Excess.swallow, .reset])
  func `What waits is delivered once in small requests, and status names the limit`(
    _ excess: HoleProxy.Excess
  ) throws {
    let run = try daemon()
    let camp = try CampServer(folder: run.folder)
    let proxy = try HoleProxy(to: camp.port, carries: 2048, excess: excess)
    defer { proxy.stop() }
    run.server = address(proxy.port)
    let device = try run.fill(30)
    try run.startAndWait()
    defer { run.end(SIGTERM) }
    try run.wait("sending reason=nothingPending", seconds: 240)
    let status = try run.ask("status", "--json").output
    let limit = try #require(status.firstMatch(of: /"pathLimitBytes": (\d+)/).flatMap { Int($0.1) })
    #expect((400...2048).contains(limit), "\(status); \(run.command)")
    let text = try run.status()
    #expect(text.contains("loses requests above some \(limit) bytes"), "\(text); \(run.command)")
    // Those that were too large, twice; and no other.
    #expect((3...6).contains(proxy.victims), "\(proxy.victims)\n\(run.logText); \(run.command)")
    run.end(SIGTERM)
    let arrived = try camp.identifiers()
    #expect(arrived.count == 30, "\(run.command)")
    #expect(Set(arrived) == Set((1...30).map { UniqueID(device: device, sequence: $0) }))
  }

  @Test(.enabled(if: TestAuthority.isPossible, "needs openssl"))
  func `Over TLS a limit of the path is found as well, with its handshakes counted in`() throws {
    let run = try daemon()
    let authority = try TestAuthority()
    try authority.issue("camp", host: "IP:127.0.0.1")
    let camp = try CampServer(
      folder: run.folder,
      ["--certificate", authority.path("camp.crt"), "--key", authority.path("camp.key")])
    let proxy = try HoleProxy(to: camp.port, carries: 4096)
    defer { proxy.stop() }
    run.server = "https" + address(proxy.port).dropFirst(4)
    run.settings["network"] = "{ authorities: '\(authority.certificate)' }"
    let device = try run.fill(30)
    try run.startAndWait()
    defer { run.end(SIGTERM) }
    try run.wait("sending reason=nothingPending", seconds: 240)
    #expect(try run.status().contains("loses requests above some"), "\(run.logText)")
    run.end(SIGTERM)
    camp.end(SIGKILL)
    let arrived = try CampServer(folder: run.folder).identifiers()
    #expect(arrived.count == 30, "\(run.command)")
    #expect(Set(arrived) == Set((1...30).map { UniqueID(device: device, sequence: $0) }))
  }

  @Test func `A server that takes connections and never answers is named, until it does`() throws {
    let run = try daemon()
    let camp = try CampServer(folder: run.folder)
    let proxy = try HoleProxy(to: camp.port, carries: 0)
    defer { proxy.stop() }
    run.server = address(proxy.port)
    _ = try run.fill(3)
    try run.startAndWait()
    defer { run.end(SIGTERM) }
    try run.wait("request failed", times: 2, seconds: 60)
    let status = try run.ask("status", "--json").output
    #expect(status.contains("\"failing\": \"silence\""), "\(status); \(run.command)")
    #expect(status.contains("\"silentServer\": \"http://127.0.0.1:\(proxy.port)\""), "\(status)")
    #expect(!status.contains("pathLimitBytes\": 1"), "\(status); \(run.command)")
    #expect(!run.logText.contains("went down or was closed"), "\(run.logText); \(run.command)")
    run.server = address(camp.port)
    try run.writeSettings()
    run.signal(SIGHUP)
    try run.wait("sending reason=nothingPending", seconds: 120)
    #expect(try !run.ask("status", "--json").output.contains("\"failing\": \""))
  }
}
