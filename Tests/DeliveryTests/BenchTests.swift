import TestSupport
import Testing

/// The bench as a developer has it.
@Suite(.blocking) struct BenchTests {
  static let wrongWords: [(words: [String], complaint: String)] = [
    (["fast"], "is not a command"), (["--races", "1", "fast"], "write: bench --modems"),
    (["--races", "1", "--policies", "1"], "exclude each other"), (["delivery"], "no --server"),
    (["delivery", "--server", "http://example.org/FeatureServer/0"], "on this machine"),
    (["delivery", "--server", "http://127.0.0.1/FeatureServer/0", "--captures", "0"], "from 1"),
    (["delivery", "--server", "h/FeatureServer/0"], "has no scheme"),
  ]

  @Test(arguments: wrongWords.indices)
  func `A command line that cannot be followed is told in one line`(_ index: Int) throws {
    let (words, complaint) = Self.wrongWords[index]
    let run = try ProgramResult("bench", words)
    #expect(run.code == 2 && run.isOneLineOfComplaint, "\(run.errors)\(run.command)")
    #expect(run.errors.contains(complaint), "\(run.errors)\(run.command)")
  }

  @Test(arguments: [[], ["--no-global-ids"]])
  func `A bench delivers its captures and counts the bytes`(_ words: [String]) throws {
    let camp = try CampServer(ScratchFolder(), words)
    let run = try ProgramResult(
      "bench", ["delivery", "--server", camp.layer, "--captures", "250", "--yes"])
    #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)\(run.command)")
    #expect(run.output.contains("pushed    250 in "), "\(run.output)\(run.command)")
    #expect(run.output.contains("4 requests, 1 connections"), "\(run.output)\(run.command)")
    let sent = run.output.split(separator: "\n").first { $0.hasPrefix("sent") }
    let bytes = sent?.split(separator: " ").compactMap { Double($0) }.first ?? 0
    // A position, a time and an identifier cannot be less; the goal of a kilobyte is far above.
    #expect(bytes > 100 && bytes < 1000, "\(run.output)\(run.command)")
    #expect(try camp.count() == 250, "\(camp.command)")
  }

  @Test func `A bench sends nothing before somebody has agreed`() throws {
    let camp = try CampServer(ScratchFolder())
    let run = try ProgramResult("bench", ["delivery", "--server", camp.layer, "--captures", "250"])
    #expect(run.code == 2 && run.isOneLineOfComplaint, "\(run.errors)\(run.command)")
    #expect(run.errors.contains("250 made-up captures"), "\(run.errors)\(run.command)")
    #expect(try camp.count() == 0, "\(camp.command)")
  }
}
