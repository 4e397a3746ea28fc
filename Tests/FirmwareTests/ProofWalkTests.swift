import Testing
import TrackerCore

@testable import FirmwareHost

/// The proof that no capture is missing, on a controller.
@Suite struct ProofWalkTests {
  private func walk(
    _ sequences: [UInt32], from key: UInt32 = 1, to last: UInt32, next: UInt32
  ) -> ProofWalk {
    var walk = ProofWalk(from: key, to: last, before: next)
    for sequence in sequences { walk.take(sequence, .pending) }
    walk.finish()
    return walk
  }

  /// Numbers that can be read, keys, the tracker's next number, and how many are missing.
  @Test(
    arguments: [
      ([], 1, 0, 1, 0), ([1, 2, 3], 1, 3, 4, 0), ([1, 3], 1, 3, 4, 1), ([1, 2], 1, 5, 6, 3),
      ([2, 3], 1, 3, 4, 1), ([], 1, 3, 4, 3), ([7, 8, 8, 9], 7, 10, 10, 0),
      ([5, 9, 10], 5, 12, 13, 5), ([], 5, 12, 13, 8),
    ] as [([UInt32], UInt32, UInt32, UInt32, UInt32)])
  func `Numbers that are missing are counted, and what was written twice is not`(
    _ sequences: [UInt32], _ key: UInt32, _ last: UInt32, _ next: UInt32, _ missing: UInt32
  ) {
    let walk = walk(sequences, from: key, to: last, next: next)
    #expect(walk.missing == missing)
    #expect(walk.pending == UInt32(Set(sequences).count))
  }
}
