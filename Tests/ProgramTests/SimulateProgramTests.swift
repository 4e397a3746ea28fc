import Foundation
import TestSupport
import Testing

@Suite struct SimulateProgramTests {
  static let tunnel = Repository.path("traces/tunnel.nmea")

  @Test func `The summary reads well at 80 columns`() throws {
    let runs = [
      try ProgramRun([
        "--trace", Repository.path("traces/race.nmea"),
        "--scenario", Repository.path("traces/scenarios/bad-server.json5"),
      ])
    ]
    for run in runs {
      #expect(run.code == 0 && run.errors.isEmpty, "\(run.command): \(run.errors)")
      for line in run.output.split(separator: "\n") {
        #expect(line.count <= 80, "\(run.command): \(line)")
      }
    }
  }

  @Test func `The summary says which rule spaces the contacts`() throws {
    let usual = try ProgramRun(["--trace", Self.tunnel])
    #expect(usual.output.contains("contacts      0:10:00 apart, by transmit.interval\n"))
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("contacts-\(UUID().uuidString).json5")
    try Data("{ transmit: { interval: '1 min' } }".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let short = try ProgramRun(["--trace", Self.tunnel, "--config", file.path])
    let line = "contacts      0:10:00 apart, by reconnectFloor: transmit.interval is shorter\n"
    #expect(short.output.contains(line), "\(short.output)")
  }

  @Test func `Nothing is written to standard error where no person looks on`() throws {
    let run = try ProgramRun(["--trace", Self.tunnel])
    #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
  }

  @Test func `A policy that adapts to a battery that nothing measures is warned of`() throws {
    let folder = try ScratchFolder()
    let settings = try folder.write("a", "{ capture: { policy: 'adaptive' } }")
    let board = ["--board", "pi-3b-sim5320", "--config", settings]
    for (language, start) in [("en", "warning: "), ("ca", "avís: ")] {
      let run = try ProgramRun(["--trace", Self.tunnel, "--language", language] + board)
      #expect(run.code == 0, "\(run.errors)")
      #expect(run.errors.hasPrefix("tracker-sim: \(start)\(settings): capture.policy: "))
      #expect(run.errors.hasSuffix(" --board pi-3b-sim5320+ads1115\n"), "\(run.errors)")
    }
    let plan = try ProgramRun(["plan", "--runs", "1", "--hours", "1", "--language", "en"] + board)
    #expect(plan.errors.contains(": capture.policy: "), "\(plan.errors)")
    let console = try ConsoleRun(["step 20min", "status"], board + ["--language", "en"])
    let line = "\nbattery:        not measured: the board names no sensor\n"
    #expect(console.output.contains(line), "\(console.output)")
  }

  @Test func `Time and memory go to standard error, and only on request`() throws {
    let run = try ProgramRun(["--trace", Self.tunnel, "--timing"])
    #expect(run.errors.hasPrefix("tracker-sim: 0:17:") && run.errors.contains("peak memory"))
    #expect(run.output == (try ProgramRun(["--trace", Self.tunnel])).output)
  }

  static let claims: [(claims: [String], code: Int32, complaint: String)] = [
    (["captures.pending == 0"], 0, ""),
    (["captures.taken >= 1", "ended == 'finished'"], 0, ""),
    (["delivery.latency_s.p95<=900"], 0, ""),
    (["captures.pending == 1"], 1, "expected captures.pending == 1, found 0"),
    (["captures.pending == 0", "energy.battery_end_percent > 101"], 1, "expected energy."),
    (["captures.pendng == 0"], 2, "there is no figure 'captures.pendng'"),
    (["pending == 0"], 2, "did you mean captures.pending?"),
    (["captures == 0"], 2, "is a group of figures"),
    (["silence == 0"], 2, "is a list"),
    (["captures.pending = 0"], 2, "no comparison in it"),
    (["captures.pending == none"], 2, "captures.pending is a number"),
    (["captures.pending == -"], 2, "'-' is neither a number nor a word"),
    (["board == 3"], 2, "is a text"),
    (["== 3"], 2, "no figure before =="),
    ([""], 2, "needs a value"),
  ]

  @Test(arguments: claims.indices)
  func `A claim is borne out, fails, or cannot be read`(_ index: Int) throws {
    let (claims, code, complaint) = Self.claims[index]
    let run = try ProgramRun(
      ["--trace", Self.tunnel] + claims.flatMap { ["--expect", $0] })
    #expect(run.code == code, "\(run.command): \(run.errors)")
    #expect(
      complaint.isEmpty ? run.errors.isEmpty : run.errors.contains(complaint), "\(run.errors)")
    #expect(run.errors.filter { $0 == "\n" }.count <= 1)
  }

  @Test func `A trace without a fix takes nothing and says why`() throws {
    let folder = try ScratchFolder()
    let body = (0..<1200).map { second -> String in
      let sentence = "GPRMC,\(100_000 + second / 60 * 100 + second % 60).00,V,,,,,,,180426,,,N"
      let sum = sentence.utf8.reduce(0, ^)
      return "$\(sentence)*\(String(format: "%02X", sum))\r\n"
    }
    try body.joined().write(toFile: folder.path("blind.nmea"), atomically: true, encoding: .utf8)
    let run = try ProgramRun(["--trace", folder.path("blind.nmea")])
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output.contains("0 taken") && run.output.contains("no position from the receiver"))
  }

  @Test(.blocking) func `A signal leaves no events file behind`() throws {
    let folder = try ScratchFolder()
    // It waits for input that never comes.
    let program = try RunningProgram(
      [ProgramRun.program.path, "--trace", "-", "--events", folder.path("events.txt")],
      input: .pipe)
    try eventually("its file") { try !folder.names().isEmpty || !program.isRunning }
    program.end(SIGTERM)
    #expect(try folder.names() == [], "left behind after SIGTERM")
  }
}

/// What the reviewers of the first version found, and what became of it.
@Suite struct SimulateDetailTests {
  static let tunnel = SimulateProgramTests.tunnel

  @Test func `The README shows what the program prints`() throws {
    let readme = try String(contentsOfFile: Repository.path("README.md"), encoding: .utf8)
    let run = try ProgramRun(["--trace", Repository.path("traces/race.nmea")])
    let start = try #require(readme.range(of: "    trace         race.nmea"))
    let sample = readme[start.lowerBound...].split(separator: "\n").prefix { $0.hasPrefix("    ") }
    #expect(sample.count > 8)
    for line in sample {
      let words = line.dropFirst(4).split(separator: "…").map(String.init)
      for part in words where !part.isEmpty {
        #expect(run.output.contains(part), "README.md has '\(part)'; see \(run.command)")
      }
    }
  }

  @Test func `A claim is judged although nobody reads the summary`() throws {
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let run = try ProgramRun(
      ["--trace", Self.tunnel, "--expect", "captures.pending > 5"],
      output: pipe.fileHandleForWriting)
    #expect(run.hasExited && run.code == 1)
  }

  @Test func `An empty battery ends the run at its moment`() throws {
    let folder = try ScratchFolder()
    let run = try ProgramRun([
      "--trace", Repository.path("traces/race.nmea"),
      "--scenario", try folder.write("weak.json5", "{ battery: { start: '40 %' } }"),
      "--expect", "duration_s > 3600", "--expect", "drain_s == 0",
      "--expect", "ended == 'batteryEmpty'",
    ])
    #expect(run.code == 0, "\(run.command): \(run.errors)")
    let lines = run.output.split(separator: "\n")
    let first = lines[0] + " " + lines[1].drop { $0 == " " }
    #expect(first.hasPrefix("ended         battery below its cut-off after "), "\(first)")
    #expect(first.hasSuffix(" % of the trace was played"), "\(first)")
  }

  @Test func `The events do not replace what the run reads`() throws {
    let folder = try ScratchFolder()
    try FileManager.default.copyItem(atPath: Self.tunnel, toPath: folder.path("t.nmea"))
    let run = try ProgramRun(["--trace", folder.path("t.nmea"), "--events", folder.path("t.nmea")])
    #expect(run.isRefusal && run.errors.contains("is an input of the run"), "\(run.errors)")
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: folder.path("t.nmea")))
        == Data(contentsOf: URL(fileURLWithPath: Self.tunnel)))
  }

  @Test func `A session that never starts is over with the trace`() throws {
    let folder = try ScratchFolder()
    try "{ startsBySelf: false }".write(
      toFile: folder.path("c.json5"), atomically: true, encoding: .utf8)
    let run = try ProgramRun([
      "--trace", Self.tunnel, "--config", folder.path("c.json5"),
      "--expect", "captures.taken == 0", "--expect", "ended == 'finished'",
      "--expect", "captures.standing_reason == 'none'",
    ])
    #expect(run.code == 0, "\(run.command): \(run.errors)")
  }

  @Test func `A last sentence without a line end counts`() throws {
    let folder = try ScratchFolder()
    let line = "$GPGGA,100000.00,4210.9320,N,00229.3400,E,1,08,1.1,443.0,M,49.0,M,,*6A"
    try line.write(toFile: folder.path("one.nmea"), atomically: true, encoding: .utf8)
    let run = try ProgramRun([
      "--trace", folder.path("one.nmea"), "--expect", "sentences.accepted == 1",
      "--expect", "epochs == 1",
    ])
    #expect(run.code == 0, "\(run.command): \(run.errors)")
  }

  @Test func `No name can write on the terminal`() throws {
    let run = try ProgramRun(["--trace", "/tmp/e\u{1B}[31mil\nx"])
    #expect(run.isRefusal && !run.errors.contains("\u{1B}"), "\(run.errors)")
  }
}
