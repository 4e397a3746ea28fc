import TrackerCore

/// Writes a receiver's bytes so that its lines stay lines and the chunks in which they came can be
/// restored.
///
/// A chunk is what arrived at one instant. Each chunk that ends a line has a TAG block, followed by
/// the lines that it ended. A chunk that ends no line, and the bytes of a chunk after its last line
/// end, are noted by their length (`p`): those bytes are at the front of the next line.
struct ReceiverTape {
  /// The beginning of an unfinished line; all of it belongs to noted chunks.
  private var line: [UInt8] = []
  private var lineBegan = Instant.start
  /// The noted chunks in the writer's fields: how many, and when the last came.
  private var chunks = 0
  private var lastChunk = Instant.start

  /// Whether an unfinished line is held back.
  var isInLine: Bool { !line.isEmpty }

  mutating func receive(
    _ chunk: Span<UInt8>, at now: Instant, date: TraceDate, into writer: inout TraceWriter
  ) {
    guard let end = Self.lastLineEnd(in: chunk) else {
      if line.count + chunk.count <= TraceBounds.lineBytes {
        if line.isEmpty { lineBegan = now }
        line.append(chunk)
        return note(chunk.count, at: now, isTail: false, into: &writer)
      }
      release(into: &writer)
      writer.tag(date.milliseconds(at: now))
      return writer.receiver(Self.bytes(chunk))
    }
    endList(into: &writer)
    writer.tag(date.milliseconds(at: now))
    line.append(chunk.extracting(first: end))
    Self.write(line, into: &writer)
    line.removeAll(keepingCapacity: true)
    guard end < chunk.count else { return }
    lineBegan = now
    line.append(chunk.extracting(end..<chunk.count))
    if line.count > TraceBounds.lineBytes { return Self.spill(&line, into: &writer) }
    note(line.count, at: now, isTail: true, into: &writer)
  }

  /// Ends the list of chunks before another record is written, to keep the order.
  mutating func endList(into writer: inout TraceWriter) {
    guard chunks > 0 else { return }
    chunks = 0
    writer.end(.arrival)
  }

  /// Writes the beginning of a line if it has waited too long for its end.
  mutating func releaseIfStale(at now: Instant, into writer: inout TraceWriter) {
    if isInLine && now - lineBegan > TraceBounds.linePatience { release(into: &writer) }
  }

  /// Writes the beginning of an unfinished line.
  mutating func release(into writer: inout TraceWriter) {
    endList(into: &writer)
    Self.spill(&line, into: &writer)
  }

  /// - Parameter isTail: whether the bytes belong to the chunk whose lines have just been written.
  private mutating func note(
    _ count: Int, at now: Instant, isTail: Bool, into writer: inout TraceWriter
  ) {
    if chunks == TraceBounds.chunksInList { endList(into: &writer) }
    if chunks == 0 {
      writer.fields.arrival(ofReceiver: count, at: isTail ? nil : now)
    } else {
      writer.fields.number(count)
      writer.fields.plus((now - lastChunk).count)
    }
    chunks += 1
    lastChunk = now
  }

  // MARK: Lines

  private static func spill(_ line: inout [UInt8], into writer: inout TraceWriter) {
    writer.receiver(line)
    line.removeAll(keepingCapacity: true)
  }

  /// Writes whole lines: clean ones as they are, everything else escaped.
  private static func write(_ bytes: [UInt8], into writer: inout TraceWriter) {
    var start = 0
    while start < bytes.count {
      let end = (bytes[start...].firstIndex(of: .lineFeed) ?? bytes.count - 1) + 1
      let sentence = cleanSentence(in: bytes[start..<end])
      if sentence > start { writer.receiver(bytes[start..<sentence]) }
      writer.bytes.append(contentsOf: bytes[sentence..<end])
      start = end
    }
  }

  /// Where the sentence that other programs can read begins; the line's end if there is none.
  private static func cleanSentence(in line: ArraySlice<UInt8>) -> Int {
    var index = line.endIndex - 1
    while index > line.startIndex {
      index -= 1
      guard line[index] == .dollar || line[index] == .bang else { continue }
      return TraceLine.isClean(line[index...]) ? index : line.endIndex
    }
    return line.endIndex
  }

  /// One past the last line feed.
  private static func lastLineEnd(in chunk: Span<UInt8>) -> Int? {
    var index = chunk.count
    while index > 0 {
      if chunk[index - 1] == .lineFeed { return index }
      index -= 1
    }
    return nil
  }

  private static func bytes(_ span: Span<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(span)
    return bytes
  }
}
