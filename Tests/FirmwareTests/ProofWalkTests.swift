import Testing
import TrackerCore

@testable import FirmwareHost

/// The proof that no capture is missing, on a controller.
@Suite struct ProofWalkTests {
  private func walk(_ sequences: [UInt32], next: UInt32) -> ProofWalk {
    var walk = ProofWalk(from: 1, to: UInt32(sequences.count))
    for sequence in sequences { walk.take(sequence, .pending) }
    walk.end(before: next)
    return walk
  }

  @Test(
    arguments: [
      ([], 1, 0), ([1, 2, 3], 4, 0), ([1, 3], 4, 1), ([1, 2], 6, 3), ([7, 8, 8, 9], 10, 0),
      ([5, 9, 10], 13, 5),
    ] as [([UInt32], UInt32, UInt32)])
  func `Numbers that are missing are counted, and what was written twice is not`(
    _ sequences: [UInt32], _ next: UInt32, _ missing: UInt32
  ) {
    #expect(walk(sequences, next: next).missing == missing)
    #expect(walk(sequences, next: next).pending == UInt32(Set(sequences).count))
  }
}
