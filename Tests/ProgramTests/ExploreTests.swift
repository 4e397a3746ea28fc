import Foundation
import TestSupport
import Testing

/// What `tracker-sim explore` prints, and when it fails.
@Suite struct ExploreTests {
  @Test func `The same seeds come to the same, whatever the number of threads`() throws {
    let one = try ProgramRun(["explore", "--seeds", "1..12", "--threads", "1"])
    let two = try ProgramRun(["explore", "--seeds", "1..12", "--threads", "2"])
    #expect(one.code == 0 && one.errors.isEmpty, "\(one.command): \(one.errors)")
    #expect(one.output == two.output, "\(one.command)")
    #expect(one.output.hasPrefix("races     12, ") && one.output.hasSuffix("findings  none\n"))
  }

  @Test func `Parts play all seeds between them, each once`() throws {
    let races = try (1...3).map { part in
      let run = try ProgramRun(["explore", "--seeds", "5..12", "--part", "\(part)/3"])
      #expect(run.code == 0, "\(run.command): \(run.errors)")
      return Int(run.output.dropFirst("races     ".count).prefix { $0.isNumber }) ?? 0
    }
    #expect(races.reduce(0, +) == 8 && races.allSatisfy { $0 > 1 }, "\(races)")
  }

  @Test func `One race does not hit all probes, and fails where that is asked for`() throws {
    let run = try ProgramRun(["explore", "--seeds", "3", "--probes"])
    #expect(run.code == 1 && run.output.contains("hit; not: "), "\(run.command): \(run.output)")
  }

  @Test(arguments: ["5..1", "1-2", "..", "1..2..3", "x"])
  func `What is no range of seeds is refused`(seeds: String) throws {
    let run = try ProgramRun(["explore", "--seeds", seeds])
    #expect(run.isRefusal, "\(run.command): \(run.errors)")
  }

  @Test func `A run with the invariants is the run without them`() throws {
    let trace = ["--trace", "traces/cold-start.nmea"]
    let plain = try ProgramRun(trace)
    let watched = try ProgramRun(trace + ["--invariants"])
    #expect(watched.code == 0 && watched.errors.isEmpty, "\(watched.command): \(watched.errors)")
    #expect(watched.output == plain.output)
  }
}
