import TestSupport
import Testing
import Wording

@testable import Uplink

/// All texts for people, in all languages.
@Suite struct UplinkTextTests {
  @Test func `No text lacks a translation or an argument`() {
    let found =
      problems(of: UplinkPhrase.self, sameAsEnglish: []) + problems(of: LayerPhrase.self)
      + problems(
        of: HTTPPhrase.self,
        sameAsEnglish: [])
    #expect(found == [], "repeat with: swift test --filter UplinkTextTests")
  }
}
