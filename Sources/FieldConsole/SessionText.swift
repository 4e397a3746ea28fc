import TrackerCore
import Wording

/// The session, and who ordered what.
enum SessionText {
  static func text(_ facts: TrackerFacts, in language: Language) -> String {
    let age = ago(facts.session.age, facts, in: language)
    let order = facts.session.order.map { origin($0, facts, in: language) }
    switch facts.session.state {
    case .running:
      var text = StatusValue.running.text(in: language, "\(facts.session.number ?? 0)")
      text += ", " + StatusValue.begun.text(in: language, age)
      if let order { text += language.semicolon + StatusValue.ordered.text(in: language, order) }
      return text
    case .finished: return StatusValue.finished.text(in: language, age)
    case .stopped:
      if let order { return StatusValue.stopped.text(in: language, order) }
      guard facts.session.number != nil else { return StatusValue.stoppedNever.text(in: language) }
      return StatusValue.stopped.text(in: language, age)
    }
  }

  /// `"Els Tardans", set 2 h ago (socket)`
  static func team(_ facts: TrackerFacts, _ order: TrackerFacts.Origin, in language: Language)
    -> String
  {
    StatusValue.setTeam.text(in: language, facts.identity.team, origin(order, facts, in: language))
  }

  /// `interval 5 min, 2 h ago (anna)`
  static func setting(
    _ order: TrackerFacts.SettingInForce, _ facts: TrackerFacts, in language: Language
  ) -> String {
    "\(order.key.rawValue) \(order.value), " + origin(order.origin, facts, in: language)
  }

  /// `2 h ago (socket)`
  private static func origin(
    _ order: TrackerFacts.Origin, _ facts: TrackerFacts, in language: Language
  ) -> String {
    ago(order.age, facts, in: language) + " (\(order.who))"
  }

  private static func ago(
    _ age: Milliseconds?, _ facts: TrackerFacts, in language: Language
  ) -> String {
    age.map {
      facts.date(ago: $0)
        ?? StatusValue.ago.text(in: language, Quantity.span($0, in: language))
    } ?? StatusValue.beforeStart.text(in: language)
  }
}
