import TestSupport
import Testing
import Wording

@testable import BoardSupport

/// All texts for people, in all languages.
@Suite struct FilePhraseTests {
  @Test func `No text lacks a translation or an argument`() {
    let found =
      problems(of: FilePhrase.self, sameAsEnglish: ["{1} ({2})"])
    #expect(found == [], "repeat with: swift test --filter FilePhraseTests")
  }
}
