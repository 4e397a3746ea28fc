import Foundation
import TestSupport
import Testing

/// A daemon that starts again within its process, because its store has gone.
@Suite(.serialized, .blocking) struct RestartTests {
  /// Removes the store under the daemon, and waits until it has another.
  private func removeStore(_ run: DaemonRun, times: Int) throws {
    for name in ["queue.db", "queue.db-wal", "queue.db-shm"] {
      try? FileManager.default.removeItem(atPath: run.path(name))
    }
    try run.wait("restarting", times: times)
    try run.wait("line opened", times: times + 1)
    try run.wait("captured sequence=", times: run.announced.count + 1)
  }

  private func descriptors(_ run: DaemonRun) throws -> Int {
    let folder = "/proc/\(run.id)/fd"
    return try FileManager.default.contentsOfDirectory(atPath: folder).count
  }

  @Test func `A store that is mended may be mended again soon, and no descriptor is left behind`()
    throws
  {
    let run = try DaemonRun(["--speed", "50"])
    run.line.walk(speed: 50)
    try run.startAndWait()
    try run.wait("captured sequence=1")
    let before = try descriptors(run)
    try removeStore(run, times: 1)
    // An hour would take 72 s here, a minute takes 1.2 s.
    try removeStore(run, times: 2)
    #expect(try descriptors(run) == before, "\(run.command)")
    run.end(SIGTERM)
    #expect(run.code == 0, "\(run.command)\n\(run.logText)")
  }

  @Test func `Told to end while it starts anew, it ends`() throws {
    let run = try DaemonRun(["--speed", "50"])
    run.line.walk(speed: 50)
    try run.startAndWait()
    try run.wait("captured sequence=1")
    // Between two runs it reads its settings: from a pipe that nobody writes to yet.
    let settings = run.path("settings.json5")
    let text = try Data(contentsOf: URL(fileURLWithPath: settings))
    try FileManager.default.removeItem(atPath: settings)
    #expect(mkfifo(settings, 0o600) == 0)
    try FileManager.default.removeItem(atPath: run.path("queue.db"))
    try run.wait("restarting")
    run.signal(SIGTERM)
    let writer = try #require(FileHandle(forWritingAtPath: settings))
    try writer.write(contentsOf: text)
    try writer.close()
    try run.waitUntilExit(seconds: 30)
    #expect(run.code == 0, "\(run.command)\n\(run.logText)")
    #expect(run.logText.contains("stopping on a signal"), "\(run.command)\n\(run.logText)")
  }
}
