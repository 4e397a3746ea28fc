import Foundation
import TestSupport
import Testing

/// What systemd says of a tracker that does not run, by programs that stand in for it.
@Suite(.blocking) struct SystemdTests {
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
  func `Its last words and how it ended are shown`() throws {
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

  /// The states that `systemctl show` knows (org.freedesktop.systemd1(5), systemd.service(5)), as
  /// it prints them, and what the console says of each.
  private static let states: [(state: String, verdict: String)] = [
    ("not-found inactive dead success 0 0", "trackerd does not run: systemd: no trackerd.service"),
    ("loaded inactive dead success 0 0", ": systemd: inactive"),
    ("loaded inactive dead success 0 0 disabled", ": systemd: inactive, disabled"),
    ("loaded failed failed exit-code 2 5", ": systemd: failed, exit-code 2, restarted 5 times"),
    ("loaded failed failed signal 9 0", ": systemd: failed, signal 9"),
    ("loaded failed failed core-dump 11 1", ": systemd: failed, core-dump 11, restarted 1 time"),
    ("loaded failed failed oom-kill 9 0", ": systemd: failed, oom-kill"),
    ("loaded failed failed watchdog 6 0", ": systemd: failed, watchdog"),
    ("loaded failed failed timeout 15 0", ": systemd: failed, timeout"),
    ("loaded failed failed resources 0 0", ": systemd: failed, resources"),
    (
      "loaded failed failed start-limit-hit 2 5",
      ": systemd: failed, start-limit-hit, restarted 5 times"
    ),
    (
      "loaded activating auto-restart exit-code 2 7",
      ": systemd: activating (auto-restart), exit-code 2, restarted 7 times"
    ),
    (
      "loaded activating auto-restart-queued signal 6 1",
      ": systemd: activating (auto-restart-queued), signal 6, restarted 1 time"
    ),
    (
      "masked inactive dead success 0 0 masked",
      ": systemd: masked, so first: sudo systemctl unmask trackerd"
    ),
    ("bad-setting inactive dead success 0 0", ": systemd: bad-setting"),
    ("error inactive dead success 0 0", ": systemd: error"),
    // There is a process, or there will be at once.
    ("loaded active running success 0 0", "not answer: systemd: active, but nobody listens at "),
    (
      "loaded activating start success 0 0",
      "not answer: systemd: activating, but nobody listens at "
    ),
    (
      "loaded activating start-pre success 0 0",
      "not answer: systemd: activating (start-pre), but nobody listens at "
    ),
    (
      "loaded reloading reload success 0 0",
      "not answer: systemd: reloading, but nobody listens at "
    ),
    (
      "loaded deactivating stop-sigterm success 0 0",
      "not answer: systemd: deactivating (stop-sigterm), but nobody listens at "
    ),
  ]

  @Test(.enabled(if: hasNone, "this machine has a tracker"), arguments: states.indices)
  func `Each state of the service is told as it is`(_ index: Int) throws {
    let (state, verdict) = Self.states[index]
    let words = state.split(separator: " ").map(String.init)
    let enablement = words.count > 6 ? words[6] : words[0] == "loaded" ? "enabled" : ""
    let ended = ["failed", "auto-restart"].contains(words[2]) ? 1_000_000 : 0
    let told = try status(
      systemctl: """
        cat <<END
        Result=\(words[3])
        NRestarts=\(words[5])
        ExecMainStatus=\(words[4])
        LoadState=\(words[0])
        ActiveState=\(words[1])
        SubState=\(words[2])
        UnitFileState=\(enablement)
        StateChangeTimestampMonotonic=\(words[0] == "not-found" ? 0 : 1_000_000)
        InactiveEnterTimestampMonotonic=\(ended)
        END
        """)
    let text = told.output.replacing(/\n {2,}/, with: " ")
    let head = text.split(separator: "\n").first ?? ""
    #expect(told.code == 1 && head.contains("  NO-GO"), "\(state):\n\(told.output)\(command)")
    // The end of the line, or what the place is called: nothing more is said.
    let end = head.split(separator: verdict, maxSplits: 1, omittingEmptySubsequences: false).last
    #expect(
      head.contains(verdict) && (end == "" || verdict.hasSuffix("at ")),
      "\(state):\n\(told.output)\(command)")
  }

  @Test(.enabled(if: hasNone, "this machine has a tracker"))
  func `What systemctl says without systemd, or in another form, is left out`() throws {
    for words in [
      "echo 'System has not been booted with systemd as init system (PID 1).' >&2; exit 1",
      "echo LoadState; echo =; echo ActiveState=failed", "head -c 100000 /dev/zero",
    ] {
      let dead = try status(systemctl: words)
      #expect(dead.code == 1 && !dead.output.contains("systemd:"), "\(words): \(dead.output)")
    }
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
    // Not by this process: a child that another test starts meanwhile would have the copy open for
    // writing, and what is written to cannot be run.
    #expect(
      try ProgramResult(running: ["cp", Built.program("trackerctl").path, program.path]).code == 0)
    let none = try status(program: program, systemctl: "echo LoadState=not-found")
    #expect(none.code == 1, command)
    #expect(none.firstLine.hasSuffix("NO-GO: trackerd is not installed"), "\(none.output)")
    #expect(none.output.contains("install the package trailtracker"), "\(none.output)")
  }
}
