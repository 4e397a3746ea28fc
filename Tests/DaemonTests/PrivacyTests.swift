import Foundation
import TestSupport
import Testing

/// Who can read what the daemon leaves.
@Suite(.serialized, .blocking) struct PrivacyTests {
  private func status(_ path: String) throws -> stat {
    var status = stat()
    try #require(stat(path, &status) == 0, "\(path)")
    return status
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a folder to another group"))
  func `Recording and socket belong to their folder's group, and to nobody else`() throws {
    let group: gid_t = 4242
    let run = try DaemonRun(["--speed", "20"])
    for (folder, mode) in [("shared", mode_t(0o750)), ("run", 0o2770)] {
      mkdir(run.path(folder), 0o700)
      chown(run.path(folder), 0, group)
      chmod(run.path(folder), mode)
    }
    run.settings["store"] = "'\(run.path("state/queue.db"))'"
    run.settings["control"] = "'\(run.path("run/control"))'"
    run.arguments += ["--record", run.path("shared/day.nmea")]
    run.wrapper = ["/bin/sh", "-c", "umask 077 && exec \"$@\"", "sh"]
    run.line.walk(speed: 20)
    try run.startAndWait()
    try run.wait("captured sequence=3")
    for (name, mode) in [("shared/day.nmea", mode_t(0o640)), ("run/control", 0o660)] {
      let status = try status(run.path(name))
      #expect(status.st_gid == group && status.st_mode & 0o777 == mode, "\(name): \(status)")
    }
    #expect(try status(run.path("state")).st_mode & 0o7777 == 0o750, "\(run.command)")
  }

  @Test(.enabled(if: TestAuthority.isPossible, "needs openssl"))
  func `SSLKEYLOGFILE brings no keys to light`() throws {
    let folder = try ScratchFolder()
    let authority = try TestAuthority()
    try authority.issue("camp", host: "IP:127.0.0.1")
    let camp = try CampServer(
      folder,
      ["--certificate", authority.path("camp.crt"), "--key", authority.path("camp.key")],
      environment: ["SSLKEYLOGFILE": folder.path("server-keys")])
    let run = try DaemonRun(["--speed", "20"])
    run.environment = ["SSLKEYLOGFILE": folder.path("keys")]
    run.server = "\(camp.services)/TrailWalker/FeatureServer/0"
    run.settings["bearer"] = "'none'"
    run.settings["network"] = "{ authorities: '\(authority.certificate)' }"
    run.line.walk(speed: 20)
    try run.startAndWait()
    try run.wait("upload finished outcome=\"answered")
    run.end(SIGTERM)
    #expect(try folder.names() == ["camp"], "\(run.command)")
  }
}
