import Foundation
import TestSupport
import Testing

@testable import trackerctl

/// Programs that `trackerctl status` asks, and processes that it looks for.
@Suite(.blocking) struct BriefProgramTests {
  private let again: Comment = "repeat with: swift test --filter BriefProgramTests"

  private func text(_ script: String, within milliseconds: Int64 = 60_000) -> String? {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let deadline = Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000 + milliseconds
    return BriefProgram(["sh", "-c", script])?.text(until: deadline)
  }

  @Test func `What a program prints counts only if it has succeeded, in time`() {
    #expect(text("echo a; echo b") == "a\nb\n", again)
    #expect(text("echo a; exit 3") == nil, again)
    #expect(text("echo a; kill -9 $$") == nil, again)
    #expect(text("echo a; sleep 60", within: 50) == nil, again)
    #expect(BriefProgram(["/nowhere/at-all"]) == nil, again)
  }

  @Test func `A process is known by its name as long as it has no namesake`() throws {
    let scratch = try ScratchFolder()
    let name = "one-\(UInt32.random(in: 0..<1_000_000_000))"
    let path = scratch.path(name)
    try FileManager.default.copyItem(atPath: "/bin/sleep", toPath: path)
    #expect(ProcessState.only(named: name) == nil, again)
    let one = try RunningProgram(path, "600")
    defer { one.end() }
    try eventually("a process \(name)") { ProcessState.only(named: name) != nil }
    let other = try RunningProgram(path, "600")
    defer { other.end() }
    try eventually("two processes \(name)") { ProcessState.only(named: name) == nil }
  }
}
