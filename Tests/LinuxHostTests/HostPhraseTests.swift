import TestSupport
import Testing
import Wording

@testable import LinuxHost

/// All texts for people, in all languages.
@Suite struct HostPhraseTests {
  @Test func `No text lacks a translation or an argument`() {
    let found =
      problems(of: HostPhrase.self) + problems(of: RecordingPhrase.self)
      + problems(of: PPPDExit.self)
    #expect(found == [], "repeat with: swift test --filter HostPhraseTests")
  }
}
