public import TrackerCore
import Wording

/// The time between contacts, and which setting determines it.
public enum ContactText {
  /// `10 min apart, by reconnectFloor: transmit.interval is shorter`
  public static func text(
    of configuration: Configuration, in language: Language = .english
  ) -> String {
    text(
      interval: configuration.contactInterval, rule: rule(of: configuration), in: language)
  }

  static func rule(of configuration: Configuration) -> TrackerFacts.ContactRule {
    if case .adaptive = configuration.capture { return .budget }
    return switch configuration.contactRule {
    case .transmitInterval: .transmitInterval
    case .reconnectFloor: .reconnectFloor
    }
  }

  static func text(
    interval: Milliseconds, rule: TrackerFacts.ContactRule?, in language: Language
  ) -> String {
    let phrase: StatusValue =
      switch rule {
      case .budget: .byBudget
      case .reconnectFloor: .byFloor
      case .transmitInterval, nil: .byInterval
      }
    return StatusValue.apart.text(
      in: language, Quantity.span(interval, in: language), phrase.text(in: language))
  }
}
