import Foundation
import TestSupport
import Testing

@testable import tracker_sim

/// The field console's door into a simulation.
@Suite struct ConsoleProgramTests {
  private static let scenario = [
    "--scenario", Repository.path("traces/scenarios/bad-server.json5"), "--seed", "7",
  ]
  private static let questions = [
    "status", "why", "events", "log", "captures all", "show 1", "proof", "self-test", "get",
    "help", "help verdict", "version", "watch", "nonsense",
  ]

  @Test func `Asking changes nothing: the same events, byte for byte`() throws {
    let folder = try ScratchFolder()
    func words(_ name: String) -> [String] {
      Self.scenario + ["--events", folder.path("\(name).events"), "--record", folder.path(name)]
    }
    let plain = try ProgramRun(["--trace", Repository.path("traces/race.nmea")] + words("plain"))
    #expect(plain.code == 0, "\(plain.errors)")
    let moves = [
      "step", "step 7s", "until 0:31:00", "until 1:00:00", "step 1 h", "step 2h", "play",
    ]
    let asked = try ConsoleRun(
      Self.questions + moves.flatMap { [$0] + Self.questions }, words("asked"))
    #expect(asked.output.contains(", the run is over\n"), "\(asked.command): \(asked.errors)")
    for tail in [".events", ""] {
      let one = try Data(contentsOf: URL(fileURLWithPath: folder.path("plain" + tail)))
      let other = try Data(contentsOf: URL(fileURLWithPath: folder.path("asked" + tail)))
      #expect(one.count > 100_000 && one == other, "\(tail) differ: \(asked.command)")
    }
  }

  @Test func `A battery that empties passes into its reserve once, and does not waver there`()
    throws
  {
    let folder = try ScratchFolder()
    let settings = try folder.write("a", "{ capture: { policy: 'standard', interval: '10 min' } }")
    let scenario = try folder.write("b", "{ battery: { start: '16 %' } }")
    let minutes = stride(from: 2, to: 300, by: 2)
    let run = try ConsoleRun(
      minutes.flatMap { ["until \($0 / 60):\($0 % 60 / 10)\($0 % 10):00", "status"] },
      ["--config", settings, "--scenario", scenario, "--language", "en"])
    // With settings that name no finish.
    let verdicts = run.output.split(separator: "\n").compactMap { line -> Bool? in
      if line.hasSuffix("  GO") || line.contains("  GO, ") { return true }
      return line.contains("  NO-GO: battery in its reserve") ? false : nil
    }
    let changes = zip(verdicts, verdicts.dropFirst()).count { $0 != $1 }
    #expect(changes == 1 && verdicts.first == true && verdicts.count > 100, "\(run.command)")
  }

  @Test func `Orders take effect, are recorded, and repeat from the recording`() throws {
    let folder = try ScratchFolder()
    let run = try ConsoleRun(
      [
        "until 1:00:00", "set interval 5min", "set team \"Els Tardans\"", "step 20min", "get",
        "undo", "step 1s", "undo", "undo interval", "set interval 7min", "set team Nous",
        "step 1min", "stop", "status", "capture now", "start", "step 10min", "get", "undo",
      ], ["--record", folder.path("orders")])
    let output = run.output
    for text in [
      "interval: 5 min; it was 10 min\n",
      "interval:    5 min  (console, 20 min ago; file: 10 min)\n",
      "taken back: team is no longer set\n", "taken back: interval is 10 min again\n",
      "no order about the interval is in force; see get\n",
      "Nous  0000  NO-GO: session stopped", "no session is running; begin one with start\n",
      // The next session ends both.
      "session begun\n1:31:01\ninterval:    10 min\n", "team:        -\n",
      "nothing is ordered that could be undone\n",
    ] {
      #expect(output.contains(text), "'\(text)' is missing: \(run.command)\n\(output)")
    }
    #expect(run.code == 2, "of the last answer: \(run.command)")
    let replay = try ProgramRun(["replay", folder.path("orders")])
    #expect(replay.code == 0, "\(replay.command): \(replay.output)\(replay.errors)")
  }

  @Test func `A test waits for the floor or, as ordered, does not, and both repeat`() throws {
    let folder = try ScratchFolder()
    // The contact of the capture at an hour and a minute is over.
    let run = try ConsoleRun(
      ["until 1:02:00", "try", "show 8", "until 1:06:00", "try now", "step 3min", "show 8"],
      ["--record", folder.path("tests")])
    let answers = run.output.components(separatedBy: "1:06:00\n")
    try #require(answers.count == 2, "\(run.command)\n\(run.output)")
    for text in ["order: try (console)", "trigger:        test", "state:          waiting"] {
      #expect(answers[0].contains(text), "'\(text)': \(run.command)\n\(run.output)")
    }
    for text in ["order: try now (console)", "2 captures delivered", "state:          sent, "] {
      #expect(answers[1].contains(text), "'\(text)': \(run.command)\n\(run.output)")
    }
    let replay = try ProgramRun(["replay", folder.path("tests")])
    #expect(replay.code == 0, "\(replay.command): \(replay.output)\(replay.errors)")
  }

  @Test func `After a restart the console shows and changes the queue that is sent from`() throws {
    let folder = try ScratchFolder()
    let scenario = try folder.write(
      "a", "{ restarts: [{ kind: 'kill', at: '0:30:00', for: '1 min' }] }")
    let run = try ConsoleRun(
      [
        "until 0:40:00", #"note "the card was full""#, "until 0:50:00", "captures 1", "notes",
        "exit",
      ], ["--scenario", scenario, "--language", "en"])
    for text in ["\n      5 2026-04-18 08:41:36 ", "5 captures: ", "the card was full  [waiting]"] {
      #expect(run.output.contains(text), "'\(text)': \(run.command)\n\(run.output)")
    }
  }

  @Test func `At the end of the input it ends without playing on`() throws {
    let folder = try ScratchFolder()
    let events = folder.path("events")
    let run = try ConsoleRun(["until 0:10:00"], ["--json", "--events", events])
    #expect(run.output == "{\n  \"atMs\": 600000,\n  \"isOver\": false\n}\n", "\(run.command)")
    let lines = try String(contentsOfFile: events, encoding: .utf8).split { $0.isNewline }
    #expect(lines.count > 100, "\(run.command)")
    let left = try ConsoleRun(["exit", "play"])
    #expect(left.output.isEmpty && left.code == 0, "\(left.command): \(left.output)")
  }

  @Test func `A pipe has the exit code of the last answer, and each answer an object`() throws {
    let fresh = try ConsoleRun(["status"], ["--json"])
    let object = try JSONSerialization.jsonObject(with: Data(fresh.output.utf8)) as? [String: Any]
    #expect(fresh.code == 3 && object?["verdict"] as? String == "WAIT", "\(fresh.command)")
    #expect(object?["team"] as? String == "", "\(fresh.command)")
    #expect(try ConsoleRun(["until 0:10:00", "status"]).code == 0)
  }

  @Test(arguments: [
    (["step 0s"], "write: step [10min]"), (["step backwards"], "write: step [10min]"),
    (["until 3"], "write: until 3:20:00"), (["until 0:99:00"], "write: until 3:20:00"),
    (["play on"], "write: play"),
    (["until 0:05:00", "until 0:04:59"], "it is 0:05:00 already; write a later time"),
    (["play", "step"], "the run is over; start tracker-sim again"),
    (["play", "stop"], "the run is over; start tracker-sim again"),
    (["pin try"], "no PIN is configured; add it to the scenario, as sim.secret"),
    (["set colour red"], "unknown setting colour; there are interval, policy, every,"),
    (["retry x"], "write"),
  ])
  func `A word that cannot be carried out is refused in one line`(
    _ lines: [String], _ refusal: String
  ) throws {
    let run = try ConsoleRun(lines)
    let last = run.output.split(separator: "\n").last ?? ""
    #expect(run.code == 2 && run.output.contains(refusal), "\(run.command): \(last)")
  }

  @Test(arguments: [
    ["--trace", "-"], ["--trace", "x", "--events", "-"],
    ["--trace", "x", "--expect", "captures.pending == 0"],
  ])
  func `What a console cannot do beside is refused`(_ words: [String]) throws {
    let run = try ProgramRun(words + ["--console"])
    #expect(run.isRefusal, "\(run.command): \(run.errors)")
  }

  @Test func `Its own words are in all languages`() {
    let found = problems(of: PlayVerb.self) + problems(of: PlayPhrase.self)
    #expect(found == [], "repeat with: swift test --filter ConsoleProgramTests")
  }
}
