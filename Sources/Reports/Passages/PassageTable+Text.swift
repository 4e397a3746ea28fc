import Statistics
import TrackerCore
public import Wording

extension PassageTable {
  /// For a terminal: a heading, a part for each tracker, the totals.
  public func text(in language: Language) -> String {
    let heading =
      now.map { PassagePhrase.heading.text(in: language, CalendarText.text($0)) }
      ?? PassagePhrase.noDate.text(in: language)
    let names = places.map { $0.name.cut(to: NameWidth.place) }
    let width = names.map(\.count).max() ?? 0
    var lines = [heading, ""]
    for way in ways {
      lines.append(headline(way, in: language))
      lines += remarks(way, in: language).map { "  " + $0 }
      for (index, call) in way.calls.enumerated() where call.state != .ahead {
        let name = names[index] + String(repeating: " ", count: width - names[index].count)
        let at = kilometres(places[index].metres, language)
        lines.append("  \(name)  \(at)  \(cell(call, language))")
      }
      lines.append("")
    }
    if ways.contains(where: { $0.calls.contains { $0.state == .unknown } }) {
      lines += [PassagePhrase.legend.text(in: language), ""]
    }
    return (lines + [totals(in: language)]).joined(separator: "\n") + "\n"
  }

  private func headline(_ way: TeamWay, in language: Language) -> String {
    let name =
      way.team.isEmpty ? PassagePhrase.unnamed.text(in: language) : way.team.cut(to: NameWidth.team)
    return "\(name) (\(way.device.lowercaseText.prefix(8)))\(language.colon)"
      + standing(way, in: language)
  }

  private func standing(_ way: TeamWay, in language: Language) -> String {
    guard let last = way.lastReport, let now else { return PassagePhrase.noDate.text(in: language) }
    guard let done = way.done, let there = way.there else {
      return PassagePhrase.elsewhere.text(in: language)
    }
    if way.isFinished { return PassagePhrase.finished.text(in: language) }
    let at = CalendarText.text(last)
    let place = Quantity.decimal(Double(done) / 1000, 1, in: language)
    guard now - there > ReportBounds.standing else {
      return PassagePhrase.out.text(in: language, place, at)
    }
    return PassagePhrase.standing.text(in: language, place, CalendarText.text(there))
  }

  private func remarks(_ way: TeamWay, in language: Language) -> [String] {
    var remarks: [String] = []
    if let now, let last = way.lastReport, now - last > ReportBounds.standing, !way.isFinished {
      remarks.append(PassagePhrase.heard.text(in: language, CalendarText.text(last)))
    }
    if let file = way.clone {
      remarks.append(PassagePhrase.clone.text(in: language, file.cut(to: NameWidth.team)))
    } else if !way.team.isEmpty,
      ways.contains(where: { $0.team == way.team && $0.device != way.device })
    {
      remarks.append(PassagePhrase.twice.text(in: language))
    }
    if way.isApart { remarks.append(PassagePhrase.apart.text(in: language)) }
    if way.undated > 0 {
      remarks.append(PassagePhrase.undated.text(in: language, count: Int64(way.undated)))
    }
    return remarks
  }

  private func cell(_ call: TeamWay.Call, _ language: Language) -> String {
    switch call.state {
    case .passed(let utc, let isInferred):
      var parts = [Doubt.text(CalendarText.text(utc), call.doubt, isInferred: isInferred)]
      if isInferred { parts.append(PassagePhrase.inferred.text(in: language)) }
      if let behind = call.behind { parts.append(difference(behind, language)) }
      return parts.joined(separator: ", ")
    case .missing: return PassagePhrase.missing.text(in: language)
    case .unknown: return PassagePhrase.unknown.text(in: language)
    case .pastDue(let utc):
      return PassagePhrase.pastDue.text(in: language, CalendarText.text(utc))
    case .ahead: return ""
    }
  }

  private func difference(_ behind: Milliseconds, _ language: Language) -> String {
    let length = Milliseconds(behind.count.magnitude < .max / 2 ? abs(behind.count) : 0)
    guard length >= .seconds(60) else { return PassagePhrase.onTime.text(in: language) }
    let phrase = behind.count > 0 ? PassagePhrase.behind : .ahead
    return phrase.text(in: language, Quantity.span(length, in: language))
  }

  private func kilometres(_ metres: Int32, _ language: Language) -> String {
    let number = Quantity.decimal(Double(metres) / 1000, 1, in: language)
    return "km " + String(repeating: " ", count: max(0, 5 - number.count)) + number
  }

  private func totals(in language: Language) -> String {
    func count(_ holds: (TeamWay) -> Bool) -> String { "\(ways.count(where: holds))" }
    let out = count { !$0.isFinished && $0.done != nil }
    return PassagePhrase.totals.text(
      in: language, "\(ways.count)", count(\.isFinished), out, count(\.isPastDue),
      count(\.hasMissing))
  }
}

extension TeamWay {
  var isPastDue: Bool {
    calls.contains { if case .pastDue = $0.state { true } else { false } }
  }
  var hasMissing: Bool { calls.contains { $0.state == .missing } }
}

/// What the table of passages says.
enum PassagePhrase: Catalogue {
  case heading, noDate, unnamed, finished, out, standing, heard, elsewhere, undated
  case inferred, missing, unknown, legend, pastDue, behind, ahead, onTime, clone, twice, totals
  case apart

  var texts: Texts {
    switch self {
    case .heading:
      Texts(
        ca: "Passos fins al {1} (UTC)", es: "Pasos hasta el {1} (UTC)",
        en: "Passages as of {1} (UTC)",
        fr: "Passages à {1} (UTC)")
    case .noDate:
      Texts(
        ca: "Cap captura amb data fiable", es: "Ninguna captura con fecha fiable",
        en: "No capture with a trusted date", fr: "Aucune capture avec une date fiable")
    case .unnamed:
      Texts(ca: "sense nom", es: "sin nombre", en: "without a name", fr: "sans nom")
    case .finished: Texts(ca: "ha arribat", es: "ha llegado", en: "finished", fr: "arrivée")
    case .out:
      Texts(
        ca: "en camí, km {1} a {2}", es: "en camino, km {1} a {2}", en: "out, km {1} at {2}",
        fr: "en route, km {1} à {2}")
    case .standing:
      Texts(
        ca: "en camí, km {1} des de {2}", es: "en camino, km {1} desde {2}",
        en: "out, km {1} since {2}", fr: "en route, km {1} depuis {2}")
    case .heard:
      Texts(
        ca: "darrer senyal el {1}", es: "última señal el {1}", en: "last heard at {1}",
        fr: "dernier signal le {1}")
    case .elsewhere:
      Texts(
        ca: "mai a prop del recorregut", es: "nunca cerca del recorrido",
        en: "never near the course", fr: "jamais près du parcours")
    case .undated:
      Texts(
        ca: "{1} captura sense data fiable | {1} captures sense data fiable",
        es: "{1} captura sin fecha fiable | {1} capturas sin fecha fiable",
        en: "{1} capture without a trusted date | {1} captures without a trusted date",
        fr: "{1} capture sans date fiable | {1} captures sans date fiable")
    case .inferred: Texts(ca: "deduït", es: "deducido", en: "inferred", fr: "déduit")
    case .missing: Texts(ca: "hi falta", es: "falta", en: "missing", fr: "manquant")
    case .unknown: Texts(ca: "no se sap", es: "no se sabe", en: "unknown", fr: "inconnu")
    case .legend:
      Texts(
        ca: "no se sap: és més enllà, i cap captura no diu si hi ha passat ni quan",
        es: "no se sabe: está más allá, y ninguna captura dice si ha pasado ni cuándo",
        en: "unknown: it is past there, and no capture shows whether it was there, or when",
        fr: "inconnu : elle est au-delà, et aucune capture ne dit si elle y est passée, ni quand")
    case .pastDue:
      Texts(
        ca: "vençut des de {1}", es: "vencido desde {1}", en: "past due since {1}",
        fr: "hors délai depuis {1}")
    case .behind: Texts(ca: "{1} tard", es: "{1} tarde", en: "{1} behind", fr: "{1} de retard")
    case .ahead:
      Texts(ca: "{1} abans", es: "{1} antes", en: "{1} ahead", fr: "{1} d'avance")
    case .onTime: Texts(ca: "a l'hora", es: "puntual", en: "on time", fr: "à l'heure")
    case .clone:
      Texts(
        ca: "targeta clonada: el mateix dispositiu en un altre fitxer que {1}",
        es: "tarjeta clonada: el mismo dispositivo en otro archivo que {1}",
        en: "cloned card: the same device in another file than {1}",
        fr: "carte clonée : le même appareil dans un autre fichier que {1}")
    case .twice:
      Texts(
        ca: "el mateix nom té un altre dispositiu", es: "el mismo nombre tiene otro dispositivo",
        en: "another device has the same name", fr: "un autre appareil porte le même nom")
    case .apart:
      Texts(
        ca: "les seves dates són lluny de les de la majoria: comproveu-ne l'any",
        es: "sus fechas están lejos de las de la mayoría: compruebe el año",
        en: "its dates are days from most others': check the year",
        fr: "ses dates sont loin de celles de la plupart : vérifiez l'année")
    case .totals:
      Texts(
        ca: "equips: {1}; arribats: {2}; en camí: {3}; vençuts: {4}; amb passos que falten: {5}",
        es: "equipos: {1}; llegados: {2}; en camino: {3}; vencidos: {4}; con pasos que faltan: {5}",
        en: "teams: {1}; finished: {2}; out: {3}; past due: {4}; with passages missing: {5}",
        fr: "équipes : {1} ; arrivées : {2} ; en route : {3} ; hors délai : {4} ; avec "
          + "passages manquants : {5}")
    }
  }
}
