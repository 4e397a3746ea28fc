import Foundation
import SQLite
import TestSupport
import Testing
import TrackerCore

@testable import CaptureStore

/// What people order, through SIGKILL, a disk that does not take it, and the finish.
@Suite(.serialized, .blocking) struct OrderDaemonTests {
  private func outdoors(_ settings: [String: String] = [:]) throws -> DaemonRun {
    let run = try DaemonRun(["--speed", "20"])
    for (key, value) in settings { run.settings[key] = value }
    run.line.walk(speed: 20)
    try run.startAndWait()
    try run.wait("captured sequence=1")
    return run
  }

  /// A line of the status, without its name. A team that nobody has ordered is in the first line
  /// only.
  private func status(_ name: String, _ run: DaemonRun) throws -> String {
    let output = try run.status()
    guard let line = output.split(separator: "\n").first(where: { $0.hasPrefix("\(name):") }) else {
      return name == "team" ? output.components(separatedBy: "  ")[0] : ""
    }
    return line.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
  }

  private func wait(
    _ run: DaemonRun, _ what: String, until isSo: () throws -> Bool
  ) throws {
    try eventually("\(what); \(run.command)\n\(run.logText)", pause: 0.1, isSo)
  }

  private func teams(_ run: DaemonRun) throws -> [String] {
    let store = try CaptureStore.openForReading(run.path("queue.db"))
    return try store.page(after: 0, limit: 10_000).map {
      let team = $0.capture.team
      return String(decoding: (0..<team.count).map { team[$0] }, as: UTF8.self)
    }
  }

  @Test func `A name and a stop survive SIGKILL, with their origin, and are undone`() throws {
    let run = try outdoors()
    #expect(try run.ask("set", "team", "Els Tardans").code == 0, "\(run.command)")
    #expect(try run.ask("stop").code == 0, "\(run.command)")
    run.end(SIGKILL)
    let before = try run.stored().count
    try run.startAndWait()
    let team = try status("team", run)
    #expect(team.hasPrefix("\"Els Tardans\", set "), "\(team); \(run.command)")
    #expect(team.hasSuffix(" ago (\(NSUserName()))"), "\(team); \(run.command)")
    let session = try status("session", run)
    #expect(session.hasPrefix("stopped ") && session.hasSuffix(" ago (socket)"), "\(session)")
    // Twenty seconds and more of its own time, outdoors.
    Thread.sleep(forTimeInterval: 1.5)
    #expect(try run.stored().count == before, "\(run.command)")

    #expect(try run.ask("unset", "team").code == 0, "\(run.command)")
    #expect(try status("team", run) == "Els Caminants", "\(run.command)")
    #expect(try run.ask("start").code == 0, "\(run.command)")
    try run.wait("captured sequence=")
    run.end(SIGKILL)
    try run.startAndWait()
    #expect(try status("session", run).hasPrefix("running, number 2, "), "\(run.command)")
    #expect(try teams(run).last == "Els Caminants", "\(run.command)")
  }

  @Test func `Captures carry the ordered name after SIGKILL, and an edited team ends it`() throws {
    let run = try outdoors()
    #expect(try run.ask("set", "team", "Els Tardans").code == 0, "\(run.command)")
    run.end(SIGKILL)
    try run.startAndWait()
    try run.wait("captured sequence=", times: 3)
    run.end(SIGKILL)
    #expect(try teams(run).suffix(3) == ["Els Tardans", "Els Tardans", "Els Tardans"])
    run.settings["team"] = "'Les Formigues'"
    try run.startAndWait()
    try run.wait("an order no longer applies key=team")
    #expect(try status("team", run) == "Les Formigues", "\(run.command)")
  }

  @Test func `Yesterday's stop does not silence today's race`() throws {
    let run = try outdoors()
    #expect(try run.ask("stop").code == 0, "\(run.command)")
    run.end(SIGKILL)
    // The machine's own boot goes on here; only the rows say so, and they are the other machine's.
    try SQLiteDatabase.store(path: run.path("queue.db")).execute(
      """
      UPDATE orders SET boot = 'other', checksum = row_checksum(
        key, value, origin, time, isTimeTrusted, 'other', sinceBootMilliseconds, session,
        configured)
      """)
    run.line.stepDate(by: 24 * 3600)
    try run.startAndWait()
    try run.wait("an order no longer applies key=session")
    try run.wait("captured sequence=")
  }

  @Test func `An order that was answered is on disk, whenever the power goes`() throws {
    let run = try DaemonRun()
    try run.startAndWait()
    var known = "Els Caminants"
    for round in 1...12 {
      let name = "Equip \(round)"
      let asking = try RunningProgram([
        Built.program("trackerctl").path, "set", "team", name, "--socket", run.path("control"),
      ])
      Thread.sleep(forTimeInterval: 0.004 * Double(round))
      run.end(SIGKILL)
      asking.wait()
      try run.startAndWait()
      let team = try status("team", run)
      let isNew = team.contains(name)
      #expect(isNew || team.contains(known), "\(team) after \(known); \(run.command)")
      if asking.code == 0 { #expect(isNew, "\(team) for \(name); \(run.command)") }
      if isNew { known = name }
    }
  }

  @Test func `A disk that does not take an order is reported, and takes it later`() throws {
    let run = try outdoors()
    do {
      let other = try SQLiteDatabase(path: run.path("queue.db"))
      try other.execute("BEGIN IMMEDIATE")
      let answer = try run.ask("set", "team", "Els Tardans")
      #expect(answer.code != 0, "\(answer); \(run.command)")
      #expect(answer.output.contains("a restart would forget it"), "\(answer); \(run.command)")
      #expect(answer.output.contains("another program is using it"), "\(answer); \(run.command)")
      try other.execute("ROLLBACK")
    }
    #expect(try status("team", run).hasPrefix("\"Els Tardans\""), "\(run.command)")
    try wait(run, "kept") {
      try SQLiteDatabase(path: run.path("queue.db"), access: .readOnly)
        .text("SELECT value FROM orders WHERE key = 'team'") == "Els Tardans"
    }
    run.end(SIGKILL)
    try run.startAndWait()
    #expect(try status("team", run).hasPrefix("\"Els Tardans\""), "\(run.command)")
  }

  // MARK: The finish

  private func date(_ seconds: TimeInterval) -> String {
    let format = ISO8601DateFormatter()
    return "'\(format.string(from: Date(timeIntervalSinceNow: seconds)))'"
  }

  @Test func `A finish that SIGHUP brings ends the session, and what waits is still sent`() throws {
    let run = try outdoors()
    let camp = try CampServer(folder: run.folder)
    let services = "http://127.0.0.1:\(camp.port)/arcgis/rest/services"
    run.settings["server"] = "{ address: '\(services)/TrailWalker/FeatureServer/0' }"
    run.settings["bearer"] = "'none'"
    run.end(SIGKILL)
    try run.startAndWait()
    try run.wait("captured sequence=", times: 2)
    run.settings["finish"] = date(-7200)
    run.settings["endAfterFinish"] = "'30 min'"
    try run.writeSettings()
    run.signal(SIGHUP)
    try run.wait("session finished")
    #expect(try status("session", run).hasPrefix("finished "), "\(run.command)")
    #expect(try status("capturing", run) == "no: the race is over", "\(run.command)")
    #expect(try status("finish", run).hasSuffix(" UTC"), "\(run.command)")
    let count = try run.stored().count
    try wait(run, "sent") { try Set(camp.identifiers()).count == count }

    // A tracker that is started again after its finish starts, and stays finished.
    run.end(SIGKILL)
    try run.startAndWait()
    try run.wait("the finish is in the past")
    Thread.sleep(forTimeInterval: 1.5)
    #expect(try status("session", run).hasPrefix("finished "), "\(run.command)")
    #expect(try run.stored().count == count, "\(run.command)")
    #expect(try run.ask("start").code == 0, "\(run.command)")
    try run.wait("captured sequence=")
  }

  @Test func `A finish that is past is refused by a check, one to come is not`() throws {
    for (seconds, code) in [(-60.0, Int32(2)), (3600, 0)] {
      let run = try DaemonRun(["--check"])
      run.settings["finish"] = date(seconds)
      try run.start()
      try run.waitUntilExit()
      #expect(run.code == code, "\(run.logText); \(run.command)")
      #expect(run.logText.contains("finish: is in the past") == (code == 2), "\(run.logText)")
    }
  }
}
