import Foundation
import TestSupport
import Testing

/// `tracker-sim plan`, as a user has it. Hours and packs are so small that a debug build takes
/// seconds.
@Suite struct PlanProgramTests {
  private static let small = ["plan", "--hours", "1", "--runs", "2"]
  private static let weak = ["--pack", "1 li-ion 100mAh"]

  private struct Row {
    var interval = 0.0
    var lifetime: [String: Double] = [:]
    var captures: [String: Int] = [:]
    var finishes = 0.0
    var joules: [String: Double] = [:]
    var bound = 0.0
    var pack = ""

    init(_ object: Any) throws {
      let members = try #require(object as? [String: Any])
      interval = try #require(members["interval_s"] as? Double)
      lifetime = try #require(members["lifetime_h"] as? [String: Double])
      captures = try #require(members["captures"] as? [String: Int])
      finishes = try #require(members["finishes"] as? Double)
      joules = try #require(members["joules_by_part"] as? [String: Double])
      bound = try #require(members["lifetime_bound_h"] as? Double)
      pack = try #require(members["pack"] as? String)
    }
  }

  private static func json(_ words: [String]) throws -> (value: Any, run: ProgramRun) {
    let run = try ProgramRun(small + ["--json"] + words)
    try #require(run.code == 0 && run.errors.isEmpty, "\(run.command): \(run.errors)")
    return (try JSONSerialization.jsonObject(with: Data(run.output.utf8)), run)
  }

  private static func row(_ words: [String]) throws -> Row { try Row(json(words).value) }

  @Test func `One interval gives one object, with the figures that scripts read`() throws {
    let (value, run) = try Self.json(Self.weak + ["--interval", "10min"])
    let row = try Row(value)
    #expect(row.interval == 600, "\(run.command)")
    #expect(row.lifetime.keys.sorted() == ["p05", "p50", "p95"], "\(run.command)")
    #expect(row.captures.keys.sorted() == ["p05", "p50", "p95"], "\(run.command)")
    #expect(
      row.joules.keys.sorted() == ["board", "conversion", "modem", "receiver"], "\(run.command)")
    #expect(row.finishes == 0 && row.lifetime["p95"].map { $0 < 1 } == true, "\(run.command)")
  }

  @Test func `Under adaptive the receiver sleeps as the battery demands, which is stated`() throws {
    let folder = try ScratchFolder()
    for (policy, text) in [
      ("standard", "always on"),
      ("adaptive", "on while the battery pays for it, else asleep between captures"),
    ] {
      let path = try folder.write("\(policy).json5", "{ capture: { policy: '\(policy)' } }")
      let run = try ProgramRun(Self.small + Self.weak + ["--interval", "10min", "--config", path])
      #expect(run.output.contains(text), "\(run.command): \(run.output)\(run.errors)")
    }
  }

  @Test func `Several intervals give a list, and a longer one lasts longer`() throws {
    let (value, run) = try Self.json([
      "--pack", "3 li-ion 100mAh", "--interval", "30 min", "--interval", "10min",
      "--interval=1h",
    ])
    let rows = try #require(value as? [Any]).map { try Row($0) }
    #expect(rows.map(\.interval) == [600, 1800, 3600], "\(run.command)")
    let lifetimes = rows.compactMap { $0.lifetime["p50"] }
    #expect(lifetimes.count == 3 && lifetimes == lifetimes.sorted(), "\(run.command): \(lifetimes)")
    let captures = rows.compactMap { $0.captures["p50"] }
    #expect(captures == captures.sorted(by: >), "\(run.command): \(captures)")
  }

  @Test func `The seed decides the figures, and the number of threads does not`() throws {
    let words = ["plan", "--hours", "1", "--runs", "3", "--json"]
    let runs = try [("1", "1"), ("1", "3"), ("2", "3")].map { seed, threads in
      try ProgramRun(
        words + Self.weak + ["--interval", "10min", "--seed", seed, "--threads", threads])
    }
    #expect(runs[0].output == runs[1].output, "\(runs[1].command)")
    #expect(runs[1].output != runs[2].output, "\(runs[2].command)")
  }

  @Test func `A lifetime that is longer than anybody waits for is said to be longer`() throws {
    let words = Self.small + ["--interval", "10min"]
    let run = try ProgramRun(words)
    #expect(run.code == 0 && run.output.contains(">4 (>4->4)"), "\(run.command): \(run.output)")
    #expect(run.output.contains("It holds: "), "\(run.command): \(run.output)")
    let row = try Self.row(["--interval", "10min"])
    #expect(row.lifetime["p50"] == row.bound && row.finishes == 1, "\(run.command)")
  }

  @Test func `A pack that is too small is told what to change`() throws {
    let run = try ProgramRun(Self.small + Self.weak + ["--interval", "10min"])
    #expect(run.code == 0, "\(run.command): \(run.errors)")
    for part in ["It does not hold.", "receiver: \"dutyCycle\"", "interval", "a pack of "] {
      #expect(run.output.contains(part), "\(run.command): \(run.output)")
    }
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(run.command)")
  }

  @Test func `The smallest pack holds, and one cell less does not`() throws {
    let kind = "li-ion 100mAh"
    let found = try Self.row(["--pack", "1 " + kind, "--search", "pack"])
    let cells = try #require(Int(found.pack.prefix { $0.isNumber }))
    #expect(found.finishes >= 0.95, "\(found.pack)")
    #expect(try Self.row(["--pack", "\(cells) \(kind)", "--interval", "10min"]).finishes >= 0.95)
    #expect(
      try Self.row(["--pack", "\(cells - 1) \(kind)", "--interval", "10min"]).finishes < 0.95,
      "\(found.pack)")
  }

  /// More cells in series than half as many again only warm its regulator.
  @Test func `A board with a linear regulator is told to take strings in parallel`() throws {
    let run = try ProgramRun(
      ["plan", "--board", "arduino-uno-3g", "--hours", "1", "--runs", "1", "--search", "pack"]
        + ["--pack", "6 alkaline-aa 20mAh"])
    #expect(run.code == 0, "\(run.command): \(run.errors)")
    #expect(
      run.output.contains("holds: 6 in series, ") && run.output.contains(" in parallel, "),
      "\(run.command): \(run.output)")
  }

  @Test func `The shortest interval holds, and a shorter one does not`() throws {
    let pack = ["--pack", "3 li-ion 100mAh", "--runs=1"]
    func words(_ hours: Double, _ more: [String], emergency: String = "0s") -> [String] {
      ["plan", "--json", "--hours", "\(hours)", "--emergency", emergency] + pack + more
    }
    func row(_ words: [String]) throws -> Row {
      let run = try ProgramRun(words)
      return try Row(JSONSerialization.jsonObject(with: Data(run.output.utf8)))
    }
    let (often, rarely) = (["--interval", "10min"], ["--interval", "1h"])
    let short = try #require(try row(words(1, often)).lifetime["p50"])
    let long = try #require(try row(words(1, rarely)).lifetime["p50"])
    let between = (short + long) / 2
    let found = try row(words(between, ["--search", "interval"]))
    #expect(found.finishes == 1 && found.interval > 600 && found.interval <= 3600)
    #expect(try row(words(between, often)).finishes == 0)
    // What is left must be enough for a call for help, too.
    #expect(try row(words(long * 0.99, rarely)).finishes == 1)
    #expect(try row(words(long * 0.99, rarely, emergency: "1h")).finishes == 0)
  }

  @Test func `A search that finds nothing says so and fails`() throws {
    let run = try ProgramRun(
      Self.small + ["--pack", "1 li-ion 1mAh", "--search", "interval"])
    #expect(run.code == 1 && run.output.isEmpty, "\(run.command): \(run.output)")
    #expect(run.errors.contains("give a larger --pack"), "\(run.command): \(run.errors)")
  }

  @Test func `A pack can be a file, and can be measured instead of full`() throws {
    let folder = try ScratchFolder()
    let path = try folder.write("pack.json5", Self.packFile(capacityIsUnverified: true))
    let full = try Self.row(["--pack", path, "--interval", "10min"])
    #expect(full.pack == "2 in series, somebody's, 100 mAh each")
    let half = try Self.row(["--pack", path, "--interval", "10min", "--measured", "7.0V"])
    let (whole, rest) = (full.lifetime["p50"] ?? 0, half.lifetime["p50"] ?? 0)
    #expect(rest > whole * 0.3 && rest < whole * 0.7, "\(whole) h full, \(rest) h half full")
  }

  @Test func `A figure with a document may be off, too`() throws {
    let folder = try ScratchFolder()
    let path = try folder.write("pack.json5", Self.packFile(capacityIsUnverified: false))
    let words = ["plan", "--runs", "10", "--hours", "1", "--json", "--interval", "10min"]
    let run = try ProgramRun(words + ["--pack", path])
    let row = try Row(JSONSerialization.jsonObject(with: Data(run.output.utf8)))
    let (low, high) = (row.lifetime["p05"] ?? 0, row.lifetime["p95"] ?? 0)
    #expect(low < high * 0.8, "\(low) to \(high) h; \(run.command): \(run.errors)")
  }

  /// Two cells of 3 to 4 V in series.
  private static func packFile(capacityIsUnverified: Bool) -> String {
    let voltages = (0...10).map { "\"\(3000 + 100 * $0) mV\"" }.joined(separator: ", ")
    return """
      { battery: { chemistry: "somebody's", cellsInSeries: { value: 2, source: "sheet" },
        cellsInParallel: { value: 1, source: "sheet" },
        cellCapacity: { value: "100 mAh", source: "sheet", unverified: \(capacityIsUnverified),
          within: "30 %" },
        cellVoltages: { value: [\(voltages)], source: "sheet" },
        cutOff: { value: "5 V", source: "sheet" },
        capacityAtFreezing: { value: "80 %", source: "sheet" },
        regulator: { kind: "switching", efficiency: { value: "90 %", source: "sheet" } } } }
      """
  }

  private static let python = URL(fileURLWithPath: "/usr/bin/python3")

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: python.path), "needs python3"))
  func `The page is well formed and needs nothing else`() throws {
    let folder = try ScratchFolder()
    let path = folder.path("plan.html")
    let run = try ProgramRun(
      Self.small + Self.weak + ["--interval", "10min", "--interval", "20min", "--html", path])
    #expect(run.code == 0, "\(run.command): \(run.errors)")
    let page = try String(contentsOfFile: path, encoding: .utf8)
    let reading = try ProgramResult(
      executable: Self.python,
      ["-c", "import sys, xml.etree.ElementTree as tree; tree.parse(sys.argv[1])", path])
    #expect(reading.code == 0, "\(run.command): \(reading.errors)")
    for foreign in ["<script", "src=", "href=", "url(", "@import", "nan", "null"] {
      #expect(!page.contains(foreign), "\(run.command): \(foreign)")
    }
    #expect(page.components(separatedBy: "<svg").count == 3, "\(run.command)")
    #expect(page.contains("@media print"), "\(run.command)")
  }

  static let mistakes: [(words: [String], complaint: String)] = [
    (["--pack", "8 alkalin-aa"], "did you mean alkaline-aa?"),
    (["--pack", "8 potatoes"], "lithium-aa, nimh-aa, li-ion, lifepo4"),
    (["--pack", "alkaline-aa"], "write for example \"8 alkaline-aa\""),
    (["--pack", "0 alkaline-aa"], "write for example \"8 alkaline-aa\""),
    (["--pack", "1s6p alkaline-aa"], "give at least "),
    (["--pack", "6 alkaline-aa 2900"], "for example 2900mAh"),
    (["--pack", "/nowhere.json5"], "/nowhere.json5"),
    (["--measured", "4.02V"], "measure the whole pack"),
    (["--measured", "4 A"], "--measured '4 A': give for example 4.02V"),
    (["--interval", "10"], "--interval '10': give for example 10min (10s-24h)"),
    (["--interval", "1s"], "10s-24h"),
    (["--interval", "60min", "--interval", "1h"], "--interval 1 h is given twice"),
    (["--hours", "0"], "--hours '0': give a number from 1 to 168"),
    (["--hours", "nan"], "give a number from 1 to 168"),
    (["--coverage", "vallies"], "one of good, "),
    (["--board", "nano"], "trackerctl boards lists them"),
    (["--runs", "0"], "--runs '0': give a whole number from 1"),
    (["--search", "interval", "--interval", "10min"], "leave out --interval"),
    (["race.nmea"], "'race.nmea' is one word too many"),
  ]

  @Test(arguments: mistakes.indices)
  func `A plan that cannot be made is refused in one line`(_ index: Int) throws {
    let (words, complaint) = Self.mistakes[index]
    let board = words.contains("--board") ? [] : ["--board", "arduino-uno-3g"]
    let run = try ProgramRun(["plan"] + board + words)
    #expect(run.isRefusal, "\(run.command): \(run.code) \(run.errors)")
    #expect(run.errors.contains(complaint), "\(run.command): \(run.errors)")
  }

}
