import TrackerCore

/// A set of keys: a few ranges, in their order.
struct KeyRanges: Sendable, Equatable {
  static let capacity = Bounds.ranges

  private var firsts = InlineArray<24, UInt32>(repeating: 0)
  private var lasts = InlineArray<24, UInt32>(repeating: 0)
  private(set) var rangeCount = 0

  /// How many keys.
  var count: UInt32 {
    var sum: UInt32 = 0
    for index in 0..<rangeCount { sum += lasts[index] - firsts[index] + 1 }
    return sum
  }

  var first: UInt32? { rangeCount > 0 ? firsts[0] : nil }

  func range(_ index: Int) -> (first: UInt32, last: UInt32) { (firsts[index], lasts[index]) }

  func contains(_ key: UInt32) -> Bool {
    for index in 0..<rangeCount where firsts[index] <= key && key <= lasts[index] { return true }
    return false
  }

  /// The key at a place, from the oldest (0) or, `backwards`, the newest.
  func key(_ place: UInt32, backwards: Bool) -> UInt32? {
    var left = place
    for step in 0..<rangeCount {
      let index = backwards ? rangeCount - 1 - step : step
      let count = lasts[index] - firsts[index] + 1
      if left < count { return backwards ? lasts[index] - left : firsts[index] + left }
      left -= count
    }
    return nil
  }

  /// Adds a key that is greater than all. If there are too many ranges the last two become one:
  /// what lies between is in the set again, and is sent once more.
  mutating func append(_ key: UInt32) {
    if rangeCount > 0, lasts[rangeCount - 1] + 1 == key || rangeCount == Self.capacity {
      lasts[rangeCount - 1] = key
      return
    }
    firsts[rangeCount] = key
    lasts[rangeCount] = key
    rangeCount += 1
  }

  /// Adds a key. If there are too many ranges the two oldest become one, with what lies between.
  mutating func insert(_ key: UInt32) {
    var index = 0
    while index < rangeCount, lasts[index] < key { index += 1 }
    if index < rangeCount, firsts[index] <= key { return }
    let followsOne = index > 0 && lasts[index - 1] + 1 == key
    let precedesOne = index < rangeCount && firsts[index] == key + 1
    if followsOne, precedesOne {
      lasts[index - 1] = lasts[index]
      removeRange(index)
    } else if followsOne {
      lasts[index - 1] = key
    } else if precedesOne {
      firsts[index] = key
    } else {
      if rangeCount == Self.capacity {
        if index < 2 {
          // It lies before the second: the oldest reaches to it, or from it.
          firsts[0] = min(firsts[0], key)
          lasts[0] = max(lasts[0], key)
          return
        }
        lasts[0] = lasts[1]
        removeRange(1)
        index -= 1
      }
      insertRange(key, key, at: index)
    }
  }

  /// Removes a key. One whose removal would make too many ranges stays, and is sent once more.
  mutating func remove(_ key: UInt32) {
    for index in 0..<rangeCount where firsts[index] <= key && key <= lasts[index] {
      if firsts[index] == lasts[index] {
        removeRange(index)
      } else if firsts[index] == key {
        firsts[index] += 1
      } else if lasts[index] == key {
        lasts[index] -= 1
      } else if rangeCount < Self.capacity {
        insertRange(key + 1, lasts[index], at: index + 1)
        lasts[index] = key - 1
      }
      return
    }
  }

  @inline(never) private mutating func removeRange(_ index: Int) {
    rangeCount -= 1
    var moved = index
    while moved < rangeCount {
      firsts[moved] = firsts[moved + 1]
      lasts[moved] = lasts[moved + 1]
      moved += 1
    }
  }

  @inline(never) private mutating func insertRange(_ first: UInt32, _ last: UInt32, at index: Int) {
    var moved = rangeCount
    while moved > index {
      firsts[moved] = firsts[moved - 1]
      lasts[moved] = lasts[moved - 1]
      moved -= 1
    }
    firsts[index] = first
    lasts[index] = last
    rangeCount += 1
  }

  static func == (a: Self, b: Self) -> Bool {
    guard a.rangeCount == b.rangeCount else { return false }
    for index in 0..<a.rangeCount where a.range(index) != b.range(index) { return false }
    return true
  }

  // MARK: In a block: how many, then the ranges

  static let room = 4 + capacity * 8

  func write(to block: inout Block, at place: Int) {
    block.put(UInt32(rangeCount), at: place)
    for index in 0..<rangeCount {
      block.put(firsts[index], at: place + 4 + index * 8)
      block.put(lasts[index], at: place + 8 + index * 8)
    }
  }

  init() {}

  /// What no `write` has written ends before the first mistake.
  init(_ block: inout Block, at place: Int) {
    let count = min(Int(block.number(at: place)), Self.capacity)
    for index in 0..<count {
      let first = block.number(at: place + 4 + index * 8)
      let last = block.number(at: place + 8 + index * 8)
      // Whoever adds one to a key must not overflow.
      guard first > (index > 0 ? lasts[index - 1] : 0), first <= last, last < .max else { return }
      insertRange(first, last, at: index)
    }
  }
}
