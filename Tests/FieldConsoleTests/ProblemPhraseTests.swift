import TestSupport
import Testing
import Wording

@testable import FieldConsole

/// All texts for people, in all languages.
@Suite struct ProblemPhraseTests {
  @Test func `No text lacks a translation or an argument`() {
    let found =
      problems(of: ProblemPhrase.self) + problems(of: SystemReason.self)
      + problems(of: ListPhrase.self)
    #expect(found == [], "repeat with: swift test --filter ProblemPhraseTests")
  }
}
