import Foundation
import SystemCalls
import TestSupport
import Testing
import Wording

@testable import LinuxHost

/// The helper of root's that runs the link's commands, and what a tracker makes of its troubles.
@Suite(.serialized, .blocking) struct LinkHelperTests {
  private static let again: Comment = "repeat with: swift test --filter LinkHelperTests"

  private func connected(to rig: RunnerRig) throws -> Int32 {
    let address = try #require(UnixAddress(rig.socket))
    return try address.connected(within: 10_000).release()
  }

  private func say(_ text: String, _ socket: Int32) {
    #expect(send(socket, text, text.utf8.count, Int32(MSG_NOSIGNAL)) == text.utf8.count)
  }

  /// Everything that it says until it hangs up.
  private func rest(_ socket: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 4096)
    var all: [UInt8] = []
    while case let count = recv(socket, &bytes, bytes.count, 0), count > 0 {
      all += bytes[..<count]
    }
    return String(decoding: all, as: UTF8.self)
  }

  private func lines(_ path: String) -> [Substring] {
    ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n")
  }

  @Test func `A tracker that is killed has its link closed, and the next one is served`() throws {
    let scratch = try ScratchFolder()
    let log = scratch.path("log")
    let up = [
      "sh", "-c", "trap 'echo ended >> \(log); exit 5' TERM; echo up >> \(log); sleep 9 & wait",
    ]
    let rig = try RunnerRig(.helper, up: up, down: ["sh", "-c", "echo down >> \(log)"])
    let killed = try connected(to: rig)
    say("up\n", killed)
    try eventually("it is up") { lines(log) == ["up"] }
    close(killed)
    try eventually("three lines") { lines(log).count == 3 }
    #expect(Set(lines(log)) == ["up", "ended", "down"], Self.again)
    rig.runner.open(up)
    try eventually("a report") { !rig.runner.tend().isEmpty || lines(log).count == 4 }
    #expect(lines(log).last == "up", Self.again)
  }

  @Test(arguments: [
    "open\n", "up; reboot\n", "up now\n", "\n", "UP\n", String(repeating: "u", count: 99),
  ])
  func `Whoever says anything but up and down is hung up on, and nothing is run`(
    _ words: String
  ) throws {
    let scratch = try ScratchFolder()
    let rig = try RunnerRig(.helper, up: ["touch", scratch.path("up")])
    let client = try connected(to: rig)
    defer { close(client) }
    say(words, client)
    #expect(!rest(client).contains("ended"), Self.again)
    #expect(try scratch.names().isEmpty, Self.again)
  }

  @Test(.enabled(if: geteuid() == 0 && Tool.url("python3") != nil, "needs root and python3"))
  func `Another user is not served, and told in the log`() throws {
    let rig = try RunnerRig(.own)
    let tape = LogTape()
    let path = "/tmp/trackerd-link-\(getpid())"
    defer { unlink(path) }
    let listener = try #require(UnixAddress(path)).listener(backlog: 4)
    chmod(path, 0o666)
    var commands = BearerControl.Commands()
    commands.up = ["touch", rig.socket]
    let helper = LinkHelper(
      listener, commands, for: 65_533, limit: 200, log: tape.log)
    let script = """
      import os, socket, sys
      os.setgid(65534); os.setuid(65534)
      s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
      s.send(b'up\\n'); s.recv(1)
      """
    let other = try RunningProgram("python3", "-c", script, path)
    #expect(helper.serveNext(within: 30_000), Self.again)
    other.wait()
    #expect(tape.lines() == ["<4>refused user=nobody"], Self.again)
    #expect(access(rig.socket, F_OK) != 0, Self.again)
  }

  @Test func `A helper that is not there is a failure with its cure, and no hang`() throws {
    let runner = LinkHelperClient(path: "/nowhere/link")
    runner.open(["pppd"])
    #expect(!runner.isWaiting, Self.again)
    #expect(
      runner.tend().map(\.description) == [
        "/nowhere/link: the link's helper cannot be reached: No such file or directory; "
          + "start trackerd-link.socket"
      ], Self.again)
    // Without a command there is nothing to have run.
    runner.open([])
    runner.close([])
    #expect(runner.tend().isEmpty && runner.timeoutMilliseconds == nil, Self.again)
    runner.finish()
  }

  /// What a helper says before it hangs up, and what the tracker makes of it.
  @Test(arguments: [
    (
      "refused /etc/t.json5: others can change it; chmod\n",
      "/etc/t.json5: others can change it; chmod"
    ),
    ("", "the link's helper has ended; look at its log"),
    ("state 1 begun busy\nended network.up", "the link's helper has ended; look at its log"),
    ("HTTP/1.1 400 Bad Request\n", "the link's helper is of another version; restart it"),
    (
      "state 99999999999999999999 begun busy\n",
      "the link's helper is of another version; restart it"
    ),
    (String(repeating: "x", count: 5000), "the link's helper has ended; look at its log"),
  ])
  func `A helper that goes, refuses or raves ends the wait for the link`(
    _ words: String, _ text: String
  ) throws {
    let scratch = try ScratchFolder()
    let path = scratch.path("link")
    let listener = try #require(UnixAddress(path)).listener(backlog: 1)
    let runner = LinkHelperClient(path: path)
    runner.open(["pppd"])
    #expect(runner.isWaiting, Self.again)
    let client = accept(listener.number, nil, nil)
    say(words, client)
    close(client)
    var reports: [LinkReport] = []
    try eventually("a report") {
      reports += runner.tend()
      return !reports.isEmpty
    }
    #expect(reports.count == 1 && reports[0].role == .up && !reports[0].isGood, Self.again)
    #expect(reports[0].description.hasSuffix(text), "\(reports); \(Self.again)")
    #expect(runner.descriptor == nil && !runner.isWaiting, Self.again)
  }

  @Test func `Between two openings there is no connection, so that no helper has to run`() throws {
    let rig = try RunnerRig(.helper, up: ["sleep", "1000"])
    for _ in 1...3 {
      rig.runner.open(["sleep", "1000"])
      try eventually("nothing to wait for") {
        rig.runner.tend().isEmpty && !rig.runner.isWaiting
      }
      #expect(rig.runner.descriptor != nil, Self.again)
      rig.runner.close([])
      try eventually("the end of the connection") {
        _ = rig.runner.tend()
        return rig.runner.descriptor == nil
      }
    }
  }

  @Test func `A tracker that floods it with orders has at most eight commands running`() throws {
    let scratch = try ScratchFolder()
    let count = "echo $$ >> \(scratch.path("runs")); exec sleep 1000"
    let rig = try RunnerRig(.helper, down: ["sh", "-c", count], limit: 200)
    let client = try connected(to: rig)
    say(String(repeating: "down\n", count: 50), client)
    shutdown(client, Int32(SHUT_WR))
    let answers = rest(client)
    close(client)
    #expect(answers.contains("ended network.down - - othersRun sh\n"), "\(answers); \(Self.again)")
    #expect(lines(scratch.path("runs")).count <= HostBounds.linkCommands, Self.again)
  }

  @Test func `Each answer survives the way, and what is none is not taken for one`() {
    let reports = [
      LinkReport(role: .up, end: .code(19), wasTold: true, wasOverdue: true),
      LinkReport(role: .down, end: .signal(9), wasOverdue: true),
      LinkReport(role: .up, end: .notRun(program: "/nowhere/my pppd", code: ENOENT)),
      LinkReport(role: .down, end: .othersRun(program: "sh")),
      LinkReport(role: .up, end: .unknown),
    ]
    let answers: [LinkDialogue.Answer] =
      reports.map { .ended($0) } + [
        .state(orders: 0, isWaiting: true, isBusy: true),
        .state(orders: 7, isWaiting: false, isBusy: false), .refused("no such file; make one"),
      ]
    for answer in answers { #expect(LinkDialogue.Answer(answer.line) == answer, Self.again) }
    for line in [
      "", "state", "state x begun busy", "state -1 begun busy", "state 1 begun", "ended",
      "ended network.up - - code", "ended network.up - - code x", "ended network.on - - code 1",
      "ended network.up told late code 1", "ended network.up - - notRun 2",
      "ended network.up - - notRun pppd 2", "up", "refused",
    ] {
      #expect(LinkDialogue.Answer(line) == nil, "\(line); \(Self.again)")
    }
    let text = String(repeating: "😀\n", count: 9999)
    let long = LinkReport(role: .up, end: .notRun(program: text, code: 2))
    for line in [LinkDialogue.Answer.refused(text).line, LinkDialogue.Answer.ended(long).line] {
      #expect(line.utf8.count <= HostBounds.linkAnswerBytes && !line.contains("\n"), Self.again)
    }
  }
}
