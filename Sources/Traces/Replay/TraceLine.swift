import NMEA

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
