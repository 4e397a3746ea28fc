import CaptureStore
import Foundation
import TestSupport
import Testing

/// How a daemon begins, goes on and ends.
@Suite(.serialized, .blocking) struct LifeTests {
  @Test func `SIGTERM ends it within a second with everything stored`() throws {
    let run = try DaemonRun()
    run.line.walk()
    try run.startAndWait()
    try run.wait("captured sequence=3")
    let told = Date()
    run.end(SIGTERM)
    // A second on a machine that has one to spare; the tests share theirs.
    #expect(Date().timeIntervalSince(told) < 3, "\(run.command)")
    #expect(run.code == 0, "\(run.command)\n\(run.logText)")
    #expect(try run.stored() == run.announced && run.announced.count >= 3, "\(run.command)")
    #expect(!FileManager.default.fileExists(atPath: run.path("control")), "\(run.command)")
  }

  /// Fewer descriptors than it waits at (EINVAL): a machine short of memory does the same (ENOMEM).
  @Test(.enabled(if: hasDescriptorLimits, "no prlimit"))
  func `Polls that fail are logged once, and the daemon goes on as soon as they work`() throws {
    let run = try DaemonRun()
    run.line.walk()
    try run.startAndWait()
    try run.wait("captured sequence=1")
    try allowDescriptors(1, in: run.id)
    let line = "waiting for input fails; restart trackerd error=\"poll: Invalid argument\""
    try run.wait(line)
    try allowDescriptors(1000, in: run.id)
    let count = run.announced.count
    try run.wait("captured sequence=\(count + 2)")
    #expect(run.logText.components(separatedBy: line).count == 2, "\(run.logText)")
    run.end(SIGTERM)
    #expect(run.code == 0, "\(run.command)\n\(run.logText)")
  }

  @Test func `SIGKILL loses nothing that was announced, however often`() throws {
    let run = try DaemonRun(["--speed", "50"])
    run.line.walk(speed: 50)
    var known: [UInt32] = []
    for round in 0..<8 {
      try run.startAndWait()
      try run.wait("captured sequence=", times: 5)
      // At another moment of its work each time.
      Thread.sleep(forTimeInterval: 0.013 * Double(round))
      run.end(SIGKILL)
      let stored = try run.stored()
      known += run.announced
      #expect(Set(known).isSubset(of: stored), "\(run.command)")
      #expect(stored == Array(1...UInt32(stored.count)), "a gap; \(run.command)")
      #expect(Set(known).count == known.count, "a number was announced twice; \(run.command)")
    }
  }

  @Test func `SIGHUP reloads the settings and keeps session and queue`() throws {
    let run = try DaemonRun(["--speed", "20"])
    run.settings["capture"] = "{ policy: 'standard', interval: '1 h' }"
    run.line.walk(speed: 20)
    try run.startAndWait()
    try run.wait("captured sequence=1")
    run.settings["capture"] = "{ policy: 'standard', interval: '5 s' }"
    run.settings["team"] = "'Les Formigues'"
    run.settings["receiverPort"] = "'/dev/ttyS9@auto'"
    try run.writeSettings()
    run.signal(SIGHUP)
    try run.wait("captured sequence=4")
    // Another line needs a new start, and until then the old one stays.
    #expect(
      run.logText.contains("takes effect at the next start key=receiverPort"), "\(run.command)")
    #expect(!run.logText.contains("line lost"), "\(run.command)")
    #expect(run.logText.components(separatedBy: "session started").count == 2, "\(run.command)")
    run.end(SIGTERM)
    let store = try CaptureStore.openForReading(run.path("queue.db"))
    let teams = try store.page(after: 0, limit: 10).map {
      let team = $0.capture.team
      return String(decoding: (0..<team.count).map { team[$0] }, as: UTF8.self)
    }
    #expect(teams.first == "Els Caminants" && teams.last == "Les Formigues", "\(run.command)")
  }

  @Test func `A name given by hand outlives SIGHUP, and what needs a new start is named`() throws {
    let run = try DaemonRun(["--speed", "20"])
    run.line.walk(speed: 20)
    try run.startAndWait()
    #expect(try run.ask("set", "team", "Les Formigues").code == 0, "\(run.command)")
    #expect(try run.ask("set", "team", "a\u{1B}[31mred").code == 2, "\(run.command)")
    #expect(try run.ask("set", "team", "a\nstop").code == 2, "\(run.command)")
    run.settings["bearer"] = "'none'"
    run.settings["store"] = "'\(run.path("other.db"))'"
    try run.writeSettings()
    run.signal(SIGHUP)
    try run.wait("configuration reloaded")
    try run.wait("takes effect at the next start key=bearer")
    try run.wait("takes effect at the next start key=store")
    #expect(try run.ask("status").output.contains("Les Formigues"), "\(run.command)")
  }

  @Test func `Settings that cannot be used are refused at SIGHUP, and the old ones stay`() throws {
    let run = try DaemonRun(["--speed", "20"])
    run.line.walk(speed: 20)
    try run.startAndWait()
    try run.wait("captured sequence=1")
    run.settings["accuracy"] = "'200 kg'"
    try run.writeSettings()
    run.signal(SIGHUP)
    try run.wait("configuration not reloaded")
    #expect(run.logText.contains("accuracy"), "\(run.command)\n\(run.logText)")
    let before = run.announced.count
    try run.wait("captured sequence=", times: before + 3)
  }

  @Test func `A second instance on the same store is refused, and the first goes on`() throws {
    let run = try DaemonRun()
    run.line.walk()
    try run.startAndWait()
    let second = try ProgramResult(
      executable: Built.program("trackerd"),
      ["--board", "pi-zero-2w-sim7600", "--config", run.path("settings.json5")],
      folder: Built.repository)
    let said = second.errors
    #expect(second.code == 2, "\(run.command)")
    #expect(
      said.contains("another tracker uses it") && said.filter { $0 == "\n" }.count == 1,
      "\(said); \(run.command)")
    try run.wait("captured sequence=")
    #expect(try run.ask("status").code != 2, "\(run.command)")
  }

  @Test func `A cable that is pulled is said, and what comes after it is captured`() throws {
    let run = try DaemonRun(["--speed", "20"])
    run.line.walk(speed: 20)
    try run.startAndWait()
    try run.wait("captured sequence=2")
    run.line.unplug()
    try run.wait("line lost")
    let before = run.announced.count
    try run.line.plug()
    try run.wait("line opened", times: 2)
    try run.wait("captured sequence=", times: before + 2)
  }

  @Test func `A receiver that floods its line keeps nobody else from being served`() throws {
    let run = try DaemonRun()
    run.line.flood()
    try run.startAndWait()
    for _ in 0..<3 { #expect(try run.ask("status").code != 2, "\(run.command)") }
    run.end(SIGTERM)
    #expect(run.code == 0, "\(run.command)\n\(run.logText)")
  }

  @Test func `A hundred times unplugged and plugged in, it has as many descriptors as before`()
    throws
  {
    let run = try DaemonRun(["--speed", "50"])
    run.line.walk(speed: 50)
    try run.startAndWait()
    try run.wait("captured sequence=1")
    let folder = "/proc/\(run.id)/fd"
    let before = try FileManager.default.contentsOfDirectory(atPath: folder).count
    for round in 1...100 {
      run.line.unplug()
      try run.wait("line lost", times: round)
      try run.line.plug()
      try run.wait("line opened", times: round + 1)
    }
    let after = try FileManager.default.contentsOfDirectory(atPath: folder).count
    #expect(after == before, "\(run.command)")
    let log = run.logText
    #expect(!log.contains("line unavailable line=receiver"), "\(run.command)\n\(log)")
    try run.wait("captured sequence=", times: run.announced.count + 2)
  }
}

/// Whether another program's limits can be changed.
let hasDescriptorLimits = FileManager.default.isExecutableFile(atPath: "/usr/bin/prlimit")

/// From now on a program may have no more than so many descriptors; a poll of more of them fails.
func allowDescriptors(_ count: Int, in process: Int32) throws {
  let limit = try ProgramResult(
    running: ["/usr/bin/prlimit", "--pid", "\(process)", "--nofile=\(count):"])
  #expect(limit.code == 0, "\(limit)")
}
