import FieldConsole
import TrackerCore
import Wording

/// Whether a console may give orders, by the tracker's settings. The tracker checks the PIN.
struct OrderGate {
  enum Standing {
    case open
    case needsPIN
    case readOnly
  }

  private(set) var isUnlocked = false

  func standing(of facts: TrackerFacts) -> Standing {
    switch facts.identity.consoleAccess {
    case .full: .open
    case .readOnly, .off: .readOnly
    case .pin: isUnlocked ? .open : .needsPIN
    }
  }

  /// - Returns: what is wrong; `nil`: the PIN is right.
  mutating func unlock(
    _ pin: String, _ backend: inout some ConsoleBackend, in language: Language
  ) -> String? {
    do throws(ConsoleProblem) {
      _ = try backend.ask("unlock \(pin)")
      isUnlocked = true
      return nil
    } catch {
      let words = error.texts.english.split(separator: " ")
      if words.count == 2, words[0] == "wait", let wait = Int64(words[1]) {
        return DoorPhrase.pinWait.text(in: language, Quantity.clock(Milliseconds(wait)))
      }
      return words == ["wrong"] ? DoorPhrase.wrongPIN.text(in: language) : error.texts[language]
    }
  }
}
