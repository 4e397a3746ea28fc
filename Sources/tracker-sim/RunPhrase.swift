import Wording

/// What is said of a run beside its summary.
enum RunPhrase: String, Catalogue {
  case interrupted

  var texts: Texts {
    switch self {
    case .interrupted:
      Texts(
        ca: "{1}: interromput al {2} % de la traça; cap resultat",
        es: "{1}: interrumpido al {2} % de la traza; sin resultado",
        en: "{1}: interrupted at {2} % of the trace; no result",
        fr: "{1} : interrompu à {2} % de la trace ; aucun résultat")
    }
  }
}
