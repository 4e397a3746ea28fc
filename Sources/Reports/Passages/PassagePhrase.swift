public import Wording

/// What the table of passages says.
public enum PassagePhrase: Catalogue {
  case heading, noDate, unnamed, finished, out, standing, heard, elsewhere, undated
  case inferred, missing, unknown, legend, pastDue, behind, ahead, onTime, clone, twice, totals
  case apart

  public var texts: Texts {
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
