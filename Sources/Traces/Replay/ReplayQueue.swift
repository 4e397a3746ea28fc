import TrackerCore

/// The items of a recording in order. A receiver's chunk waits until its bytes, which are in the
/// lines that follow, have been read.
struct ReplayQueue {
  private struct Entry {
    var recorded: Recorded
    var bytes: [UInt8] = []
    /// Bytes still to be read.
    var missing = 0
    /// Takes all bytes that follow.
    var isOpen = false
  }

  private var entries: [Entry] = []

  /// Whether more items wait than in any valid recording.
  var isOverfull: Bool { entries.count > TraceBounds.waiting }

  /// Appends a complete item.
  mutating func append(_ recorded: Recorded) {
    close()
    entries.append(Entry(recorded: recorded))
  }

  /// Appends a chunk that takes the lines that follow.
  mutating func open(_ recorded: Recorded) {
    close()
    entries.append(Entry(recorded: recorded, isOpen: true))
  }

  /// Appends a chunk of `count` bytes.
  mutating func expect(_ count: Int, _ recorded: Recorded) {
    close()
    entries.append(Entry(recorded: recorded, missing: count))
  }

  /// Closes the open chunk, which has `count` more bytes.
  ///
  /// - Returns: the chunk; `nil` if none is open.
  @discardableResult
  mutating func closeOpen(expecting count: Int) -> Recorded? {
    guard let last = entries.indices.last, entries[last].isOpen else { return nil }
    entries[last].isOpen = false
    entries[last].missing = count
    return entries[last].recorded
  }

  /// Closes the open chunk, if there is one.
  mutating func close() { closeOpen(expecting: 0) }

  /// Gives bytes of the receiver to the first chunks that are incomplete.
  ///
  /// - Returns: `false` if bytes are left over.
  mutating func fill(_ bytes: some Collection<UInt8>) -> Bool {
    var rest = Array(bytes)[...]
    for index in entries.indices where !rest.isEmpty {
      let count = entries[index].isOpen ? rest.count : min(entries[index].missing, rest.count)
      if count == 0 { continue }
      entries[index].bytes += rest.prefix(count)
      if !entries[index].isOpen { entries[index].missing -= count }
      rest = rest.dropFirst(count)
    }
    return rest.isEmpty
  }

  /// Removes the first incomplete chunk and everything after it, whose order is lost.
  mutating func dropUnfinished() {
    if let index = entries.firstIndex(where: { $0.isOpen || $0.missing > 0 }) {
      entries.removeSubrange(index...)
    }
  }

  /// Completes all chunks with the bytes that they have.
  mutating func finishAll() {
    for index in entries.indices {
      entries[index].isOpen = false
      entries[index].missing = 0
    }
  }

  mutating func takeReady() -> Recorded? {
    guard let first = entries.first, !first.isOpen, first.missing == 0 else { return nil }
    entries.removeFirst()
    var recorded = first.recorded
    if case .bytes(let known, let role) = recorded.content, known.isEmpty {
      recorded.content = .bytes(first.bytes, from: role)
    }
    return recorded
  }
}
