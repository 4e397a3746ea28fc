import TrackerCore

/// Planned events, by instant; events at the same instant keep the order in which they were
/// planned.
struct EventQueue<Element> {
  private struct Entry {
    var at: Instant
    var order: UInt64
    var element: Element
    func isBefore(_ other: Entry) -> Bool { (at, order) < (other.at, other.order) }
  }

  /// Rarely more than ten entries: a sorted array, earliest last, is faster than a heap.
  private var entries: [Entry] = []
  private var order: UInt64 = 0

  var next: Instant? { entries.last?.at }
  var isEmpty: Bool { entries.isEmpty }

  mutating func plan(_ element: Element, at instant: Instant) {
    order += 1
    let entry = Entry(at: instant, order: order, element: element)
    let place = entries.firstIndex { !entry.isBefore($0) } ?? entries.endIndex
    entries.insert(entry, at: place)
  }

  mutating func take() -> Element? { entries.popLast()?.element }
}
