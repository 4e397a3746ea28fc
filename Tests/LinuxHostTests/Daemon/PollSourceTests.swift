import Foundation
import MachineAccess
import SystemCalls
import Testing
import TrackerCore

@testable import LinuxHost

/// How the loop goes through its sources.
@Suite struct PollSourceTests {
  private let again: Comment = "repeat with: swift test --filter PollSourceTests"

  /// Notes what it is asked, and waits for what it is told to.
  private final class Source: PollSource {
    var descriptor: Int32?
    var dueAt: Instant?
    var within: Int64?
    private(set) var asked: [String] = []
    private(set) var found: PollEvents = []

    func takeAsked() -> [String] {
      defer { asked = [] }
      return asked
    }

    func tend(_ pass: inout Pass) {
      asked.append("tend")
      if let dueAt, pass.now >= dueAt { pass.news.append(.settingsUnsaved) }
    }

    func register(in wait: inout LoopWait, at now: Instant) {
      asked.append("register")
      if let descriptor { wait.add(descriptor) }
      wait.wake(at: dueAt)
      wait.wake(within: within)
    }

    func handle(_ wait: LoopWait, _ pass: inout Pass) {
      asked.append("handle")
      found = wait.found(descriptor)
    }
  }

  /// More descriptors than the process may have: poll fails with EINVAL.
  private final class Flood: PollSource {
    var isOn = true
    func register(in wait: inout LoopWait, at now: Instant) {
      wait.wake(within: 1)
      for _ in 0...(isOn ? sysconf(Int32(_SC_OPEN_MAX)) : 0) { wait.add(-1) }
    }
  }

  @Test func `A poll that fails is logged once, takes its time, and does not end the loop`() throws
  {
    try #require(sysconf(Int32(_SC_OPEN_MAX)) < 4 << 20)
    let (tape, clock, flood) = (LogTape(), BootClock(), Flood())
    var loop = SourceLoop([flood], at: clock.now, tape.log)
    let start = clock.now
    for _ in 0..<3 { loop.sleep(until: nil, isAllPolled: true, clock) }
    #expect(clock.now - start >= 3, again)
    let line = "<3>waiting for input fails; restart trackerd error=\"poll: Invalid argument\""
    #expect(tape.lines() == [line], again)
    flood.isOn = false
    loop.sleep(until: nil, isAllPolled: true, clock)
    #expect(tape.lines() == [], again)
    flood.isOn = true
    loop.sleep(until: nil, isAllPolled: true, clock)
    #expect(tape.lines() == [line], again)
  }

  /// One pass; returns how long it slept, in real time.
  private func pass(
    _ sources: [Source], until deadline: Instant?, _ clock: BootClock = BootClock()
  ) -> Int64 {
    var loop = SourceLoop(sources, at: clock.now, Log(descriptor: -1))
    let begun = KernelTimer.monotonic.milliseconds
    for index in sources.indices { loop.tend(index) }
    loop.sleep(until: deadline, isAllPolled: true, clock)
    for index in sources.indices { loop.handle(index) }
    return KernelTimer.monotonic.milliseconds - begun
  }

  @Test(arguments: 0..<4)
  func `The earliest of all deadlines ends the sleep, whoever has it`(_ first: Int) {
    let (one, other) = (Source(), Source())
    let clock = BootClock(speed: 60)
    let early = clock.now + .seconds(2)
    let late = clock.now + .hours(10)
    one.dueAt = first == 0 ? early : late
    other.dueAt = first == 1 ? early : late
    other.within = first == 2 ? 30 : 600_000
    let slept = pass([one, other], until: first == 3 ? early : late, clock)
    // 2 s of a clock that runs 60 times as fast, or 30 ms of any.
    #expect(slept >= 25 && slept < 300_000, again)
    #expect(one.asked == ["tend", "register", "handle"] && other.asked == one.asked, again)
  }

  @Test func `Of two times that sources give in milliseconds the shorter holds, in any order`() {
    let (one, other) = (Source(), Source())
    (one.within, other.within) = (20, 20_000)
    #expect(pass([one, other], until: nil) < 15_000, again)
    #expect(pass([other, one], until: nil) < 15_000, again)
  }

  /// A loop over three sources, of which the second is the receiver's line.
  private struct Three {
    let clock: BootClock
    let sources = [Source(), Source(), Source()]
    let (receiverPipe, otherPipe): (Pipe, Pipe)
    var loop: SourceLoop

    final class Pipe {
      let ends: DescriptorPipe
      init() throws { ends = try DescriptorPipe() }
    }

    init(speed: Int64 = 1) throws {
      clock = BootClock(speed: speed)
      (receiverPipe, otherPipe) = (try Pipe(), try Pipe())
      sources[1].descriptor = receiverPipe.ends.readEnd.number
      sources[2].descriptor = otherPipe.ends.readEnd.number
      loop = SourceLoop(sources, receiver: 1, at: clock.now, Log(descriptor: -1))
      // Nothing is known yet of what they wait for.
      receiverPipe.ends.signal()
      pass()
    }

    mutating func pass(until deadline: Instant? = nil) {
      for index in loop.asked { loop.tend(index) }
      loop.sleep(until: deadline, isAllPolled: true, clock)
      for index in loop.asked { loop.handle(index) }
    }

    /// The third source gets a deadline, or a time; the next pass asks for it.
    mutating func otherWaits(for what: String, milliseconds: Int64) {
      if what == "deadline" { sources[2].dueAt = clock.now + Milliseconds(milliseconds) }
      if what == "time" { sources[2].within = milliseconds }
      loop.askAll()
    }

    /// What each was asked since the last call.
    func takeAsked() -> [[String]] { sources.map { $0.takeAsked() } }
  }

  @Test func `While only the receiver sends, its line alone is asked`() throws {
    var three = try Three()
    #expect(
      three.takeAsked() == [
        ["tend", "register"], ["tend", "register", "handle"],
        ["tend", "register"],
      ], again)
    three.pass()
    #expect(three.takeAsked() == [[], ["tend", "register", "handle"], []], again)
    #expect(three.sources[1].found == .readable, again)
  }

  @Test(arguments: ["descriptor", "deadline", "time", "task", "occasion"])
  func `All are asked again once another has something to do`(_ what: String) throws {
    var three = try Three(speed: what == "occasion" ? 60_000 : 1)
    let other = three.sources[2]
    three.otherWaits(for: what, milliseconds: 1)
    three.pass()
    _ = three.takeAsked()
    switch what {
    case "descriptor": three.otherPipe.ends.signal()
    case "task": three.loop.askAll()
    default: break
    }
    // The receiver goes on to send, so that no pass sleeps.
    var asked: [String] = []
    for _ in 0..<100_000 where !asked.contains("tend") || !asked.contains("register") {
      three.pass()
      asked += other.takeAsked()
    }
    #expect(asked.contains("tend") && asked.contains("register"), again)
  }

  @Test(arguments: ["descriptor", "deadline", "time"])
  func `What the others wait for ends the sleep, also when only the receiver's line was asked`(
    _ what: String
  ) throws {
    var three = try Three()
    let other = three.sources[2]
    three.otherWaits(for: what, milliseconds: 200)
    // The receiver's byte is there in both passes, and gone in the third.
    three.pass()
    three.pass()
    _ = try three.receiverPipe.ends.readEnd.firstBytes(atMost: 8)
    if what == "descriptor" { three.otherPipe.ends.signal() }
    let begun = KernelTimer.monotonic.milliseconds
    three.pass(until: three.clock.now + 60_000)
    #expect(KernelTimer.monotonic.milliseconds - begun < 30_000, again)
    #expect(what != "descriptor" || other.found == .readable, again)
  }

  /// A line that has something to do at one instant.
  private final class DueLine: ByteLine {
    let descriptor: Int32? = nil
    let wantsWrite = false
    let wakeAt: Instant?
    private(set) var tended: [Instant] = []

    init(at due: Instant) { wakeAt = due }

    func tend(at now: Instant) { tended.append(now) }
    func ready(_ found: PollEvents, at now: Instant, into buffer: inout MutableSpan<UInt8>) -> Int {
      0
    }
    func send(_ bytes: [UInt8], at now: Instant) -> Bool { false }
    func takeEvents() -> [LineEvent] { [] }
  }

  @Test func `A line does what is due when it is due, not before and not a pass later`() {
    let line = DueLine(at: .start + 5)
    let source = LineSource(.receiver, line)
    for now in [4, 5] as [Milliseconds] {
      var pass = Pass(at: .start + now, Log(descriptor: -1))
      source.tend(&pass)
    }
    #expect(line.tended == [.start + 5], again)
  }

  @Test func `What comes ends the sleep, and is found by the one who waits for it`() throws {
    let pipe = try DescriptorPipe()
    let (one, other) = (Source(), Source())
    one.within = 600_000
    other.descriptor = pipe.readEnd.number
    pipe.signal()
    #expect(pass([one, other], until: nil) < 300_000, again)
    #expect(one.found.isEmpty && other.found == .readable, again)
  }

  @Test func `The tracker's deadline waits for one poll, so that input that is ready comes first`()
  {
    var loop = SourceLoop([], at: .start + 5, Log(descriptor: -1))
    #expect(loop.isTurn(of: .start + 6) == (isDue: false, isNext: false, isPollDue: false), again)
    #expect(loop.isTurn(of: .start + 5) == (isDue: true, isNext: false, isPollDue: true), again)
    #expect(loop.isTurn(of: .start + 5) == (isDue: true, isNext: true, isPollDue: true), again)
    #expect(loop.isTurn(of: .start + 5) == (isDue: true, isNext: false, isPollDue: true), again)
    #expect(loop.isTurn(of: nil) == (isDue: false, isNext: false, isPollDue: false), again)
  }

  @Test func `A poll that ended with the deadline is that poll, if all input was polled`() throws {
    let pipe = try DescriptorPipe()
    let (clock, source) = (BootClock(), Source())
    source.descriptor = pipe.readEnd.number
    var loop = SourceLoop([source], at: clock.now, Log(descriptor: -1))
    func turn(isAllPolled: Bool) -> Bool {
      let deadline = clock.now + 20
      loop.sleep(until: deadline, isAllPolled: isAllPolled, clock)
      return loop.isTurn(of: deadline).isPollDue
    }
    #expect(!turn(isAllPolled: true), again)
    #expect(loop.isTurn(of: loop.pass.now).isNext, again)
    #expect(turn(isAllPolled: false), "a burst gathers; \(again)")
    _ = loop.isTurn(of: nil)
    // It ends before the deadline, or with something that is ready.
    source.within = 1
    loop.sleep(until: clock.now + .hours(1), isAllPolled: true, clock)
    #expect(loop.isTurn(of: loop.pass.now).isPollDue, again)
    _ = loop.isTurn(of: nil)
    pipe.signal()
    loop.sleep(until: loop.pass.now, isAllPolled: true, clock)
    #expect(loop.isTurn(of: loop.pass.now).isPollDue, again)
  }

  /// One whose burst has gathered when it is tended.
  private final class GatheringLine: ByteLine {
    var isGathering = true
    let descriptor: Int32? = nil
    let wantsWrite = false
    let wakeAt: Instant? = .start
    private(set) var found: [PollEvents] = []

    func tend(at now: Instant) { isGathering = false }
    func ready(_ found: PollEvents, at now: Instant, into buffer: inout MutableSpan<UInt8>) -> Int {
      self.found.append(found)
      return 0
    }
    func send(_ bytes: [UInt8], at now: Instant) -> Bool { false }
    func takeEvents() -> [LineEvent] { [] }
  }

  @Test func `A burst that has gathered is read once without a poll`() {
    let line = GatheringLine()
    let source = LineSource(.receiver, line)
    var pass = Pass(at: .start, Log(descriptor: -1))
    var bytes: [UInt8] = [0]
    var buffer = bytes.mutableSpan
    source.tend(&pass)
    #expect(source.isReadable, again)
    _ = source.read(into: &buffer, at: .start)
    source.tend(&pass)
    #expect(!source.isReadable && line.found == [.readable], "or it would never poll; \(again)")
  }
}
