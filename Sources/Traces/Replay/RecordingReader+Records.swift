import TrackerCore

// Interprets the records of a recording.
extension RecordingReader {
  mutating func record(_ kind: RecordKind, _ body: [UInt8]) throws(RecordingProblem) {
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

  /// - Parameter instant: `nil` if it is still the last one.
  mutating func advance(_ instant: Instant?) throws(RecordingProblem) -> Instant {
    guard let instant else { return lastInstant ?? .start }
    if let lastInstant, instant < lastInstant, manner == .strict { throw .backward }
    lastInstant = instant
    return instant
  }

  func recorded(_ content: Recorded.Content, _ at: Instant) -> Recorded {
    Recorded(content: content, at: at, part: label?.part ?? 1, line: line)
  }
}
