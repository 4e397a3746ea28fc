import Foundation
import Glibc
import TestSupport
import Testing

/// Ctrl-C in a run.
@Suite struct InterruptionTests {
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
}
