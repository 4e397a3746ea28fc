import Foundation
import TestSupport
import Testing

/// What systemd says of a tracker that does not run, by programs that stand in for it.
@Suite struct SystemdTests {
  private let command: Comment = "repeat with: swift test --filter SystemdTests"

  /// The machine's own tracker is asked, so there must be none.
  private static let hasNone = [
    "/run/trailtracker", "/etc/trailtracker", "/var/lib/trailtracker",
  ].allSatisfy { !FileManager.default.fileExists(atPath: $0) }

  private func status(
    program: URL = Built.program("trackerctl"), systemctl: String, journalctl: String = ""
  ) throws -> ProgramResult {
    let folder = try ScratchFolder()
    for (name, text) in [("systemctl", systemctl), ("journalctl", journalctl)] {
      try Data("#!/bin/sh\n\(text)\n".utf8).write(to: folder.url.appendingPathComponent(name))
      chmod(folder.path(name), 0o755)
    }
    let begun = Date()
    let result = try ProgramResult(
      executable: program, ["status"], environment: ["PATH": "\(folder.url.path):/bin:/usr/bin"])
    #expect(Date().timeIntervalSince(begun) < 5, command)
    return result
  }

  @Test(.enabled(if: hasNone, "this machine has a tracker"))
  func `Its last words and how it ended are told`() throws {
    let dead = try status(
      systemctl: """
        echo LoadState=loaded; echo ActiveState=failed; echo SubState=failed
        echo Result=exit-code; echo ExecMainStatus=2; echo NRestarts=5
        echo InactiveEnterTimestampMonotonic=1000000; echo UnitFileState=enabled
        """,
      journalctl: "echo first; echo second; echo 'board: no such board'")
    #expect(dead.code == 1, command)
    #expect(dead.output.contains("trackerd does not run, for "), "\(dead.output)")
    #expect(dead.output.contains("systemd: failed, exit-code 2,"), "\(dead.output)")
    #expect(dead.output.contains("restarted 5 times"), "\(dead.output)")
    #expect(dead.output.contains("board: no such board"), "\(dead.output)")
  }

  @Test(.enabled(if: hasNone, "this machine has a tracker"))
  func `A systemd that does not answer does not keep the answer`() throws {
    let dead = try status(systemctl: "exec sleep 30", journalctl: "exec sleep 30")
    #expect(dead.code == 1 && dead.output.contains("trackerd does not run"), "\(dead.output)")
  }

  @Test(.enabled(if: hasNone, "this machine has a tracker"))
  func `Without program, service and store it is not installed`() throws {
    let folder = try ScratchFolder()
    let program = folder.url.appendingPathComponent("trackerctl")
    try FileManager.default.copyItem(at: Built.program("trackerctl"), to: program)
    let none = try status(program: program, systemctl: "echo LoadState=not-found")
    #expect(none.code == 1, command)
    #expect(none.firstLine.hasSuffix("NO-GO: trackerd is not installed"), "\(none.output)")
    #expect(none.output.contains("install the package trailtracker"), "\(none.output)")
  }
}
