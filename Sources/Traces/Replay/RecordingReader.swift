import TrackerCore

/// Reads a recording: lines go in; the tracker's input comes out, in the same chunks, at the same
/// instants and in the same order, along with its effects.
public struct RecordingReader {
  /// How strictly it reads.
  public enum Manner: Sendable {
    /// All parts from the first on, without gaps, as a replay needs them.
    case strict
    /// Any part by itself, and only the receiver's bytes; damage is skipped.
    case lenient
  }

  /// The content of the header once it has been read; always `nil` in the lenient manner.
  public internal(set) var beginning: RecordingHeader?
  public internal(set) var label: RecordingLabel?
  /// The instant at which the current part begins.
  public internal(set) var partBegins: Instant?
  /// The recording ended with an incomplete or damaged line, as after a power cut.
  public var isCut: Bool { brokenAt != nil }

  let manner: Manner
  var line = 0
  /// The line at which the recording breaks off, unless more follows.
  private var brokenAt: Int?
  /// The beginning of an incomplete line.
  private var carry: [UInt8] = []
  /// The beginning of a record that continues in the next sentence.
  private var begun: [UInt8] = []
  var settings: [String: [UInt8]] = [:]
  var date: TraceDate?
  var lastInstant: Instant?
  var queue = ReplayQueue()

  public init(_ manner: Manner) { self.manner = manner }

  /// Whether a file that begins with these bytes is a recording: comments, then our header.
  public static func isRecording(_ beginning: [UInt8]) -> Bool {
    var start = 0
    while start < beginning.count, beginning[start] == .hash {
      start = (beginning[start...].firstIndex(of: .lineFeed) ?? beginning.count) + 1
    }
    return start < beginning.count && beginning[start...].starts(with: "$PTRKH,recording".utf8)
  }

  /// How many bytes `isRecording` needs: enough for the comments above a header.
  public static let beginningBytes = 8192

  // MARK: Lines

  /// Reads lines until an item is complete or the bytes are used up.
  ///
  /// - Parameter position: an index in `bytes`, advanced past the bytes that were read.
  /// - Returns: `nil` when the bytes are used up; call it again until then.
  public mutating func next(
    in bytes: [UInt8], from position: inout Int
  ) throws(RecordingError) -> Recorded? {
    while true {
      if let recorded = queue.takeReady() { return recorded }
      guard position < bytes.count else { return nil }
      guard let feed = bytes[position...].firstIndex(of: .lineFeed) else {
        carry += bytes[position...].prefix(max(0, TraceBounds.readBytes - carry.count))
        position = bytes.count
        continue
      }
      let line = carry.isEmpty ? bytes[position...feed] : (carry + bytes[position...feed])[...]
      position = feed + 1
      carry.removeAll(keepingCapacity: true)
      self.line += 1
      do throws(RecordingProblem) {
        try take(line)
      } catch {
        try complain(error)
      }
    }
  }

  private mutating func complain(_ problem: RecordingProblem) throws(RecordingError) {
    switch problem {
    case .notARecording: throw RecordingError(problem: problem)
    case .otherFormat: throw RecordingError(problem: problem, line: line)
    case .damaged, .field, .settingMissing, .unknownSetting, .otherSettings, .badSetting,
      .wrongPart, .otherRecording, .backward:
      if manner == .lenient { return damage() }
      throw RecordingError(
        problem: problem, line: problem == .damaged ? brokenAt ?? line : line)
    }
  }

  /// Ends a part. Another may follow, with line numbers beginning at 1 again.
  public mutating func endPart() throws(RecordingError) {
    // A replay needs the complete header.
    if label == nil || partBegins == nil && manner == .strict {
      throw RecordingError(problem: .notARecording)
    }
    if !carry.isEmpty || !begun.isEmpty { brokenAt = brokenAt ?? line + 1 }
    carry.removeAll()
    begun.removeAll()
    line = 0
    // It is unknown whether the last chunk is complete.
    if manner == .lenient { queue.finishAll() }
  }

  private mutating func take(_ line: ArraySlice<UInt8>) throws(RecordingProblem) {
    let content = line.count > TraceBounds.readBytes ? .damaged : TraceLine(line)
    if label == nil {
      switch content {
      case .nothing: return
      case .record(.header, _), .record(.more, _): break
      case .record, .tag, .receiver, .damaged: throw .notARecording
      }
    }
    switch content {
    case .nothing: return
    case .damaged: return damage()
    case .receiver(let bytes): fill(bytes)
    case .tag(let milliseconds):
      try goOn()
      // A TAG block in the middle of a record.
      if !begun.isEmpty { return damage() }
      guard let date else { return damage() }
      let instant = try advance(date.instant(of: milliseconds))
      queue.open(recorded(.bytes([], from: .receiver), instant))
    case .record(let kind, let body):
      try goOn()
      if kind == .more {
        begun += body.prefix(TraceBounds.readBytes)
        if begun.count > TraceBounds.readBytes { damage() }
      } else {
        let whole = begun.isEmpty ? Array(body) : begun + body
        begun.removeAll(keepingCapacity: true)
        try record(kind, whole)
        if queue.isOverfull { damage() }
      }
    }
  }

  /// Notes a damaged line: it is permitted at the end of a recording, not in the middle.
  private mutating func damage() {
    begun.removeAll()
    if manner == .strict { queue.dropUnfinished() } else { queue.finishAll() }
    brokenAt = brokenAt ?? line
  }

  private mutating func goOn() throws(RecordingProblem) {
    if isCut && manner == .strict { throw .damaged }
    brokenAt = nil
  }

  mutating func fill(_ bytes: some Collection<UInt8>) {
    if isCut { return }
    if !queue.fill(bytes) && manner == .strict { damage() }
  }
}
