import TrackerCore
import Wording

/// What the console says of the modem.
enum ModemText {
  /// - Parameter phase: as a tracker gives it; one of another version is shown as it is.
  static func texts(of phase: String) -> Texts {
    ModemPhaseName(rawValue: phase)?.texts ?? phase.texts
  }

  /// What it is doing.
  static func text(_ facts: TrackerFacts, in language: Language) -> String {
    ModemPhaseName(rawValue: facts.modem)?.text(in: language) ?? facts.modem
  }

  /// `Movistar, signal -83 dBm`, as it last reported them; `nil`: neither.
  static func network(_ facts: TrackerFacts, in language: Language) -> String? {
    let signal = facts.signal.map { StatusValue.signal.text(in: language, "\($0)") }
    let parts = [facts.networkOperator?.plain, signal].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// The same with its age, `…, 46 min ago`, unless it is current.
  static func datedNetwork(_ facts: TrackerFacts, in language: Language) -> String? {
    guard let network = network(facts, in: language), let age = facts.registered, age >= 1000
    else { return network(facts, in: language) }
    return network + ", "
      + StatusValue.ago.text(in: language, Quantity.span(Milliseconds(age), in: language))
  }
}
