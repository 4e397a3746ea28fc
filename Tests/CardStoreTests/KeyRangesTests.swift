import Testing

@testable import CardStore

@Suite struct KeyRangesTests {
  private func keys(_ ranges: KeyRanges, backwards: Bool = false) -> [UInt32] {
    var keys: [UInt32] = []
    while let key = ranges.key(UInt32(keys.count), backwards: backwards) { keys.append(key) }
    return keys
  }

  /// Against a set, for as long as there are few ranges.
  @Test(arguments: 1...UInt64(20))
  func `It is a set of keys`(_ seed: UInt64) {
    var random = SplitMix(seed)
    var ranges = KeyRanges()
    var expected: Set<UInt32> = []
    for step in 0..<500 {
      let key = UInt32(random.below(40)) + 1
      if random.below(2) == 0 {
        ranges.insert(key)
        expected.insert(key)
      } else {
        ranges.remove(key)
        expected.remove(key)
      }
      #expect(keys(ranges) == expected.sorted(), "seed \(seed), step \(step)")
      #expect(keys(ranges, backwards: true) == expected.sorted().reversed())
      #expect(ranges.count == UInt32(expected.count) && ranges.first == expected.min())
      var block = Block()
      ranges.write(to: &block, at: 60)
      #expect(KeyRanges(&block, at: 60) == ranges)
    }
  }

  @Test func `With too many ranges keys stay or come back, and none is lost`() {
    var ranges = KeyRanges()
    for key in 1...UInt32(200) { ranges.append(key) }
    for key in stride(from: UInt32(2), to: 200, by: 2) { ranges.remove(key) }
    #expect(ranges.rangeCount == KeyRanges.capacity)
    for key in stride(from: UInt32(1), to: 200, by: 2) { #expect(ranges.contains(key), "\(key)") }
    ranges.remove(200)
    ranges.append(300)
    #expect(ranges.rangeCount == KeyRanges.capacity)
    #expect(ranges.contains(300) && ranges.contains(199))
  }

  @Test(arguments: 0...UInt64(20))
  func `With too many ranges nothing that was set aside is forgotten`(_ seed: UInt64) {
    var keys = Array(stride(from: UInt32(2), through: 60, by: 2))
    var random = SplitMix(seed)
    if seed > 0 {
      for index in keys.indices { keys.swapAt(index, random.below(index + 1)) }
    }
    var ranges = KeyRanges()
    for key in keys { ranges.insert(key) }
    #expect(ranges.rangeCount <= KeyRanges.capacity)
    for key in keys { #expect(ranges.contains(key), "\(key), seed \(seed)") }
    #expect(self.keys(ranges) == self.keys(ranges).sorted() && !ranges.contains(61))
    if seed == 0 { #expect(self.keys(ranges).count == 36 && ranges.range(0) == (2, 14)) }
  }

  @Test func `Ranges that no store has written end before the first mistake`() {
    for (first, last) in [(5, 4), (0, 3), (2, 9), (9, UInt32.max)] as [(UInt32, UInt32)] {
      var block = Block()
      block.put(UInt32(3), at: 60)
      for (place, value) in zip(stride(from: 64, to: 88, by: 4), [1, 3, first, last, 20, 30]) {
        block.put(value, at: place)
      }
      #expect(keys(KeyRanges(&block, at: 60)) == [1, 2, 3], "\(first)-\(last)")
    }
  }
}
