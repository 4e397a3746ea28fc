import Foundation
import TestSupport
import Testing

/// The key `console` of the settings.
@Suite(.serialized, .blocking) struct ConsoleAccessTests {
  private let command: Comment = "repeat with: swift test --filter ConsoleAccessTests"

  private func tracker(_ access: String, secret: String? = nil) throws -> DaemonRun {
    let run = try DaemonRun(["--record", "tape"])
    run.arguments = ["--record", run.path("tape.jsonl")]
    run.settings["console"] = "'\(access)'"
    if let secret {
      let path = run.path("secrets")
      try Data("consolePin = \(secret)\n".utf8).write(to: URL(fileURLWithPath: path))
      chmod(path, 0o600)
      run.settings["secrets"] = "'\(path)'"
    }
    return run
  }

  private func console(at run: DaemonRun) throws -> Cable {
    let cable = try Cable(columns: 80)
    try cable.run(["console", "--socket", run.path("control"), "--store", run.path("queue.db")])
    return cable
  }

  @Test func `A PIN is asked for before the first order, never shown, and three tries are given`()
    throws
  {
    let run = try tracker("pin", secret: "7351")
    try run.startAndWait()
    let cable = try console(at: run)
    try cable.wait("> ")
    try cable.type("get\r")
    try cable.wait("interval:    1 s")
    try cable.type("set interval 5min\r")
    try cable.wait("PIN: ")
    try cable.type("7351\r")
    try cable.wait("interval: 5 min; it was 1 s")
    try cable.type("undo\r")
    try cable.wait("interval is 1 s again")
    #expect(!cable.screen.contains("7351"), "\(cable.screen); \(command)")

    let other = try console(at: run)
    try other.wait("> ")
    for _ in 0..<3 {
      other.clear()
      try other.type("start\r")
      try other.wait("PIN: ")
      try other.type("1234\r")
      try other.wait("wrong PIN")
    }
    try other.type("start\r7351\r")
    try other.wait("too many tries; try again in ")
    run.end(SIGTERM)
    #expect(!run.logText.contains("7351") && !run.logText.contains("1234"), command)
    let tape = try String(contentsOfFile: run.path("tape.jsonl"), encoding: .utf8)
    #expect(!tape.contains("7351"), command)
  }

  @Test func `A PIN that the secrets file does not have is an error of the settings`() throws {
    let run = try tracker("pin")
    try run.start()
    try run.waitUntilExit()
    #expect(run.code == 2, command)
    #expect(run.logText.contains("consolePin"), "\(run.logText); \(command)")
  }

  @Test func `A read-only console looks and refuses orders, and SIGHUP switches it off`() throws {
    let run = try tracker("readOnly")
    try run.startAndWait()
    let cable = try console(at: run)
    try cable.wait("> ")
    try cable.type("stop\r")
    try cable.wait("this console may only look")
    run.settings["console"] = "'off'"
    try run.writeSettings()
    run.signal(SIGHUP)
    try run.wait("configuration reloaded")
    let other = try console(at: run)
    try other.wait("the console is off")
    #expect(other.ends(within: 2), command)
  }
}
