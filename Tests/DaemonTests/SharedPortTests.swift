import Foundation
import ModemTerminal
import Simulation
import TestSupport
import Testing

/// The real daemon and another program on the modem's port.
@Suite(.serialized, .blocking) struct SharedPortTests {
  private func daemon(_ modem: ModemTerminal) throws -> DaemonRun {
    let run = try DaemonRun(["--speed", "5"])
    run.settings["bearer"] = "'modem'"
    run.settings["modemPort"] = "'\(modem.path)'"
    run.settings["capture"] = "{ policy: 'standard', interval: '10 s' }"
    run.settings["reconnectFloor"] = "'0 s'"
    run.line.walk(speed: 5)
    return run
  }

  private func line(_ name: String, of run: DaemonRun) throws -> String {
    let lines = try run.status().split(separator: "\n").map(String.init)
    return lines.filter { $0.hasPrefix("\(name):") }.joined(separator: "\n")
  }

  @Test func `A program that talks on the modem's port is named in log and status`() throws {
    let modem = try ModemTerminal(try ModemScript(named: "sim7600"), speed: 5)
    defer { modem.stop() }
    let run = try daemon(modem)
    let device = try FileManager.default.destinationOfSymbolicLink(atPath: modem.path)
    let script = "exec 3<>\(device); while :; do printf 'AT+CGMI\\r' >&3; sleep 0.2 3>&-; done"
    let other = try RunningProgram("sh", "-c", script)
    defer { other.end() }
    try run.startAndWait()
    let who = "sh (process \(other.id))"
    try run.wait(
      "another program uses the modem's port why=\"\(device) is also used by \(who); stop it")
    #expect(try line("modem port", of: run).contains(who), "\(run.command)\n\(run.logText)")
    #expect(try line("last problem", of: run).contains(who), "\(run.command)\n\(run.logText)")
    let status = try run.status()
    let why = "another program uses the modem's port: \(device)"
    #expect(status.contains("NO-GO") && status.contains(why), "\(run.command)\n\(status)")
  }

  @Test func `A port under another program's lock is not opened, and status says whose it is`()
    throws
  {
    let modem = try ModemTerminal(try ModemScript(named: "sim7600"), speed: 5)
    defer { modem.stop() }
    let run = try daemon(modem)
    let device = try FileManager.default.destinationOfSymbolicLink(atPath: modem.path)
    let name = device.dropFirst("/dev/".count).replacingOccurrences(of: "/", with: "_")
    let lock = "/var/lock/LCK..\(name)"
    let other = try RunningProgram("sleep", "1000")
    try Data("\(other.id)\n".utf8).write(to: URL(fileURLWithPath: lock))
    defer {
      other.end()
      try? FileManager.default.removeItem(atPath: lock)
    }
    try run.startAndWait()
    try run.wait("sending reason=modemOff")
    let who = "is in use by sleep (process \(other.id)), says \(lock)"
    #expect(try line("sending", of: run).contains(who), "\(run.command)\n\(run.logText)")
    let why = "another program uses the modem's port"
    #expect(try run.status().contains(why), "\(run.command)\n\(run.logText)")
    kill(other.id, SIGKILL)
    other.wait()
    try run.wait("line opened line=modem")
  }

  @Test func `A ModemManager is reported by --check and at the start, with the cure`() throws {
    let modem = try ModemTerminal(try ModemScript(named: "sim7600"), speed: 5)
    defer { modem.stop() }
    let run = try daemon(modem)
    let process = run.path("machine/proc/811")
    try FileManager.default.createDirectory(
      atPath: process, withIntermediateDirectories: true)
    try Data("ModemManager\n".utf8).write(to: URL(fileURLWithPath: process + "/comm"))
    run.settings["modemPort"] = "'usb:1e0e:9001:2'"
    run.arguments += ["--machine", run.path("machine")]
    let rule =
      "ATTRS{idVendor}==\"1e0e\", ATTRS{idProduct}==\"9001\", ENV{ID_MM_DEVICE_IGNORE}=\"1\""
    try run.startAndWait()
    #expect(run.logText.contains("ModemManager may use the modem's port"), "\(run.command)")
    #expect(run.logText.contains("ID_MM_DEVICE_IGNORE"), "\(run.command)\n\(run.logText)")
    let check = try ProgramResult(
      executable: Built.program("trackerd"),
      ["--board", "pi-zero-2w-sim7600", "--config", run.path("settings.json5"), "--check"]
        + ["--machine", run.path("machine")], folder: Built.repository)
    #expect(check.code == 0 && check.output.contains(rule), "\(check.output)\n\(check.errors)")
  }
}
