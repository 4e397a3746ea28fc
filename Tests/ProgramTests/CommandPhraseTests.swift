import CommandLineSupport
import TestSupport
import Testing
import Wording

@testable import trackerctl

/// All texts for people, in all languages.
@Suite struct CommandPhraseTests {
  @Test func `No text lacks a translation or an argument`() {
    let found =
      problems(of: CommandPhrase.self) + problems(of: DeliveryPhrase.self)
      + problems(of: UsagePhrase.self, sameAsEnglish: ["usage", "options"])
      + problems(of: SetupPhrase.self) + problems(of: SetupQuestion.self)
      + problems(of: ProcessPhrase.self, sameAsEnglish: ["systemd: {1}"])
    #expect(found == [], "repeat with: swift test --filter CommandPhraseTests")
  }
}
