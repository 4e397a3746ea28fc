import CaptureStore
import Foundation
import Testing

/// A card that was copied, and goes on in another board.
@Suite(.serialized, .blocking) struct OtherBoardTests {
  /// A machine whose device tree has that serial number, with the zero byte that ends it there.
  private func machine(_ serial: String, of run: DaemonRun) throws -> [String] {
    let folder = run.folder.appendingPathComponent("machine-\(serial)")
    let tree = folder.appendingPathComponent("proc/device-tree")
    try FileManager.default.createDirectory(at: tree, withIntermediateDirectories: true)
    try Data("\(serial)\0".utf8).write(to: tree.appendingPathComponent("serial-number"))
    return ["--machine", folder.path]
  }

  @Test func `On another board a device of its own begins, and says so once`() throws {
    let run = try DaemonRun()
    run.line.walk()
    run.arguments = try machine("10000000aaaa", of: run)
    try run.startAndWait()
    try run.wait("captured sequence=2")
    run.end(SIGTERM)
    let first = try CaptureStore.openForReading(run.path("queue.db")).device

    run.arguments = try machine("10000000bbbb", of: run)
    try run.startAndWait()
    try run.wait("captured sequence=1")
    let status = try run.ask("status").output
    #expect(status.contains("earlier device:"), "\(status); \(run.command)")
    run.end(SIGTERM)
    #expect(run.logText.contains("new device identifier"), "\(run.logText); \(run.command)")
    let store = try CaptureStore.openForReading(run.path("queue.db"))
    #expect(store.device != first, "\(run.command)")
    #expect(try store.devices().count == 2, "\(run.command)")

    try run.startAndWait()
    run.end(SIGTERM)
    #expect(!run.logText.contains("new device identifier"), "\(run.logText); \(run.command)")
  }
}
