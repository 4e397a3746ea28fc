import Foundation
import MachineAccess
import TestSupport
import Testing

/// What a tracker did recently, through restarts, SIGKILL and a disk that keeps nothing.
@Suite(.serialized, .blocking) struct EventTests {
  /// Captures every second, a hundred times as fast: the file is due after 0.3 s.
  private func walking() throws -> DaemonRun {
    let run = try DaemonRun(["--speed", "100"])
    run.line.walk(speed: 100)
    try run.startAndWait()
    try run.wait("captured sequence=1")
    return run
  }

  private func events(_ run: DaemonRun) throws -> [Substring] {
    try ControlClient.ask("events 300", at: run.path("control")).split(separator: "\n").dropFirst()
      .map { $0 }
  }

  /// Waits for a file in which the capture is: the first may have been written before it.
  private func waitForFile(_ run: DaemonRun) throws {
    let path = run.path("queue.db.events")
    try eventually("the file; \(run.command)\n\(run.logText)") {
      (try? String(contentsOfFile: path, encoding: .utf8))?.contains(" captured ") == true
    }
  }

  @Test func `Events and reasons go on through a restart, with the time between as switched off`()
    throws
  {
    let run = try walking()
    run.end(SIGTERM)
    // At this speed that is a minute and a half.
    Thread.sleep(forTimeInterval: 1)
    try run.startAndWait()
    try run.wait("captured sequence=")
    let lines = try events(run)
    let names = lines.map { $0.split(separator: " ").dropFirst().first.map(String.init) ?? "" }
    let ended = try #require(names.firstIndex(of: "ended"), "\(lines); \(run.command)")
    #expect(
      names.dropFirst(ended).starts(with: ["ended", "restarted"]), "\(lines); \(run.command)")
    #expect(names[..<ended].contains("captured"), "\(lines); \(run.command)")
    #expect(names[ended...].contains("captured"), "\(lines); \(run.command)")
    let ages = lines.compactMap { $0.split(separator: " ").first.flatMap { Int64($0) } }
    #expect(ages.count == lines.count && ages == ages.sorted(by: >), "\(lines); \(run.command)")
    let why = try run.ask("why").output
    #expect(why.contains(" %  switched off\n"), "\(why); \(run.command)")
    #expect(
      try run.ask("events", "300").output.contains("trackerd started again"), "\(run.command)")
  }

  @Test func `After SIGKILL the events are there up to the last writing`() throws {
    let run = try walking()
    try waitForFile(run)
    run.end(SIGKILL)
    try run.startAndWait()
    let names = try events(run).compactMap { $0.split(separator: " ").dropFirst().first }
    #expect(
      names.contains("captured") && names.contains("cutOff") && !names.contains("ended"),
      "\(names); \(run.command)")
  }

  @Test func `A file that is damaged or another's is one line in the log`() throws {
    let run = try DaemonRun()
    for text in ["", "\u{0}\u{0}", String(repeating: "trackerd events 1\n", count: 50_000)] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: run.path("queue.db.events")))
      try run.startAndWait()
      #expect(
        run.logText.components(separatedBy: "what happened before the start is not known").count
          == 2, "\(run.logText); \(run.command)")
      run.end(SIGTERM)
      #expect(run.code == 0, "\(run.logText); \(run.command)")
    }
  }

  @Test func `Where the file cannot be written, captures go on and only the memory is lost`() throws
  {
    let run = try DaemonRun(["--speed", "100"])
    run.line.walk(speed: 100)
    try FileManager.default.createDirectory(
      atPath: run.path("queue.db.events.new/full"), withIntermediateDirectories: true)
    try run.startAndWait()
    try run.wait("recent events are not kept across a restart")
    let before = run.announced.count
    try run.wait("captured sequence=", times: before + 3)
    run.end(SIGTERM)
    #expect(run.code == 0, "\(run.logText); \(run.command)")
    #expect(
      run.logText.components(separatedBy: "are not kept across a restart").count == 2,
      "\(run.logText); \(run.command)")
  }
}
