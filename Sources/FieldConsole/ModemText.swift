import TrackerCore
import Wording

/// What the console says of the modem.
enum ModemText {
  /// What it is doing.
  static func text(_ facts: TrackerFacts, in language: Language) -> String {
    facts.modem.phase?.text(in: language) ?? ""
  }

  /// `Movistar, signal -83 dBm`, as it last reported them; `nil`: neither.
  static func network(_ facts: TrackerFacts, in language: Language) -> String? {
    let signal = facts.modem.signal.map { StatusValue.signal.text(in: language, "\($0)") }
    let parts = [facts.modem.network?.plain, signal].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// The same with its age, `…, 46 min ago`, unless it is current.
  static func datedNetwork(_ facts: TrackerFacts, in language: Language) -> String? {
    guard let network = network(facts, in: language), let age = facts.modem.registered,
      age >= .seconds(1)
    else { return network(facts, in: language) }
    return network + ", "
      + StatusValue.ago.text(in: language, Quantity.span(age, in: language))
  }
}
