import Foundation
import MachineAccess
import SQLite
import TestSupport
import Testing

/// Settings that people change on a running tracker, through SIGKILL, edits and the next session.
@Suite(.serialized, .blocking) struct SettingOrderTests {
  private func indoors(_ settings: [String: String] = [:]) throws -> DaemonRun {
    let run = try DaemonRun()
    run.settings["capture"] = "{ policy: 'standard', interval: '10 min' }"
    for (key, value) in settings { run.settings[key] = value }
    try run.startAndWait()
    return run
  }

  private func say(_ line: String, _ run: DaemonRun) throws -> String {
    try ControlClient.ask(line, at: run.path("control"))
  }

  /// The value of a line of the answer; `nil`: there is no such line.
  private func value(_ name: String, _ answer: String) -> String? {
    answer.split(separator: "\n").first { $0.hasPrefix(name + " ") }
      .map { String($0.dropFirst(name.count + 1)) }
  }

  private func get(_ name: String, _ run: DaemonRun) throws -> String? {
    value(name, try say("get", run))
  }

  private func restart(_ run: DaemonRun) throws {
    run.end(SIGKILL)
    try run.startAndWait()
  }

  @Test func `A second person is told what the first one ordered, also after SIGKILL`() throws {
    let run = try indoors()
    let first = try say("as anna@ttyS0 set interval 5min", run)
    #expect(
      first == """
        ok
        key interval
        path capture.interval
        value 5 min
        before 10 min

        """, "\(run.command)")
    try restart(run)
    let all = try say("get", run)
    #expect(value("setting interval", all) == "5 min", "\(all); \(run.command)")
    #expect(value("by interval", all) == "anna@ttyS0", "\(all); \(run.command)")
    #expect(value("file interval", all) == "10 min", "\(all); \(run.command)")
    #expect(Int(value("ago interval", all) ?? "") ?? -1 >= 0, "\(all); \(run.command)")
    #expect(value("setting accuracy", all) == "200 m", "\(all); \(run.command)")
    #expect(value("setting finish", all) == "-", "\(all); \(run.command)")

    let second = try say("as pau set interval 300 s", run)
    #expect(value("value", second) == "5 min", "\(second); \(run.command)")
    #expect(value("before", second) == "5 min", "\(second); \(run.command)")
    #expect(value("beforeBy", second) == "anna@ttyS0", "\(second); \(run.command)")
    #expect(Int(value("beforeAgo", second) ?? "") ?? -1 >= 0, "\(second); \(run.command)")
    #expect(try get("by interval", run) == "pau", "\(run.command)")
    // Without a name it is the user's.
    _ = try say("set accuracy 20m", run)
    let user = try get("by accuracy", run)
    #expect(user == NSUserName() || user == "uid:\(getuid())", "\(user ?? ""); \(run.command)")

    let undone = try say("undo interval", run)
    #expect(value("value", undone) == "10 min", "\(undone); \(run.command)")
    #expect(value("beforeBy", undone) == "pau", "\(undone); \(run.command)")
    try restart(run)
    #expect(try get("setting interval", run) == "10 min", "\(run.command)")
    #expect(try get("by interval", run) == nil, "\(run.command)")
    #expect(try get("setting accuracy", run) == "20 m", "\(run.command)")
  }

  @Test func `A team's name tells who ordered it, also after SIGKILL`() throws {
    let run = try indoors()
    let first = try say("as anna@ttyS0 set team Els Tardans", run)
    #expect(value("before", first) == "Els Caminants", "\(first); \(run.command)")
    #expect(value("beforeBy", first) == nil, "\(first); \(run.command)")
    #expect(try get("by team", run) == "anna@ttyS0", "\(run.command)")
    try run.wait("a setting was ordered key=team who=anna@ttyS0")
    try restart(run)
    #expect(try get("by team", run) == "anna@ttyS0", "\(run.command)")
    let facts = try ControlClient.facts(at: run.path("control"))
    #expect(facts.session.teamOrder?.who == "anna@ttyS0", "\(facts.message); \(run.command)")
    let second = try say("as pau set team Els Altres", run)
    #expect(value("before", second) == "Els Tardans", "\(second); \(run.command)")
    #expect(value("beforeBy", second) == "anna@ttyS0", "\(second); \(run.command)")
    let undone = try say("as anna undo team", run)
    #expect(value("value", undone) == "Els Caminants", "\(undone); \(run.command)")
    #expect(value("beforeBy", undone) == "pau", "\(undone); \(run.command)")
    try restart(run)
    #expect(try get("by team", run) == nil, "\(run.command)")
    // The store alone, too.
    _ = try say("as pau set team Els Altres", run)
    _ = try ControlClient.facts(at: run.path("control"))
    run.end(SIGKILL)
    let status = try ProgramResult(
      "trackerctl", ["status", "--json", "--store", run.path("queue.db")])
    #expect(status.output.contains(" pau\""), "\(status.output); \(run.command)")
  }

  @Test func `An ordered interval takes effect, and the recording replays to the same`() throws {
    let run = try DaemonRun(["--speed", "20"])
    run.arguments += ["--record", run.path("day.nmea")]
    run.settings["capture"] = "{ policy: 'standard', interval: '24 h' }"
    run.line.walk(speed: 20)
    try run.startAndWait()
    try run.wait("captured sequence=1")
    #expect(try say("set interval 5 s", run).hasPrefix("ok\n"), "\(run.command)")
    try run.wait("captured sequence=4")
    #expect(try say("set policy significant", run).hasPrefix("ok\n"), "\(run.command)")
    run.end(SIGTERM)
    try expectReplay(run)
    try run.startAndWait()
    #expect(try get("setting policy", run) == "significant", "\(run.command)")
    #expect(try say("undo policy", run).hasPrefix("ok\n"), "\(run.command)")
    try run.wait("captured sequence=", times: 2)
    run.end(SIGTERM)
    try expectReplay(run)
  }

  /// The recording of the last run has a change of settings, and replays to the same effects.
  private func expectReplay(_ run: DaemonRun) throws {
    let replay = try ProgramResult("tracker-sim", ["replay", run.path("day.nmea")])
    #expect(
      replay.code == 0 && replay.output.contains(": identical\n"),
      "\(replay.output); \(run.command)")
    let recording = try String(contentsOfFile: run.path("day.nmea"), encoding: .utf8)
    #expect(recording.contains(",settings,"), "no change is recorded; \(run.command)")
  }

  @Test func `What is wrong is one line, and changes nothing`() throws {
    let run = try indoors()
    let before = try say("get", run)
    let wrong = [
      ("set interval 5", "set interval: capture.interval: \"5\" has no unit"),
      ("set interval 90 h", "write a length of time from 1 s to 24 h"),
      ("set interval", "set interval: capture.interval: \"\" is not a length of time"),
      ("set accuracy 20 parsecs", "set accuracy: accuracy: \"20 parsecs\" is not a distance"),
      ("set policy rute", "did you mean \"route\"?"),
      ("set policy route", "set policy: capture.every: is missing"),
      ("set language de", "set language: language: \"de\" is not a valid choice"),
      ("set finish 2027-04-18T12:00", "in which time zone?"),
      ("set finish 2019-04-18T12:00Z", "set finish: finish: is in the past"),
      ("set colour red", "unknown setting colour; there are interval, policy, every, accuracy"),
      ("set team", "a team's name has 1 to 64 bytes"),
      ("undo", "nothing is ordered"), ("undo interval", "no order about the interval"),
      ("undo colour", "there are interval"), ("as 'x' get", "after \"as\" write a name"),
      ("as \(String(repeating: "x", count: 33)) get", "after \"as\" write a name"),
    ]
    for (line, says) in wrong {
      let answer = try say(line, run)
      #expect(answer.hasPrefix("error "), "\(line): \(answer); \(run.command)")
      #expect(answer.contains(says), "\(line): \(answer); \(run.command)")
      // And the same in each other language, where it is not about the socket's own words.
      let starts = answer.split(separator: "\n").map { $0.prefix { $0 != " " } }
      let isForPeople = !line.hasPrefix("as ")
      #expect(
        starts == (isForPeople ? ["error", "ca", "es", "fr"] : ["error"]),
        "\(line): \(answer); \(run.command)")
    }
    #expect(try say("get", run) == before, "\(run.command)")
    #expect(!run.logText.contains("a setting was ordered"), "\(run.command)")
  }

  @Test func `An order that the disk does not take changes nothing`() throws {
    let run = try indoors()
    let other = try SQLiteDatabase(path: run.path("queue.db"))
    try other.execute("BEGIN IMMEDIATE")
    let answer = try say("set interval 5min", run)
    #expect(answer.hasPrefix("error nothing was changed: "), "\(answer); \(run.command)")
    #expect(try get("setting interval", run) == "10 min", "\(run.command)")
    try other.execute("ROLLBACK")
    #expect(try say("set interval 5min", run).hasPrefix("ok\n"), "\(run.command)")
  }

  // MARK: What ends an order

  @Test func `A file whose value is edited ends the order, another key does not`() throws {
    let run = try indoors()
    _ = try say("set interval 5min", run)
    _ = try say("set accuracy 20m", run)
    run.settings["accuracy"] = "'100 m'"
    try run.writeSettings()
    run.signal(SIGHUP)
    try run.wait("an order no longer applies key=accuracy")
    #expect(try get("setting accuracy", run) == "100 m", "\(run.command)")
    #expect(try get("setting interval", run) == "5 min", "\(run.command)")
    // While it is off.
    run.settings["capture"] = "{ policy: 'standard', interval: '15 min' }"
    try restart(run)
    try run.wait("an order no longer applies key=interval")
    #expect(try get("setting interval", run) == "15 min", "\(run.command)")
    #expect(try get("by interval", run) == nil, "\(run.command)")
  }

  @Test func `An edited file that an order does not go with ends it, and the tracker starts`()
    throws
  {
    let run = try indoors()
    _ = try say("set interval 30min", run)
    run.settings["capture"] =
      "{ policy: 'standard', interval: '10 min', minimumDistance: '50 m', heartbeat: '20 min' }"
    try restart(run)
    try run.wait("an order no longer applies key=interval")
    #expect(run.logText.contains("not shorter than the interval"), "\(run.logText)")
    #expect(try get("setting interval", run) == "10 min", "\(run.command)")
    let refusal = try say("set interval 30min", run)
    #expect(
      refusal.hasPrefix("error set interval: not possible with ")
        && refusal.contains("settings.json5:") && refusal.contains("capture.heartbeat"),
      "\(refusal); \(run.command)")
  }

  @Test func `An order holds for its session, one between sessions for the next`() throws {
    let run = try indoors()
    _ = try say("set interval 5min", run)
    #expect(try run.ask("stop").code == 0, "\(run.command)")
    _ = try say("set accuracy 20m", run)
    #expect(try get("setting interval", run) == "5 min", "\(run.command)")
    #expect(try run.ask("start").code == 0, "\(run.command)")
    try run.wait("an order no longer applies key=interval")
    #expect(try get("setting interval", run) == "10 min", "\(run.command)")
    #expect(try get("setting accuracy", run) == "20 m", "\(run.command)")
    try restart(run)
    #expect(try get("by interval", run) == nil, "\(run.command)")
    #expect(try get("setting accuracy", run) == "20 m", "\(run.command)")
  }

  @Test func `Undo alone takes back the last order, whatever it was about`() throws {
    let run = try indoors()
    _ = try say("set interval 5min", run)
    Thread.sleep(forTimeInterval: 0.05)
    _ = try say("set team Els Tardans", run)
    Thread.sleep(forTimeInterval: 0.05)
    _ = try say("set accuracy 20m", run)
    #expect(try get("setting team", run) == "Els Tardans", "\(run.command)")
    #expect(try get("file team", run) == "Els Caminants", "\(run.command)")
    try restart(run)
    let undone = try (1...3).map { _ in value("key", try say("undo", run)) }
    #expect(undone == ["accuracy", "team", "interval"], "\(undone); \(run.command)")
    let all = try say("get", run)
    #expect(!all.contains("\nby "), "\(all); \(run.command)")
    #expect(value("setting team", all) == "Els Caminants", "\(all); \(run.command)")
  }

  // MARK: Finish, policy, language

  @Test func `An ordered finish is in the team's zone, and replaces one from the start`() throws {
    let run = try indoors(["timeZone": "'Europe/Madrid'", "finishAfter": "'30 h'"])
    #expect(try get("setting finish", run) == "after 30 h", "\(run.command)")
    let answer = try say("set finish 2027-07-18 12:00", run)
    #expect(value("value", answer) == "2027-07-18T12:00:00+02:00", "\(answer); \(run.command)")
    #expect(value("utc", answer) == "2027-07-18T10:00:00Z", "\(answer); \(run.command)")
    #expect(value("before", answer) == "after 30 h", "\(answer); \(run.command)")
    try restart(run)
    #expect(try run.ask("status").output.contains("2027-07-18 10:00:00 UTC"), "\(run.command)")
    _ = try say("undo", run)
    #expect(try get("setting finish", run) == "after 30 h", "\(run.command)")
  }

  @Test func `The policy route takes the distance that was ordered before it`() throws {
    let run = try indoors()
    let every = try say("set every 500m", run)
    #expect(value("unused", every) == "standard", "\(every); \(run.command)")
    #expect(value("value", try say("set policy route", run)) == "route", "\(run.command)")
    let all = try say("get", run)
    #expect(value("setting every", all) == "500 m", "\(all); \(run.command)")
    #expect(value("setting interval", all) == "-", "\(all); \(run.command)")
    #expect(value("unused every", all) == nil, "\(all); \(run.command)")
    let refusals = [
      "undo every": "undo every: not possible with set policy: capture.every: is missing",
      "set interval 5min": "set interval: capture.interval: does not belong to the policy",
    ]
    for (line, says) in refusals {
      let refusal = try say(line, run)
      #expect(refusal.hasPrefix("error \(says)"), "\(refusal); \(run.command)")
    }
    try restart(run)
    #expect(try get("setting policy", run) == "route", "\(run.command)")
  }

  @Test func `The status speaks the language that was ordered`() throws {
    let run = try indoors(["startsBySelf": "false"])
    let english = try run.ask("status").output
    _ = try say("set language ca", run)
    let catalan = try run.ask("status").output
    #expect(english != catalan && catalan.contains("aturada"), "\(catalan); \(run.command)")
    run.settings["language"] = "'es'"
    try run.writeSettings()
    run.signal(SIGHUP)
    try run.wait("an order no longer applies key=language")
    #expect(try run.ask("status").output.contains("parada"), "\(run.command)")
  }
}
