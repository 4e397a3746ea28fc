public import Wording

/// What is wrong with a command line, and what to do.
public enum UsagePhrase: String, Catalogue {
  case needsValue, give, wholeNumber, takesNoValue, languages, unknownOption, twice, file, store
  case configuration, socket

  public var texts: Texts {
    switch self {
    case .needsValue:
      Texts(
        ca: "{1} necessita un valor: {2}",
        es: "{1} necesita un valor: {2}",
        en: "{1} needs a value: {2}",
        fr: "{1} attend une valeur : {2}")
    case .give:
      Texts(
        ca: "{1} '{2}': doneu {3}",
        es: "{1} '{2}': dé {3}",
        en: "{1} '{2}': give {3}",
        fr: "{1} '{2}' : donnez {3}")
    case .wholeNumber:
      Texts(
        ca: "un nombre enter de {1} a {2}",
        es: "un número entero de {1} a {2}",
        en: "a whole number from {1} to {2}",
        fr: "un nombre entier de {1} à {2}")
    case .takesNoValue:
      Texts(
        ca: "{1} no porta valor, i té '{2}'",
        es: "{1} no lleva valor, y tiene '{2}'",
        en: "{1} takes no value, but got '{2}'",
        fr: "{1} ne prend pas de valeur, mais a reçu '{2}'")
    case .languages:
      Texts(
        ca: "ca, es, en o fr",
        es: "ca, es, en o fr",
        en: "ca, es, en or fr",
        fr: "ca, es, en ou fr")
    case .unknownOption:
      Texts(
        ca: "opció desconeguda '{1}'; vegeu {2} --help",
        es: "opción desconocida '{1}'; vea {2} --help",
        en: "unknown option '{1}'; see {2} --help",
        fr: "option inconnue '{1}' ; voir {2} --help")
    case .twice:
      Texts(
        ca: "{1} hi és dues vegades; doneu-lo una sola vegada",
        es: "{1} está dos veces; délo una sola vez",
        en: "{1} is given twice; give it once",
        fr: "{1} est donné deux fois ; donnez-le une fois")
    case .file: Texts(ca: "un fitxer", es: "un fichero", en: "a file", fr: "un fichier")
    case .store:
      Texts(
        ca: "el magatzem d'un equip",
        es: "el almacén de un equipo",
        en: "a tracker's store",
        fr: "le stockage d'une balise")
    case .configuration:
      Texts(
        ca: "la configuració d'un equip",
        es: "la configuración de un equipo",
        en: "a tracker's configuration",
        fr: "la configuration d'une balise")
    case .socket:
      Texts(
        ca: "el sòcol de control de trackerd",
        es: "el socket de control de trackerd",
        en: "the daemon's control socket",
        fr: "le socket de contrôle de trackerd")
    }
  }
}
