import TrackerCore
import Wording

/// The modem's phases for people.
enum ModemText: String, Catalogue, CaseIterable {
  case off, starting, checkingSIM, searching, registered, attached, inUse, stopping, faulted
  case stillOn

  var texts: Texts {
    switch self {
    case .off: Texts(ca: "apagat", es: "apagado", en: "off", fr: "éteint")
    case .starting: Texts(ca: "engegant-se", es: "arrancando", en: "starting", fr: "démarrage")
    case .checkingSIM:
      Texts(
        ca: "comprovant la SIM", es: "comprobando la SIM", en: "checking the SIM",
        fr: "contrôle de la SIM")
    case .searching:
      Texts(ca: "buscant xarxa", es: "buscando red", en: "searching", fr: "recherche de réseau")
    case .registered:
      Texts(
        ca: "registrat a la xarxa", es: "registrado en la red", en: "registered",
        fr: "inscrit au réseau")
    case .attached: Texts(ca: "connectat", es: "conectado", en: "attached", fr: "connecté")
    case .inUse: Texts(ca: "enviant", es: "enviando", en: "in use", fr: "en cours d'envoi")
    case .stopping: Texts(ca: "apagant-se", es: "apagándose", en: "stopping", fr: "arrêt")
    case .faulted: Texts(ca: "avariat", es: "averiado", en: "faulted", fr: "en panne")
    case .stillOn:
      Texts(
        ca: "encara engegat: no confirma que la ràdio és apagada; es torna a provar",
        es: "aún encendido: no confirma que la radio está apagada; se reintenta",
        en: "still on: it does not confirm that its radio is off; trying again",
        fr: "encore allumé : il ne confirme pas que sa radio est éteinte ; nouvel essai")
    }
  }

  /// - Parameter phase: as a tracker gives it; one of another version is shown as it is.
  static func texts(of phase: String) -> Texts { ModemText(rawValue: phase)?.texts ?? phase.texts }
}

extension ModemText {
  /// What it is doing.
  static func text(_ facts: TrackerFacts, in language: Language) -> String {
    ModemText(rawValue: facts.modem)?.text(in: language) ?? facts.modem
  }

  /// `Movistar, signal -83 dBm`, as it last reported them; `nil`: neither.
  static func network(_ facts: TrackerFacts, in language: Language) -> String? {
    let signal = facts.signal.map { StatusValue.signal.text(in: language, "\($0)") }
    let parts = [facts.networkOperator?.plain, signal].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// The same with its age, `…, 46 min ago`, unless it is of now.
  static func datedNetwork(_ facts: TrackerFacts, in language: Language) -> String? {
    guard let network = network(facts, in: language), let age = facts.registered, age >= 1000
    else { return network(facts, in: language) }
    return network + ", "
      + StatusValue.ago.text(in: language, Quantity.span(Milliseconds(age), in: language))
  }
}
