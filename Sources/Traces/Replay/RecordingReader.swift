import TrackerCore

/// Reads a recording back: lines go in, and what the tracker saw comes out, in the same lumps, at
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
  public private(set) var beginning: Beginning?
  public private(set) var label: RecordingLabel?
  /// The instant at which the part begins that is being read.
  public private(set) var partBegins: Instant?
  /// The recording ended in the middle of a line or with a damaged one, as when the power goes.
  public var isCut: Bool { brokenAt != nil }

  private let manner: Manner
  private var line = 0
  /// The line at which the recording breaks off, if nothing follows.
  private var brokenAt: Int?
  /// The beginning of a line whose end has not come.
  private var carry: [UInt8] = []
  /// The beginning of a record that goes on.
  private var begun: [UInt8] = []
  private var settings: [String: [UInt8]] = [:]
  private var date: TraceDate?
  private var lastInstant: Instant?
  private var queue = LumpQueue()

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
    case .damaged, .field, .settingMissing, .unknownSetting, .badSetting, .wrongPart,
      .otherRecording, .backward:
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
    // Whether the last lump is whole cannot be told, unless something follows it.
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
    case .receiver(let bytes): try fill(bytes)
    case .tag(let milliseconds):
      try goOn()
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

  private mutating func fill(_ bytes: some Collection<UInt8>) throws(RecordingProblem) {
    if isCut { return }
    if !queue.fill(bytes) && manner == .strict { damage() }
  }

  // MARK: Records

  private mutating func record(_ kind: RecordKind, _ body: [UInt8]) throws(RecordingProblem) {
    if kind != .header && partBegins == nil && manner == .strict { throw .damaged }
    var fields = FieldReader(body)
    switch kind {
    case .receiver: try fill(FieldReader.resolve(body[...]))
    case .header: try header(&fields)
    case .arrival: try arrival(&fields)
    case .effect:
      let instant = try advance(fields.value())
      if manner == .strict { queue.append(recorded(.effect(Array(fields.rest)), instant)) }
    case .more: break
    }
  }

  private mutating func header(_ fields: inout FieldReader) throws(RecordingProblem) {
    queue.close()
    let name = try fields.word()
    switch name {
    case "recording": try begin(RecordingLabel(from: &fields))
    case "date":
      let instant: Instant = try fields.value()
      date = TraceDate(utc: try fields.value(), at: instant, isAssumed: !fields.isAtEnd)
    case "begin":
      let instant: Instant = try fields.value()
      partBegins = instant
      guard beginning == nil, manner == .strict else { return }
      lastInstant = instant
      beginning = try SettingsReader.beginning(
        settings, at: instant, utc: date?.known(at: instant), program: label?.program ?? "")
    default:
      if beginning == nil && settings.count < TraceBounds.settings {
        settings[name] = Array(fields.rest)
      }
    }
  }

  private mutating func begin(_ next: RecordingLabel) throws(RecordingProblem) {
    if manner == .strict {
      let expected = label.map { $0.part &+ 1 } ?? 1
      if let label, label.recording != next.recording { throw .otherRecording }
      if next.part != expected { throw .wrongPart(next.part, expected: expected) }
    }
    label = next
  }

  private mutating func arrival(_ fields: inout FieldReader) throws(RecordingProblem) {
    let at: Instant? = try fields.value()
    var look = fields
    let word = try look.word()
    if word == "p" { return try lumps(&look, from: at) }
    let instant = try advance(at)
    guard manner == .strict else {
      if word == "gap" { queue.finishAll() } else { queue.close() }
      return
    }
    let content: Recorded.Content
    switch word {
    case "m": content = .bytes(try look.text(), from: .modem)
    case "k":
      let count: Int = try look.number()
      guard (0...TraceBounds.readBytes).contains(count) else { throw .field(.notANumber) }
      content = .bytes(Array(repeating: 0, count: count), from: .console)
    case "gap":
      queue.close()
      // A line that had begun never ended.
      queue.dropUnfinished()
      content = .gap(lost: try look.value())
    case "end": content = .end
    default:
      content = .event(try fields.value())
      look = fields
    }
    try look.expectEnd()
    queue.append(recorded(content, instant))
  }

  /// A list of lumps: `14,15+12` is one of 14 bytes and, 12 ms later, one of 15.
  private mutating func lumps(
    _ fields: inout FieldReader, from start: Instant?
  ) throws(RecordingProblem) {
    var first = true
    while !fields.isAtEnd {
      let parts = try fields.word().split(separator: "+", omittingEmptySubsequences: false)
      guard let count = Int(parts[0]), (0...TraceBounds.readBytes).contains(count),
        let step = parts.count == 1 ? 0 : Int64(parts[1]), parts.count == (first ? 1 : 2)
      else { throw .field(.notANumber) }
      if first, start == nil {
        let isOrphan = queue.closeOpen(expecting: count) == nil
        if isOrphan && manner == .strict { throw .damaged }
      } else {
        let instant = first ? start ?? .start : (lastInstant ?? .start) + Milliseconds(step)
        queue.expect(count, recorded(.bytes([], from: .receiver), try advance(instant)))
      }
      first = false
    }
  }

  /// - Parameter instant: `nil`: still the last one.
  private mutating func advance(_ instant: Instant?) throws(RecordingProblem) -> Instant {
    guard let instant else { return lastInstant ?? .start }
    if let lastInstant, instant < lastInstant, manner == .strict { throw .backward }
    lastInstant = instant
    return instant
  }

  private func recorded(_ content: Recorded.Content, _ at: Instant) -> Recorded {
    Recorded(content: content, at: at, part: label?.part ?? 1, line: line)
  }
}
