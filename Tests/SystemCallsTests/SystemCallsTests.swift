import Foundation
import SystemCalls
import TestSupport
import Testing

@Suite(.blocking) struct SystemCallsTests {
  private let again: Comment = "repeat with: swift test --filter SystemCallsTests"

  @Test func `A call that a signal interrupts is repeated, and no other`() {
    var answers: [(result: Int32, code: Int32)] = [(-1, EINTR), (-1, EINTR), (5, 0), (6, 0)]
    func next() -> Int32 {
      let answer = answers.removeFirst()
      errno = answer.code
      return answer.result
    }
    #expect(retryingOnInterrupt(next) == 5 && answers.count == 1, again)
    errno = EINTR
    #expect(retryingOnInterrupt { 0 } == 0, again)
    answers = [(-1, EIO), (5, 0)]
    #expect(retryingOnInterrupt(next) == -1 && answers.count == 1, again)
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
    #expect(throws: ReadFailure.tooLarge, again) {
      try readWhole(folder.path("file"), atMost: size - 1)
    }
  }

  @Test func `What is not a file is reported as such, and what never ends is cut off`() throws {
    let folder = try ScratchFolder()
    #expect(throws: ReadFailure.system(EISDIR), again) {
      try readWhole(folder.url.path, atMost: 1000)
    }
    #expect(throws: ReadFailure.system(ENOENT), again) {
      try readWhole(folder.path("none"), atMost: 1000)
    }
    #expect(throws: ReadFailure.tooLarge, again) {
      try readWhole("/dev/zero", atMost: 1_000_000)
    }
  }

  @Test(arguments: [
    ("plain-1", "plain-1"), ("", "\"\""), ("a b", "\"a b\""), ("a=\"b\\", #""a=\"b\\""#),
    ("Òssos", "Òssos"), ("a\nb", "\"a b\""), ("\u{9B}31m", "\" 31m\""),
    ("a\u{2028}b\u{202E}c\u{2066}", "\"a b c \""),
  ])
  func `A value in a log is one line and changes nothing on a terminal`(
    _ value: String, _ written: String
  ) {
    #expect(quotedForLog(value) == written, again)
  }

  @Test func `The clocks count milliseconds`() {
    let date = Int64(Date().timeIntervalSince1970 * 1000)
    let steady = milliseconds(of: CLOCK_MONOTONIC)
    #expect(abs(milliseconds(of: CLOCK_REALTIME) - date) < 60_000, again)
    usleep(2000)
    #expect(milliseconds(of: CLOCK_MONOTONIC) > steady, again)
  }
}
