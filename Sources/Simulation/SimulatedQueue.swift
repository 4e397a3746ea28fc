import TrackerCore

/// The queue of captures in memory, in the order of their sequence numbers.
struct SimulatedQueue {
  struct Entry {
    var capture: Capture
    var takenAt: Instant
  }

  private(set) var pending: [Entry] = []
  private(set) var inFlight: [UInt32] = []
  /// What the server refused one by one in its last answer.
  var refused: [UInt32] = []
  private(set) var setAside: UInt32 = 0
  private(set) var acknowledged: UInt32 = 0

  var counts: QueueCounts { QueueCounts(pending: UInt32(pending.count), setAside: setAside) }

  mutating func append(_ capture: Capture, at now: Instant) {
    pending.append(Entry(capture: capture, takenAt: now))
  }

  /// Marks a selection as in flight and returns it, freshest first or oldest first.
  mutating func select(_ selection: Selection) -> [UInt32] {
    switch selection {
    case .freshest(let limit):
      inFlight = pending.suffix(Int(limit)).reversed().map(\.capture.sequence)
    case .oldest(let limit):
      inFlight = pending.prefix(Int(limit)).map(\.capture.sequence)
    }
    return inFlight
  }

  /// Removes what a server has acknowledged; returns when each was taken.
  mutating func acknowledge(_ sequences: [UInt32]) -> [Instant] {
    var taken: [Instant] = []
    remove(sequences) { taken.append($0.takenAt) }
    acknowledged += UInt32(taken.count)
    return taken
  }

  mutating func putAside(_ sequences: [UInt32]) {
    var count: UInt32 = 0
    remove(sequences) { _ in count += 1 }
    setAside += count
  }

  private mutating func remove(_ sequences: [UInt32], _ each: (Entry) -> Void) {
    // Sequence numbers are few (a batch); the queue may hold two days.
    let leaving = sequences.sorted()
    pending.removeAll { entry in
      var low = 0
      var high = leaving.count
      while low < high {
        let middle = (low + high) / 2
        if leaving[middle] < entry.capture.sequence { low = middle + 1 } else { high = middle }
      }
      guard low < leaving.count, leaving[low] == entry.capture.sequence else { return false }
      each(entry)
      return true
    }
  }
}
