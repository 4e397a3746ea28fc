import Testing

@testable import BoardSupport
@testable import Simulation

/// What differs between one planned race and the next: `tracker-sim plan`, `bench --policies`.
@Suite struct PlannedRaceTests {
  @Test func `A race draws every figure within its uncertainty, not only the unverified ones`()
    throws
  {
    let board = try PublishedLifetimeTests.board("pi-zero-2w-sim7600")
    let races = PlannedRaces(
      board, trace: try .walk(.minutes(1), every: .seconds(2), seed: 1), finish: .start)
    #expect(races.doubts == board.doubts)

    // Its source has a basis, and is not unverified.
    let doubt = try #require(races.doubts.first { $0.keyPath == "loads.board" })
    #expect(!doubt.isUnverified && doubt.percent > 0)
    let believed = Double(board.board.loads.boardMicroamps)
    let drawn = (1...50).map { seed in
      let truth = Luck(seed: UInt64(seed)).truth(of: races.board, races.doubts)
      return Double(truth.loads.boardMicroamps) / believed - 1
    }
    let width = Double(doubt.percent) / 100
    #expect(drawn.allSatisfy { abs($0) <= width + 0.001 })
    #expect(drawn.contains { $0 < -width / 2 } && drawn.contains { $0 > width / 2 })
  }
}
