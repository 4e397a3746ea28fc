import NMEA
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
  var isCut: Bool { brokenAt != nil }

  /// The date of an instant in the present part; `nil`: nobody knew it.
  public func date(of instant: Instant) -> UTC? { date?.known(at: instant) }

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
      do throws(RecordError) {
        try take(line)
      } catch {
        try complain(error)
      }
    }
  }

  private mutating func complain(_ problem: RecordError) throws(RecordingError) {
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

  private mutating func take(_ line: ArraySlice<UInt8>) throws(RecordError) {
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

  private mutating func goOn() throws(RecordError) {
    if isCut && manner == .strict { throw .damaged }
    brokenAt = nil
  }

  mutating func fill(_ bytes: some Collection<UInt8>) {
    if isCut { return }
    if !queue.fill(bytes) && manner == .strict { damage() }
  }
}

// Interprets the records of a recording.
extension RecordingReader {
  mutating func record(_ kind: RecordKind, _ body: [UInt8]) throws(RecordError) {
    if kind != .header && partBegins == nil && manner == .strict { throw .damaged }
    var fields = FieldReader(body)
    switch kind {
    case .receiver: fill(try FieldReader.resolve(body[...]))
    case .header: try header(&fields)
    case .arrival: try arrival(&fields)
    case .effect:
      let instant = try advance(fields.value())
      if manner == .strict { queue.append(recorded(.effect(Array(fields.rest)), instant)) }
    case .more: break
    }
  }

  private mutating func header(_ fields: inout FieldReader) throws(RecordError) {
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

  private mutating func begin(_ next: RecordingLabel) throws(RecordError) {
    if manner == .strict {
      let expected = label.map { $0.part &+ 1 } ?? 1
      if let label, label.recording != next.recording { throw .otherRecording }
      if next.part != expected { throw .wrongPart(next.part, expected: expected) }
    }
    label = next
  }

  private mutating func arrival(_ fields: inout FieldReader) throws(RecordError) {
    let at: Instant? = try fields.value()
    var look = fields
    let word = try look.word()
    if word == "p" { return try chunks(&look, from: at) }
    let instant = try advance(at)
    guard manner == .strict else {
      if word == "gap" { queue.finishAll() } else { queue.close() }
      return
    }
    let content: Recorded.Content
    switch word {
    case "m": content = .bytes(try look.text(), from: .modem)
    case "gap":
      queue.close()
      // An unfinished line before the gap was never ended.
      queue.dropUnfinished()
      content = .gap(lost: try look.value())
    case "end": content = .end
    case "settings", "configuration":
      content = .settings(try fields.value())
      look = fields
    default:
      content = .event(try fields.value())
      look = fields
    }
    try look.expectEnd()
    queue.append(recorded(content, instant))
  }

  /// A list of chunks: `14,15+12` is one of 14 bytes and, 12 ms later, one of 15.
  private mutating func chunks(
    _ fields: inout FieldReader, from start: Instant?
  ) throws(RecordError) {
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

  /// - Parameter instant: `nil` if it is still the last one.
  mutating func advance(_ instant: Instant?) throws(RecordError) -> Instant {
    guard let instant else { return lastInstant ?? .start }
    if let lastInstant, instant < lastInstant, manner == .strict { throw .backward }
    lastInstant = instant
    return instant
  }

  func recorded(_ content: Recorded.Content, _ at: Instant) -> Recorded {
    Recorded(content: content, at: at, part: label?.part ?? 1, line: line)
  }
}

/// One item of a recording.
public struct Recorded: Sendable, Equatable {
  public enum Content: Sendable, Equatable {
    case bytes([UInt8], from: SerialRole)
    case event(Event)
    case settings(NewSettings)
    /// The fields of an effect as recorded.
    case effect([UInt8])
    /// In place of the effects, what `EffectDigest` makes of all so far.
    case digest(UInt32)
    /// At least this many arrivals are missing here.
    case gap(lost: UInt32)
    case end
  }

  public var content: Content
  public var at: Instant
  /// The part of the recording and the line in it, both from 1.
  var part: UInt32
  var line: Int

  public init(content: Content, at: Instant, part: UInt32 = 1, line: Int) {
    self.content = content
    self.at = at
    self.part = part
    self.line = line
  }
}

/// Why a recording cannot be read.
public enum RecordError: Error, Sendable, Equatable {
  /// No header: a plain log or another kind of file.
  case notARecording
  case otherFormat(program: String)
  /// A line in the middle of a recording that is malformed or has a wrong checksum.
  case damaged
  case field(FieldError)
  case settingMissing(String)
  case unknownSetting(String)
  case badSetting(String)
  /// Reloaded settings differ from this program's, beginning with this one.
  case otherSettings(String)
  /// It is this part instead of the next one.
  case wrongPart(UInt32, expected: UInt32)
  case otherRecording
  /// An instant is earlier than the one before.
  case backward
}

/// A problem and its line; 0 if it concerns the whole file.
public struct RecordingError: Error, Sendable, Equatable {
  public var problem: RecordError
  public var line: Int

  public init(problem: RecordError, line: Int = 0) {
    self.problem = problem
    self.line = line
  }

  /// What is wrong and what to do, to follow the file's name.
  public var message: String { (line > 0 ? "line \(line) " : "") + problem.message }
}

extension RecordError {
  fileprivate var message: String {
    switch self {
    case .notARecording: "is not a recording; play a plain log with tracker-sim --trace"
    case .otherFormat(let program):
      "has a format that this program does not read; replay it with \(program)"
    case .damaged: "is damaged; the receiver's data can still be played with tracker-sim --trace"
    case .field(.unknownWord(let word)):
      "has '\(word)', which this program does not know; \(Self.cure)"
    case .field(let error): "cannot be read (\(error)); \(Self.cure)"
    case .settingMissing(let name): "ends a header without \(name); \(Self.cure)"
    case .unknownSetting(let name): "ends a header with an unknown \(name); \(Self.cure)"
    case .badSetting(let name): "ends a header whose \(name) cannot be read; \(Self.cure)"
    case .otherSettings(let name):
      "has other settings than this program, at \(name); \(Self.cure)"
    case .wrongPart(let part, 1):
      "is part \(part) of a recording without its first part: give that too, "
        + "or play what is left with tracker-sim --trace"
    case .wrongPart(let part, let expected):
      "is part \(part) instead of part \(expected); give that too"
    case .otherRecording: "belongs to another recording; replay that separately"
    case .backward: "goes back in time; the file has been changed since it was recorded"
    }
  }

  private static let cure = "replay it with the program that its header names"
}

/// A line of a recording.
enum TraceLine {
  /// A comment or an empty line.
  case nothing
  /// The TAG block of a receiver's chunk, with its date.
  case tag(Int64)
  case record(RecordKind, ArraySlice<UInt8>)
  /// A line of the receiver, with its line end.
  case receiver(ArraySlice<UInt8>)
  case damaged

  /// - Parameter line: with its line feed.
  init(_ line: ArraySlice<UInt8>) {
    var content = line.dropLast()
    if content.last == .carriageReturn { content.removeLast() }
    switch content.first {
    case nil, .hash: self = .nothing
    case .backslash: self = Self.tag(in: content)
    case .dollar where content.starts(with: "$PTRK".utf8): self = Self.record(in: content)
    default: self = Self.isClean(line) ? .receiver(line) : .damaged
    }
  }

  /// Whether a receiver's line can be recorded as it came: a sentence with a correct checksum, or
  /// none, that does not look like one of ours.
  ///
  /// So every line of a recording has a correct checksum if the receiver sends checksums.
  static func isClean(_ line: ArraySlice<UInt8>) -> Bool {
    var content = line
    if content.popLast() != .lineFeed { return false }
    if content.last == .carriageReturn { content.removeLast() }
    guard content.first == .dollar || content.first == .bang, !content.starts(with: "$PTRK".utf8),
      content.allSatisfy({ $0.isPrintable })
    else { return false }
    guard let star = content.firstIndex(of: .star) else { return true }
    return star == content.endIndex - 3 && checksum(of: content, to: star)
  }

  private static func checksum(of content: ArraySlice<UInt8>, to star: Int) -> Bool {
    guard let high = content[star + 1].hexadecimal, let low = content[star + 2].hexadecimal
    else { return false }
    return content[(content.startIndex + 1)..<star].reduce(0, ^) == high << 4 | low
  }

  private static func tag(in content: ArraySlice<UInt8>) -> TraceLine {
    let bytes = Array(content)
    guard let tag = TagBlock(at: 0, in: bytes.span, to: bytes.count), tag.isIntact,
      tag.end == bytes.count, let milliseconds = tag.milliseconds
    else { return .damaged }
    return .tag(milliseconds)
  }

  private static func record(in content: ArraySlice<UInt8>) -> TraceLine {
    let start = content.startIndex
    guard content.count >= 10, let kind = RecordKind(rawValue: content[start + 5]),
      content[start + 6] == .comma, let star = content.lastIndex(of: .star),
      star == content.endIndex - 3, star > start + 6, checksum(of: content, to: star)
    else { return .damaged }
    return .record(kind, content[(start + 7)..<star])
  }
}
