import CommandLineSupport
import Foundation
import TestSupport
import Testing
import Wording

@testable import tracker_sim

/// `--part` and `merge`: what several machines played is what one would have.
@Suite struct SharedRacesTests {
  private static let plan = ["plan", "--hours", "1", "--runs", "5", "--pack", "1 li-ion 100mAh"]
  /// Each has more parts than races when it has eight of them.
  static let commands: [(name: String, words: [String], files: [String])] = [
    // It does not hold, so that the advice needs rows that the table has not.
    ("a plan with advice", plan + ["--interval", "10min", "--interval", "1h"], ["--html"]),
    ("a plan's figures", plan + ["--interval", "10min", "--json"], []),
    ("the smallest pack", plan + ["--search", "pack"], []),
    ("no interval that holds", plan + ["--search", "interval"], []),
    (
      "a rehearsal",
      ["rehearse", "--teams", "2", "--races", "2", "--seed", "11", "--expect", "races == 3"],
      ["--flaws", "--coverage-out"]
    ),
    (
      "rehearsed emergencies", ["rehearse", "--emergencies", "--races", "7", "--json"],
      ["--flaws"]
    ),
    ("one emergency", ["rehearse", "--emergencies", "--races", "1", "--seed", "40"], []),
  ]

  /// What people see of a run, and the files that it wrote.
  private struct Seen: Equatable {
    var code: Int32
    var output: String
    var errors: String
    var files: [String]

    init(_ run: ProgramRun, _ files: [String]) throws {
      (code, output, errors) = (run.code, run.output, run.errors)
      self.files = try files.map { path in
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try String(contentsOfFile: path, encoding: .utf8)
      }
    }
  }

  /// - Returns: the paths of all parts.
  private static func play(
    _ words: [String], _ count: Int, in folder: ScratchFolder
  ) throws -> [String] {
    try (1...count).map { number in
      let run = try ProgramRun(words + ["--part", "\(number)/\(count)"])
      try #require(run.code == 0 && run.errors.isEmpty, "\(run.command): \(run.errors)")
      return try folder.write("part-\(number)", run.output)
    }
  }

  @Test(arguments: commands.indices)
  func `Parts merged are one run, to the byte`(index: Int) throws {
    let (name, words, outputs) = Self.commands[index]
    let folder = try ScratchFolder()
    let files = outputs.map { folder.path(String($0.dropFirst(2))) }
    let all = words + zip(outputs, files).flatMap { [$0, $1] }
    let one = try Seen(try ProgramRun(all), files)
    #expect(one.code == 1 || !one.output.isEmpty, "\(name): \(one.errors)")
    for count in Share.of([3, 8, 1]) {
      let parts = try Self.play(all, count, in: folder)
      #expect(!files.contains { FileManager.default.fileExists(atPath: $0) }, "\(name)")
      // In whatever order the shell lists them.
      let merged = try ProgramRun(["merge"] + parts.reversed())
      #expect(
        try Seen(merged, files) == one,
        "\(name), \(count) parts; repeat with: SHARE=all swift test --filter SharedRacesTests")
    }
  }

  @Test func `Races are shared out in one piece, each once`() throws {
    for (all, count) in [(0, 3), (1, 1), (2, 8), (7, 3), (100_000, 9_999), (100_000, 10_000)] {
      let parts = try (1...count).map { try #require(Part("\($0)/\(count)")).races(of: all) }
      #expect(parts.flatMap { Array($0) } == Array(0..<all), "\(all) races, \(count) parts")
      let sizes = parts.map(\.count)
      #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1, "\(all) races, \(count) parts")
    }
    for text in ["", "1", "0/3", "4/3", "1/0", "-1/3", "1/3/3", "a/b", "1/10001", "1/ 3"] {
      #expect(Part(text) == nil, "\(text)")
    }
  }

  // MARK: What is refused

  private static let quick = plan + ["--interval", "10min", "--json"]

  private static func origin(_ words: [String]) throws -> PartOrigin {
    PartOrigin(try Program.table.arguments(words))
  }

  private static func refusal(_ paths: [String]) throws -> String {
    let run = try ProgramRun(["merge"] + paths)
    #expect(run.isRefusal, "\(run.command): \(run.code) \(run.output)\(run.errors)")
    return run.errors
  }

  @Test func `A part that is missing, there twice or of another command is named`() throws {
    let folder = try ScratchFolder()
    let parts = try Self.play(Self.quick, 3, in: folder)
    #expect(try Self.refusal([parts[0], parts[2]]).contains("part 2/3 is missing"))
    let copy = try folder.write("copy", try String(contentsOfFile: parts[1], encoding: .utf8))
    let twice = try Self.refusal(parts + [copy])
    #expect(twice.contains("part-2") && twice.contains("copy") && twice.contains("both part 2/3"))
    let other = try ProgramRun(Self.quick + ["--seed", "2", "--part", "2/3"])
    let path = try folder.write("other", other.output)
    let seeds = try Self.refusal([parts[0], path, parts[2]])
    #expect(seeds.contains("other") && seeds.contains("--seed=2"), "\(seeds)")
    let five = try folder.write("five", try ProgramRun(Self.quick + ["--part", "2/5"]).output)
    #expect(try Self.refusal([parts[0], five, parts[2]]).contains("--part 2/5"))
    // The number of threads changes no figure.
    let alone = try ProgramRun(Self.quick + ["--threads", "1", "--part", "2/3"])
    let same = try folder.write("same", alone.output)
    #expect(try ProgramRun(["merge", parts[0], same, parts[2]]).code == 0)
  }

  @Test func `A part of another version is named`() throws {
    let folder = try ScratchFolder()
    var origin = try Self.origin(Self.quick)
    origin.version = "0.0.9"
    let part = try #require(Part("1/1"))
    let text = try PartFile.text(part, origin, [PlayedPlanRace]())
    #expect(try Self.refusal([try folder.write("old", text)]).contains("made by version 0.0.9"))
  }

  @Test func `A configuration that changed between two parts, or since, is noticed`() throws {
    let folder = try ScratchFolder()
    let path = try folder.write("config.json5", "{ receiver: 'always' }")
    let words = Self.quick + ["--config", path]
    let parts = try Self.play(words, 2, in: folder)
    let before = try ProgramRun(["merge"] + parts)
    #expect(before.code == 0, "\(before.command): \(before.errors)")
    _ = try folder.write("config.json5", "{ receiver: 'dutyCycle' }")
    #expect(try Self.refusal(parts).contains("have changed"))
  }

  @Test func `What is no part says so`() throws {
    let folder = try ScratchFolder()
    for (name, text) in [("empty", ""), ("figures", "{\n  \"captures\": 1\n}\n"), ("text", "x\n")] {
      let errors = try Self.refusal([try folder.write(name, text)])
      #expect(errors.contains(name) && errors.contains("not a part"), "\(errors)")
    }
    #expect(try Self.refusal([folder.path("nowhere")]).contains("no such file"))
    let wrong = try ProgramRun(Self.quick + ["--part", "4/3"])
    #expect(wrong.isRefusal && wrong.errors.contains("3/8"), "\(wrong.errors)")
    let live = ["rehearse", "--server", "http://127.0.0.1:1", "--part", "1/2"]
    #expect(try ProgramRun(live).isRefusal)
  }

  @Test func `A part with any byte changed, or cut anywhere, is not merged`() throws {
    let folder = try ScratchFolder()
    let parts = try Self.play(Self.quick, 1, in: folder)
    let bytes = Array(try String(contentsOfFile: parts[0], encoding: .utf8).utf8)
    #expect(throws: Never.self) { try Parts(parts) }
    for place in bytes.indices {
      var spoilt = bytes
      spoilt[place] ^= 1
      let path = folder.path("spoilt")
      try Data(spoilt).write(to: URL(fileURLWithPath: path))
      #expect(throws: UsageError.self, "byte \(place)") { try Parts([path]) }
      try Data(bytes[..<place]).write(to: URL(fileURLWithPath: path))
      #expect(throws: UsageError.self, "cut at \(place)") { try Parts([path]) }
    }
  }

  @Test func `All that is said of parts has every language`() {
    #expect(problems(of: PartPhrase.self) == [])
  }

  // MARK: GNU parallel

  /// As the README has it.
  @Test(.enabled(if: Tool.url("parallel") != nil, "needs GNU parallel (.ci/setup)"))
  func `GNU parallel plays the parts, and merge prints what one run does`() throws {
    let folder = try ScratchFolder()
    let words = Self.plan + ["--interval", "10min"]
    let quoted = words.map { $0.contains(" ") ? "\"'\($0)'\"" : $0 }.joined(separator: " ")
    let program = Built.program("tracker-sim").path
    let script = """
      parallel -j 2 \(program) \(quoted) --part {}/8 '>' part-{} ::: $(seq 8) &&
      \(program) merge part-*
      """
    let run = try ProgramResult(
      running: ["sh", "-c", script], environment: ["PARALLEL_HOME": folder.path("")],
      folder: URL(fileURLWithPath: folder.path("")))
    let one = try ProgramRun(words)
    #expect(run.code == 0 && run.output == one.output, "\(run.errors)")
  }
}
