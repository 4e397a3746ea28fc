import Foundation
import TestSupport
import Testing

/// What is beside the daemon's work must not stop it: its log's reader, its recording.
@Suite(.serialized, .blocking) struct StallTests {
  private func wait(_ run: DaemonRun, for what: String, _ isSo: () throws -> Bool) throws {
    try eventually("\(what); \(run.command)") {
      guard run.isRunning else { throw Problem("it ended; \(run.command)") }
      return try isSo()
    }
  }

  @Test func `Nobody reads standard error: captures go on, and lines are dropped and counted`()
    throws
  {
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // F_SETPIPE_SZ (linux/fcntl.h), which Swift does not see: the smallest pipe fills soonest.
    #expect(fcntl(ends[1], 1031, 4096) >= 4096)
    let reader = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    let run = try DaemonRun(["--speed", "50"])
    run.errors = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    run.line.walk(speed: 50)
    try run.start()
    try wait(run, for: "lines to be dropped") {
      let status = try run.ask("status")
      return status.code != 2 && status.output.contains("lines dropped")
    }
    let before = try run.stored().count
    try wait(run, for: "more captures") { try run.stored().count > before + 100 }
    var text = ""
    try wait(run, for: "their count") {
      text += String(decoding: reader.availableData, as: UTF8.self)
      return text.contains("<4>log lines dropped count=")
    }
    // With room for what comes: on a busy machine the small pipe is full again before the question.
    #expect(fcntl(ends[0], 1031, 1 << 20) >= 1 << 20)
    try wait(run, for: "lines that come again") {
      try !run.ask("status").output.contains("lines dropped")
    }
    // And with nobody there at all.
    try reader.close()
    let then = try run.stored().count
    try wait(run, for: "more captures") { try run.stored().count > then + 20 }
    run.end(SIGTERM)
    #expect(run.code == 0, "\(run.command)")
  }

  @Test(arguments: ["", "no/such/folder/race.nmea"])
  func `A recording that cannot begin is said, and captures are taken without it`(_ name: String)
    throws
  {
    let run = try DaemonRun(["--speed", "20"])
    run.arguments += ["--record", run.path(name)]
    run.line.walk(speed: 20)
    try run.startAndWait()
    try run.wait("captured sequence=3")
    #expect(run.logText.contains("<3>nothing is recorded why="), "\(run.logText); \(run.command)")
    let status = try run.ask("status", "--json").output
    #expect(status.contains("\"recordingProblem\": \"\(run.path(name))"), "\(status)")
    run.end(SIGTERM)
    #expect(run.code == 0, "\(run.command)")
  }
}
