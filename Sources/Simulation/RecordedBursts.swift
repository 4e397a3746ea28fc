import Traces
import TrackerCore

/// The output of a receiver from a recording, in the recorded chunks and at the recorded instants.
struct RecordedBursts {
  private let path: String
  private var reader = RecordingReader(.lenient)
  /// Bytes read; those from `position` on have not been parsed yet.
  private var bytes: [UInt8]
  private var position = 0
  private var isAtEnd = false
  private var zero: Instant?
  private var now = Instant.start
  private var chunk: ArraySlice<UInt8> = []
  private var hasBytes = false

  /// - Parameter beginning: the first bytes of the file.
  init(path: String, beginning: [UInt8]) {
    self.path = path
    bytes = beginning
  }

  /// Advances to the next chunk and returns when it arrives; the recording begins at instant 0.
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
        // A recording may end anywhere: use what there is.
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
    chunk = []
    if case .bytes(let bytes, .receiver) = recorded.content { chunk = bytes[...] }
    if !chunk.isEmpty { hasBytes = true }
    return now
  }

  /// Copies up to `output.count` bytes of the current chunk; 0 when it is used up.
  mutating func read(into output: inout MutableSpan<UInt8>) -> Int {
    let count = min(output.count, chunk.count)
    for (index, byte) in chunk.prefix(count).enumerated() { output[index] = byte }
    chunk = chunk.dropFirst(count)
    return count
  }
}
