import Testing

@testable import TrackerCore

/// Fails the test for each transition that is not in the table, and for each entry of the table
/// that was not taken.
func expectEqual(_ taken: Transitions, _ table: TransitionTable, _ suite: Any.Type) {
  for from in 0..<UInt8(table.states) {
    for to in 0..<UInt8(table.states) {
      let isTaken = taken.contains(from: from, to: to)
      let isAllowed = table.allows(from: from, to: to)
      let what = isTaken ? "is not in the table" : "is never taken"
      #expect(
        isTaken == isAllowed,
        again(suite, "\(table.names[Int(from)]) to \(table.names[Int(to)]) \(what);"))
    }
  }
}

extension Transitions {
  mutating func formUnion(_ other: Transitions, of table: TransitionTable) {
    for from in 0..<UInt8(16) {
      for to in 0..<UInt8(16) where other.contains(from: from, to: to) {
        insert(from: from, to: to, by: table)
      }
    }
  }
}

extension TransitionTable {
  /// What stands at the beginning of each line but the first.
  var names: [String] {
    "\(text)".split(separator: "\n").dropFirst().compactMap {
      $0.split(separator: " ").first.map(String.init)
    }
  }
}
