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

  /// A word for `TrackerFacts.contactRule`.
  static func rule(of configuration: Configuration) -> String {
    if case .adaptive = configuration.capture { return budget }
    return switch configuration.contactRule {
    case .transmitInterval: interval
    case .reconnectFloor: floor
    }
  }

  private static let budget = "budget"
  private static let interval = "transmitInterval"
  private static let floor = "reconnectFloor"

  static func text(interval: Milliseconds, rule: String?, in language: Language) -> String {
    let phrase: StatusValue =
      switch rule {
      case budget: .byBudget
      case floor: .byFloor
      case Self.interval, nil, .some: .byInterval
      }
    return StatusValue.apart.text(
      in: language, Quantity.span(interval, in: language), phrase.text(in: language))
  }
}
