/// An array in pieces: a copy of which one element changes has only that piece of its own, and none
/// has room for as many elements again, as an array that grows has.
struct Chunks<Element: Sendable>: RandomAccessCollection, Sendable {
  private static var size: Int { 128 }
  /// All are full but the last one.
  private var pieces: [[Element]] = []
  private(set) var count = 0

  var startIndex: Int { 0 }
  var endIndex: Int { count }

  subscript(index: Int) -> Element {
    get { pieces[index / Self.size][index % Self.size] }
    set { pieces[index / Self.size][index % Self.size] = newValue }
  }

  mutating func append(_ element: Element) {
    if count % Self.size == 0 { pieces.append([]) }
    pieces[pieces.count - 1].append(element)
    count += 1
  }

  mutating func insert(_ element: Element, at index: Int) {
    let later = cut(from: index)
    append(element)
    for element in later { append(element) }
  }

  mutating func remove(at index: Int) {
    for element in cut(from: index).dropFirst() { append(element) }
  }

  /// - Returns: what it has no more.
  private mutating func cut(from index: Int) -> [Element] {
    if index == count { return [] }
    let (first, left) = (index / Self.size, index % Self.size)
    let later = pieces[first...].joined().dropFirst(left)
    let rest = Array(later)
    pieces.removeSubrange((first + 1)...)
    pieces[first].removeLast(pieces[first].count - left)
    if left == 0 { pieces.removeLast() }
    count = index
    return rest
  }
}

extension RandomAccessCollection where Index == Int {
  /// The index before which everything comes that does not hold, if all that holds is at the end.
  func partitionPoint(_ holds: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
