import CardStore
import CommandLineSupport
import Reports
import Traces
import TrackerCore
import Wording

// `tracker-sim replay CARD`: the recordings on a controller's card, one after the other.
extension Replay {
  /// - Returns: `nil` unless a card is given, which is then the only operand.
  static func card(_ operands: [String]) throws -> (path: String, recordings: [RecordingBlocks])? {
    for path in operands {
      guard let recordings = CardTape.recordings(on: path) else { continue }
      guard operands.count == 1 else { throw UsageError(SimPhrase.oneCard.texts(path)) }
      guard !recordings.isEmpty else { throw UsageError(SimPhrase.noRecording.texts(path)) }
      return (path, recordings)
    }
    return nil
  }

  /// - Parameter copy: where the newest is written as a recording of lines.
  func repeatAll(
    _ recordings: [RecordingBlocks], on path: String, copyTo copy: String?
  ) throws -> Int32 {
    var code: Int32 = 0
    for blocks in recordings {
      do {
        code = max(code, try play(.open(path, blocks), on: path))
      } catch let error as RecordingError {
        // What is left of it cannot be repeated; the others can.
        guard error.problem == .beginningOverwritten, blocks != recordings.last else {
          throw ReplayError(path: path, error: error)
        }
        complain("\(path) \(error.message)")
      }
    }
    if let copy, let newest = recordings.last { try Self.copy(newest, on: path, to: copy) }
    return code
  }

  private func play(_ tape: consuming CardTape, on path: String) throws -> Int32 {
    let beginning = tape.beginning
    return try play(
      ReplayHost(tape, at: beginning.instant, hasDigests: true), beginning, of: [path])
  }

  private static func copy(
    _ blocks: RecordingBlocks, on path: String, to copy: String
  ) throws {
    let file = try RecordingFile(path: copy)
    let tape = try CardTape.open(path, blocks)
    let beginning = tape.beginning
    var tracker = beginning.tracker
    var host = Observed(
      ReplayHost(tape, at: beginning.instant, hasDigests: true),
      by: Recorder(beginning, into: file))
    TrackerCore.run(&tracker, in: &host)
    if let problem = file.problem { throw problem }
  }
}
