import Wording

/// What is said about a run besides its summary.
enum RunPhrase: String, Catalogue {
  case interrupted

  var texts: Texts {
    switch self {
    case .interrupted:
      Texts(
        ca: "{1}: interromput a {2} de la marxa; cap resultat",
        es: "{1}: interrumpido a las {2} de la marcha; sin resultado",
        en: "{1}: interrupted at {2} of the run; no result",
        fr: "{1} : interrompu à {2} du parcours ; aucun résultat")
    }
  }
}
