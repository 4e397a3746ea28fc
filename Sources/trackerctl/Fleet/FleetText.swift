import Wording

/// What `trackerctl fleet` says beside errors in the table, and the text for whoever makes the
/// cards.
enum FleetText: String, Catalogue {
  case exists, foreign, written, interrupted, readme

  var texts: Texts {
    switch self {
    case .exists:
      Texts(
        ca: "{1}: ja existeix; doneu un altre --output, o --replace per substituir-lo",
        es: "{1}: ya existe; dé otro --output, o --replace para sustituirlo",
        en: "{1}: exists already; give another --output, or --replace to replace it",
        fr: "{1} : existe déjà ; donnez un autre --output, ou --replace pour le remplacer")
    case .foreign:
      Texts(
        ca: "{1}: no l'ha escrit trackerctl fleet; no s'esborra, doneu un altre --output",
        es: "{1}: no lo escribió trackerctl fleet; no se borra, dé otro --output",
        en: "{1}: was not written by trackerctl fleet; it is kept, give another --output",
        fr: "{1} : n'a pas été écrit par trackerctl fleet ; il reste, donnez un autre --output")
    case .written:
      Texts(
        ca: "{1} targeta preparada a {2}; {2}/README.txt diu com seguir | {1} targetes preparades "
          + "a {2}; {2}/README.txt diu com seguir",
        es: "{1} tarjeta preparada en {2}; {2}/README.txt dice cómo seguir | {1} tarjetas "
          + "preparadas en {2}; {2}/README.txt dice cómo seguir",
        en: "{1} card prepared in {2}; {2}/README.txt says how to go on | {1} cards prepared in "
          + "{2}; {2}/README.txt says how to go on",
        fr: "{1} carte préparée dans {2} ; {2}/README.txt dit comment continuer | {1} cartes "
          + "préparées dans {2} ; {2}/README.txt dit comment continuer")
    case .interrupted:
      Texts(
        ca: "interromput; no s'ha canviat res", es: "interrumpido; no se ha cambiado nada",
        en: "interrupted; nothing was changed", fr: "interrompu ; rien n'a été changé")
    case .readme: FleetReadme.texts
    }
  }
}
