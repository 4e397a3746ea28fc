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
    let process = Process()
    process.executableURL = env
    // The tests may ignore SIGPIPE themselves, and what they start would inherit that.
    process.arguments =
      ["--default-signal=PIPE", Built.program(program).path]
      + words.split(separator: " ").map(String.init)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let again: Comment = "repeat with: swift test --filter ClosedPipeTests"
    #expect(process.terminationReason == .exit && process.terminationStatus == 0, again)
    #expect(said.isEmpty, "\(said)")
  }
}
