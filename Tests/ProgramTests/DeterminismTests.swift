import Foundation
import Testing

@Suite struct DeterminismTests {
  static let words = [
    "--trace", Repository.path("traces/race.nmea"),
    "--scenario", Repository.path("traces/scenarios/bad-server.json5"), "--seed", "7",
  ]

  @Test func `Two processes write the same events and figures, byte for byte`() throws {
    let first = try ProgramRun(Self.words + ["--events", "-"])
    let second = try ProgramRun(Self.words + ["--events", "-"])
    #expect(first.output.utf8.count > 100_000, "\(first.command)")
    #expect(first.output == second.output, "\(first.command), twice, and compare")
    let figures = try ProgramRun(Self.words + ["--json"])
    #expect(figures.output == (try ProgramRun(Self.words + ["--json"])).output)
  }

  @Test func `Another seed is another run`() throws {
    let other = Array(Self.words.dropLast()) + ["8", "--json"]
    #expect(
      try ProgramRun(Self.words + ["--json"]).output != ProgramRun(other).output)
  }

  @Test func `A debug and a release build write the same events and figures`() throws {
    // Whichever this is, the other one is built beside it.
    let other = Self.isDebug ? "release" : "debug"
    let build = Process()
    build.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    build.currentDirectoryURL = Repository.url
    build.arguments = [
      "swift", "build", "-c", other, "--product", "tracker-sim", "--scratch-path",
      ".build/agreement",
    ]
    build.standardOutput = FileHandle.standardError
    try build.run()
    build.waitUntilExit()
    try #require(build.terminationStatus == 0)
    let program = Repository.url.appendingPathComponent(".build/agreement/\(other)/tracker-sim")
    for output in [["--events", "-"], ["--json"]] {
      let mine = try ProgramRun(Self.words + output)
      let theirs = try ProgramRun(Self.words + output, program: program)
      #expect(
        mine.output == theirs.output,
        "build both and compare: tracker-sim \((Self.words + output).joined(separator: " "))")
    }
  }

  private static var isDebug: Bool {
    var isDebug = false
    assert(
      {
        isDebug = true
        return true
      }())
    return isDebug
  }

  @Test func `A pipe plays like the file itself`() throws {
    let path = Repository.path("traces/tunnel.nmea")
    let file = try ProgramRun(["--trace", path, "--events", "-"])
    let input = try #require(FileHandle(forReadingAtPath: path))
    let pipe = try ProgramRun(["--trace", "-", "--events", "-"], input: input)
    #expect(pipe.output == file.output, "reproduce: cat \(path) | tracker-sim --trace -")
  }
}
