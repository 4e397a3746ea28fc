import Foundation
import TestSupport
import Testing

@testable import LinuxHost

/// The commands that open and close the way to the network.
@Suite(.serialized, .timeLimit(.minutes(1))) struct LinkProcessesTests {
  private static let again: Comment = "repeat with: swift test --filter LinkProcessesTests"

  private static func shell(_ script: String) -> [String] { ["sh", "-c", script] }

  /// Waits for so many reports.
  private func reports(_ count: Int, of processes: LinkProcesses) -> [LinkProcesses.Report] {
    var reports: [LinkProcesses.Report] = []
    while reports.count < count {
      reports += processes.tend()
      Thread.sleep(forTimeInterval: 0.01)
    }
    return reports
  }

  @Test(arguments: [
    ("exit 0", "network.up ended with code 0", true),
    ("exit 3", "network.up ended with code 3", false),
    ("kill -9 $$", "network.up was ended by signal 9", false),
  ])
  func `How a command ended is told`(_ script: String, _ text: String, _ isGood: Bool) {
    let processes = LinkProcesses()
    processes.open(Self.shell(script))
    let reports = reports(1, of: processes)
    #expect(reports.map(\.description) == [text], Self.again)
    #expect(reports.map(\.isGood) == [isGood], Self.again)
  }

  @Test func `A command that cannot be run is told`() {
    let processes = LinkProcesses()
    processes.open(["/nowhere/pppd", "secret"])
    #expect(
      processes.tend().map(\.description) == [
        "/nowhere/pppd: cannot be run: No such file or directory; check network.up"
      ], Self.again)
    processes.close(["/nowhere/poff"])
    #expect(
      processes.tend().map(\.description) == [
        "/nowhere/poff: cannot be run: No such file or directory; check network.down"
      ], Self.again)
  }

  @Test func `A second opener waits until the first has ended, also after a new start`() throws {
    let scratch = try ScratchFolder()
    let log = scratch.path("log")
    // One that takes its time to end, as pppd does.
    let opener = Self.shell(
      "trap 'sleep 0.2; echo end >> \(log); exit 5' TERM; echo begin >> \(log); "
        + "while :; do sleep 0.02; done")
    func lines() -> [Substring] {
      let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
      return text.split(separator: "\n")
    }
    var commands = BearerControl.Commands()
    commands.up = opener
    let processes = LinkProcesses()
    do {
      var first = BearerControl(watch: nil, commands: commands, processes: processes)
      first.set(isUp: true)
      // A second wish for what is open already is none.
      processes.open(opener)
      while lines() != ["begin"] { #expect(first.reports().isEmpty, Self.again) }
    }
    var second = BearerControl(watch: nil, commands: commands, processes: processes)
    second.set(isUp: true)
    #expect(
      reports(1, of: processes) == [
        LinkProcesses.Report(role: .up, end: .code(5), wasTold: true)
      ], Self.again)
    while lines().count < 3 { #expect(second.reports().isEmpty, Self.again) }
    #expect(lines() == ["begin", "end", "begin"], Self.again)
    second.set(isUp: false)
    #expect(reports(1, of: processes).count == 1, Self.again)
  }

  @Test func `A command is ended by a pipe that nobody reads, as elsewhere`() throws {
    signal(SIGPIPE, SIG_IGN)
    let scratch = try ScratchFolder()
    let processes = LinkProcesses()
    processes.open(["grep", "-m", "1", "SigIgn", "/proc/self/status"].command(to: scratch))
    _ = reports(1, of: processes)
    let text = try String(contentsOfFile: scratch.path("out"), encoding: .utf8)
    let mask = try #require(
      text.split(whereSeparator: \.isWhitespace).last.flatMap { UInt64($0, radix: 16) })
    #expect(mask & 1 << UInt64(SIGPIPE - 1) == 0, Self.again)
  }
}

extension [String] {
  /// The same command with its output in a file.
  fileprivate func command(to scratch: ScratchFolder) -> [String] {
    ["sh", "-c", "exec \(joined(separator: " ")) > \(scratch.path("out"))"]
  }
}
