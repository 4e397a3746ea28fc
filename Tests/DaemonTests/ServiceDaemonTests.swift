import Foundation
import SystemCalls
import TestSupport
import Testing

/// The daemon and a service manager, played by a socket.
@Suite(.serialized, .blocking) struct ServiceDaemonTests {
  private let again: Comment = "repeat with: swift test --filter ServiceDaemonTests"

  /// What systemd would hear.
  private final class Manager {
    let name = "@trailtracker/\(UUID().uuidString)"
    private let socket: Int32
    private(set) var heard: [String] = []

    init() throws {
      socket = try notifySocket(name)
      var limit = timeval(tv_sec: 60, tv_usec: 0)
      setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(socket) }

    /// The next message that begins so.
    func wait(_ beginning: String, _ run: DaemonRun) throws -> String {
      var bytes = [UInt8](repeating: 0, count: 4096)
      while true {
        // A machine that is stopped and goes on interrupts a call with a time limit (signal(7)).
        let count = try? systemCall("recv") { recv(socket, &bytes, bytes.count, 0) }
        guard let count, count > 0 else {
          throw Problem("waited for '\(beginning)' after \(heard); \(run.command)\n\(run.logText)")
        }
        heard.append(String(decoding: bytes[..<count], as: UTF8.self))
        if let last = heard.last, last.hasPrefix(beginning) { return last }
      }
    }
  }

  private func run(_ manager: Manager, watchdog: String) throws -> DaemonRun {
    let run = try DaemonRun()
    run.environment = ["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": watchdog]
    return run
  }

  @Test func `It says when it works, how it is in its language, that it lives, and that it ends`()
    throws
  {
    let manager = try Manager()
    let run = try run(manager, watchdog: "2000000")
    run.settings["language"] = "'ca'"
    // No receiver: nothing but the watchdog wakes it.
    try run.start()
    defer { run.end() }
    #expect(try manager.wait("", run) == "READY=1\nWATCHDOG=1", again)
    #expect(run.logText.contains("started"), again)
    let status = try manager.wait("STATUS=", run)
    #expect(status.hasPrefix("STATUS=WAIT ") || status.hasPrefix("STATUS=NO-GO: "), "\(status)")
    #expect(try run.status().contains(status.dropFirst(7).prefix(5)), again)
    for _ in 1...3 { _ = try manager.wait("WATCHDOG=1", run) }
    run.signal(SIGTERM)
    _ = try manager.wait("STOPPING=1\nSTATUS=", run)
    #expect(manager.heard.count { $0.hasPrefix("READY=1") } == 1, "\(manager.heard); \(again)")
    run.end(SIGTERM)
  }

  @Test func `The watchdog of another process is none of its own`() throws {
    let manager = try Manager()
    let run = try run(manager, watchdog: "2000000")
    run.environment["WATCHDOG_PID"] = "1"
    try run.start()
    defer { run.end() }
    #expect(try manager.wait("", run) == "READY=1", again)
  }

  @Test func `A store that is mended while it runs has the time that it takes`() throws {
    let manager = try Manager()
    let run = try run(manager, watchdog: "180000000")
    run.line.walk()
    run.arguments = ["--speed", "60"]
    try run.startAndWait()
    defer { run.end() }
    _ = try manager.wait("READY=1", run)
    // The store is gone; at the next capture this is noticed, and the tracker restarts.
    for tail in ["", "-wal", "-shm"] { unlink(run.path("queue.db\(tail)")) }
    _ = try manager.wait("STATUS=\nWATCHDOG_USEC=1800000000", run)
    let ready = try manager.wait("READY=1", run)
    #expect(ready == "READY=1\nWATCHDOG_USEC=180000000\nWATCHDOG=1", again)
  }

  @Test(arguments: ["link", "clock"])
  func `A helper without its socket says in one line who starts it`(_ helper: String) throws {
    let words =
      helper == "link" ? ["--config", "/nowhere", "--user", "root", "--memory", "/nowhere/m"] : []
    let result = try ProgramResult("trackerd", [helper] + words)
    #expect(result.code == 2 && result.isOneLineOfComplaint, "\(result.errors); \(again)")
    #expect(result.errors.contains("no socket to listen on"), "\(result.errors); \(again)")
  }

  @Test(arguments: [
    ["link"], ["link", "--config", "/nowhere"], ["link", "--config", "a", "--user", "b"],
    ["link", "up"], ["clock", "now"], ["link", "--user"],
  ])
  func `A helper that is wrongly called says so in one line`(_ words: [String]) throws {
    let result = try ProgramResult("trackerd", words)
    #expect(result.code == 2 && result.isOneLineOfComplaint, "\(result.errors); \(again)")
  }

  @Test func `What cannot start it is an error in the journal, and a plain line elsewhere`() throws
  {
    let scratch = try ScratchFolder()
    let path = try scratch.write("journal", "")
    var status = stat()
    #expect(stat(path, &status) == 0, again)
    for isJournal in [true, false] {
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      try file.truncate(atOffset: 0)
      _ = try ProgramResult(
        running: [Built.program("trackerd").path, "--board", "none", "--config", "/nowhere"],
        environment: [
          "JOURNAL_STREAM": "\(status.st_dev):\(isJournal ? status.st_ino : status.st_ino + 1)"
        ], errors: .file(file))
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(text.hasPrefix(isJournal ? "<3>trackerd: " : "trackerd: "), "\(text); \(again)")
    }
  }
}
