import CommandLineSupport
import Traces
import TrackerCore

/// The output of `--record`: one file, without rotation.
final class RecordingFile: TraceSink {
  private let file: OutputFile
  private(set) var problem: FileProblem?
  let isPartFull = false

  init(path: String) throws(FileProblem) { file = try OutputFile(path: path) }

  func write(_ lines: [UInt8], at now: Instant) -> Bool {
    guard problem == nil else { return false }
    do throws(FileProblem) {
      try file.write(lines)
      return true
    } catch {
      problem = error
      return false
    }
  }

  func beginPart() {}

  func finish() {
    guard problem == nil else { return }
    do throws(FileProblem) { try file.finish() } catch { problem = error }
  }
}
