import Foundation
import TestSupport
import Testing

@testable import LinuxHost

/// What is left of the link's commands when they are to end.
@Suite(.serialized, .blocking) struct LinkGroupTests {
  private static let again: Comment = "repeat with: swift test --filter LinkGroupTests"

  /// A command, and the process that it starts, as a script around pppd does.
  private struct Script {
    let scratch: ScratchFolder
    /// What the process in it does about SIGTERM.
    var trap = "trap 'exit 0' TERM"
    /// What follows after it was started.
    var sequel = "wait"

    var words: [String] {
      let inner = "\(trap); echo $$ > \(scratch.path("inner")); while :; do sleep 0.02; done"
      return ["sh", "-c", "sh -c \"$0\" & \(sequel)", inner]
    }

    /// The process in it, once it runs.
    func inner() throws -> pid_t {
      var id: pid_t?
      try eventually("the number of the inner process") {
        let text = (try? String(contentsOfFile: scratch.path("inner"), encoding: .utf8)) ?? ""
        id = text.hasSuffix("\n") ? pid_t(text.dropLast()) : nil
        return id != nil
      }
      return try #require(id)
    }
  }

  private func isThere(_ process: pid_t) -> Bool {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else {
      return false
    }
    // A zombie that nobody has reaped has ended.
    return text.split(separator: ")").last?.hasPrefix(" Z") == false
  }

  /// Waits for that while the runner does its work.
  private func tend(
    _ processes: any LinkRunner, until event: String, _ isSo: () -> Bool
  ) throws {
    try eventually(event) {
      _ = processes.tend()
      return isSo()
    }
  }

  @Test(arguments: RunnerRig.Kind.allCases, ["wait", "exit 0"])
  func `Closing the link ends what a script has started, not only the script`(
    _ kind: RunnerRig.Kind, _ sequel: String
  ) throws {
    let script = Script(scratch: try ScratchFolder(), sequel: sequel)
    let rig = try RunnerRig(kind, up: script.words)
    let processes = rig.runner
    processes.open(script.words)
    let inner = try script.inner()
    processes.close([])
    try tend(processes, until: "the process is gone") { !isThere(inner) }
    // It is forgotten, too.
    try tend(processes, until: "it is forgotten") { processes.timeoutMilliseconds == nil }
  }

  @Test(arguments: RunnerRig.Kind.allCases)
  func `What ignores SIGTERM is killed when its time is over`(
    _ kind: RunnerRig.Kind
  ) throws {
    let script = Script(scratch: try ScratchFolder(), trap: "trap '' TERM")
    let rig = try RunnerRig(kind, up: script.words, limit: 200)
    let processes = rig.runner
    processes.open(script.words)
    let inner = try script.inner()
    processes.close([])
    try tend(processes, until: "the process is gone") { !isThere(inner) }
  }

  @Test(arguments: RunnerRig.Kind.allCases)
  func `A command that closes the link and hangs is ended, and said to have hung`(
    _ kind: RunnerRig.Kind
  ) throws {
    let down = ["sleep", "1000"]
    let rig = try RunnerRig(kind, down: down, limit: 200)
    let processes = rig.runner
    processes.close(down)
    var reports: [LinkReport] = []
    try eventually("a report") {
      reports = processes.tend()
      return !reports.isEmpty
    }
    #expect(reports.map(\.wasOverdue) == [true], Self.again)
    #expect(reports[0].description.hasPrefix("network.down did not end within"), Self.again)
  }

  @Test(arguments: RunnerRig.Kind.allCases)
  func `The link is opened again only when the command that closes it has ended`(
    _ kind: RunnerRig.Kind
  ) throws {
    let scratch = try ScratchFolder()
    let log = scratch.path("log")
    let up = ["sh", "-c", "echo open >> \(log)"]
    let down = ["sh", "-c", "sleep 0.3; echo closed >> \(log)"]
    let rig = try RunnerRig(kind, up: up, down: down)
    let processes = rig.runner
    processes.close(down)
    processes.open(up)
    #expect(processes.isWaiting, Self.again)
    func lines() -> [Substring] {
      ((try? String(contentsOfFile: log, encoding: .utf8)) ?? "").split(separator: "\n")
    }
    try tend(processes, until: "both commands have run") { lines().count == 2 }
    #expect(lines() == ["closed", "open"], Self.again)
    try tend(processes, until: "nothing is waited for") { !processes.isWaiting }
  }

  @Test(arguments: RunnerRig.Kind.allCases)
  func `At the end of the program nothing is left, however stubborn`(
    _ kind: RunnerRig.Kind
  ) throws {
    let script = Script(scratch: try ScratchFolder(), trap: "trap '' TERM")
    let rig = try RunnerRig(kind, up: script.words, limit: 200)
    let processes = rig.runner
    processes.open(script.words)
    let inner = try script.inner()
    processes.finish()
    try eventually("the end of what was killed") { !isThere(inner) }
  }

  @Test func `What a killed program has left open is closed by the next one`() throws {
    let scratch = try ScratchFolder()
    let script = Script(scratch: scratch)
    let (memory, down) = (scratch.path("queue.db.link"), ["touch", scratch.path("down")])
    // The first one tells nobody to end: as if its program were killed.
    let killed = Unmanaged.passRetained(LinkProcesses())
    #expect(!killed.takeUnretainedValue().remember(in: memory, down: down), Self.again)
    killed.takeUnretainedValue().open(script.words)
    let inner = try script.inner()
    let group = getpgid(inner)

    let processes = LinkProcesses()
    #expect(processes.remember(in: memory, down: down), Self.again)
    processes.open(["true"])
    #expect(processes.isWaiting, Self.again)
    try tend(processes, until: "what was left open is closed") {
      // Init does that after a real crash.
      waitpid(group, nil, WNOHANG)
      return !isThere(inner) && !processes.isWaiting
    }
    #expect(access(scratch.path("down"), F_OK) == 0, Self.again)
    processes.close([])
    try tend(processes, until: "it is forgotten") { processes.timeoutMilliseconds == nil }
    #expect(access(memory, F_OK) != 0, "\(memory) is still there; \(Self.again)")
  }

  @Test func `When a group was started stays known when its first process has ended`() throws {
    let scratch = try ScratchFolder()
    let script = Script(scratch: scratch, sequel: "exit 0")
    let path = scratch.path("queue.db.link")
    let processes = LinkProcesses()
    defer { processes.finish() }
    processes.open(script.words)
    let group = getpgid(try script.inner())
    let memory = LinkMemory(path: path)
    memory.save([group])
    let before = try String(contentsOfFile: path, encoding: .utf8)
    // Only now is the script, which has ended, taken from the kernel's table.
    try tend(processes, until: "the script's end") { !isThere(group) && kill(group, 0) != 0 }
    memory.save([group, getpid()])
    let after = try String(contentsOfFile: path, encoding: .utf8)
    #expect(after.hasPrefix(before), "\(before) \(after); \(Self.again)")
    #expect(!before.hasSuffix(" 0\n"), "\(before); \(Self.again)")
  }

  @Test func `A process that has got the number of another one is left alone`() throws {
    let scratch = try ScratchFolder()
    let bystander = try RunningProgram("sleep", "1000")
    defer { bystander.end() }
    let boot = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
    let memory = try scratch.write(
      "queue.db.link", "\(boot)\(bystander.id) 17\n")
    let processes = LinkProcesses()
    #expect(!processes.remember(in: memory, down: []), "there is nothing to close; \(Self.again)")
    #expect(processes.timeoutMilliseconds == nil, Self.again)
    #expect(bystander.isRunning, Self.again)
  }

  @Test func `After another boot nothing is closed`() throws {
    let scratch = try ScratchFolder()
    let memory = try scratch.write("queue.db.link", "another-boot\n\(getpid()) 17\n")
    let processes = LinkProcesses()
    #expect(!processes.remember(in: memory, down: ["false"]), Self.again)
    #expect(processes.timeoutMilliseconds == nil, Self.again)
  }
}
