import Foundation
import TestSupport
import Testing

@testable import LinuxHost

/// The commands that open and close the way to the network: what each runner of them promises, and
/// what the own one does beside.
@Suite(.serialized, .blocking) struct LinkProcessesTests {
  private static let again: Comment = "repeat with: swift test --filter LinkProcessesTests"

  private static func shell(_ script: String) -> [String] { ["sh", "-c", script] }

  /// Waits for so many reports.
  private func reports(_ count: Int, of runner: any LinkRunner) throws -> [LinkReport] {
    var reports: [LinkReport] = []
    try eventually("\(count) reports, not \(reports)") {
      reports += runner.tend()
      return reports.count >= count
    }
    return reports
  }

  @Test(
    arguments: RunnerRig.Kind.allCases,
    [
      ("exit 0", "network.up ended with code 0", true),
      ("exit 3", "network.up ended with code 3", false),
      ("kill -9 $$", "network.up was ended by signal 9", false),
    ])
  func `How a command ended is told`(
    _ kind: RunnerRig.Kind, _ command: (script: String, text: String, isGood: Bool)
  ) throws {
    let up = Self.shell(command.script)
    let rig = try RunnerRig(kind, up: up)
    rig.runner.open(up)
    let reports = try reports(1, of: rig.runner)
    #expect(reports.map(\.description) == [command.text], Self.again)
    #expect(reports.map(\.isGood) == [command.isGood], Self.again)
  }

  /// Without that it would count as running for ever.
  @Test func `A command whose end somebody else has learned is reported, and no longer waited for`()
    throws
  {
    let scratch = try ScratchFolder()
    let file = scratch.path("process")
    let processes = LinkProcesses()
    let up = Self.shell("echo $$ > \(file).new; mv \(file).new \(file)")
    processes.open(up)
    try eventually("its number") { FileManager.default.fileExists(atPath: file) }
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let process = try #require(pid_t(text.split(separator: "\n").joined()), Self.again)
    #expect(waitpid(process, nil, 0) == process, Self.again)
    let reports = try reports(1, of: processes)
    #expect(reports == [LinkReport(role: .up, end: .unknown)], Self.again)
    #expect(!reports[0].isGood && !processes.isBusy, Self.again)
    #expect(
      reports[0].description
        == "network.up ended and its code is lost; run it by hand to see what it says", Self.again)
  }

  @Test(arguments: RunnerRig.Kind.allCases)
  func `A command that cannot be run is told`(_ kind: RunnerRig.Kind) throws {
    let (up, down) = (["/nowhere/pppd", "secret"], ["/nowhere/poff"])
    let rig = try RunnerRig(kind, up: up, down: down)
    rig.runner.open(up)
    #expect(
      try reports(1, of: rig.runner).map(\.description) == [
        "/nowhere/pppd: cannot be run: No such file or directory; check network.up"
      ], Self.again)
    rig.runner.close(down)
    #expect(
      try reports(1, of: rig.runner).map(\.description) == [
        "/nowhere/poff: cannot be run: No such file or directory; check network.down"
      ], Self.again)
  }

  @Test(arguments: RunnerRig.Kind.allCases)
  func `A second opener waits until the first has ended, also after a new start`(
    _ kind: RunnerRig.Kind
  ) throws {
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
    let rig = try RunnerRig(kind, up: opener)
    let runner = rig.runner
    do {
      let first = BearerControl(watch: nil, commands: commands, runner: runner)
      first.set(isUp: true)
      // A second request to open what is open does nothing.
      runner.open(opener)
      try eventually("its begin") {
        #expect(first.reports().isEmpty, Self.again)
        return lines() == ["begin"]
      }
    }
    let second = BearerControl(watch: nil, commands: commands, runner: runner)
    second.set(isUp: true)
    #expect(
      try reports(1, of: runner) == [
        LinkReport(role: .up, end: .code(5), wasTold: true)
      ], Self.again)
    try eventually("the second begin") {
      #expect(second.reports().isEmpty, Self.again)
      return lines().count == 3
    }
    #expect(lines() == ["begin", "end", "begin"], Self.again)
    second.set(isUp: false)
    #expect(try reports(1, of: runner).count == 1, Self.again)
  }

  @Test func `A command is ended by a pipe that nobody reads, as elsewhere`() throws {
    signal(SIGPIPE, SIG_IGN)
    let scratch = try ScratchFolder()
    let processes = LinkProcesses()
    processes.open(["grep", "-m", "1", "SigIgn", "/proc/self/status"].command(to: scratch))
    _ = try reports(1, of: processes)
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
