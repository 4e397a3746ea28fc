import FieldConsole
import Foundation
import MachineAccess
import TestSupport
import Testing
import TrackerCore

@testable import LinuxHost

/// The file that keeps recent events.
@Suite(.serialized, .blocking) struct EventFileTests {
  private let again: Comment = "repeat with: swift test --filter EventFileTests"
  private let scratch: ScratchFolder
  private var path: String { scratch.path("queue.db.events") }

  init() throws { scratch = try ScratchFolder() }

  private func read() -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

  /// Tries to begin until the last writing has ended.
  private func begin(_ text: String, _ file: EventFile) throws {
    try eventually("the end of the last writing", pause: 0.001) { file.begin(text) }
  }

  /// The file's problem after all writing has ended.
  private func problem(_ file: EventFile) -> String? {
    file.finish("end")
    return file.problem
  }

  @Test func `It is replaced as a whole, and no other file is left behind`() throws {
    let file = EventFile(path: path)
    #expect(try file.read(atMost: 100) == nil, again)
    try begin("one", file)
    try begin("two", file)
    file.finish("three")
    #expect(read() == "three" && file.problem == nil, again)
    #expect(try file.read(atMost: 100) == "three", again)
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path(""))
    #expect(names == ["queue.db.events"], "\(names); \(again)")
  }

  @Test func `What a power cut has left of a new file does not matter`() throws {
    _ = try scratch.write("queue.db.events", "old")
    _ = try scratch.write("queue.db.events.new", "hal")
    let file = EventFile(path: path)
    #expect(try file.read(atMost: 100) == "old", again)
    #expect(problem(file) == nil && read() == "end", again)
  }

  @Test func `A link at its new name is not followed`() throws {
    let other = try scratch.write("other", "precious")
    symlink(other, path + ".new")
    #expect(problem(EventFile(path: path)) == nil && read() == "end", again)
    #expect(try String(contentsOfFile: other, encoding: .utf8) == "precious", again)
  }

  @Test func `A folder, a pipe, a link and a huge file are refused at once`() throws {
    let file = EventFile(path: path)
    mkdir(path, 0o700)
    #expect(throws: HostError.self, again) { try file.read(atMost: 100) }
    rmdir(path)
    mkfifo(path, 0o600)
    #expect(throws: HostError.self, again) { try file.read(atMost: 100) }
    unlink(path)
    symlink("/dev/zero", path)
    #expect(throws: HostError.self, again) { try file.read(atMost: 100) }
    unlink(path)
    _ = try scratch.write("queue.db.events", String(repeating: "x", count: 101))
    #expect(throws: HostError.self, again) { try file.read(atMost: 100) }
  }

  @Test func `Where nothing can be written it says why, and works again later`() throws {
    let file = EventFile(path: scratch.path("gone") + "/events")
    #expect(problem(file) == "No such file or directory", again)
    mkdir(scratch.path("gone"), 0o700)
    #expect(problem(file) == nil, again)
  }

  @Test func `It is written soon after the start, then every five minutes if there is news`() throws
  {
    let tape = LogTape()
    let keeper = EventKeeper(path: path, of: UniqueID(high: 1, low: 2), at: .start)
    var memory = EventMemory()
    memory.end(at: .start)
    var asked = 0
    func tend(_ seconds: Int64) {
      keeper.tend(memory, at: .start + .seconds(seconds), tape.log) {
        asked += 1
        return "text \(asked)"
      }
    }
    tend(29)
    #expect(asked == 0, again)
    tend(30)
    #expect(asked == 1, again)
    tend(400)
    #expect(asked == 1, "there is no news; \(again)")
    memory.end(at: .start)
    tend(400)
    #expect(asked == 2, again)
    memory.end(at: .start)
    tend(699)
    #expect(asked == 2, again)
    tend(700)
    #expect(asked == 3, again)
    keeper.finish("end")
    #expect(read() == "end" && tape.lines().isEmpty, again)
  }

  @Test func `A disk that takes nothing is told once, and again after it has worked`() throws {
    let tape = LogTape()
    let folder = scratch.path("gone")
    let keeper = EventKeeper(path: folder + "/events", of: UniqueID(high: 1, low: 2), at: .start)
    var memory = EventMemory()
    var now = Instant.start
    func tend() {
      now = now + .minutes(6)
      memory.end(at: now)
      keeper.tend(memory, at: now, tape.log) { "text" }
      // Until it is written, or not.
      keeper.finish("text")
    }
    for _ in 0..<3 { tend() }
    #expect(
      tape.lines() == [
        "<4>recent events are not kept across a restart file=\(folder)/events "
          + "why=\"No such file or directory\""
      ], again)
    mkdir(folder, 0o700)
    for _ in 0..<2 { tend() }
    #expect(tape.lines().isEmpty, again)
    try FileManager.default.removeItem(atPath: folder)
    for _ in 0..<3 { tend() }
    #expect(tape.lines().count == 1, again)
  }

  @Test func `What cannot be used is one line in the log, and starts over`() throws {
    let clock = BootClock()
    let device = UniqueID(high: 1, low: 2)
    var memory = EventMemory()
    memory.end(at: .start)
    let kept = memory.kept(for: device, date: nil, isOrderly: true, at: clock.machineTime)
    let foreign = memory.kept(
      for: UniqueID(high: 9, low: 9), date: nil, isOrderly: true, at: clock.machineTime
    ).replacing("boot ", with: "boot other")
    for (text, why) in [
      ("", "it is damaged"), (String(kept.dropLast(3)), "it is damaged"),
      (foreign, "it is damaged"),
      ("trackerd events 7\n", "another version of the program wrote it"),
      (String(repeating: "x", count: 200_000), "it has more than 131072 bytes"),
    ] {
      _ = try scratch.write("queue.db.events", text)
      let tape = LogTape()
      let keeper = EventKeeper(path: path, of: device, at: .start)
      #expect(keeper.load(at: clock.machineTime, tape.log) == EventMemory(), again)
      #expect(
        tape.lines() == [
          "<4>what happened before the start is not known file=\(path) why=\"\(why)\""
        ], again)
    }
    _ = try scratch.write("queue.db.events", kept)
    let tape = LogTape()
    let loaded = EventKeeper(path: path, of: device, at: .start)
      .load(at: clock.machineTime, tape.log)
    #expect(loaded.lines(newest: 9, at: .start).contains("ended"), again)
    #expect(tape.lines().isEmpty, again)
  }
}

extension EventKeeper {
  /// A pass of the loop: what is due is written, if there is news.
  fileprivate func tend(
    _ memory: EventMemory, at now: Instant, _ log: Log, _ text: () -> String
  ) {
    var pass = Pass(at: now, log)
    tend(&pass)
    if case .eventsDue? = pass.news.first { keep(memory, at: now, text) }
  }
}
