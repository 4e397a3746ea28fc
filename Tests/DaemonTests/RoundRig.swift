import Foundation
import TestSupport

/// A tracker outdoors on a machine of its own, as a technician finds it: at the usual places, as
/// systemd's trackerd.service. The console sees that machine in a mount namespace; programs stand
/// in for systemd.
final class RoundRig {
  let run: DaemonRun
  private let camp: CampServer
  private let disk: SmallDisk?
  private let store: String

  static let canRun =
    SmallDisk.canMount && Tool.url("unshare") != nil && Tool.url("agetty") != nil
    && Tool.url("tmux") != nil && !FileManager.default.fileExists(atPath: "/etc/trailtracker")
  static let reason = "needs root, unshare, agetty, tmux, and a machine without a tracker"

  /// - Parameter hasSmallDisk: whether its store is on a disk that can be filled.
  init(hasSmallDisk: Bool) throws {
    run = try DaemonRun(["--speed", "20"])
    camp = try CampServer(folder: run.folder)
    disk = hasSmallDisk ? try SmallDisk(kilobytes: 24_576) : nil
    store = disk?.folder ?? run.path("lib")
    for name in ["lib", "run", "bin"] {
      try FileManager.default.createDirectory(
        atPath: run.path(name), withIntermediateDirectories: true)
    }
    let services = "http://127.0.0.1:\(camp.port)/arcgis/rest/services"
    run.settings = [
      "team": "'Els Caminants'", "bearer": "'none'", "store": "'\(store)/captures.db'",
      "control": "'\(run.path("run/control"))'",
      "capture": "{ policy: 'standard', interval: '10 s' }",
      "server": "{ address: '\(services)/TrailWalker/FeatureServer/0' }",
    ]
    try standIn("systemctl", "exec cat '\(run.path("unit"))'")
    try standIn("journalctl", "tail -n 3 '\(run.path("log"))' | sed 's/^<[0-7]>//'")
    run.line.walk(speed: 20)
    try start()
    try run.wait("captured sequence=2")
    try waitUntilGo()
  }

  private func standIn(_ name: String, _ command: String) throws {
    let path = run.path("bin/\(name)")
    try Data("#!/bin/sh\n\(command)\n".utf8).write(to: URL(fileURLWithPath: path))
    chmod(path, 0o755)
  }

  private func waitUntilGo() throws {
    try eventually("GO; \(run.logText)") {
      try ProgramResult("trackerctl", ["status", "--socket", run.path("run/control")]).code == 0
    }
  }

  /// The words that run a command on that machine.
  var shell: [String] {
    let script = """
      set -e; mount -t tmpfs none /run; mount -t tmpfs none /var/lib
      mkdir /run/trailtracker /var/lib/trailtracker
      mount --bind '\(run.path("run"))' /run/trailtracker
      mount --bind '\(store)' /var/lib/trailtracker
      export PATH='\(run.path("bin"))':"$PATH"; eval "$1"
      """
    return [Tool.url("unshare")?.path ?? "", "-m", "/bin/sh", "-c", script, "sh"]
  }

  // MARK: What befalls it

  func start() throws {
    try tellSystemd("ActiveState=active\nSubState=running\nResult=success\nExecMainStatus=0")
    try run.startAndWait()
  }

  func kill() throws {
    run.end(SIGKILL)
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    try tellSystemd(
      """
      ActiveState=failed\nSubState=failed\nResult=signal\nExecMainStatus=9
      InactiveEnterTimestampMonotonic=\(now.tv_sec * 1_000_000 + now.tv_nsec / 1000)
      """)
  }

  /// To the last byte, and until a capture could not be stored.
  func fillDisk() throws {
    try disk?.leave(0)
    try run.wait("capturing reason=storeFailed")
  }

  func emptyDisk() throws { try disk?.empty() }

  private func tellSystemd(_ state: String) throws {
    try Data("LoadState=loaded\nUnitFileState=enabled\nNRestarts=0\n\(state)\n".utf8)
      .write(to: URL(fileURLWithPath: run.path("unit")))
  }
}
