import Foundation
import Testing

@testable import BoardSupport

@Suite("A file that cannot be used is one line with its cure")
struct UnreadableFileTests {
  /// The error for a file of these bytes, without the directory's name.
  private func error(_ bytes: [UInt8], mode: Int = 0o644) throws -> String? {
    var result: String?
    try Fixture.withDirectory { directory in
      let path = directory + "/x.json5"
      try Data(bytes).write(to: URL(filePath: path))
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      result = Fixture.line { () throws(FileError) in _ = try FileNode.load(path: path) }?
        .replacing(directory + "/", with: "")
    }
    return result
  }

  @Test("missing")
  func missing() {
    let found = Fixture.line { () throws(FileError) in _ = try FileNode.load(path: "no/x.json5") }
    #expect(
      found == "no/x.json5: does not exist; check the name and the current directory")
  }

  @Test("without a path")
  func noPath() {
    let found = Fixture.line { () throws(FileError) in _ = try FileNode.load(path: "") }
    #expect(
      found == "(no path): does not exist; check the name and the current directory")
  }

  @Test("below something that is no directory")
  func notADirectory() {
    let found = Fixture.line { () throws(FileError) in
      _ = try FileNode.load(path: "/dev/null/x.json5")
    }
    #expect(
      found
        == "/dev/null/x.json5: does not exist: part of the path is not a directory; check the path")
  }

  @Test("a directory")
  func directory() {
    let found = Fixture.line { () throws(FileError) in _ = try FileNode.load(path: "/tmp") }
    #expect(found == "/tmp: is a directory; use the file inside it")
  }

  @Test("without permission", .enabled(if: geteuid() != 0, "root may read everything"))
  func permission() throws {
    let found = try error(Array("{}".utf8), mode: 0)
    #expect(found == "x.json5: is not readable; allow it with chmod a+r, or run as its owner")
  }

  @Test("without permission, as the system's code tells it")
  func permissionCode() {
    #expect(
      fileError("x", code: EACCES).description
        == "x: is not readable; allow it with chmod a+r, or run as its owner")
  }

  @Test("empty, or nothing but blanks", arguments: ["", " \n\t\r\n", "\u{FEFF}\n"])
  func empty(_ text: String) throws {
    #expect(
      try error(Array(text.utf8)) == "x.json5: is empty; write { … } with at least one key")
  }

  @Test("binary")
  func binary() throws {
    let expected = "x.json5: is not text; use a JSON5 file in UTF-8"
    #expect(try error([0xB5, 0x62, 0x01, 0x07, 0x5C, 0x00]) == expected)
    #expect(try error(Array("{ a: \"caf".utf8) + [0xE9] + Array("\" }".utf8)) == expected)
    #expect(try error([0x7B, 0x00, 0x7D]) == expected)
  }

  @Test("larger than the bound, and endless")
  func tooLarge() throws {
    let expected = "is larger than 1 MiB; use a JSON5 file, which has a few kilobytes"
    let blank = UInt8(ascii: " ")
    let full = Array("{}".utf8) + [UInt8](repeating: blank, count: FileBounds.bytes - 2)
    #expect(try error(full) == nil)
    #expect(try error(full + [blank]) == "x.json5: " + expected)
    let endless = Fixture.line { () throws(FileError) in _ = try FileNode.load(path: "/dev/zero") }
    #expect(endless == "/dev/zero: " + expected)
  }

  @Test("a file's content cannot break the line or steer the terminal")
  func controlCharacters() {
    let found = Fixture.configurationError("{ accuracy: '\\u001b[2J\\n\\u2028' }")
    #expect(
      found == "x.json5:1: accuracy: \"\\u{1B}[2J\\n\\u{2028}\" is not a distance; "
        + "write for example \"200 m\"")
  }
}
