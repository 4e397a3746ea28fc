import Foundation
import TestSupport
import Testing

@testable import FirstSetup

@Suite struct EnvironmentTextTests {
  @Test func `The board is exchanged, everything else stays`() throws {
    let old = "# BOARD=no\n; BOARD=no\nBOARD=a\nOPTIONS=--record \\\n BOARD=x\nBOARD='b' \n"
    #expect(EnvironmentText.value(of: "BOARD", in: old) == "b")
    #expect(EnvironmentText.value(of: "OPTIONS", in: old) == "--record  BOARD=x")
    let new = try #require(EnvironmentText.setting("BOARD", to: "pi-4b+ina219", in: old))
    #expect(
      new == "# BOARD=no\n; BOARD=no\nBOARD=a\nOPTIONS=--record \\\n BOARD=x\nBOARD=pi-4b+ina219\n")
    #expect(EnvironmentText.setting("BOARD", to: "b", in: old) == old)
  }

  @Test func `A file written where there is none is what the package installs`() throws {
    let packaged = Built.repository.appendingPathComponent(".ci/debian/trackerd.default")
    #expect(EnvironmentText.template == (try String(contentsOf: packaged, encoding: .utf8)))
  }

  @Test func `A file without the variable or without an end of line gets a line`() {
    #expect(EnvironmentText.setting("BOARD", to: "a", in: "") == "BOARD=a\n")
    #expect(EnvironmentText.setting("BOARD", to: "a", in: "X=1") == "X=1\nBOARD=a\n")
    #expect(EnvironmentText.setting("X", to: "2", in: "X=1") == "X=2")
  }

  @Test(arguments: [
    "/boards/our own.json5", "a; reboot", "$(reboot)", "`reboot`", #"a"b"#, #"a\b"#, "a#b", "'a'",
    "à 🦅", "", "a\\",
  ])
  func `A value comes back as it was, and a shell finds no command in it`(_ value: String) throws {
    let text = try #require(EnvironmentText.setting("BOARD", to: value, in: "BOARD=x\nOPTIONS=\n"))
    #expect(EnvironmentText.value(of: "BOARD", in: text) == value)
    #expect(EnvironmentText.value(of: "OPTIONS", in: text) == "")
    let scratch = try ScratchFolder()
    let file = try scratch.write("environment", text)
    let shell = try ProgramResult(
      executable: URL(fileURLWithPath: "/bin/sh"),
      ["-c", ". '\(file)'; printf %s \"$BOARD\""])
    #expect(shell.output == value)
  }

  @Test(arguments: ["a\nOPTIONS=--speed 9", "a\r", "a\u{0}b"])
  func `A value of several lines is refused`(_ value: String) {
    #expect(EnvironmentText.setting("BOARD", to: value, in: "") == nil)
  }
}
