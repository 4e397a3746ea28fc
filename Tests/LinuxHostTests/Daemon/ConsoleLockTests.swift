import TestSupport
import Testing
import TrackerCore
import Uplink

@testable import LinuxHost

@Suite struct ConsoleLockTests {
  private let command: Comment = "repeat with: swift test --filter ConsoleLockTests"

  @Test func `Only the whole PIN opens it`() {
    var lock = ConsoleLock(.pin, pin: Secret("4711"))
    let now = Instant.start
    #expect(lock.verdict(on: Array("471".utf8), at: now) == .wrong, command)
    #expect(lock.verdict(on: Array("47110".utf8), at: now) == .wrong, command)
    #expect(lock.verdict(on: Array("4711".utf8), at: now) == .open, command)
    #expect(lock.verdict(on: [], at: now) == .wrong, command)
  }

  @Test func `After three wrong ones the right one has to wait a minute, too`() {
    var lock = ConsoleLock(.pin, pin: Secret("4711"))
    let right = Array("4711".utf8)
    var now = Instant.start + .seconds(5)
    for _ in 0..<3 { #expect(lock.verdict(on: [0x30], at: now) == .wrong, command) }
    now = now + .seconds(59)
    #expect(lock.verdict(on: right, at: now) == .wait(.seconds(1)), command)
    now = now + .seconds(1)
    #expect(lock.verdict(on: right, at: now) == .open, command)
  }

  @Test func `Without a PIN nothing opens it`() {
    var lock = ConsoleLock(.full)
    #expect(lock.verdict(on: [], at: .start) == .wrong, command)
  }
}
