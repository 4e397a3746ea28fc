import TrackerCore
import Wording

/// The session, and who ordered what.
enum SessionText {
  static func text(_ facts: TrackerFacts, in language: Language) -> String {
    let age = ago(facts.sessionAge, facts, in: language)
    let order = facts.sessionOrder.map { origin($0, facts, in: language) }
    switch facts.session {
    case .running:
      var text = StatusValue.running.text(in: language, "\(facts.sessionNumber ?? 0)")
      text += ", " + StatusValue.begun.text(in: language, age)
      if let order { text += language.semicolon + StatusValue.ordered.text(in: language, order) }
      return text
    case .finished: return StatusValue.finished.text(in: language, age)
    case .stopped:
      if let order { return StatusValue.stopped.text(in: language, order) }
      guard facts.sessionNumber != nil else { return StatusValue.stoppedNever.text(in: language) }
      return StatusValue.stopped.text(in: language, age)
    }
  }

  /// `"Els Tardans", set 2 h ago (socket)`
  static func team(_ facts: TrackerFacts, _ order: String, in language: Language) -> String {
    StatusValue.setTeam.text(in: language, facts.team, origin(order, facts, in: language))
  }

  /// `interval 7200000 anna 5 min` as `interval 5 min, 2 h ago (anna)`.
  static func setting(
    _ order: String, _ facts: TrackerFacts, in language: Language
  ) -> String {
    let words = order.split(separator: " ", maxSplits: 3).map(String.init)
    guard words.count == 4 else { return order }
    return "\(words[0]) \(words[3]), " + origin("\(words[1]) \(words[2])", facts, in: language)
  }

  /// `7200000 socket` as `2 h ago (socket)`.
  private static func origin(
    _ order: String, _ facts: TrackerFacts, in language: Language
  ) -> String {
    let words = order.split(separator: " ").map(String.init)
    let age = words.count > 1 ? Int64(words[0]) : nil
    return ago(age, facts, in: language) + " (\(words.last ?? "?"))"
  }

  private static func ago(
    _ age: Int64?, _ facts: TrackerFacts, in language: Language
  ) -> String {
    age.map {
      facts.date(ago: $0)
        ?? StatusValue.ago.text(in: language, Quantity.span(Milliseconds($0), in: language))
    } ?? StatusValue.beforeStart.text(in: language)
  }
}
