import Foundation
import SystemCalls
import TestSupport
import Testing

/// A file with a secret, which nobody else may read.
@Suite struct ReadSecretTests {
  private let again: Comment = "repeat with: swift test --filter ReadSecretTests"

  @Test(arguments: [0o600, 0o400])
  func `A file that only its owner may read is read up to its limit`(_ mode: Int) throws {
    let scratch = try ScratchFolder()
    let path = try scratch.write("a", "secret", mode: mode)
    #expect(try readSecret(path, atMost: 6) == Array("secret".utf8), again)
    #expect(throws: SecretError.tooLarge, again) { try readSecret(path, atMost: 5) }
  }

  @Test(arguments: [0o640, 0o604, 0o620, 0o602, 0o644, 0o610])
  func `A file that others may read or write is refused`(_ mode: Int) throws {
    let scratch = try ScratchFolder()
    let path = try scratch.write("a", "secret", mode: mode)
    #expect(throws: SecretError.unprotected, again) { try readSecret(path, atMost: 6) }
    // What a link is allowed to everybody says nothing.
    let link = scratch.path("link")
    #expect(symlink(path, link) == 0)
    #expect(throws: SecretError.unprotected, again) { try readSecret(link, atMost: 6) }
  }

  @Test func `What is not a file is refused, and not waited for`() throws {
    let scratch = try ScratchFolder()
    let pipe = scratch.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(throws: SecretError.notRegular, again) { try readSecret(pipe, atMost: 6) }
    #expect(throws: SecretError.notRegular, again) {
      try readSecret(scratch.url.path, atMost: 6)
    }
    let missing = scratch.path("a")
    #expect(throws: SecretError.system(SystemError("open", missing, code: ENOENT)), again) {
      try readSecret(missing, atMost: 6)
    }
  }

  /// The kernel's file of this process's memory, of which the first page is never there.
  @Test func `A file that fails while it is read is named with the call`() {
    let path = "/proc/self/mem"
    #expect(throws: SecretError.system(SystemError("read", path, code: EIO)), again) {
      try readSecret(path, atMost: 6)
    }
    #expect(throws: ReadError.system(SystemError("read", path, code: EIO)), again) {
      try readWhole(path, atMost: 6)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root may give a file away"))
  func `A file of somebody else is refused`() throws {
    let scratch = try ScratchFolder()
    let path = try scratch.write("a", "secret")
    #expect(chown(path, 65_534, 65_534) == 0)
    #expect(throws: SecretError.otherOwner, again) { try readSecret(path, atMost: 6) }
  }
}
