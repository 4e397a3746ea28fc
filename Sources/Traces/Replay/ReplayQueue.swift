import TrackerCore

/// What a recording tells, in order; what came from the receiver waits until its bytes have been
/// read, for they stand in the lines that follow.
struct ReplayQueue {
  private struct Entry {
    var recorded: Recorded
    var bytes: [UInt8] = []
    /// Bytes that are still to come.
    var missing = 0
    /// Whatever comes belongs to it.
    var isOpen = false
  }

  private var entries: [Entry] = []

  /// Whether more waits than any recording of ours lets wait.
  var isOverfull: Bool { entries.count > TraceBounds.waiting }

  /// Something that is complete as it is.
  mutating func append(_ recorded: Recorded) {
    close()
    entries.append(Entry(recorded: recorded))
  }

  /// A chunk that holds the lines which follow.
  mutating func open(_ recorded: Recorded) {
    close()
    entries.append(Entry(recorded: recorded, isOpen: true))
  }

  /// A chunk of that many bytes.
  mutating func expect(_ count: Int, _ recorded: Recorded) {
    close()
    entries.append(Entry(recorded: recorded, missing: count))
  }

  /// The open chunk had that many bytes more.
  ///
  /// - Returns: the chunk; `nil` when none is open.
  @discardableResult
  mutating func closeOpen(expecting count: Int) -> Recorded? {
    guard let last = entries.indices.last, entries[last].isOpen else { return nil }
    entries[last].isOpen = false
    entries[last].missing = count
    return entries[last].recorded
  }

  /// The open chunk is complete, if there is one.
  mutating func close() { closeOpen(expecting: 0) }

  /// Bytes of the receiver: they go to the first chunks that miss some.
  ///
  /// - Returns: `false` when there are bytes that belong to none.
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

  /// What comes after a hole can no longer be told in order: forgets everything from the first
  /// chunk on whose bytes are missing.
  mutating func dropUnfinished() {
    if let index = entries.firstIndex(where: { $0.isOpen || $0.missing > 0 }) {
      entries.removeSubrange(index...)
    }
  }

  /// What is missing never comes: each chunk is what is known of it.
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
