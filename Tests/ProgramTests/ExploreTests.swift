import Foundation
import TestSupport
import Testing

/// What `tracker-sim explore` prints, and when it fails.
@Suite struct ExploreTests {
  @Test func `The same seeds come to the same, whatever the number of threads`() throws {
    let one = try ProgramRun(["explore", "--seeds", "1..6", "--threads", "1"])
    let two = try ProgramRun(["explore", "--seeds", "1..6", "--threads", "2"])
    #expect(one.code == 0 && one.errors.isEmpty, "\(one.command): \(one.errors)")
    #expect(one.output == two.output, "\(one.command)")
    #expect(one.output.hasPrefix("races     6, ") && one.output.hasSuffix("findings  none\n"))
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

  @Test func `A controller has races and probes of its own`() throws {
    let run = try ProgramRun(["explore", "--controller", "--seeds", "1..8"])
    #expect(run.code == 0 && run.errors.isEmpty, "\(run.command): \(run.errors)")
    #expect(run.output.hasPrefix("races     8, ") && run.output.hasSuffix("findings  none\n"))
    #expect(run.output.contains(" of 17 hit"), "\(run.command): \(run.output)")
  }

  @Test(arguments: [["--modem-script", "traces/modems/answers-lost.script"], ["minimise", "x"]])
  func `What a controller's races do not follow is refused`(_ more: [String]) throws {
    let run = try ProgramRun(["explore", "--controller"] + more)
    #expect(run.isRefusal, "\(run.command): \(run.errors)")
  }

  @Test func `A controller's race that was kept is played again`() throws {
    let folder = try ScratchFolder()
    let again = ["explore", "--controller", folder.url.path]
    func expect(_ words: [String], _ complaint: String) throws {
      let run = try ProgramRun(again + words)
      #expect(run.code == 2 && run.isOneLineOfComplaint, "\(run.command): \(run.errors)")
      #expect(run.errors.contains(complaint), "\(run.command): \(run.errors)")
    }
    try FileManager.default.copyItem(
      atPath: "traces/rest-40min.nmea", toPath: folder.path("trace.nmea"))
    _ = try folder.write("config.json5", #"{ bearer: "modem" } // as --keep writes it"#)
    try expect([], folder.path("WHY"))
    _ = try folder.write("WHY", "nobody knows\n")
    try expect([], "WHY: has no command with --board and --seed; give them")
    let command = "--board nucleo-l476rg --seed 7\n"
    _ = try folder.write("WHY", "it fails\n\ntracker-sim --trace trace.nmea \(command)")
    try expect([], "WHY: is not of a controller; type the command in its last line")
    _ = try folder.write("WHY", "it fails\n\ntracker-sim explore --controller x \(command)")
    try expect([], folder.path("scenario.json5"))
    try expect(["--seeds", "7"], "--seeds: does not go with a finding; leave it out")
    // To a server that refuses all nothing is delivered.
    for (fault, code) in [("", 0), (#"{ from: "0:00:00", fault: "refuse" }"#, 1)] {
      _ = try folder.write(
        "scenario.json5", #"{ server: [\#(fault)], service: { kind: "osmAnd" } }"#)
      let run = try ProgramRun(again)
      #expect(run.code == code && run.errors.isEmpty, "\(run.command): \(run.errors)")
      let said = code == 0 ? "all holds\n" : "all delivered: capture 1 is still pending"
      #expect(run.output.hasPrefix("\(folder.url.path): \(said)"), "\(run.output)")
    }
  }

  @Test(arguments: ["5..1", "1-2", "..", "1..2..3", "x"])
  func `What is no range of seeds is refused`(seeds: String) throws {
    let run = try ProgramRun(["explore", "--seeds", seeds])
    #expect(run.isRefusal, "\(run.command): \(run.errors)")
  }

  @Test(arguments: [("", "is empty"), ("hello\n", "contains no NMEA sentence")])
  func `A file that is no trace is named before the first race`(content: String, why: String)
    throws
  {
    let folder = try ScratchFolder()
    let file = folder.path("last-year.nmea")
    try Data(content.utf8).write(to: URL(fileURLWithPath: file))
    let run = try ProgramRun(["explore", "--seeds", "1..2", "--trace", file])
    #expect(run.code != 0 && run.output.isEmpty && run.isOneLineOfComplaint, "\(run.errors)")
    #expect(run.errors.contains("\(file): \(why)"), "\(run.command): \(run.errors)")
  }

  @Test func `A run with the invariants is the run without them`() throws {
    let trace = ["--trace", "traces/cold-start.nmea"]
    let plain = try ProgramRun(trace)
    let watched = try ProgramRun(trace + ["--invariants"])
    #expect(watched.code == 0 && watched.errors.isEmpty, "\(watched.command): \(watched.errors)")
    #expect(watched.output == plain.output)
  }

  @Test func `A recording becomes a small trace and scenario that fail in the same way`() throws {
    let folder = try ScratchFolder()
    func path(_ name: String) -> String { folder.path(name) }
    // A server that is down to the end.
    try Data(
      """
      { server: [{ from: "0:10:00", fault: "http", status: 503 }],
        commands: [{ at: "0:05:00", command: "sendNow" }] }
      """.utf8
    ).write(to: URL(fileURLWithPath: path("down.json5")))
    let settings = """
      { capture: { policy: "standard", interval: "1 min" }, accuracy: "30 m" } // of the day
      """
    try Data(settings.utf8).write(to: URL(fileURLWithPath: path("config.json5")))
    let recorded = try ProgramRun([
      "--trace", "traces/rest-40min.nmea", "--scenario", path("down.json5"), "--config",
      path("config.json5"), "--record", path("field.nmea"),
    ])
    try #require(recorded.code == 0, "\(recorded.command): \(recorded.errors)")
    let claim = "captures.pending == 0"
    let minimise = [
      "explore", "minimise", path("field.nmea"), "--config", path("config.json5"), "--keep",
      path("found"),
    ]
    let made = try ProgramRun(minimise + ["--expect", claim])
    #expect(made.code == 1, "\(made.command): \(made.errors)")
    let small = path("found/seed-1")
    let scenario = try String(contentsOfFile: small + "/scenario.json5", encoding: .utf8)
    #expect(scenario.contains("status: 503") && !scenario.contains("sendNow"), "\(scenario)")
    let trace = try String(contentsOfFile: small + "/trace.nmea", encoding: .utf8)
    #expect(trace.split(separator: "\n").count <= 5, "\(trace)")
    let again = try ProgramRun([
      "--trace", small + "/trace.nmea", "--scenario", small + "/scenario.json5", "--config",
      small + "/config.json5", "--expect", claim,
    ])
    #expect(again.code == 1, "\(again.command): \(again.output)")
    // All invariants hold in it.
    let held = try ProgramRun(minimise)
    #expect(held.code == 0 && held.output.hasPrefix("all holds\n"), "\(held.output)")
    #expect(try ProgramRun(["explore", "maximise", "x"]).isRefusal)
  }

  @Test func `Recordings of a tracker that was started again become one race with a restart`()
    throws
  {
    let folder = try ScratchFolder()
    func path(_ name: String) -> String { folder.path(name) }
    let whole = try String(contentsOfFile: "traces/rest-40min.nmea", encoding: .utf8)
    let lines = whole.split(whereSeparator: \.isNewline)
    let halves = [lines[..<(lines.count / 2)], lines[(lines.count / 2)...]]
    let scenario = try folder.write("quiet.json5", "{}")
    for (number, half) in halves.enumerated() {
      let trace = try folder.write("half-\(number).nmea", half.joined(separator: "\r\n"))
      let run = try ProgramRun([
        "--trace", trace, "--scenario", scenario, "--record", path("field-\(number).nmea"),
      ])
      try #require(run.code == 0, "\(run.command): \(run.errors)")
    }
    let minimise = [
      "explore", "minimise", path("field-0.nmea"), path("field-1.nmea"), "--keep", path("found"),
    ]
    let held = try ProgramRun(minimise)
    #expect(held.code == 0 && held.output.hasPrefix("all holds\n"), "\(held.output)\(held.errors)")
    let text = try String(contentsOfFile: path("found/seed-1/scenario.json5"), encoding: .utf8)
    #expect(text.contains(#"kind: "powerCut""#), "\(text)")
    // Both halves' walks are in it.
    let trace = try String(contentsOfFile: path("found/seed-1/trace.nmea"), encoding: .utf8)
    #expect(trace.split(whereSeparator: \.isNewline).count > lines.count - 20)
  }
}
