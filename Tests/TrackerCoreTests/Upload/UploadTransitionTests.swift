import Testing

@testable import TrackerCore

/// The table of an uploader's states is what the uploader does: no more, and no less.
@Suite struct UploadTransitionTests {
  @Test func `Every transition is in the table, and every entry of the table is taken`() {
    var taken = Transitions()
    for seed in 0..<UInt64(200) {
      var fuzz = UploaderFuzz(seed: seed)
      for _ in 0..<300 { fuzz.step() }
      taken.formUnion(fuzz.uploader.taken, of: UploadStep.table)
    }
    expectEqual(taken, UploadStep.table, Self.self)
  }

  @Test func `The lines of the table are the states, in their order`() {
    let states = (UInt8(0)..<6).compactMap { UploadStep(rawValue: $0).map { "\($0)" } }
    #expect(UploadStep.table.names == states, again(Self.self))
  }
}
