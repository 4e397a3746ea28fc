public import TrackerCore
import Wording

/// The configured finish, for people.
public enum FinishText {
  enum Phrase: String, Catalogue {
    case afterStart, sessionContinues, sessionEnds

    var texts: Texts {
      switch self {
      case .afterStart:
        Texts(
          ca: "{1} després del primer inici de la sessió",
          es: "{1} después del primer inicio de la sesión",
          en: "{1} after the session's first start", fr: "{1} après le premier début de la session")
      case .sessionContinues:
        Texts(
          ca: "la sessió continua", es: "la sesión continúa", en: "the session continues",
          fr: "la session continue")
      case .sessionEnds:
        Texts(
          ca: "la sessió s'acaba {1} després", es: "la sesión termina {1} después",
          en: "the session ends {1} later", fr: "la session finit {1} plus tard")
      }
    }
  }

  public static func text(
    of configuration: Configuration, in language: Language = .english
  ) -> String {
    var session = TrackerFacts.Session()
    session.take(configuration)
    return text(session, in: language)
  }

  /// - Parameter left: how long it still is; a time from the session's start says nothing more.
  static func text(
    _ session: TrackerFacts.Session, left: String? = nil, in language: Language
  ) -> String {
    var text: String
    if let utc = session.finishAt {
      text = CalendarText.text(utc) + " UTC"
      if let left { text = left + language.colon + text }
    } else if let left {
      text = left
    } else if let after = session.finishAfter {
      text = Phrase.afterStart.text(
        in: language, Quantity.span(after, in: language))
    } else {
      return StatusValue.finishNone.text(in: language)
    }
    if session.state == .finished { return text }
    guard let grace = session.endAfterFinish else {
      return text + language.semicolon + Phrase.sessionContinues.text(in: language)
    }
    return text + language.semicolon
      + Phrase.sessionEnds.text(in: language, Quantity.span(grace, in: language))
  }
}
