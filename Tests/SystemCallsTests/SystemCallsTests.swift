import Foundation
import SystemCalls
import TestSupport
import Testing

@Suite(.blocking) struct SystemCallsTests {
  private let again: Comment = "repeat with: swift test --filter SystemCallsTests"

  @Test func `A call that a signal interrupts is repeated, and no other`() throws {
    var answers: [(result: Int32, code: Int32)] = [(-1, EINTR), (-1, EINTR), (5, 0), (6, 0)]
    func next() -> Int32 {
      let answer = answers.removeFirst()
      errno = answer.code
      return answer.result
    }
    #expect(try systemCall("read", "", next) == 5 && answers.count == 1, again)
    errno = EINTR
    #expect(try systemCall("read") { 0 } == 0, again)
    answers = [(-1, EIO), (5, 0)]
    let failure = #expect(throws: SystemError("read", "/dev/a", code: EIO), again) {
      try systemCall("read", "/dev/a", next)
    }
    #expect(answers.count == 1, again)
    #expect("\(try #require(failure))" == "read /dev/a: Input/output error", again)
  }

  @Test func `A poll finds what is there, at whose descriptor it is, and nothing else`() throws {
    let one = try DescriptorPipe()
    let other = try DescriptorPipe()
    var set = PollSet()
    set.add(one.readEnd.number)
    set.add(other.readEnd.number)
    #expect(set.wait(atMost: 0) == .timedOut, again)
    other.signal()
    #expect(set.wait(atMost: nil) == .found, again)
    #expect(set.found(one.readEnd.number).isEmpty, again)
    #expect(set.found(other.readEnd.number) == .readable, again)
    #expect(!set.hasFound(inFirst: 1) && set.hasFound(inFirst: 2), again)
    #expect(poll(one.writeEnd.number, .writable, atMost: 0) == .writable, again)
    _ = try other.readEnd.firstBytes(atMost: 8)
    #expect(set.wait(atMost: 1) == .timedOut && set.found(other.readEnd.number).isEmpty, again)
    set.removeAll(after: 1)
    other.signal()
    #expect(set.count == 1 && set.wait(atMost: 0) == .timedOut, again)
  }

  /// More descriptors than the process may have (EINVAL).
  @Test func `A poll that fails says so, and is no interruption that a loop would repeat at once`()
    throws
  {
    var limit = rlimit()
    #expect(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
    let count = try #require(Int(exactly: limit.rlim_cur).flatMap { $0 < 4 << 20 ? $0 : nil })
    var set = PollSet()
    for _ in 0...count { set.add(-1) }
    let failure = PollSet.Outcome.failed(SystemError("poll", code: EINVAL))
    #expect(set.wait(atMost: 0) == failure, again)
    let start = KernelTimer.monotonic.milliseconds
    #expect(set.wait(atMost: 30) == failure, again)
    #expect(KernelTimer.monotonic.milliseconds - start >= 30, again)
  }

  @Test func `Of a program that was started, the end is told once`() throws {
    let scratch = try ScratchFolder()
    var spawn = Spawn(["sh", "-c", "cat; exit 3"])
    spawn.streams = [
      (StandardStream.input, .input(try scratch.write("in", "words\n"))),
      (StandardStream.output, .output(scratch.path("out"))),
    ]
    let process = try spawn.start()
    #expect(reap(process, isWaiting: true) == .ended(.code(3)), again)
    #expect(reap(process) == .unknown, again)
    #expect(try String(contentsOfFile: scratch.path("out"), encoding: .utf8) == "words\n", again)
    let missing = #expect(throws: SystemError.self, again) {
      try Spawn(["/nowhere/at-all"]).start()
    }
    #expect(missing?.code == ENOENT && missing?.path == "/nowhere/at-all", again)
  }

  @Test func `A program that runs is told from one that is not, or no longer, a child`() throws {
    let pipe = try DescriptorPipe()
    var spawn = Spawn(["cat"])
    spawn.streams = [
      (StandardStream.input, .descriptor(pipe.readEnd.number)),
      (StandardStream.output, .output("/dev/null")),
    ]
    #expect(fcntl(pipe.readEnd.number, F_SETFL, 0) == 0)
    let process = try spawn.start()
    #expect(reap(process) == .running, again)
    #expect(kill(process, SIGKILL) == 0)
    #expect(reap(process, isWaiting: true) == .ended(.signal(SIGKILL)), again)
    #expect(reap(process) == .unknown, again)
    #expect(reap(getppid()) == .unknown, again)
  }

  @Test func `A file's status says what it is, and a link is followed unless it is asked for`()
    throws
  {
    let scratch = try ScratchFolder()
    let file = try scratch.write("a", "12345")
    try setPermissions(0o640, of: file)
    try makeLink(scratch.path("b"), to: file)
    let status = try FileStatus(file)
    #expect(status.kind == .file && status.size == 5 && status.permissions == 0o640, again)
    #expect(status.owner == effectiveUser && status.names == 1, again)
    #expect(try FileStatus(scratch.path("b")).isSame(as: status), again)
    #expect(try FileStatus(scratch.path("b"), followsLinks: false).kind == .link, again)
    #expect(try FileStatus(scratch.url.path).kind == .folder, again)
    #expect(throws: SystemError("stat", scratch.path("c"), code: ENOENT), again) {
      try FileStatus(scratch.path("c"))
    }
  }

  @Test(arguments: [
    ("race.store", "."), ("/race.store", "/"), ("/var/lib/race.store", "/var/lib"),
    ("a/b", "a"), ("./b", "."), ("/var/lib/", "/var/lib"), ("", "."),
  ])
  func `A path's directory is what stands before its last slash`(_ path: String, _ folder: String) {
    #expect(directory(of: path) == folder, again)
  }

  @Test(arguments: [0, 1, 16_383, 16_384, 16_385, 100_000])
  func `A file is read whole up to its limit, and not beyond`(_ size: Int) throws {
    let folder = try ScratchFolder()
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try Data(bytes).write(to: folder.url.appendingPathComponent("file"))
    #expect(try readWhole(folder.path("file"), atMost: size) == bytes, again)
    guard size > 0 else { return }
    #expect(throws: ReadError.tooLarge, again) {
      try readWhole(folder.path("file"), atMost: size - 1)
    }
  }

  @Test func `What is not a file is reported as such, and what never ends is cut off`() throws {
    let folder = try ScratchFolder()
    let path = folder.url.path
    #expect(throws: ReadError.system(SystemError("read", path, code: EISDIR)), again) {
      try readWhole(path, atMost: 1000)
    }
    let missing = folder.path("none")
    #expect(throws: ReadError.system(SystemError("open", missing, code: ENOENT)), again) {
      try readWhole(missing, atMost: 1000)
    }
    #expect(throws: ReadError.tooLarge, again) {
      try readWhole("/dev/zero", atMost: 1_000_000)
    }
  }

  @Test func `The clocks count milliseconds`() {
    let date = Int64(Date().timeIntervalSince1970 * 1000)
    let steady = KernelTimer.monotonic.milliseconds
    #expect(abs(KernelTimer.date.milliseconds - date) < 60_000, again)
    usleep(2000)
    #expect(KernelTimer.monotonic.milliseconds > steady, again)
  }
}
