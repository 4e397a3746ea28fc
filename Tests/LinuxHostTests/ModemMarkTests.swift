import Foundation
import LinuxHost
import Testing

/// That a modem was used outlives the program that used it.
@Suite struct ModemMarkTests {
  @Test func `A modem that is not used any more is told of once`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("mark-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let mark = ModemMark(path: folder.appendingPathComponent("queue.db.modem").path)
    #expect(!mark.renew(isUsed: false), "it never was")
    #expect(!mark.renew(isUsed: true) && !mark.renew(isUsed: true))
    #expect(mark.renew(isUsed: false))
    #expect(!mark.renew(isUsed: false))
    let nowhere = ModemMark(path: folder.appendingPathComponent("none/queue.db.modem").path)
    #expect(!nowhere.renew(isUsed: true) && !nowhere.renew(isUsed: false))
  }
}
