import Foundation
import TestSupport
import Testing

@Suite struct SynthProgramTests {
  @Test func `A trace goes to standard output or to a file, with the same bytes`() throws {
    let folder = try ScratchFolder()
    let toFile = try ProgramRun(["synth", "--duration", "10s", "--out", folder.path("a.nmea")])
    #expect(toFile.code == 0 && toFile.output.isEmpty && toFile.errors.isEmpty, "\(toFile.errors)")
    let toOutput = try ProgramRun(["synth", "--duration", "10s"])
    let written = try String(contentsOfFile: folder.path("a.nmea"), encoding: .utf8)
    #expect(toOutput.output == written, "\(toOutput.command)")
    #expect(try folder.names() == ["a.nmea"])
  }

  static let refused = [
    ["synth", "--bogus"], ["synth", "--seed", "x"], ["synth", "--out", "/"],
    ["synth", "--out", "/nowhere/a.nmea"], ["synth", "--course", "/nowhere.geojson"],
    ["synth", "--course", "/no\nwhere"], ["synth", "--course", "/"],
    ["synth", "--course", "/dev/null"],
    ["synth", "--to-km", "101"], ["synth", "--out", "/dev/full", "--duration", "1h"],
  ]

  @Test(arguments: refused)
  func `What cannot be done is refused in one line`(_ arguments: [String]) throws {
    let run = try ProgramRun(arguments)
    #expect(run.isRefusal, "\(run.command): \(run.code) \(run.errors)")
    #expect(run.errors.hasPrefix("tracker-sim synth: "), "\(run.command)")
  }

  @Test func `A full disk behind standard output is reported in one line`() throws {
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    let run = try ProgramRun(["synth", "--duration", "1h"], output: full)
    #expect(run.isRefusal, "\(run.command) > /dev/full: \(run.code) \(run.errors)")
  }

  @Test(.blocking)
  func `A signal leaves the older file as it was, and nothing half-written`() throws {
    let folder = try ScratchFolder()
    try "older".write(toFile: folder.path("a.nmea"), atomically: true, encoding: .utf8)
    let program = try RunningProgram([
      ProgramRun.program.path, "synth", "--every", "50ms", "--duration", "336h", "--out",
      folder.path("a.nmea"),
    ])
    // A signal before the first bytes would prove nothing.
    try eventually("its first bytes") { try folder.names().count >= 2 || !program.isRunning }
    program.end(SIGTERM)
    #expect(!program.hasExited)
    #expect(try folder.names() == ["a.nmea"])
    #expect(try String(contentsOfFile: folder.path("a.nmea"), encoding: .utf8) == "older")
  }
}
