import CardStore
import CommandLineSupport
import Reports
import SystemCalls
import Traces
import TrackerCore
import Wording

// `tracker-sim replay CARD`: the recordings on a controller's card, one after the other.
extension Replay {
  /// - Returns: `nil` unless a card is given, which is then the only operand.
  static func card(_ operands: [String]) throws -> (path: String, recordings: [RecordingBlocks])? {
    for path in operands {
      guard let recordings = CardTape.recordings(on: path) else {
        // What follows would read it to its end as lines.
        if (try? FileStatus(path))?.kind == .blockDevice {
          throw UsageError(SimPhrase.noCard.texts(path))
        }
        continue
      }
      guard operands.count == 1 else { throw UsageError(SimPhrase.oneCard.texts(path)) }
      guard !recordings.isEmpty else { throw UsageError(SimPhrase.noRecording.texts(path)) }
      return (path, recordings)
    }
    return nil
  }

  /// Refuses outputs that would overwrite an input, above all a card, or each other.
  static func refuseOverwriting(_ arguments: Arguments) throws {
    let copy = arguments.text(.cardCopy)
    if copy == "-" { throw UsageError(SimPhrase.notStandardOutput.texts("--record")) }
    for (name, output) in [("--events", arguments.text(.events)), ("--record", copy)] {
      guard let output, output != "-", let status = try? FileStatus(output) else { continue }
      for input in arguments.operands where (try? FileStatus(input))?.isSame(as: status) == true {
        throw UsageError(SimPhrase.isInput.texts(name, output))
      }
      if name == "--record" { throw UsageError(SimPhrase.exists.texts(name, output)) }
    }
    if let copy, copy == arguments.text(.events) {
      throw UsageError(SimPhrase.sameOutput.texts(copy))
    }
  }

  /// Each by itself: what cannot be repeated does not keep the others from it.
  ///
  /// - Parameter copy: where the newest is written as a recording of lines.
  func repeatAll(
    _ recordings: [RecordingBlocks], on path: String, copyTo copy: String?
  ) throws -> Int32 {
    var code: Int32 = 0
    for (index, blocks) in recordings.enumerated() {
      let tape: CardTape
      do throws(CardTape.Trouble) {
        tape = try CardTape.open(path, blocks)
      } catch {
        complain("\(path) recording \(index + 1) of \(recordings.count): \(error.message)")
        // Older ones are overwritten, or short, as a matter of course.
        if blocks == recordings.last || error.isOfFirmware { code = 2 }
        continue
      }
      code = max(code, try play(tape, on: path))
    }
    if let copy, let newest = recordings.last { try Self.copy(newest, on: path, to: copy) }
    return code
  }

  private func play(_ tape: consuming CardTape, on path: String) throws -> Int32 {
    let beginning = tape.beginning
    return try play(
      ReplayHost(tape, at: beginning.instant, comparing: .digests), beginning, of: [path])
  }

  /// Writes all that came; with it what this program's core, and no other, makes of that.
  private static func copy(
    _ blocks: RecordingBlocks, on path: String, to copy: String
  ) throws {
    let tape: CardTape
    do { tape = try CardTape.open(path, blocks) } catch { return }
    let beginning = tape.beginning
    let file = try RecordingFile(path: copy)
    var tracker = beginning.tracker
    var host = Observed(
      ReplayHost(tape, at: beginning.instant, comparing: .nothing),
      by: BrokenOffRecorder(recorder: Recorder(beginning, into: file)))
    TrackerCore.run(&tracker, in: &host)
    if let problem = file.problem { throw problem }
  }
}

/// A recorder whose recording has no end, as that which it copies.
private struct BrokenOffRecorder: HostObserver {
  var recorder: Recorder<RecordingFile>

  mutating func received(_ bytes: Span<UInt8>, from role: SerialRole, at now: Instant) {
    recorder.received(bytes, from: role, at: now)
  }

  mutating func received(_ settings: NewSettings, at now: Instant) {
    recorder.received(settings, at: now)
  }

  mutating func arrived(_ arrival: Arrival, at now: Instant) {
    if arrival == .end { recorder.breakOff(at: now) } else { recorder.arrived(arrival, at: now) }
  }

  mutating func pushed(_ effect: Effect, at now: Instant) { recorder.pushed(effect, at: now) }

  mutating func remembered(_ memory: Memory, at now: Instant) {
    recorder.remembered(memory, at: now)
  }
}
