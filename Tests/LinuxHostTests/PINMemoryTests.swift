import Foundation
import LinuxHost
import Testing

/// That a PIN was tried outlives the program that tried it.
@Suite struct PINMemoryTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("pin-\(UUID().uuidString)")
  private let again: Comment = "repeat with: swift test --filter PINMemoryTests"

  private func memory(_ pin: String? = nil) throws -> PINMemory {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let secrets = folder.appendingPathComponent("secrets")
    if let pin { try Data("pin = \(pin)\n".utf8).write(to: secrets) }
    return PINMemory(
      path: folder.appendingPathComponent("queue.db.pin").path, secrets: secrets.path)
  }

  @Test func `A PIN that was tried stays tried until a SIM accepts it`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let first = try memory("1234")
    #expect(!first.isTried, again)
    #expect(first.remember(isTried: true), again)
    #expect(try memory().isTried, again)
    #expect(try memory().remember(isTried: false), again)
    #expect(try !memory().isTried, again)
  }

  @Test func `Another PIN may be tried`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(try memory("1234").remember(isTried: true), again)
    #expect(try !memory("56789").isTried, again)
  }

  @Test func `A mark that a power cut left empty counts as tried`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let memory = try memory("1234")
    try Data().write(to: folder.appendingPathComponent("queue.db.pin"))
    #expect(memory.isTried, again)
  }

  @Test func `What cannot be kept is said`() {
    let memory = PINMemory(path: "/nowhere/queue.db.pin", secrets: "/nowhere/secrets")
    #expect(!memory.remember(isTried: true), again)
  }
}
