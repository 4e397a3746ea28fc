import Testing

@testable import TrackerCore

/// The table of a modem's states is what the modem does: no more, and no less.
@Suite struct ModemTransitionTests {
  @Test func `Every transition is in the table, and every entry of the table is taken`() {
    var taken = Self.restartingWithoutEnd().modem.power.taken
    for seed in 0..<UInt64(600) {
      var fuzz = ModemFuzz(seed: seed)
      for _ in 0..<300 { fuzz.step() }
      taken.formUnion(fuzz.modem.power.taken, of: ModemStep.table)
    }
    expectEqual(taken, ModemStep.table, Self.self)
  }

  @Test func `The lines of the table are the states, in their order`() {
    let states = (UInt8(0)..<16).compactMap { ModemStep(rawValue: $0).map { "\($0)" } }
    #expect(ModemStep.table.names == states, again(Self.self))
  }

  /// One that restarts without end, and whose port goes during its last message.
  private static func restartingWithoutEnd() -> ModemTape {
    var tape = ModemTape.attached(Self.self) {
      $0.textAfter = .seconds(10)
      $0.floor = 0
    }
    for start in [1000, 2000] {
      tape.play(.hears("RDY\r\n"), at: .at(Int64(start)))
      tape.play(.hears("OK\r\nOK\r\n"), at: .at(Int64(start) + 100))
    }
    tape.live(until: 31_000, [.simStatus: "+CME ERROR: 10\r\n"])
    tape.at(31_000, .line(false), .setLink(isUp: false))
    #expect(tape.modem.phase == .faulted, again(Self.self, "\(tape.modem.power.state)"))
    return tape
  }
}
