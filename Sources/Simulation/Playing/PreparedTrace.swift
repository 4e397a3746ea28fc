import Traces
import TrackerCore

/// A trace that has been split into its bursts, for many races that play it at the same time.
public final class PreparedTrace: Sendable {
  struct Burst: Sendable {
    var at: Instant
    /// In `bytes`; it begins at the end of the one before.
    var end: Int
  }

  let bytes: [UInt8]
  let bursts: [Burst]

  /// - Throws: if the file cannot be read, or is not a trace.
  public convenience init(path: String) throws(TraceError) {
    try self.init(TracePlayer(path: path))
  }

  /// - Throws: if there is no sentence in it.
  convenience init(_ bytes: [UInt8]) throws(TraceError) {
    try self.init(TracePlayer(TraceFile(bytes)))
  }

  /// - Parameter bursts: in the order of their times.
  init(bytes: [UInt8], bursts: [Burst]) {
    self.bytes = bytes
    self.bursts = bursts
  }

  private init(_ trace: consuming TracePlayer) throws(TraceError) {
    var player = trace
    var bytes: [UInt8] = []
    var bursts: [Burst] = []
    bytes.reserveCapacity(Int(player.totalBytes ?? 0))
    var piece = InlineArray<1024, UInt8>(repeating: 0)
    while let at = try player.nextBurst() {
      while true {
        var free = piece.mutableSpan
        let count = player.read(into: &free)
        if count == 0 { break }
        for index in 0..<count { bytes.append(piece[index]) }
      }
      bursts.append(Burst(at: at, end: bytes.count))
    }
    self.bytes = bytes
    self.bursts = bursts
  }

  /// A synthetic walk along the built-in course, which stands still at its end for the rest of the
  /// time.
  ///
  /// - Parameters:
  ///   - interval: the time between two reports of the receiver.
  ///   - pace: of a fresh team by day on the flat, km/h; `nil`: the usual one.
  /// - Throws: nothing but what the synthesizer's tests rule out.
  public static func walk(
    _ duration: Milliseconds, every interval: Milliseconds, seed: UInt64, pace: Double? = nil
  ) throws -> PreparedTrace {
    var options = SynthOptions()
    options.duration = duration
    options.interval = interval
    options.seed = seed
    if let pace { options.paceKilometresPerHour = pace }
    var synthesizer = try Synthesizer(options: options, course: .olotToTheSea, command: "plan")
    var bytes: [UInt8] = []
    while let chunk = synthesizer.nextChunk() { bytes += chunk }
    return try PreparedTrace(bytes)
  }
}

/// A race's place in a prepared trace.
struct PreparedBursts {
  private let trace: PreparedTrace
  private var next = 0
  /// The part of the current burst that has not been read yet.
  private var burst = 0..<0

  init(_ trace: PreparedTrace) { self.trace = trace }

  /// Advances to the next burst and returns when it arrives.
  mutating func advance() -> Instant? {
    guard next < trace.bursts.count else { return nil }
    let start = next == 0 ? 0 : trace.bursts[next - 1].end
    burst = start..<trace.bursts[next].end
    next += 1
    return trace.bursts[next - 1].at
  }

  /// Copies up to `output.count` bytes of the current burst; 0 when it is used up.
  mutating func read(into output: inout MutableSpan<UInt8>) -> Int {
    let count = min(output.count, burst.count)
    if count == 0 { return 0 }
    let part = burst.lowerBound..<burst.lowerBound + count
    trace.bytes.withUnsafeBytes { bytes in
      output.withUnsafeMutableBytes {
        $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[part]))
      }
    }
    burst = part.upperBound..<burst.upperBound
    return count
  }
}

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
