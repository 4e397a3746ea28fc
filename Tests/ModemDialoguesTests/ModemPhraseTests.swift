import TestSupport
import Testing
import Wording

@testable import ModemDialogues

/// All texts for people, in all languages.
@Suite struct ModemPhraseTests {
  @Test func `No text lacks a translation or an argument`() {
    let found =
      problems(of: ModemPhrase.self)
    #expect(found == [], "repeat with: swift test --filter ModemPhraseTests")
  }
}
