import CaptureStore
import Foundation
import ModemTerminal
import Simulation
import TestSupport
import Testing
import TrackerCore

/// The real daemon with a link that a command brings up, to a server behind it.
@Suite(
  .blocking, .serialized,
  .enabled(if: LinkRig.isPossible, "it takes network namespaces: unshare, ip, veth"))
struct LinkTests {
  private static let speed = 5

  private func daemon(_ modem: ModemTerminal, speed: Int = Self.speed) throws -> DaemonRun {
    let run = try DaemonRun(["--speed", "\(speed)"])
    run.settings["modemPort"] = "'\(modem.path)'"
    run.settings["capture"] = "{ policy: 'standard', interval: '30 s' }"
    run.settings["transmit"] = "{ interval: '1 min' }"
    run.settings["reconnectFloor"] = "'0 s'"
    run.line.walk(speed: Double(speed))
    return run
  }

  private func modem(speed: Int = Self.speed) throws -> ModemTerminal {
    try ModemTerminal(try ModemScript(named: "sim7600"), speed: Double(speed))
  }

  private func isRunning(_ process: Int32) -> Bool { kill(process, 0) == 0 }

  /// Waits for something other than the log.
  private func wait(_ what: String, _ run: DaemonRun, until isSo: () -> Bool) throws {
    try eventually("\(what); \(run.command)\n\(run.logText)", isSo)
  }

  @Test func `A link that is lost during a request is dialled again, and everything arrives once`()
    throws
  {
    let rig = try LinkRig()
    let modem = try modem()
    defer { modem.stop() }
    let run = try daemon(modem)
    try rig.attach(run)
    defer { run.end(SIGTERM) }
    try run.startAndWait()
    try run.wait("outcome=\"answered")
    // It accepts connections and does not answer.
    rig.camp.signal(SIGSTOP)
    let before = run.logText.components(separatedBy: "phase=inUse").count - 1
    try run.wait("phase=inUse", times: before + 1)
    let dialled = rig.calls(run).count { $0 == "up" }
    try rig.cut(run)
    try run.wait("request failed why=\"the link went down or was closed\"")
    rig.camp.signal(SIGCONT)
    let answered = run.logText.components(separatedBy: "outcome=\"answered").count - 1
    try run.wait("outcome=\"answered", times: answered + 1)
    #expect(rig.calls(run).count { $0 == "up" } > dialled, "\(run.command)\n\(run.logText)")
    #expect(!run.logText.contains("modem recovery"), "\(run.command)\n\(run.logText)")
    run.end(SIGTERM)
    try run.expectOnce(rig.arrived())
  }

  @Test func `A link-local address is not taken for a connection`() throws {
    let rig = try LinkRig()
    let modem = try modem()
    defer { modem.stop() }
    let run = try daemon(modem)
    // The kernel gives the interface an IPv6 one at once; the other kind follows.
    try rig.attach(
      run, sequel: "ip address add 169.254.7.7/16 dev wwan0; sleep 2; $address; hold")
    defer { run.end(SIGTERM) }
    try run.startAndWait()
    try run.wait("outcome=\"answered", times: 2)
    #expect(!run.logText.contains("request failed"), "\(run.command)\n\(run.logText)")
  }

  @Test func `An address without a route to the server is not taken for a connection`() throws {
    let rig = try LinkRig()
    let modem = try modem()
    defer { modem.stop() }
    let run = try daemon(modem)
    try rig.attach(
      run,
      sequel: "ip address add 10.64.64.1/32 dev wwan0; sleep 2; "
        + "ip route add 10.64.64.64/32 dev wwan0; hold")
    defer { run.end(SIGTERM) }
    try run.startAndWait()
    try run.wait("outcome=\"answered", times: 2)
    #expect(!run.logText.contains("request failed"), "\(run.command)\n\(run.logText)")
  }

  @Test func `A command of the link does not take the service manager's wishes for its own`()
    throws
  {
    let rig = try LinkRig()
    let modem = try modem()
    defer { modem.stop() }
    let run = try daemon(modem)
    run.environment = [
      "NOTIFY_SOCKET": "@nobody", "WATCHDOG_USEC": "180000000", "TRACKER": "here",
    ]
    try rig.attach(run, sequel: "env > '\(run.path("environment"))'; $address; hold")
    defer { run.end(SIGTERM) }
    try run.startAndWait()
    try run.wait("outcome=\"answered")
    let text = try String(contentsOfFile: run.path("environment"), encoding: .utf8)
    #expect(text.contains("TRACKER=here"), "\(text); \(run.command)")
    #expect(!text.contains("NOTIFY_SOCKET") && !text.contains("WATCHDOG"), "\(run.command)")
  }

  @Test(arguments: [
    ("exit 3", "network.up ended with code 3"),
    ("kill -9 $$", "network.up was ended by signal 9"),
    ("exec /nowhere/pppd", "network.up ended with code 127"),
  ])
  func `A command that fails ends the wait at once, and status names it`(
    _ sequel: String, _ text: String
  ) throws {
    let rig = try LinkRig()
    // In real time, where the limit for the link is a minute.
    let modem = try modem(speed: 1)
    defer { modem.stop() }
    let run = try daemon(modem, speed: 1)
    run.settings["reconnectFloor"] = nil
    try rig.attach(run, sequel: sequel)
    defer { run.end(SIGTERM) }
    try run.startAndWait()
    try run.wait("phase=registered")
    try run.wait("the link's command failed why=\"\(text)\"")
    try run.wait("phase=off")
    let status = try run.ask("status").output
    let problem = status.split(separator: "\n").first { $0.hasPrefix("last problem:") } ?? ""
    #expect(problem.hasSuffix(": \(text)"), "\(status)\n\(run.command)\n\(run.logText)")
  }

  /// What the network gives, and what is wrong with it.
  @Test(arguments: [
    ("ip link delete wwan0", "interface", 0),
    (
      "ip address add fd00::1/64 dev wwan0 nodad; ip -6 route add default dev wwan0",
      "addressFamily", 0
    ),
    // Packets to it are sent, and nobody gets them.
    (
      "$address; ip neighbour add 10.64.64.9 lladdr 02:00:00:00:00:09 dev wwan0", "silence", 9
    ),
  ])
  func `What keeps a link from the server is known by its cause`(
    _ given: String, _ cause: String, _ host: Int
  ) throws {
    let rig = try LinkRig()
    let modem = try modem(speed: 1)
    defer { modem.stop() }
    let run = try daemon(modem, speed: 1)
    try rig.attach(run, sequel: given + "; exit 0")
    if host > 0 { run.server = run.server.replacing("10.64.64.64", with: "10.64.64.\(host)") }
    defer { run.end(SIGTERM) }
    try run.startAndWait()
    let report = host > 0 ? "request failed" : "the link's command failed"
    try run.wait(report, seconds: 180)
    let status = try run.ask("status", "--json").output
    #expect(status.contains("\"failing\": \"\(cause)\""), "\(status)\n\(run.logText)")
    let server = "\"silentServer\": \"http://10.64.64.9:\(rig.camp.port)\""
    #expect(status.contains(server) == (host > 0), "\(status)\n\(run.command)")
  }

  @Test func `What up has started is gone when the daemon ends, and after a crash when it starts`()
    throws
  {
    let rig = try LinkRig()
    let modem = try modem()
    defer { modem.stop() }
    let run = try daemon(modem)
    run.settings["transmit"] = "{ interval: '1 min', betweenUploads: 'attached' }"
    try rig.attach(run)
    defer { run.end(SIGTERM) }
    try run.startAndWait()
    try run.wait("outcome=\"answered")
    let first = try rig.upID(run)
    run.end(SIGKILL)
    #expect(isRunning(first), "\(run.command)")

    try run.startAndWait()
    try run.wait("the link was left open")
    try wait("the first link's end", run) { !isRunning(first) }
    try run.wait("outcome=\"answered")
    let second = try rig.upID(run)
    #expect(rig.calls(run) == ["up", "down", "up"], "\(run.command)\n\(run.logText)")
    run.end(SIGTERM)
    #expect(!isRunning(second), "\(run.command)\n\(run.logText)")
    #expect(rig.calls(run) == ["up", "down", "up", "down"], "\(run.command)\n\(run.logText)")
    #expect(!FileManager.default.fileExists(atPath: run.path("queue.db.link")), "\(run.command)")
    try run.expectOnce(rig.arrived())
  }
}
