import Foundation
import TestSupport
import Testing

/// A technician's round in a real terminal, and through a pipe.
@Suite(.serialized, .blocking) struct TechnicianTests {
  private let command: Comment = "repeat with: swift test --filter TechnicianTests"

  private func tracker() throws -> DaemonRun {
    let run = try DaemonRun()
    run.settings["capture"] = "{ policy: 'standard', interval: '1 h' }"
    run.line.walk()
    try run.startAndWait()
    try run.wait("captured sequence=1")
    return run
  }

  @Test(.enabled(if: Tool.url("tmux") != nil, "needs tmux"))
  func `A technician's round in a terminal shows what it should`() throws {
    let run = try tracker()
    let screen = try TmuxWindow(
      [
        Built.program("trackerctl").path, "console", "--language", "en",
        "--socket", run.path("control"), "--store", run.path("queue.db"),
      ], in: run.folder)
    defer { screen.end() }
    try screen.wait("help lists the commands, exit leaves")
    let round = [
      ("status", "Els Caminants"), ("captures 3", "1 capture: 1 waiting"),
      ("set interval 5min", "interval: 5 min; it was 1 h"), ("get", "interval:    5 min  ("),
      ("undo", "taken back: interval is 1 h again"), ("stop", "sure? (yes/no)"),
      ("no", "not done"), ("help", "GO, WAIT or NO-GO, and why"),
    ]
    for (line, answer) in round {
      try screen.type(line)
      try screen.wait(answer)
    }
    #expect(try screen.text.contains("  exit  "), command)
    try screen.type("exit")
    try screen.wait("ended with 0")
    #expect(try run.ask("status").output.contains("running, number 1"), command)
  }

  @Test func `A pipe gets an answer to each line, and the last one's exit code`() throws {
    let run = try tracker()
    let (text, code) = try piped("get\n\nset interval 5min\nfly\r\nundo", to: run)
    #expect(
      text.contains("interval: 5 min; it was 1 h") && text.contains("'fly' is not a command"),
      "\(text); \(command)")
    #expect(text.hasSuffix("taken back: interval is 1 h again\n") && code == 0, command)
    #expect(!text.contains("> ") && !text.contains("\r"), "\(text); \(command)")
    #expect(try piped("fly\n", to: run).code == 2, command)
    let long = String(repeating: "x", count: 100_000) + "\nversion\n"
    let (answer, _) = try piped(long, to: run)
    #expect(answer.hasPrefix("line too long") && answer.contains("trackerd "), command)
    #expect(try piped("stop\n", ["--read-only"], to: run).code == 2, command)
  }

  private func piped(
    _ text: String, _ words: [String] = [], to run: DaemonRun
  ) throws -> (text: String, code: Int32) {
    let console = try ProgramResult(
      running: [Built.program("trackerctl").path, "console", "--socket", run.path("control")]
        + words,
      typing: text)
    return (console.output, console.code)
  }
}
