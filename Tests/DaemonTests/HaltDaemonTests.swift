import CaptureStore
import Foundation
import SystemCalls
import TestSupport
import Testing
import TrackerCore

@testable import LinuxHost

/// The real daemon on a machine that is halted between captures: a clock in a folder laid out as
/// sysfs is, and a helper that ends the daemon instead of the machine.
@Suite(.serialized, .blocking) struct HaltDaemonTests {
  private let again: Comment = "repeat with: swift test --filter HaltDaemonTests"

  /// The usual board, woken by a clock, with times that suit a test.
  private func board(for run: DaemonRun, wake: String) throws {
    let usual = Built.repository.appendingPathComponent("boards/pi-zero-2w-sim7600/board.json5")
    let halt = [
      "clock: { value: 'rtc0'", "current: { value: '0 mA'", "wake: { value: '\(wake)'",
      "wakeCurrent: { value: '0 mA'", "stop: { value: '0 s'", "keeps: { value: ['receiver']",
    ].map { "\($0), source: 'a test' }" }.joined(separator: ", ")
    let text = try String(contentsOf: usual, encoding: .utf8)
      .replacingOccurrences(of: "\n  combines:", with: "\n  halt: { \(halt) },\n  combines:")
    run.board = run.path("board.json5")
    try Data(text.utf8).write(to: URL(fileURLWithPath: run.board))
  }

  private func run(
    _ tree: ClockTree, to camp: CampServer, wake: String = "0 s"
  ) throws -> DaemonRun {
    let run = try DaemonRun()
    try board(for: run, wake: wake)
    run.arguments = ["--machine", tree.root, "--halt-helper", run.path("halt")]
    run.server = "http://127.0.0.1:\(camp.port)/arcgis/rest/services/TrailWalker/FeatureServer/0"
    run.settings["capture"] = "{ policy: 'standard', interval: '90 s' }"
    run.settings["bearer"] = "'none'"
    run.settings["sleep"] = "'halt'"
    return run
  }

  /// Serves the daemon's orders until the test ends.
  private final class Helper: @unchecked Sendable {
    private let lock = NSLock()
    private var hasEnded = false
    func end() { lock.withLock { hasEnded = true } }

    init(_ run: DaemonRun, _ tree: ClockTree) throws {
      let number = try #require(UnixAddress(run.path("halt"))).listener(backlog: 4).release()
      let root = tree.root
      nonisolated(unsafe) let daemon = run
      Thread.detachNewThread { [self] in
        let listener = Descriptor(owning: number)
        let machine = MachineHalt(root: root) { () throws(SystemError) in daemon.signal(SIGTERM) }
        while !lock.withLock({ hasEnded }) {
          _ = HaltHelper.serveNext(listener, machine, for: realUser)
        }
      }
    }
  }

  /// In real time, as nothing is halted in a rehearsal: 100 s.
  @Test func `It sets the alarm, is ended, and goes on after it as if it had been awake`() throws {
    let scratch = try ScratchFolder()
    let camp = try CampServer(folder: scratch.url)
    let tree = try ClockTree(in: scratch.url.appendingPathComponent("machine"))
    let run = try run(tree, to: camp)
    let helper = try Helper(run, tree)
    defer {
      // The helper's thread waits for another order, and keeps it.
      run.end()
      helper.end()
      tree.end()
    }
    run.line.walk()
    try run.startAndWait()
    try run.wait("captured sequence=1")
    try run.waitUntilExit()
    #expect(run.code == 0 && run.logText.contains("halting the machine"), "\(run.logText)")
    #expect(run.logText.contains("upload finished"), "\(run.logText)")
    let alarm = try #require(tree.alarm, "\(run.logText)")
    #expect((60...90).contains(alarm - ClockTree.now), "\(alarm - ClockTree.now) s; \(again)")
    try eventually("the alarm", within: 120) { tree.alarm == nil }

    try run.startAndWait()
    let why = try run.ask("why").output
    #expect(why.contains("computer asleep, as planned"), "\(why); \(again)")
    #expect(!why.contains("switched off"), "\(why); \(again)")
    let status = try run.status()
    #expect(status.contains("to keep it awake: set sleep never"), "\(status); \(again)")
    try run.wait("captured sequence=2")
    // Somebody has asked: it stays awake, although the next capture is more than a minute away.
    try run.wait("somebody is using trackerctl")
    let log = run.logText
    // The same session, without a capture or a contact before their time.
    #expect(!log.contains("upload finished"), "\(log)")
    let store = try CaptureStore.openForReading(run.path("queue.db"))
    let times = try store.page(after: 0, limit: 10).compactMap(\.capture.utc?.milliseconds)
    #expect(times.count == 2 && (88_000...92_000).contains(times[1] - times[0]), "\(times); \(log)")
    #expect(try run.ask("set", "sleep", "never").output.contains("never"), again)
    #expect(try !run.status().contains("sleep:"), again)
  }

  /// In real time: 100 s. Nothing but the contact keeps it awake when the order comes.
  @Test func `What the control room has ordered is done before it is halted again`() throws {
    let scratch = try ScratchFolder()
    let camp = try CampServer(folder: scratch.url)
    let tree = try ClockTree(in: scratch.url.appendingPathComponent("machine"))
    // It has run for longer than it stays awake in any case when the next capture is due.
    let run = try run(tree, to: camp, wake: "8 s")
    run.settings["transmit"] = "{ interval: '90 s' }"
    run.settings["remote"] = "['capture']"
    let helper = try Helper(run, tree)
    defer {
      run.end()
      helper.end()
      tree.end()
    }
    run.line.walk()
    try run.startAndWait()
    try run.wait("captured sequence=1")
    try run.waitUntilExit()
    _ = try camp.room("/room/messages", "tracker=\(try run.device())&order=1&by=Marta&text=capture")
    try eventually("the alarm", within: 120) { tree.alarm == nil }
    try run.startAndWait()
    try run.wait("the control room ordered")
    try run.waitUntilExit()
    let store = try CaptureStore.openForReading(run.path("queue.db"))
    let triggers = try store.page(after: 0, limit: 10).map(\.capture.trigger)
    #expect(triggers == [.start, .interval, .command], "\(run.logText); \(again)")
  }

  @Test func `A clock that takes no alarm keeps it awake, and people are told`() throws {
    let scratch = try ScratchFolder()
    let camp = try CampServer(folder: scratch.url)
    let tree = try ClockTree(in: scratch.url.appendingPathComponent("machine"))
    defer { tree.end() }
    try tree.refuseAlarms()
    let run = try run(tree, to: camp)
    let helper = try Helper(run, tree)
    defer {
      run.end()
      helper.end()
    }
    run.settings["language"] = "'en'"
    run.line.walk()
    try run.startAndWait()
    try run.wait("the clock's alarm cannot be used; the machine stays awake")
    try run.wait("captured sequence=1")
    try run.wait("the machine is not halted")
    let status = try run.status()
    #expect(status.contains("sleep:          the computer stays awake"), "\(status); \(again)")
    let test = try run.ask("self-test").output
    #expect(test.contains("wake-up alarm   FAILED"), "\(test); \(again)")
    #expect(run.isRunning, again)
  }
}
