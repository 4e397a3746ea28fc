import Foundation
import TestSupport
import Testing

/// A technician's round at a real terminal, whatever has befallen the tracker: whose it is, whether
/// it may go, what it holds, why, what to do; and well again in the same console.
@Suite(.serialized, .blocking) struct RoundTests {
  private typealias Kind = TechnicianTerminal.Kind

  /// What has befallen a tracker, what the console says of it, and its cure.
  struct Fate: Sendable, CustomTestStringConvertible {
    var name: String
    var happens: @Sendable (RoundRig) throws -> Void = { _ in }
    /// The verdict, and all else that is on the first screen.
    var verdict: String
    var first: [String]
    var order: (line: String, answer: String)
    var ends: @Sendable (RoundRig) throws -> Void = { _ in }
    var testDescription: String { name }
  }

  private static let absent = "trackerd does not answer, and nothing was done; type status"

  static let fates: [Fate] = [
    Fate(
      // Just when a capture is due, no time is named for the next.
      name: "alive", verdict: "GO", first: ["position:       42.", "every 10 s"],
      order: ("set accuracy 50m", "accuracy: 50 m; it was 200 m")),
    Fate(
      name: "stopped",
      happens: { _ = try $0.run.told("stop", "--yes") },
      verdict: "NO-GO: session stopped", first: ["do:             type: start"],
      order: ("start", "session begun")),
    Fate(
      name: "hung", happens: { $0.run.signal(SIGSTOP) }, verdict: "NO-GO",
      first: [
        "trackerd does not answer: process ", " is stopped (SIGSTOP); last sign of",
        "do:             wait 1 min; if it stays so: sudo systemctl restart trackerd",
        " captures safe on the disk; ", "last words:     ",
      ],
      order: ("set interval 5min", absent), ends: { $0.run.signal(SIGCONT) }),
    Fate(
      name: "killed", happens: { try $0.kill() }, verdict: "NO-GO",
      first: [
        "trackerd does not run, for ", " s: systemd: failed, signal 9",
        "do:             sudo systemctl restart trackerd",
        " captures safe on the disk; ", "last words:     ",
      ],
      order: ("set interval 5min", absent), ends: { try $0.start() }),
    Fate(
      name: "full disk", happens: { try $0.fillDisk() },
      verdict: "NO-GO: captures cannot be stored: the disk is full",
      first: ["do:             make room on the disk, or change the card"],
      order: ("set accuracy 50m", "nothing was changed: "), ends: { try $0.emptyDisk() }),
  ]

  @Test(
    .enabled(if: RoundRig.canRun, "\(RoundRig.reason)"),
    arguments: fates, TechnicianTerminal.Kind.allCases)
  func `The round is made, whatever has befallen the tracker`(
    _ fate: Fate, _ kind: TechnicianTerminal.Kind
  ) throws {
    let again: Comment = "\(fate.name), \(kind); repeat with: swift test --filter RoundTests"
    let rig = try RoundRig(hasSmallDisk: fate.name == "full disk")
    try fate.happens(rig)
    let terminal = try TechnicianTerminal(kind, in: rig.shell, folder: rig.run.folder)
    let first = try terminal.connect()
    let lines = first.split(separator: "\n", omittingEmptySubsequences: false)
    let head = lines.first { $0.hasPrefix("Els Caminants  ") } ?? ""
    #expect(head.contains("  \(fate.verdict)"), "\(first)\n\(again)")
    for text in fate.first { #expect(first.contains(text), "no '\(text)':\n\(first)\n\(again)") }
    #expect(lines.count <= 24 && lines.allSatisfy { $0.count <= 80 }, "\(first)\n\(again)")

    let round = [
      ("captures", " captures: "), ("why", "now: \(fate.verdict)"),
      ("proof", "complete: none is missing"), ("help", "  exit   "),
      (fate.order.line, fate.order.answer),
    ]
    for (line, wanted) in round {
      let answer = try terminal.answer(to: line)
      #expect(answer.contains(wanted), "\(line):\n\(answer)\n\(again)")
    }

    try fate.ends(rig)
    let limit = Date(timeIntervalSinceNow: 20)
    var status = ""
    while !status.contains("  GO") && Date() < limit { status = try terminal.answer(to: "status") }
    #expect(status.contains("  GO"), "\(status)\n\(again)")
    #expect(try terminal.leaves(with: "quit"), again)
  }
}

extension DaemonRun {
  fileprivate func told(_ words: String...) throws -> ProgramResult {
    let result = try ProgramResult("trackerctl", words + ["--socket", path("run/control")])
    guard result.code == 0 else { throw Problem("\(words): \(result.errors)") }
    return result
  }
}
