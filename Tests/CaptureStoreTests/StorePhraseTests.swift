import TestSupport
import Testing
import Wording

@testable import CaptureStore

/// All texts for people, in all languages.
@Suite struct StorePhraseTests {
  @Test func `No text lacks a translation or an argument`() {
    let found =
      problems(of: StorePhrase.self)
    #expect(found == [], "repeat with: swift test --filter StorePhraseTests")
  }
}
