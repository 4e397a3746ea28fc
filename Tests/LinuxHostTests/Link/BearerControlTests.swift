import MachineAccess
import Testing
import TrackerCore

@testable import LinuxHost

/// A runner whose command ends as soon as it is started.
private final class EndingRunner: LinkRunner {
  let code: Int32
  private var hasEnded = false
  let descriptor: Int32? = nil
  let isWaiting = false
  let timeoutMilliseconds: Int64? = nil

  init(code: Int32) { self.code = code }

  func open(_ words: [String]) { hasEnded = true }
  func close(_ words: [String]) {}
  func tend() -> [LinkReport] {
    defer { hasEnded = false }
    return hasEnded ? [LinkReport(role: .up, end: .code(code))] : []
  }
  func remember(in path: String, down: [String]) -> Bool { false }
  func finish() {}
}

/// What the core hears of its bearer.
@Suite struct BearerControlTests {
  private let again: Comment = "repeat with: swift test --filter BearerControlTests"

  @Test(arguments: [false, true])
  func `Whoever wants the bearer is told how it stands, each time`(_ comesByItself: Bool) {
    let bearer = BearerControl(
      watch: nil, runner: LinkProcesses(), isAlwaysWanted: comesByItself)
    _ = bearer.news()
    for _ in 1...2 {
      bearer.set(isUp: true)
      #expect(bearer.news() == .linkChanged(isUp: true), again)
      #expect(bearer.news() == nil, again)
    }
  }

  @Test(arguments: [false, true])
  func `An interface of which the kernel reports nothing is looked at while it is wanted`(
    _ isWanted: Bool
  ) {
    let bearer = BearerControl(
      watch: LinkWatch(interface: "absent0", target: .anywhere, reports: nil),
      runner: LinkProcesses())
    if isWanted { bearer.set(isUp: true) }
    let clock = BootClock(speed: 3600)
    var loop = SourceLoop([bearer], at: clock.now, Log(descriptor: -1))
    // The tracker's hour is a second, and a look is due after a second of real time. A signal may
    // end a sleep, too, but not five in a row.
    let isSleptThrough = (0..<5).contains { _ in
      let deadline = clock.now + .hours(isWanted ? 24 : 2)
      loop.sleep(until: deadline, isAllPolled: true, clock)
      return clock.now >= deadline
    }
    #expect(isSleptThrough != isWanted, again)
  }

  @Test func `That it goes down when told to is not news`() {
    let bearer = BearerControl(watch: nil, runner: LinkProcesses())
    bearer.set(isUp: true)
    _ = bearer.news()
    bearer.set(isUp: false)
    #expect(bearer.news() == nil, again)
  }

  @Test(arguments: [
    ("/usr/sbin/pppd", 19, ": the network refuses pppd's user or password; correct them"),
    ("pppd", 8, ": the modem could not dial; check the APN and chat's script"),
    ("pppd", 16, ": the other end hung up or does not answer pppd; check the APN"),
    // Ended by a signal, which says nothing; and another program's code.
    ("pppd", 5, ""), ("/usr/bin/link-up", 19, ""),
  ])
  func `What pppd means by its code is said with it`(
    _ program: String, _ code: Int32, _ meaning: String
  ) {
    var commands = BearerControl.Commands()
    commands.up = [program, "call", "internet"]
    let bearer = BearerControl(
      watch: nil, commands: commands, runner: EndingRunner(code: code))
    bearer.set(isUp: true)
    let said = bearer.reports().map(\.text.english)
    #expect(said == ["network.up ended with code \(code)\(meaning)"], again)
  }

  @Test func `After a command that ended well the interface has some time to come up`() throws {
    let watch = LinkWatch(interface: "nosuch0", target: .anywhere)
    let bearer = BearerControl(watch: watch, runner: EndingRunner(code: 0))
    bearer.set(isUp: true)
    _ = bearer.news()
    #expect(bearer.reports().map(\.text.english) == ["network.up ended with code 0"], again)
    #expect(bearer.reports().isEmpty && bearer.news() == nil, again)
    let wait = try #require(bearer.timeoutMilliseconds)
    let limit = HostBounds.linkAfterUp.count
    #expect(wait > limit / 2 && wait <= limit, "\(wait); \(again)")
  }
}
