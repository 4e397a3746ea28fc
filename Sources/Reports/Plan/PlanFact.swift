public import Wording

/// What a plan rests on.
public enum PlanFact: Catalogue {
  case measured, full, finish, asleep, alwaysOn, races, doubts
  case oneCell, inSeries, inParallel, pack

  public var texts: Texts {
    switch self {
    case .measured:
      Texts(
        ca: "{1} V, és a dir, carregada cap al {2} %",
        es: "{1} V, es decir, cargada hacia el {2} %",
        en: "{1} V, so about {2} % charged", fr: "{1} V, donc chargée à {2} % environ")
    case .full: Texts(ca: "plena", es: "llena", en: "full", fr: "pleine")
    case .finish:
      Texts(
        ca: "{1} h després de la sortida, cobertura {2}",
        es: "{1} h después de la salida, cobertura {2}",
        en: "{1} h after the start, coverage {2}", fr: "{1} h après le départ, couverture {2}")
    case .asleep:
      Texts(
        ca: "adormit entre captures", es: "dormido entre capturas", en: "asleep between captures",
        fr: "en veille entre les captures")
    case .alwaysOn:
      Texts(ca: "sempre engegat", es: "siempre encendido", en: "always on", fr: "toujours allumé")
    case .races:
      Texts(
        ca: "{1} per a cada interval, des de la llavor {2}; {3}",
        es: "{1} para cada intervalo, desde la semilla {2}; {3}",
        en: "{1} for each interval, from seed {2}; {3}",
        fr: "{1} par intervalle, depuis la graine {2} ; {3}")
    case .doubts:
      Texts(
        ca: "varia {1} xifra no verificada | varien {1} xifres no verificades",
        es: "varía {1} cifra no verificada | varían {1} cifras no verificadas",
        en: "{1} unverified figure varied | {1} unverified figures varied",
        fr: "{1} chiffre non vérifié varie | {1} chiffres non vérifiés varient")
    case .oneCell: Texts(ca: "1 cel·la", es: "1 celda", en: "1 cell", fr: "1 élément")
    case .inSeries:
      Texts(ca: "{1} en sèrie", es: "{1} en serie", en: "{1} in series", fr: "{1} en série")
    case .inParallel:
      Texts(
        ca: "{1} en paral·lel", es: "{1} en paralelo", en: "{1} in parallel", fr: "{1} en parallèle"
      )
    case .pack:
      Texts(
        ca: "{1}, {2}, {3} mAh cadascuna", es: "{1}, {2}, {3} mAh cada una",
        en: "{1}, {2}, {3} mAh each", fr: "{1}, {2}, {3} mAh chacun")
    }
  }
}
