import Foundation
import TestSupport
import Testing

@Suite struct DeterminismTests {
  /// A server with GlobalIDs, and one without them and with tokens: all requests that there are.
  static let scenarios = ["bad-server", "old-server"]

  static func words(_ scenario: String) -> [String] {
    [
      "--trace", Repository.path("traces/race.nmea"),
      "--scenario", Repository.path("traces/scenarios/\(scenario).json5"), "--seed", "7",
    ]
  }

  @Test(arguments: scenarios)
  func `Two processes write the same events and figures, byte for byte`(
    _ scenario: String
  ) throws {
    let words = Self.words(scenario)
    let first = try ProgramRun(words + ["--events", "-"])
    let second = try ProgramRun(words + ["--events", "-"])
    #expect(first.output.utf8.count > 100_000, "\(first.command)")
    #expect(first.output == second.output, "\(first.command), twice, and compare")
    let figures = try ProgramRun(words + ["--json"])
    #expect(figures.output == (try ProgramRun(words + ["--json"])).output)
  }

  @Test func `A queue in a file changes nothing, and the file can be read`() throws {
    let folder = try ScratchFolder()
    let words = Self.words("old-server")
    let inMemory = try ProgramRun(words + ["--json"])
    let inFile = try ProgramRun(words + ["--json", "--store", folder.path("race.store")])
    #expect(inFile.code == 0 && inFile.output == inMemory.output, "\(inFile.errors)")
    let list = try ProgramRun(
      ["captures", "--store", folder.path("race.store")],
      program: ProgramRun.program.deletingLastPathComponent().appendingPathComponent("trackerctl"))
    #expect(list.output.contains("161 captures: 0 waiting, 158 delivered, 3 set aside"))
  }

  @Test func `A file that is not a trace leaves no queue behind`() throws {
    let folder = try ScratchFolder()
    let run = try ProgramRun(["--trace", "/bin/true", "--store", folder.path("race.store")])
    #expect(run.isRefusal, "\(run.errors)")
    #expect(try folder.names() == [], "\(run.command)")
  }

  @Test func `Another seed is another run`() throws {
    let words = Self.words("bad-server")
    let other = Array(words.dropLast()) + ["8", "--json"]
    #expect(try ProgramRun(words + ["--json"]).output != ProgramRun(other).output)
  }

  /// A tracker-sim of the other configuration. To build it takes longer than most of the tests
  /// together.
  private static let other = ProcessInfo.processInfo.environment["OTHER_TRACKER_SIM"]

  @Test(.enabled(if: other != nil, ".ci/run names a release build in OTHER_TRACKER_SIM"))
  func `A debug and a release build write the same events and figures`() throws {
    let program = Repository.url.appendingPathComponent(try #require(Self.other))
    for words in Self.scenarios.map(Self.words) {
      for words in [words + ["--events", "-"], words + ["--json"]] {
        let mine = try ProgramRun(words)
        let theirs = try ProgramRun(words, program: program)
        #expect(
          mine.output == theirs.output,
          "build both and compare: tracker-sim \(words.joined(separator: " "))")
      }
    }
  }

  @Test func `A pipe plays like the file itself`() throws {
    let path = Repository.path("traces/tunnel.nmea")
    let file = try ProgramRun(["--trace", path, "--events", "-"])
    let input = try #require(FileHandle(forReadingAtPath: path))
    let pipe = try ProgramRun(["--trace", "-", "--events", "-"], input: input)
    #expect(pipe.output == file.output, "reproduce: cat \(path) | tracker-sim --trace -")
  }
}
