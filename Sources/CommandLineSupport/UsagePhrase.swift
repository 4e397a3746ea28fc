public import Wording

/// What is wrong with a command line, and what to do.
public enum UsagePhrase: String, Catalogue {
  case needsValue, give, wholeNumber, decimal, example, takesNoValue, unknownOption, twice
  case excludes, needs, missing, tooMuch, nearOption, nearCommand, noSuchCommand, commandOrValue
  case noCommand, usage, options, commands, commandWord, helpOfCommand, manualName
  case exitCode

  public var texts: Texts {
    switch self {
    case .needsValue:
      Texts(
        ca: "{1} necessita un valor: {2}", es: "{1} necesita un valor: {2}",
        en: "{1} needs a value: {2}", fr: "{1} attend une valeur : {2}")
    case .give:
      Texts(
        ca: "{1} '{2}': doneu {3}", es: "{1} '{2}': dé {3}", en: "{1} '{2}': give {3}",
        fr: "{1} '{2}' : donnez {3}")
    case .wholeNumber:
      Texts(
        ca: "un nombre enter de {1} a {2}", es: "un número entero de {1} a {2}",
        en: "a whole number from {1} to {2}", fr: "un nombre entier de {1} à {2}")
    case .decimal:
      Texts(
        ca: "un nombre de {1} a {2}", es: "un número de {1} a {2}", en: "a number from {1} to {2}",
        fr: "un nombre de {1} à {2}")
    case .example:
      Texts(
        ca: "per exemple {1}", es: "por ejemplo {1}", en: "for example {1}", fr: "par exemple {1}")
    case .takesNoValue:
      Texts(
        ca: "{1} no porta valor, i té '{2}'", es: "{1} no lleva valor, y tiene '{2}'",
        en: "{1} takes no value, but got '{2}'",
        fr: "{1} ne prend pas de valeur, mais a reçu '{2}'")
    case .unknownOption:
      Texts(
        ca: "opció desconeguda '{1}'; vegeu {2} --help",
        es: "opción desconocida '{1}'; vea {2} --help", en: "unknown option '{1}'; see {2} --help",
        fr: "option inconnue '{1}' ; voir {2} --help")
    case .twice:
      Texts(
        ca: "{1} hi és dues vegades; doneu-lo una sola vegada",
        es: "{1} está dos veces; délo una sola vez", en: "{1} is given twice; give it once",
        fr: "{1} est donné deux fois ; donnez-le une fois")
    case .excludes:
      Texts(
        ca: "{1} i {2} s'exclouen; traieu-ne un", es: "{1} y {2} se excluyen; quite uno",
        en: "{1} and {2} exclude each other; leave one out",
        fr: "{1} et {2} s'excluent ; retirez-en un")
    case .needs:
      Texts(
        ca: "{1} va amb {2}; doneu-los tots dos", es: "{1} va con {2}; dé los dos",
        en: "{1} goes with {2}; give both", fr: "{1} va avec {2} ; donnez les deux")
    case .missing:
      Texts(
        ca: "falta {1}; escriviu: {2}", es: "falta {1}; escriba: {2}", en: "no {1}; write: {2}",
        fr: "il manque {1} ; écrivez : {2}")
    case .tooMuch:
      Texts(
        ca: "'{1}' hi sobra; escriviu: {2}", es: "'{1}' sobra; escriba: {2}",
        en: "'{1}' is one word too many; write: {2}", fr: "'{1}' est de trop ; écrivez : {2}")
    case .nearOption:
      Texts(
        ca: "opció desconeguda '{1}'; volíeu dir {2}?",
        es: "opción desconocida '{1}'; ¿quería decir {2}?",
        en: "unknown option '{1}'; did you mean {2}?",
        fr: "option inconnue '{1}' ; vouliez-vous dire {2} ?")
    case .nearCommand:
      Texts(
        ca: "'{1}' no és cap ordre; volíeu dir {2}?",
        es: "'{1}' no es una orden; ¿quería decir {2}?",
        en: "'{1}' is not a command; did you mean {2}?",
        fr: "'{1}' n'est pas une commande ; vouliez-vous dire {2} ?")
    case .noSuchCommand:
      Texts(
        ca: "'{1}' no és cap ordre; vegeu {2} --help", es: "'{1}' no es una orden; vea {2} --help",
        en: "'{1}' is not a command; see {2} --help",
        fr: "'{1}' n'est pas une commande ; voir {2} --help")
    case .commandOrValue:
      Texts(
        ca: "'{1}' no és cap ordre; vegeu {2} --help, o escriviu {3} {1}",
        es: "'{1}' no es una orden; vea {2} --help, o escriba {3} {1}",
        en: "'{1}' is not a command; see {2} --help, or write {3} {1}",
        fr: "'{1}' n'est pas une commande ; voir {2} --help, ou écrivez {3} {1}")
    case .noCommand:
      Texts(
        ca: "no hi ha cap ordre; doneu-ne una (vegeu {1} --help)",
        es: "no hay ninguna orden; dé una (vea {1} --help)",
        en: "no command; give one (see {1} --help)",
        fr: "pas de commande ; donnez-en une (voir {1} --help)")
    case .usage: Texts(ca: "ús", es: "uso", en: "usage", fr: "usage")
    case .options: Texts(ca: "opcions", es: "opciones", en: "options", fr: "options")
    case .commands: Texts(ca: "ordres", es: "órdenes", en: "commands", fr: "commandes")
    case .commandWord: Texts(ca: "ORDRE", es: "ORDEN", en: "COMMAND", fr: "COMMANDE")
    case .helpOfCommand:
      Texts(
        ca: "Les opcions d'una ordre: {1} ORDRE --help",
        es: "Las opciones de una orden: {1} ORDEN --help",
        en: "The options of a command: {1} COMMAND --help",
        fr: "Les options d'une commande : {1} COMMANDE --help")
    case .exitCode:
      Texts(
        ca: "codi de sortida: 0 bé; {1}2 mal ús, o entrada o configuració inservibles.",
        es: "código de salida: 0 bien; {1}2 mal uso, o entrada o configuración inservibles.",
        en: "exit code: 0 success; {1}2 wrong use, unusable input or settings.",
        fr: "code de sortie : 0 succès ; {1}2 mauvais usage, entrée ou réglages inutilisables.")
    case .manualName: Texts(ca: "NOM", es: "NOMBRE", en: "NAME", fr: "NOM")
    }
  }
}
