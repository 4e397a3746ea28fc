import Foundation
import TestSupport
import Testing

/// A reader that goes away, as `head` does, is not a failure of any program.
@Suite struct ClosedPipeTests {
  @Test(arguments: [
    ("trackerd", "--settings"), ("trackerd", "--help"), ("trackerctl", "--help"),
    ("trackerctl", "push --help"), ("tracker-sim", "--help"), ("tracker-sim", "replay --help"),
    ("tracker-sim", "decode --help"), ("tracker-sim", "synth --help"), ("basecamp", "--version"),
  ])
  func `Nobody reads the output, and the program ends as if somebody did`(
    _ program: String, _ words: String
  ) throws {
    let env = try #require(Tool.url("env"))
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    close(ends[0])
    // The tests may ignore SIGPIPE themselves, and what they start would inherit that.
    let run = try ProgramResult(
      running: [env.path, "--default-signal=PIPE", Built.program(program).path]
        + words.split(separator: " ").map(String.init),
      output: .file(FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)))
    let again: Comment = "repeat with: swift test --filter ClosedPipeTests"
    #expect(run.hasExited && run.code == 0, again)
    #expect(run.errors.isEmpty, "\(run.errors)")
  }
}
