import TrackerCore
import Wording

/// The battery's line: what was measured, or why nothing is.
public enum BatteryText {
  enum Phrase: String, Catalogue {
    case byGauge, byVoltage, charging, noSensor, notYet, modemNotYet, modemOld, lost, lostAfter
    case ofModem, implausible

    var texts: Texts {
      switch self {
      case .byGauge:
        Texts(
          ca: "{1} mV, {2} % segons el seu mesurador", es: "{1} mV, {2} % según su medidor",
          en: "{1} mV, {2} % by its fuel gauge", fr: "{1} mV, {2} % selon sa jauge")
      case .byVoltage:
        Texts(
          ca: "{1} mV, {2} % segons la tensió", es: "{1} mV, {2} % según la tensión",
          en: "{1} mV, {2} % by its voltage", fr: "{1} mV, {2} % selon la tension")
      case .charging:
        Texts(
          ca: "carregant amb {1} mA", es: "cargando con {1} mA", en: "charging with {1} mA",
          fr: "en charge à {1} mA")
      case .noSensor:
        Texts(
          ca: "no mesurada: la placa no té sensor", es: "no medida: la placa no tiene sensor",
          en: "not measured: the board names no sensor",
          fr: "non mesurée : la carte n'a pas de capteur")
      case .notYet:
        Texts(
          ca: "encara no mesurada", es: "aún no medida", en: "not measured yet",
          fr: "pas encore mesurée")
      case .modemNotYet:
        Texts(
          ca: "encara no mesurada: el mòdem la diu en cada contacte",
          es: "aún no medida: el módem la dice en cada contacto",
          en: "not measured yet: the modem reports it at contacts",
          fr: "pas encore mesurée : le modem la donne aux contacts")
      case .modemOld:
        Texts(
          ca: "no mesurada: el mòdem la va dir fa {1}", es: "no medida: el módem la dijo hace {1}",
          en: "not measured: the modem last reported it {1} ago",
          fr: "non mesurée : le modem l'a donnée il y a {1}")
      case .lost:
        Texts(
          ca: "no mesurada: {1}", es: "no medida: {1}", en: "not measured: {1}",
          fr: "non mesurée : {1}")
      case .lostAfter:
        Texts(
          ca: "no mesurada: {1}; fa {2} {3} mV", es: "no medida: {1}; hace {2} {3} mV",
          en: "not measured: {1}; {2} ago {3} mV", fr: "non mesurée : {1} ; {3} mV il y a {2}")
      case .ofModem:
        Texts(
          ca: "pel mòdem fa {1}", es: "por el módem hace {1}", en: "by the modem {1} ago",
          fr: "par le modem il y a {1}")
      case .implausible:
        Texts(
          ca: "lectures impossibles no usades: {1}", es: "lecturas imposibles no usadas: {1}",
          en: "implausible readings not used: {1}", fr: "lectures impossibles ignorées : {1}")
      }
    }
  }

  public static func text(_ facts: TrackerFacts, in language: Language) -> String {
    let text = state(facts, in: language)
    guard facts.battery.implausible > 0 else { return text }
    return text + language.semicolon
      + Phrase.implausible.text(in: language, "\(facts.battery.implausible)")
  }

  private static func state(_ facts: TrackerFacts, in language: Language) -> String {
    let age = facts.battery.age.map { Quantity.span($0, in: language) }
    let problem = facts.battery.problem?[language] ?? ""
    switch facts.battery.state {
    case .noSensor: return Phrase.noSensor.text(in: language)
    case .notYet: return Phrase.notYet.text(in: language)
    case .modemNotYet: return Phrase.modemNotYet.text(in: language)
    case .modemOld: return Phrase.modemOld.text(in: language, age ?? "")
    case .lost:
      guard let age, let millivolts = facts.battery.millivolts else {
        return Phrase.lost.text(in: language, problem)
      }
      return Phrase.lostAfter.text(in: language, problem, age, "\(millivolts)")
    case .measured:
      let figures = figures(facts, in: language)
      return age.map { figures + ", " + Phrase.ofModem.text(in: language, $0) } ?? figures
    }
  }

  /// `7411 mV, 46 % by its voltage, 310 mA`
  private static func figures(_ facts: TrackerFacts, in language: Language) -> String {
    let phrase = facts.battery.isFuelGauge ? Phrase.byGauge : .byVoltage
    let text = phrase.text(
      in: language, "\(facts.battery.millivolts ?? 0)", "\(facts.battery.percent ?? 0)")
    guard let current = facts.battery.milliamps else { return text }
    if current >= 0 { return text + ", \(current) mA" }
    return text + ", " + Phrase.charging.text(in: language, "\(current.magnitude)")
  }

  /// `46 % ± 4 %, estimated`; `nil`: not measured.
  public static func charge(_ facts: TrackerFacts, in language: Language) -> String? {
    guard facts.battery.isMeasured, let charge = facts.battery.charge else { return nil }
    let text = StatusValue.charge.text(
      in: language, "\(charge)", "\(facts.battery.chargeDeviation ?? 0)")
    guard let tenths = facts.battery.drainTenths else { return text }
    let factor = Quantity.decimal(Double(tenths) / 10, 1, in: language)
    return text + language.semicolon + StatusValue.drainFactor.text(in: language, factor)
  }

  /// `21 h at 95 % confidence, reaches the finish`; `nil`: not known.
  static func outlook(_ facts: TrackerFacts, in language: Language) -> String? {
    guard let lasts = facts.battery.lasts, let confidence = facts.battery.confidence else {
      return nil
    }
    let text = StatusValue.lasts.text(
      in: language, Quantity.span(lasts, in: language), "\(confidence)")
    guard let reaches = facts.battery.reachesFinish else { return text }
    let end: StatusValue = reaches ? .reaches : .falls
    return text + ", " + end.text(in: language)
  }
}
