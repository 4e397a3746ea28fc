import FieldConsole
import Foundation
import MachineAccess
import TestSupport
import Testing
import TrackerCore

/// `trackerctl status` when trackerd does not answer.
@Suite(.serialized, .blocking) struct AbsentTrackerTests {
  private let command: Comment = "repeat with: swift test --filter AbsentTrackerTests"

  /// The status, within the time that a person has.
  private func timely(_ rig: ConsoleRig, _ words: [String] = ["status"]) throws -> ProgramResult {
    let begun = Date()
    let result = try ProgramResult("trackerctl", words + rig.which)
    let length = Date().timeIntervalSince(begun)
    #expect(length < 5, "\(length) s; repeat with: swift test --filter AbsentTrackerTests")
    return result
  }

  @Test func `A stopped tracker is a NO-GO within seconds, and well again afterwards`() throws {
    let rig = try ConsoleRig.outdoors()
    _ = try rig.status(code: 0)
    rig.run.signal(SIGSTOP)
    let process = rig.run.id
    let hung = try timely(rig)
    let cause = "trackerd does not answer: process \(process) is stopped (SIGSTOP)"
    #expect(hung.code == 1 && hung.output.contains("NO-GO"), "\(hung.output)")
    #expect(hung.output.contains(cause), "\(hung.output)")
    #expect(hung.value("do")?.contains("systemctl restart trackerd") == true, "\(hung.output)")
    #expect(hung.value("store")?.contains("safe on the disk") == true, "\(hung.output)")
    // Nobody takes them from the socket's queue.
    for _ in 0..<12 {
      _ = try? ControlClient.facts(at: rig.run.path("control"), within: 20)
    }
    let full = try timely(rig)
    #expect(full.code == 1 && full.output.contains("does not answer"), "\(full.output)")
    rig.run.signal(SIGCONT)
    _ = try rig.status(code: 0)
  }

  @Test func `Of a killed tracker one learns what is safe, and what it took last`() throws {
    let rig = try ConsoleRig.outdoors()
    _ = try rig.status(code: 0)
    try rig.run.wait("captured sequence=2")
    #expect(try rig.tell("set", "team", "Els Tardans").code == 0, command)
    rig.run.end(SIGKILL)
    let stored = try rig.run.stored()
    let dead = try timely(rig)
    #expect(dead.code == 1 && dead.firstLine.hasPrefix("Els Tardans  "), "\(dead.output)")
    #expect(dead.output.contains("NO-GO: trackerd does not run, for "), "\(dead.output)")
    #expect(dead.value("do") == "sudo systemctl restart trackerd", "\(dead.output)")
    let safe = dead.value("store") ?? ""
    #expect(safe.hasPrefix("\(stored.count) captures safe on the disk; "), "\(safe)")
    let last = dead.value("last capture") ?? ""
    #expect(last.hasPrefix("number \(stored.last ?? 0), "), "\(last)")
    #expect(dead.value("last delivery")?.hasSuffix(" ago") == true, "\(dead.output)")
    #expect(dead.value("session")?.hasPrefix("running, number 1, ") == true, "\(dead.output)")
    for words in [["captures"], ["show", "1"], ["proof"]] {
      #expect(try timely(rig, words).code == 0, "\(words); \(rig.run.command)")
    }
    for words in [["log"], ["get"], ["stop", "--yes"], ["send"]] {
      let refused = try timely(rig, words)
      #expect(refused.code == 2 && refused.isOneLineOfComplaint, "\(words): \(refused.errors)")
    }
    let alone = try ProgramResult(
      "trackerctl", ["status", "--store", rig.run.path("queue.db")])
    // The room on the disk may be another by now.
    let kept = safe.prefix { $0 != ";" }
    #expect(alone.code == 1 && alone.value("store")?.hasPrefix(kept) == true, "\(alone.output)")
    // A clean end leaves the same.
    try rig.run.startAndWait()
    _ = try rig.status(code: 0)
    rig.run.end(SIGTERM)
    #expect(try timely(rig).output.contains("NO-GO: trackerd does not run"), command)
    // Reading the store is not a sign of life of the tracker's.
    let written = Date(timeIntervalSinceNow: -100 * 86_400)
    try FileManager.default.setAttributes(
      [.modificationDate: written], ofItemAtPath: rig.run.path("queue.db"))
    for _ in 1...2 {
      let old = try ProgramResult("trackerctl", ["status", "--store", rig.run.path("queue.db")])
      let year = written.formatted(.iso8601.year())
      #expect(old.output.contains("does not run, since \(year)-"), "\(old.output)")
    }
    // And what happened until then.
    let events = try timely(rig, ["events"])
    #expect(events.code == 0 && events.output.contains(" ago  capture "), "\(events.output)")
    let why = try timely(rig, ["why"])
    #expect(why.output.contains("capturing, last "), "\(why.output); \(rig.run.command)")
  }

  private static let listener = """
    import os, socket, sys
    if os.path.exists(sys.argv[1]): os.unlink(sys.argv[1])
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(sys.argv[1])
    listener.listen()
    while True:
        caller, _ = listener.accept()
        if sys.argv[2]: caller.recv(64)
        caller.sendall(sys.argv[2].encode())
        caller.close()
    """

  @Test func `A console of another version is refused instead of being misread`() throws {
    let rig = try ConsoleRig.outdoors()
    for question in ["facts", "facts 1", "facts \(TrackerFacts.format + 1)", "facts now"] {
      let answer = try ControlClient.ask(question, at: rig.run.path("control"))
      #expect(answer.hasPrefix("error this is trackerd "), "\(question): \(answer)")
    }
    let facts = try ControlClient.facts(at: rig.run.path("control"))
    #expect(facts.identity.presence == .running, "\(facts.message)")
  }

  @Test(
    .enabled(if: Tool.url("python3") != nil, "needs python3"),
    arguments: [
      "", "HTTP/1.1 400 Bad Request\r\n\r\n",
      // A trackerd of an earlier version, and one of a later one.
      "error unknown command; there are facts, events\n", "ok\nteam A\nsession running\n",
      "ok\n{\"format\": 9, \"facts\": {}}\n",
    ])
  func `Somebody else on its socket is a tracker that does not answer`(_ words: String) throws {
    let rig = try ConsoleRig.outdoors()
    try rig.run.wait("captured sequence=2")
    rig.run.end(SIGKILL)
    let path = rig.run.path("control")
    let other = try RunningProgram("python3", "-c", Self.listener, path, words)
    defer { other.end() }
    try eventually("somebody to listen") {
      do throws(AnswerError) { _ = try ControlClient.facts(at: path, within: 1000) } catch {
        return error.kind != .absent
      }
      return true
    }
    let status = try timely(rig)
    #expect(status.code == 1, "\(status.output)\(status.errors); \(rig.run.command)")
    #expect(status.firstLine.contains("NO-GO"), "\(status.output)")
    #expect(status.output.contains("trackerd does not answer: /"), "\(status.output)")
    #expect(status.value("store")?.contains("safe on the disk") == true, "\(status.output)")
  }

  @Test func `A store that cannot be read does not keep the answer`() throws {
    let rig = try ConsoleRig()
    try rig.run.writeSettings()
    // Nobody ever writes into it.
    #expect(mkfifo(rig.run.path("queue.db"), 0o600) == 0)
    let dead = try timely(rig)
    #expect(dead.code == 1 && dead.output.contains("trackerd does not run"), "\(dead.output)")
    #expect(dead.value("queue") == nil, "\(dead.output)")
  }

  // MARK: Other people

  private static let owner: uid_t = 64_201
  private static let group: gid_t = 64_202
  private static let reader: uid_t = 64_203
  private static let stranger: gid_t = 64_204

  private static func run(_ group: gid_t, _ words: [String]) throws -> ProgramResult {
    try ProgramResult(
      executable: #require(Tool.url("setpriv")),
      [
        "--reuid=\(reader)", "--regid=\(group)", "--clear-groups",
        Built.program("trackerctl").path,
      ] + words)
  }

  private static let canChangeUser =
    geteuid() == 0 && Tool.url("setpriv") != nil && (try? run(group, ["--version"]))?.code == 0

  @Test(.enabled(if: canChangeUser, "only root can run a program as somebody else"))
  func `Its group may ask a tracker and read a dead one's store, and others learn who may`() throws
  {
    let rig = try ConsoleRig()
    try rig.run.startAndWait()
    chown(rig.run.path("control"), Self.owner, Self.group)
    let stranger = try Self.run(Self.stranger, ["status"] + rig.which)
    #expect(stranger.code == 2 && stranger.isOneLineOfComplaint, "\(stranger.errors)")
    #expect(stranger.errors.contains("only user uid:\(Self.owner) and group \(Self.group)"))
    #expect(try Self.run(Self.group, ["status"] + rig.which).code == 3, command)

    rig.run.end(SIGKILL)
    let files = try FileManager.default.contentsOfDirectory(atPath: rig.run.folder.path)
    for name in files where name.hasPrefix("queue") {
      chown(rig.run.path(name), Self.owner, Self.group)
      chmod(rig.run.path(name), 0o640)
    }
    let dead = try Self.run(Self.group, ["status"] + rig.which)
    #expect(dead.code == 1 && dead.value("queue") != nil, "\(dead.output)")
    let after = try FileManager.default.contentsOfDirectory(atPath: rig.run.folder.path)
    #expect(after.sorted() == files.sorted(), command)
  }
}
