import BoardSupport
import Foundation
import TestSupport
import Testing

@testable import FieldConsole

/// `trackerctl console` at a terminal, with the real daemon behind it.
@Suite(.serialized, .blocking) struct TerminalTests {
  private static let prompt = "> "
  private let command: Comment = "repeat with: swift test --filter TerminalTests"
  private static var canLogIn: Bool { geteuid() == 0 && Tool.url("agetty") != nil }

  private func tracker(_ settings: [String: String] = [:]) throws -> DaemonRun {
    let run = try DaemonRun()
    run.settings["capture"] = "{ policy: 'standard', interval: '1 h' }"
    run.settings.merge(settings) { $1 }
    run.line.walk()
    try run.startAndWait()
    try run.wait("captured sequence=1")
    return run
  }

  private func console(
    at run: DaemonRun, _ words: [String] = [], columns: UInt16? = 80, terminal: String = "vt100"
  ) throws -> Cable {
    let cable = try Cable(columns: columns)
    let words =
      ["console", "--socket", run.path("control"), "--store", run.path("queue.db")] + words
    try cable.run(words, ["TERM": terminal])
    return cable
  }

  @Test(.enabled(if: Self.canLogIn, "needs root and agetty"))
  func `Behind agetty it waits for a key, survives noise and ends with the cable`() throws {
    let run = try tracker()
    let cable = try Cable()
    try cable.login("--socket \(run.path("control"))")
    cable.read(within: 1)
    #expect(!cable.screen.contains("trackerctl"), "\(cable.screen.debugDescription); \(command)")
    try cable.type("status\r")
    // The terminal is asked for its size once, and answers among the keys.
    try cable.wait("\u{1B}[6n")
    try cable.type("\u{1B}[50;132R")
    try cable.wait("Els Caminants")
    try cable.wait(Self.prompt + "status\r\n")
    var noise = [UInt8](repeating: 0, count: 20)
    for index in 0..<3000 { noise.append(UInt8(0x80 + index * 37 % 128)) }
    try cable.send(noise)
    try cable.type("\r\u{1B}[Zget\r")
    try cable.wait("language:    en")
    #expect(cable.screen.components(separatedBy: "\u{1B}[6n").count == 2, command)
    cable.pull()
    #expect(cable.ends(within: 2), command)
  }

  @Test func `On a line it is silent until a key, and asks nothing of a dumb terminal`() throws {
    let run = try tracker()
    let cable = try console(at: run, columns: nil, terminal: "dumb")
    // Until it is there, the terminal itself would echo.
    try eventually("its own echo; \(command)") { cable.settings[3] & UInt32(ECHO) == 0 }
    try cable.send([0, 0x80, 0xFF, 0xC3])
    cable.read(within: 0.5)
    #expect(cable.screen.isEmpty, "\(cable.screen.debugDescription); \(command)")
    try cable.type("\r")
    try cable.wait(Self.prompt)
    #expect(cable.screen.contains("Els Caminants"), command)
    #expect(!cable.screen.contains("\u{1B}"), "\(cable.screen.debugDescription); \(command)")
    cable.pull()
    #expect(cable.ends(within: 2), command)
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
  func `A signal ends it and the terminal is as before`(_ signal: Int32) throws {
    let run = try tracker()
    let cable = try Cable(columns: 80)
    let before = cable.settings
    try cable.run(["console", "--socket", run.path("control")])
    try cable.wait(Self.prompt)
    #expect(cable.settings != before, command)
    kill(cable.id, signal)
    #expect(cable.ends(within: 2), command)
    #expect(cable.settings == before, command)
  }

  @Test func `Without a key it ends by itself and says so`() throws {
    let run = try tracker()
    let cable = try console(at: run, ["--idle", "1s"])
    try cable.wait("no key for 1 s", seconds: 10)
    #expect(cable.ends(within: 2) && cable.code == 0, command)
  }

  @Test func `Output that nobody takes does not hold it for ever`() throws {
    let run = try tracker()
    let cable = try console(at: run)
    try cable.wait(Self.prompt)
    // More than the terminal holds, and nobody reads.
    for _ in 0..<12 { try cable.type("help verdict\r") }
    Thread.sleep(forTimeInterval: 7)
    cable.clear()
    try cable.type("version\r")
    try cable.wait("trackerd ")
    for _ in 0..<12 { try cable.type("help verdict\r") }
    Thread.sleep(forTimeInterval: 2)
    kill(cable.id, SIGTERM)
    try eventually("its end; \(command)") { !cable.isRunning }
  }

  @Test func `A dangerous command asks, and watch ends with a key`() throws {
    let run = try tracker()
    let cable = try console(at: run)
    try cable.wait(Self.prompt)
    try cable.type("stop\rno\r")
    try cable.wait("not done")
    // Typed ahead, while the first is being answered.
    try cable.type("watch\r")
    try cable.wait("(any key ends this)")
    cable.clear()
    try cable.type(" stop\rsí\r")
    try cable.wait("the session is stopped")
    try cable.type("exit\r")
    #expect(cable.ends(within: 2), command)
  }

  @Test func `try shows each step and ends when the contact has failed`() throws {
    let run = try tracker(["bearer": "'none'"])
    let cable = try console(at: run)
    try cable.wait(Self.prompt)
    try cable.type("try\r")
    try cable.wait("not delivered; type status", seconds: 60)
    #expect(cable.screen.contains("  0:0"), "\(cable.screen); \(command)")
  }

  /// While it waits for a line, and while it writes an answer.
  @Test(.enabled(if: hasDescriptorLimits, "no prlimit"), arguments: ["\n", "version\n"])
  func `A console whose polls fail ends`(_ line: String) throws {
    let program = try RunningProgram(
      [Built.program("trackerctl").path, "console", "--socket", "/nowhere/socket"], input: .pipe,
      output: .pipe, errors: .asOutput)
    try program.type("version\n")
    _ = try program.line()
    try allowDescriptors(1, in: program.id)
    try program.type(line)
    try eventually("its end") { !program.isRunning }
    #expect(program.hasExited, command)
  }

  @Test func `Two consoles work at once, and each sees what the other has ordered`() throws {
    let run = try tracker()
    let (first, second) = (try console(at: run), try console(at: run))
    try first.wait(Self.prompt)
    try second.wait(Self.prompt)
    try first.type("set interval 5min\r")
    try first.wait("interval: 5 min; it was 1 h")
    try second.type("set interval 7min\r")
    try second.wait("it was 5 min, set by ")
    #expect(second.screen.contains("@pts/"), "\(second.screen); \(command)")
  }

  @Test func `The completion knows the tracker's settings`() {
    let keys = ["team"] + SettingKey.allCases.map(\.rawValue)
    #expect(ConsoleCommand.Verb.set.words.sorted() == keys.sorted(), command)
  }
}
