import Foundation
import Glibc
import TestSupport
import Testing

/// Ctrl-C in a run.
@Suite(.blocking) struct InterruptionTests {
  // A test run in a shell's background ignores it, and so do the programs that it starts.
  init() { signal(SIGINT, SIG_DFL) }

  @Test(arguments: [
    ("en", "interrupted at 0:00:00 of the run; no result"),
    ("ca", "interromput a 0:00:00 de la marxa; cap resultat"),
  ])
  func `It says what was interrupted and how far it got, and ends with 130`(
    _ language: String, _ words: String
  ) throws {
    let folder = try ScratchFolder()
    let pipe = folder.path("walk.nmea")
    #expect(mkfifo(pipe, 0o600) == 0)
    let program = try RunningProgram(
      [
        ProgramRun.program.path, "--trace", pipe, "--language", language, "--events",
        folder.path("events.txt"),
      ], errors: .pipe)
    // It opens its trace after all else; the other end keeps it waiting.
    let end = open(pipe, O_WRONLY)
    #expect(end >= 0)
    program.end(SIGINT)
    close(end)
    let text = program.errorsToEnd()
    #expect(program.hasExited && program.code == 130, "\(text)")
    #expect(text.contains(words) && text.split(separator: "\n").count == 1, "\(text)")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path(""))
    #expect(left == ["walk.nmea"], "\(left)")
  }

  @Test func `At a console it says how far the run has got`() throws {
    let program = try RunningProgram(
      [
        ProgramRun.program.path, "--trace", Repository.path("traces/race.nmea"), "--console",
        "--language", "en",
      ], input: .pipe, output: .pipe, errors: .pipe)
    try program.type("until 0:05:00\nsilent\n")
    // It has answered both, and waits for another line.
    var said = ""
    while !said.contains("silent") { said += try program.line() }
    program.end(SIGINT)
    let text = program.errorsToEnd()
    #expect(program.hasExited && program.code == 130, "\(text)")
    let lines = text.split(separator: "\n")
    #expect(lines.count == 1 && text.contains("interrupted at 0:0"), "\(text)")
  }
}
