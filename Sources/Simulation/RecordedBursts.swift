import Traces
import TrackerCore

/// What a receiver said according to a recording, lump by lump, at the recorded instants.
struct RecordedBursts {
  private let path: String
  private var reader = RecordingReader(.lenient)
  /// Read and not looked at yet: from `position` on.
  private var bytes: [UInt8]
  private var position = 0
  private var isAtEnd = false
  private var zero: Instant?
  private var now = Instant.start
  private var lump: ArraySlice<UInt8> = []
  private var hasBytes = false

  /// - Parameter beginning: the first bytes of the file.
  init(path: String, beginning: [UInt8]) {
    self.path = path
    bytes = beginning
  }

  /// Moves on to the next lump and tells when it arrives; the recording begins at instant 0.
  mutating func next(from file: inout TraceFile) throws(TraceError) -> Instant? {
    while true {
      do throws(RecordingError) {
        if let recorded = try reader.next(in: bytes, from: &position) {
          return take(recorded)
        }
        if isAtEnd { break }
      } catch {
        throw TraceError(path: path, reason: .recording(error))
      }
      bytes = try file.read(upTo: 65_536)
      position = 0
      if bytes.isEmpty {
        isAtEnd = true
        // Ended wherever it may be: what there is counts.
        try? reader.endPart()
      }
    }
    if !hasBytes { throw TraceError(path: path, reason: .noSentence) }
    return nil
  }

  private mutating func take(_ recorded: Recorded) -> Instant {
    let zero = self.zero ?? reader.partBegins ?? recorded.at
    self.zero = zero
    now = max(now, .start + (recorded.at - zero))
    lump = []
    if case .bytes(let bytes, .receiver) = recorded.content { lump = bytes[...] }
    if !lump.isEmpty { hasBytes = true }
    return now
  }

  /// Copies up to `output.count` bytes of the current lump; 0 when it is used up.
  mutating func read(into output: inout MutableSpan<UInt8>) -> Int {
    let count = min(output.count, lump.count)
    for (index, byte) in lump.prefix(count).enumerated() { output[index] = byte }
    lump = lump.dropFirst(count)
    return count
  }
}
