import TrackerCore

/// Writes records as the lines of a trace.
struct TraceWriter {
  var bytes: [UInt8] = []
  /// The fields of the record being written; `end` turns them into sentences.
  var fields = FieldWriter()

  /// Before a body come `$PTRK`, the letter and a comma; after it `*hh` CR LF.
  private static let bodyBytes = TraceBounds.sentenceBytes - 7 - 5

  /// Ends a record: one sentence, or several if it does not fit into one.
  mutating func end(_ kind: RecordKind) {
    let body = fields.bytes.kept
    var start = 0
    while body.count - start > Self.bodyBytes {
      let end = Self.cut(body, near: start + Self.bodyBytes)
      sentence(.more, body[start..<end])
      start = end
    }
    sentence(kind, body[start...])
    fields.clear()
  }

  /// Writes escaped bytes of a receiver; each sentence is a record.
  mutating func receiver(_ raw: some Collection<UInt8>) {
    var escaped = FieldWriter()
    escaped.text([UInt8](raw).span)
    let body = escaped.bytes.kept
    var start = 0
    while start < body.count {
      let end = Self.cut(body, near: min(body.count, start + Self.bodyBytes))
      sentence(.receiver, body[start..<end])
      start = end
    }
  }

  /// Writes the TAG block of a receiver's chunk, on a separate line, because some readers look for
  /// sentences at the beginning of a line only (gpsbabel 1.8).
  mutating func tag(_ milliseconds: Int64) {
    bytes.append(.backslash)
    let start = bytes.count
    bytes.append("s:gnss,c:")
    bytes.append(number: milliseconds)
    checksum(from: start)
    bytes.append("\\\r\n")
  }

  mutating func comment(_ text: String) {
    bytes.append("# ")
    // Without control characters, so that a comment stays on one line.
    for byte in text.utf8.prefix(400) where byte >= 0x20 && byte != 0x7F { bytes.append(byte) }
    bytes.append("\r\n")
  }

  private mutating func sentence(_ kind: RecordKind, _ body: ArraySlice<UInt8>) {
    bytes.append(.dollar)
    let start = bytes.count
    bytes.append("PTRK")
    bytes.append(kind.rawValue)
    bytes.append(.comma)
    bytes.append(contentsOf: body)
    checksum(from: start)
    bytes.append("\r\n")
  }

  private mutating func checksum(from start: Int) {
    let sum = bytes[start...].reduce(0, ^)
    bytes.append(.star)
    bytes.append(hexadecimal: sum)
  }

  /// Where to split a body without splitting an escape.
  private static func cut(_ body: [UInt8], near end: Int) -> Int {
    if end == body.count { return end }
    if body[end - 1] == .caret { return end - 1 }
    return body[end - 2] == .caret ? end - 2 : end
  }
}

/// Where a recording is written. It must not block the tracker for long, and reports failures by
/// its return value only.
public protocol TraceSink {
  /// Takes whole lines of the current part.
  ///
  /// - Returns: `false` if none of them was kept. The recorder then offers a line about the gap
  ///   from time to time until it is accepted.
  mutating func write(_ lines: [UInt8], at now: Instant) -> Bool
  /// Whether the current part has reached its largest size.
  var isPartFull: Bool { get }
  /// Begins a new part with the next write.
  mutating func beginPart()
  /// Ends the recording; everything accepted must then be stored safely.
  mutating func finish()
}

/// The date in TAG blocks: the monotonic clock plus an offset to UTC.
///
/// The offset only changes with a `date` record, so dates can be converted back to instants.
struct TraceDate: Sendable, Equatable {
  /// UTC of instant 0.
  private(set) var zero: Int64
  /// The date is unknown; the earliest possible one is used instead.
  private(set) var isAssumed: Bool

  init(utc: UTC?, at instant: Instant, notBefore: UTC) {
    zero = (utc ?? notBefore).milliseconds &- instant.milliseconds
    isAssumed = utc == nil
    if !TraceBounds.dates.contains(zero) {
      zero = Configuration().notBefore.milliseconds
      isAssumed = true
    }
  }

  /// From a `date` record: `instant` was `utc`.
  init(utc: Int64, at instant: Instant, isAssumed: Bool) {
    zero = utc &- instant.milliseconds
    self.isAssumed = isAssumed
  }

  func milliseconds(at instant: Instant) -> Int64 { zero &+ instant.milliseconds }

  /// The date of an instant, unless it is only assumed.
  func known(at instant: Instant) -> UTC? {
    isAssumed ? nil : UTC(milliseconds: milliseconds(at: instant))
  }

  func instant(of milliseconds: Int64) -> Instant {
    Instant(milliseconds: milliseconds &- zero)
  }

  /// Adopts a trusted date; returns whether that changed the offset.
  mutating func trust(_ utc: UTC, at instant: Instant) -> Bool {
    let apart = utc.milliseconds &- milliseconds(at: instant)
    let isSame = apart.magnitude <= TraceBounds.dateTolerance.count.magnitude
    guard isAssumed || !isSame, TraceBounds.dates.contains(utc.milliseconds &- instant.milliseconds)
    else { return false }
    zero = utc.milliseconds &- instant.milliseconds
    isAssumed = false
    return true
  }

  func write(to fields: inout FieldWriter, at instant: Instant) {
    fields.word("date")
    fields.add(instant)
    fields.number(milliseconds(at: instant))
    if isAssumed { fields.word("assumed") }
  }
}

/// A hash of a run: runs with the same digest did the same.
///
/// 64-bit FNV-1a (Fowler, Noll, Vo), which is not cryptographic.
public struct Digest: Sendable, Equatable {
  public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  public init() {}

  public mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }

  /// Sixteen hexadecimal digits.
  public var text: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
