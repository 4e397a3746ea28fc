import Foundation
import Testing

/// A conversation with `tracker-sim --console` through a pipe.
struct ConsoleRun {
  private let run: ProgramRun
  var code: Int32 { run.code }
  var output: String { run.output }
  var errors: String { run.errors }
  var command: String { run.command }

  /// - Parameter arguments: beside the trace of the race.
  init(_ lines: [String], _ arguments: [String] = []) throws {
    let folder = try ScratchFolder()
    let input = try folder.write("lines", lines.map { $0 + "\n" }.joined())
    let file = try #require(FileHandle(forReadingAtPath: input))
    run = try ProgramRun(
      ["--trace", Repository.path("traces/race.nmea"), "--console"] + arguments, input: file)
  }
}
