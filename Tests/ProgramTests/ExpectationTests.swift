import Foundation
import TestSupport
import Testing

/// What `--expect` says of a run as a whole.
@Suite struct ExpectationTests {
  private static let race = Repository.path("traces/race.nmea")
  private static let tunnel = SimulateProgramTests.tunnel

  @Test(arguments: [
    "delivery.latency_s.p95 <= 9000", "captures.pending <= 1000", "energy.battery_end_percent >= 0",
    "server.duplicates == 0", "longest_silence_s >= 0", "promises.broken <= 100",
  ])
  func `A tracker that died in the race passes no claim about it`(_ claim: String) throws {
    let folder = try ScratchFolder()
    let scenario = try folder.write("weak.json5", "{ battery: { start: '40 %' } }")
    let death = ["--trace", Self.race, "--scenario", scenario, "--expect", claim]
    let run = try ProgramRun(death)
    #expect(
      run.code == 1 && run.errors.contains("the battery was empty before the end"),
      "\(run.command): \(run.errors)")
    let expected = try ProgramRun(death + ["--expect", "ended == batteryEmpty"])
    #expect(expected.code == 0, "\(expected.command): \(expected.errors)")
  }

  @Test(arguments: ["ended == finished", "ended != batteryEmpty", "trace == tunnel.nmea"])
  func `A word is compared without quotes`(_ claim: String) throws {
    let run = try ProgramRun(["--trace", Self.tunnel, "--expect", claim])
    #expect(run.code == 0, "\(run.command): \(run.errors)")
  }

  @Test func `A claim about an ending that does not exist is refused before the run`() throws {
    let run = try ProgramRun(["--trace", Self.tunnel, "--expect", "ended != batteryempty"])
    #expect(run.isRefusal && run.errors.contains("finished, stillPending, batteryEmpty"))
    let number = try ProgramRun(["--trace", Self.tunnel, "--expect", "captures.pending == none"])
    #expect(number.isRefusal && number.errors.contains("is a number"), "\(number.errors)")
  }

  @Test func `The charge that is left stands in its band`() throws {
    let run = try ProgramRun(["--trace", Self.race])
    let line = try #require(run.output.split(separator: "\n").last { $0.hasPrefix("battery") })
    let numbers = line.split { !$0.isNumber }.compactMap { Int($0) }
    #expect(line.hasSuffix(" left") && numbers.count == 3, "\(run.command): \(line)")
    #expect(
      numbers.count == 3 && numbers[1] < numbers[0] && numbers[0] < numbers[2],
      "\(run.command): \(line)")
    let json = try ProgramRun(["--trace", Self.race, "--json"])
    #expect(json.output.contains("battery_end_percent_low\": "), "\(json.command)")
  }

  @Test func `A text that mentions sentences is not a trace`() throws {
    let run = try ProgramRun(["--trace", Repository.path("traces/README.md")])
    #expect(run.isRefusal && run.errors.contains("traces/README.md: only "), "\(run.errors)")
  }

  @Test func `The longest silence is that of the list`() throws {
    let run = try ProgramRun(["--trace", Self.race, "--json"])
    let figures = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let silences = try #require(figures["silence"] as? [[String: Any]])
    let lengths = silences.compactMap { silence -> Double? in
      guard let from = silence["from"] as? Double, let to = silence["to"] as? Double else {
        return nil
      }
      return to - from
    }
    let longest = try #require(lengths.max(), "\(run.command)")
    let stated = try #require(figures["longest_silence_s"] as? Double, "\(run.command)")
    #expect(abs(stated - longest) < 0.001, "\(run.command)")
  }

  @Test func `Each seed is another day, and the same day in every run`() throws {
    func digest(_ seed: Int) throws -> Substring? {
      let run = try ProgramRun(["--trace", Self.tunnel, "--seed", "\(seed)"])
      return run.output.split(separator: "\n").first { $0.contains("digest ") }
    }
    let digests = try (1...8).map { try digest($0) }
    #expect(Set(digests).count == 8, "\(digests)")
    #expect(try digest(5) == digests[4])
  }
}
