import TestSupport
import Testing
import Wording

@testable import MachineAccess

/// All texts for people, in all languages.
@Suite struct MachinePhraseTests {
  @Test func `No text lacks a translation or an argument`() {
    let found =
      problems(of: LinePhrase.self) + problems(of: AnswerPhrase.self)
    #expect(found == [], "repeat with: swift test --filter MachinePhraseTests")
  }
}
