import Simulation
import Testing
import TrackerCore

@testable import Traces

/// A digest tells runs apart that did not do the same.
@Suite struct EffectDigestTests {
  private func digest(_ effects: [Effect]) -> UInt32 {
    var digest = EffectDigest()
    for effect in effects { digest.add(effect) }
    return digest.value
  }

  @Test func `Different effects have different digests, in any order and number`() {
    let effects = Roster.effects
    let alone = effects.map { digest([$0]) }
    for (index, one) in effects.enumerated() {
      for (other, two) in effects.enumerated() where other > index {
        #expect((alone[index] == alone[other]) == (one == two), "\(one) and \(two)")
        if one != two { #expect(digest([one, two]) != digest([two, one]), "\(one), \(two)") }
      }
      #expect(digest([one, one]) != alone[index], "\(one)")
    }
  }

  @Test func `A run has the same digest whether its events are written or not`() {
    var digests: Set<UInt64> = []
    for seed in UInt64(1)...20 {
      var generator = SeededGenerator(seed: seed, stream: 5)
      let passing = RandomPassing.make(&generator)
      var unread = EventLog()
      unread.show(passing)
      var written = EventLog { _ in }
      written.show(passing)
      #expect(unread.digest == written.digest, "seed \(seed)")
      digests.insert(unread.digest.value)
    }
    #expect(digests.count == 20)
  }
}
