import FirmwareHost
import Traces
import TrackerCore

/// Writes what a recorded world said to its tracker for `Tests/Firmware/Image/Tape.swift`, which
/// has the form.
struct TapeWriter {
  private var bytes: [UInt8] = []

  /// - Parameter recording: a whole one, in one part.
  static func tape(of recording: [UInt8]) throws -> [UInt8] {
    var reader = RecordingReader(.strict)
    var position = 0
    var writer = Self()
    var hasBegun = false
    while let recorded = try reader.next(in: recording, from: &position) {
      if !hasBegun, let header = reader.beginning {
        writer.sized(TapeBeginning(header))
        hasBegun = true
      }
      writer.add(recorded)
    }
    return writer.bytes
  }

  private mutating func add(_ recorded: Recorded) {
    switch recorded.content {
    // Nobody changes settings in the worlds that are played.
    case .settings, .effect, .digest, .gap: return
    case .end:
      raw(UInt8(0xFE))
      raw(recorded.at.milliseconds)
    case .event(let event):
      raw(UInt8(0xFF))
      raw(recorded.at.milliseconds)
      sized(event)
    case .bytes(let chunk, let role):
      raw(role.rawValue)
      raw(recorded.at.milliseconds)
      raw(UInt32(chunk.count))
      bytes += chunk
    }
  }

  private mutating func raw(_ value: some BitwiseCopyable) {
    withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
  }

  private mutating func sized<Value>(_ value: Value) {
    raw(UInt32(MemoryLayout<Value>.size))
    withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
  }
}

/// As the image has it.
private struct TapeBeginning {
  var board: Board
  var configuration: Configuration
  var identity: Identity

  init(_ header: RecordingHeader) {
    (board, configuration, identity) = (header.board, header.configuration, header.identity)
  }
}

extension FirmwareSettings {
  init(_ header: RecordingHeader) {
    self.init(
      board: header.board, configuration: header.configuration, identity: header.identity)
  }
}
