import Foundation
import Testing
import Uplink

@testable import MachineAccess

@Suite final class SecretsFileTests {
  let path = FileManager.default.temporaryDirectory
    .appendingPathComponent("trailtracker-\(UUID().uuidString).secrets").path

  deinit { unlink(path) }

  private func load(_ text: String, mode: mode_t = 0o600) throws -> SecretsFile {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    chmod(path, mode)
    return try SecretsFile.load(path)
  }

  /// The refusal's text after the path.
  private func refusal(_ text: String, mode: mode_t = 0o600) -> String? {
    do {
      _ = try load(text, mode: mode)
      return nil
    } catch {
      return "\(error)".replacingOccurrences(of: path, with: "FILE")
    }
  }

  @Test func `Names and values are read, with comments and blanks around them`() throws {
    let file = try load("# of the race\n\n user=bot\r\npassword =  a = b # c  \n")
    #expect(file.names == ["password", "user"])
    #expect(file["user"] == Secret("bot"))
    #expect(file["password"] == Secret("a = b # c"))
    #expect(file["token"] == nil)
  }

  @Test func `A password may hold commas and equals signs`() throws {
    let file = try load("password = a, b = c; d, pins = 7, pin\npin = 1234")
    #expect(file["password"] == Secret("a, b = c; d, pins = 7, pin"))
    #expect(file["pin"] == Secret("1234"))
  }

  @Test(arguments: [0o640, 0o604, 0o660, 0o644, 0o610])
  func `A file that others may read is refused`(_ mode: mode_t) {
    #expect(
      refusal("a = b", mode: mode) == "FILE: is readable by others; protect it with chmod 600")
  }

  @Test func `A file that only its owner may read serves`() throws {
    #expect(try load("a = b", mode: 0o400).names == ["a"])
  }

  @Test(arguments: [
    ("hunter2", "FILE:1: has no \"=\"; write name = value"),
    ("a = b\n= hunter2", "FILE:2: has no plain name before \"=\"; write name = value"),
    ("hunter 2 = x", "FILE:1: has no plain name before \"=\"; write name = value"),
    ("a =  ", "FILE:1: has no value after \"=\"; write it or remove the line"),
    ("a = b\na = hunter2", "FILE:2: defines a name twice; remove one"),
    (
      "# x\npassword = hunter2, pin = 1234",
      "FILE:2: has two secrets; write each on its own line"
    ),
    ("pin=1234;Token=abc", "FILE:1: has two secrets; write each on its own line"),
    ("a = \0", "FILE: is not text; write it in UTF-8"),
    (
      String(repeating: "#", count: MachineBounds.secretsFileBytes + 1),
      "FILE: is larger than 64 KiB; use a file of names and values"
    ),
  ])
  func `A line that is none is named, not shown`(_ text: String, _ expected: String) {
    #expect(refusal(text) == expected, "repeat with: swift test --filter SecretsFileTests")
  }

  @Test func `What is no file is refused`() {
    #expect(throws: SecretsError.self) { try SecretsFile.load("/") }
    #expect(throws: SecretsError.self) { try SecretsFile.load("/dev/zero") }
    #expect(
      throws: SecretsError.self, performing: { try SecretsFile.load(self.path + "/nowhere") })
  }

  @Test func `A path through a file is to be checked, whoever runs it`() throws {
    try Data().write(to: URL(fileURLWithPath: path))
    let inside = path + "/secrets"
    let error = #expect(throws: SecretsError.self) { try SecretsFile.load(inside) }
    #expect(error?.message == "cannot be read: Not a directory; check the path")
  }

  @Test func `No way of printing shows a secret`() throws {
    let file = try load("password = hunter2")
    var dumped = ""
    dump(file, to: &dumped)
    let secret = try #require(file["password"])
    dump(secret, to: &dumped)
    let all = "\(file) \(secret) \(String(reflecting: file)) \(dumped)"
    #expect(!all.contains("hunter2"), "\(all)")
  }
}
