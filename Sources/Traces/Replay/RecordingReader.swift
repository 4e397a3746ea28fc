import TrackerCore

/// Reads a recording back: lines go in, and what the tracker saw comes out, in the same chunks, at
/// the same instants, in the same order.
public struct RecordingReader {
  /// How strictly it reads.
  public enum Manner: Sendable {
    /// From the first part on, without a hole: what a replay needs.
    case strict
    /// Any part by itself, and only what came from the receiver; what is damaged is passed over.
    case lenient
  }

  /// What the header says, once it has been read; `nil` in the lenient manner.
  public internal(set) var beginning: RecordingHeader?
  public internal(set) var label: RecordingLabel?
  /// The instant at which the part begins that is being read.
  public internal(set) var partBegins: Instant?
  /// The recording ended in the middle of a line or with a damaged one, as when the power goes.
  public var isCut: Bool { brokenAt != nil }

  let manner: Manner
  var line = 0
  /// The line at which the recording breaks off, if nothing follows.
  private var brokenAt: Int?
  /// The beginning of a line whose end has not come.
  private var carry: [UInt8] = []
  /// The beginning of a record that goes on.
  private var begun: [UInt8] = []
  var settings: [String: [UInt8]] = [:]
  var date: TraceDate?
  var lastInstant: Instant?
  var queue = ReplayQueue()

  public init(_ manner: Manner) { self.manner = manner }

  /// Whether a file that begins like this is a recording: below the comments is our header.
  public static func isRecording(_ beginning: [UInt8]) -> Bool {
    var start = 0
    while start < beginning.count, beginning[start] == .hash {
      start = (beginning[start...].firstIndex(of: .lineFeed) ?? beginning.count) + 1
    }
    return start < beginning.count && beginning[start...].starts(with: "$PTRKH,recording".utf8)
  }

  /// How much of a file `isRecording` must see: room for the comments above a header.
  public static let beginningBytes = 8192

  // MARK: Lines

  /// Takes lines until something is complete or the bytes are used up.
  ///
  /// - Parameter position: an index in `bytes`, moved past what was read.
  /// - Returns: `nil` when the bytes are used up. Call again until then.
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

  /// Ends a part. Another may follow: its first line is line 1 again.
  public mutating func endPart() throws(RecordingError) {
    // Without the whole header nothing can be repeated.
    if label == nil || partBegins == nil && manner == .strict {
      throw RecordingError(problem: .notARecording)
    }
    if !carry.isEmpty || !begun.isEmpty { brokenAt = brokenAt ?? line + 1 }
    carry.removeAll()
    begun.removeAll()
    line = 0
    // Whether the last chunk is whole cannot be told, unless something follows it.
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
      // It stands in the middle of a record.
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

  /// A line that is none: the end of a recording may be so, its middle may not.
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
