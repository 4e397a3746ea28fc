import Testing
import TrackerCore

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
}
