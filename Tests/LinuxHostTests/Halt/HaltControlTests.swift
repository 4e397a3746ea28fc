import BoardSupport
import FieldConsole
import Foundation
import MachineAccess
import SystemCalls
import TestSupport
import Testing
import TrackerCore

@testable import LinuxHost

/// The alarm of a clock, in a folder laid out as sysfs is. No test here touches this machine's.
@Suite(.serialized, .blocking) struct HaltControlTests {
  private let again: Comment = "repeat with: swift test --filter HaltControlTests"
  private typealias Outcome = Result<Int64, SystemError>

  // MARK: Orders

  @Test(arguments: ["alarm rtc0 3", "clear rtc12", "halt rtc0 540", "halt rtc0 93600"])
  func `An order is what was written`(_ line: String) {
    #expect(HaltOrder(line)?.line == line, again)
  }

  @Test(arguments: [
    "", "halt", "halt rtc0", "halt rtc0 x", "halt rtc0 0", "halt rtc0 -540", "halt rtc0 93601",
    "halt ../../rtc0 540", "halt rtc 540", "halt rtc0/../rtc1 540", "alarm rtc0 61", "clear rtc0 1",
    "halt rtc0 540 540", "alarm rtc٣ 3", "reboot rtc0 3",
  ])
  func `What is no order is refused, and nothing that could lead to another file`(_ line: String) {
    #expect(HaltOrder(line) == nil, again)
  }

  @Test func `An answer is what was written`() {
    for outcome in [Outcome.success(0), .success(1_777_615_200), .failure(.init(code: EBUSY))] {
      #expect(HaltOrder.outcome(HaltOrder.answer(outcome)) == outcome, again)
    }
    #expect(HaltOrder.outcome("okay") == .failure(SystemError(code: EPROTO)), again)
  }

  // MARK: The machine

  /// A machine that only counts how often it was switched off.
  private final class Switch {
    var count = 0
    var refusal: SystemError?
    func machine(_ tree: ClockTree) -> MachineHalt {
      MachineHalt(root: tree.root) { () throws(SystemError) in
        if let refusal = self.refusal { throw refusal }
        self.count += 1
      }
    }
  }

  @Test func `The alarm is set before the machine is switched off, whatever it was before`() throws
  {
    let tree = try ClockTree()
    defer { tree.end() }
    let power = Switch()
    let machine = power.machine(tree)
    _ = try machine.obey(HaltOrder(.alarm(50), "rtc0")).get()
    #expect(tree.alarm != nil && power.count == 0, again)
    let alarm = try machine.obey(HaltOrder(.halt(540), "rtc0")).get()
    #expect(abs(alarm - Int64(ClockTree.now) - 540) <= 1 && power.count == 1, again)
    #expect(tree.alarm == Int(alarm), again)
  }

  @Test func `A clock that does not keep the alarm never sees the machine switched off`() throws {
    let tree = try ClockTree()
    defer { tree.end() }
    try tree.refuseAlarms()
    let power = Switch()
    let outcome = power.machine(tree).obey(HaltOrder(.halt(540), "rtc0"))
    guard case .failure(let error) = outcome else {
      Issue.record("\(outcome); \(again)")
      return
    }
    #expect(error.code == EIO && power.count == 0, again)
    let other = power.machine(tree).obey(HaltOrder(.halt(540), "rtc1"))
    guard case .failure(let absent) = other else {
      Issue.record("\(other); \(again)")
      return
    }
    #expect(absent.code == ENOENT && power.count == 0, again)
  }

  @Test func `A clock with another date that cannot be set does not see it either`() throws {
    let tree = try ClockTree(.stands)
    defer { tree.end() }
    try FileManager.default.createDirectory(
      at: URL(fileURLWithPath: tree.root).appendingPathComponent("dev"),
      withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: tree.root).appendingPathComponent("dev/rtc0"))
    let power = Switch()
    try tree.setDate(ClockTree.now - 3600)
    let outcome = power.machine(tree).obey(HaltOrder(.halt(540), "rtc0"))
    guard case .failure(let error) = outcome else {
      Issue.record("\(outcome); \(again)")
      return
    }
    #expect(error.code == ENOTTY && power.count == 0 && tree.alarm == nil, again)
  }

  @Test func `A clock that has lost its time is set before its alarm is tested`() throws {
    // It answers a read with EINVAL, as a clock does that has lost its time.
    let loopback = "/sys/class/net/lo/speed"
    guard access(loopback, R_OK) == 0 else { return }
    let tree = try ClockTree(.stands)
    defer { tree.end() }
    let date = tree.root + "/sys/class/rtc/rtc0/since_epoch"
    try FileManager.default.removeItem(atPath: date)
    try FileManager.default.createSymbolicLink(atPath: date, withDestinationPath: loopback)
    try FileManager.default.createDirectory(
      atPath: tree.root + "/dev", withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: tree.root + "/dev/rtc0"))
    guard case .failure(let error) = Switch().machine(tree).obey(HaltOrder(.alarm(3), "rtc0"))
    else {
      Issue.record("a plain file was set; \(again)")
      return
    }
    #expect("\(error)".contains("/dev/rtc0") && error.code == ENOTTY, "\(error); \(again)")
  }

  @Test func `Where the machine cannot be switched off, no alarm is left`() throws {
    let tree = try ClockTree()
    defer { tree.end() }
    let power = Switch()
    power.refusal = SystemError(code: EPERM)
    let outcome = power.machine(tree).obey(HaltOrder(.halt(540), "rtc0"))
    #expect(outcome == .failure(SystemError(code: EPERM)) && tree.alarm == nil, again)
  }

  /// What systemd runs at the end of a shutdown.
  private func shutDown(_ tree: ClockTree, _ how: String) throws {
    let script = Built.repository.appendingPathComponent(".ci/debian/shutdown").path
    let result = try ProgramResult(
      running: ["/bin/sh", script, how], environment: ["TRACKERD_ROOT": tree.root],
      errors: .asOutput)
    #expect(result.code == 0 && result.output.isEmpty, "\(result.output); \(again)")
  }

  @Test func `An alarm that a slow shutdown would miss is set anew at its end`() throws {
    let tree = try ClockTree(.stands)
    defer { tree.end() }
    let folder = URL(fileURLWithPath: tree.root).appendingPathComponent("run/trackerd-halt")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let alarm = Int(try Switch().machine(tree).obey(HaltOrder(.halt(60), "rtc0")).get())
    try shutDown(tree, "poweroff")
    #expect(tree.alarm == alarm, "it is in time; \(again)")
    try tree.setDate(alarm - 5)
    try shutDown(tree, "poweroff")
    #expect(tree.alarm == alarm, "it still is; \(again)")
    try tree.setDate(alarm - 4)
    try shutDown(tree, "reboot")
    #expect(tree.alarm == alarm, "nothing has to start it; \(again)")
    try shutDown(tree, "poweroff")
    #expect(tree.alarm == alarm + 6, again)
    // Halted by a person, without an alarm of the tracker's.
    _ = try Switch().machine(tree).obey(HaltOrder(.clear, "rtc0")).get()
    try shutDown(tree, "poweroff")
    #expect(tree.alarm == nil, again)
  }

  @Test func `A helper carries out one order on each connection`() throws {
    let tree = try ClockTree()
    defer { tree.end() }
    let path = tree.root + "/halt"
    let number = try #require(UnixAddress(path)).listener(backlog: 4).release()
    nonisolated(unsafe) let machine = Switch().machine(tree)
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let listener = Descriptor(owning: number)
      for _ in 1...3 { _ = HaltHelper.serveNext(listener, machine, for: realUser) }
      done.signal()
    }
    for line in ["halt rtc0 540", "clear rtc0", "halt rtc0 5"] {
      let answer = try ControlClient.ask(line, at: path)
      switch line {
      case "clear rtc0": #expect(answer == "set 0\n" && tree.alarm == nil, again)
      case "halt rtc0 5": #expect(answer == "error \(EINVAL)\n", again)
      default: #expect(answer.hasPrefix("set 1"), again)
      }
    }
    done.wait()
  }

  // MARK: The control

  /// A control with its loop, in a time of its own; the alarm is tested in real time.
  private final class Rig {
    let tape = LogTape()
    let power = Switch()
    let control: HaltControl
    var pass: Pass

    init(_ tree: ClockTree, isRehearsal: Bool = false, sleep: TrackerCore.Sleep = .halt) throws {
      var parts = try LinuxParts.idle()
      parts.configuration.sleep = sleep
      pass = Pass(at: .start, tape.log)
      control = HaltControl(
        HaltParts(clock: "rtc0", stopTime: .seconds(6), helper: nil, root: tree.root),
        SettingsKeeper(parts), isRehearsal: isRehearsal, machine: power.machine(tree))
    }

    func tend(after time: Milliseconds = 0) {
      pass.now = pass.now + time
      control.tend(&pass)
    }

    func test() throws {
      try eventually("the end of the test of the alarm") {
        tend()
        return !control.isTesting
      }
    }

    /// Whether the tracker heard that the machine is not halted, since the last call.
    func isRefused() -> Bool {
      defer { pass.news = [] }
      return pass.news.contains { if case .event(.haltRefused) = $0 { true } else { false } }
    }

    /// What was logged when the machine was not halted; `nil`: it was.
    func refusal(_ obstacle: HaltObstacle? = nil) -> [String]? {
      control.halt(for: .minutes(9), unless: obstacle, &pass)
      tend()
      return isRefused() ? tape.lines() : nil
    }
  }

  private static let log = "the machine is not halted why="

  @Test(arguments: [nil, ClockTree.Fault.unheard])
  func `A machine is halted once its alarm was tested, not before`(
    _ fault: ClockTree.Fault?
  ) throws {
    let tree = try ClockTree(fault)
    defer { tree.end() }
    let rig = try Rig(tree)
    rig.tend()
    let early = rig.refusal()?.first ?? "halted"
    #expect(
      early.contains("\(Self.log)\"the clock's alarm is being tested\""), "\(early); \(again)")
    try rig.test()
    #expect(rig.control.problem == nil && tree.alarm == nil && rig.power.count == 0, again)
    #expect(rig.control.note != nil, again)
    #expect(rig.refusal() == nil && rig.power.count == 1, again)
    #expect(tree.alarm.map { abs($0 - ClockTree.now - 540) <= 2 } == true, again)
  }

  @Test func `A clock that stands keeps the machine awake, and is tried again`() throws {
    let tree = try ClockTree(.stands)
    defer { tree.end() }
    let rig = try Rig(tree)
    for _ in 1...3 { rig.tend() }
    #expect(rig.control.isTesting, again)
    rig.tend(after: .seconds(16))
    #expect(!rig.control.isTesting, again)
    let problem = try #require(rig.control.problem)
    #expect(problem.english.contains("alarm of rtc0 does not work"), "\(problem); \(again)")
    #expect(rig.tape.lines().count == 1, again)
    let refusal = try #require(rig.refusal())
    #expect(refusal.first?.contains("check the clock's driver and overlay") == true, again)
    #expect(rig.power.count == 0, again)
    // Every ten minutes, with one line in the log for all that are alike.
    rig.tend(after: .minutes(10))
    rig.tend()
    #expect(rig.control.isTesting, again)
    rig.tend(after: .seconds(16))
    #expect(rig.control.problem != nil && rig.tape.lines().isEmpty, again)
  }

  @Test func `A clock that takes no alarm keeps it awake`() throws {
    let tree = try ClockTree()
    defer { tree.end() }
    try tree.refuseAlarms()
    let rig = try Rig(tree)
    try rig.test()
    #expect(rig.control.problem != nil && rig.refusal() != nil && rig.power.count == 0, again)
  }

  @Test func `An alarm that fails after its test keeps it awake from then on`() throws {
    let tree = try ClockTree()
    defer { tree.end() }
    let rig = try Rig(tree)
    try rig.test()
    try tree.refuseAlarms()
    #expect(rig.refusal() != nil && rig.power.count == 0, again)
    #expect(rig.control.problem != nil, again)
  }

  @Test func `Who uses the console or is logged in, and what the host knows, keeps it awake`()
    throws
  {
    let tree = try ClockTree()
    defer { tree.end() }
    let rig = try Rig(tree)
    try rig.test()
    rig.tend(after: .minutes(60))
    rig.control.heardConsole(at: rig.pass.now)
    #expect(rig.refusal()?.first?.contains("somebody is using trackerctl") == true, again)
    // The same reason again is not worth a line.
    #expect(rig.refusal() == [], again)
    rig.tend(after: .minutes(5) - .seconds(1))
    #expect(rig.refusal() == [], again)
    rig.tend(after: .seconds(1))
    let sessions = URL(fileURLWithPath: tree.root).appendingPathComponent("run/systemd/sessions")
    try FileManager.default.createDirectory(at: sessions, withIntermediateDirectories: true)
    let session = sessions.appendingPathComponent("c1")
    try Data("STATE=active\nCLASS=user\n".utf8).write(to: session)
    #expect(rig.refusal()?.first?.contains("somebody is logged in") == true, again)
    // Root, with systemd 256 and later.
    try Data("STATE=online\nCLASS=user-early\n".utf8).write(to: session)
    #expect(rig.refusal() == [], again)
    for other in [HaltObstacle.unsaved, .secondStore] {
      #expect(rig.refusal(other)?.first?.contains(other.text) == true, again)
    }
    #expect(rig.power.count == 0, again)
    // The manager of a user who has left, and a session that ends.
    try Data("STATE=active\nCLASS=manager\n".utf8).write(to: sessions.appendingPathComponent("c2"))
    try Data("STATE=closing\nCLASS=user\n".utf8).write(to: session)
    #expect(rig.refusal() == nil && rig.power.count == 1, again)
  }

  @Test func `A program that forbids shutdowns keeps it awake, one that delays them does not`()
    throws
  {
    let tree = try ClockTree()
    defer { tree.end() }
    let rig = try Rig(tree)
    try rig.test()
    let folder = URL(fileURLWithPath: tree.root).appendingPathComponent("run/systemd/inhibit")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let lock = folder.appendingPathComponent("2")
    for lines in ["WHAT=shutdown\nMODE=block\nWHO=APT\n", "WHAT=sleep:shutdown\nMODE=block-weak\n"]
    {
      try Data(lines.utf8).write(to: lock)
      rig.tend(after: .hours(2))
      #expect(rig.refusal()?.first?.contains("systemd-inhibit --list") == true, again)
    }
    try Data("WHAT=handle-lid-switch\nMODE=block\n".utf8).write(to: lock)
    try Data("WHAT=shutdown\nMODE=delay\n".utf8).write(to: folder.appendingPathComponent("3"))
    #expect(rig.refusal() == nil && rig.power.count == 1, again)
  }

  @Test func `A machine that was ordered to halt and still runs is awake, without an alarm`() throws
  {
    let tree = try ClockTree()
    defer { tree.end() }
    let rig = try Rig(tree)
    try rig.test()
    #expect(rig.refusal() == nil, again)
    rig.tend(after: .seconds(105))
    #expect(!rig.isRefused() && tree.alarm != nil, again)
    rig.tend(after: .seconds(1))
    rig.tend()
    #expect(rig.isRefused() && tree.alarm == nil, again)
  }

  @Test func `Neither a rehearsal nor a tracker that never sleeps touches the clock`() throws {
    let tree = try ClockTree()
    defer { tree.end() }
    try tree.refuseAlarms()
    let rehearsal = try Rig(tree, isRehearsal: true)
    for _ in 1...3 { rehearsal.tend(after: .seconds(20)) }
    #expect(rehearsal.refusal()?.first?.contains("in a rehearsal") == true, again)
    let waking = try Rig(tree, sleep: .never)
    for _ in 1...3 { waking.tend(after: .seconds(20)) }
    for rig in [rehearsal, waking] {
      #expect(rig.control.note == nil && rig.control.problem == nil && rig.power.count == 0, again)
    }
  }
}
