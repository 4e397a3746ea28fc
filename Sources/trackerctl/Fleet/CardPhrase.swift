import Wording

/// What is wrong with the files of a card.
enum CardPhrase: String, Catalogue {
  case noSecrets, otherSecrets, unnamedSecrets, badPIN, noConsolePIN, badBoardName, simulatorBoard

  var texts: Texts {
    switch self {
    case .noSecrets:
      Texts(
        ca: "diu que hi ha secrets, però falta el fitxer {1}; afegiu-lo, o traieu aquesta clau",
        es: "dice que hay secretos, pero falta el fichero {1}; añádalo, o quite esta clave",
        en: "says that there are secrets, but the file {1} is missing; add it, or remove this key",
        fr: "dit qu'il y a des secrets, mais le fichier {1} manque ; ajoutez-le, ou retirez cette "
          + "clé")
    case .otherSecrets:
      Texts(
        ca: "els secrets d'una targeta van a {1}; escriviu això",
        es: "los secretos de una tarjeta van a {1}; escriba eso",
        en: "a card's secrets go to {1}; write that",
        fr: "les secrets d'une carte vont dans {1} ; écrivez cela")
    case .unnamedSecrets:
      Texts(
        ca: "hi ha secrets que ningú no llegiria; afegiu secrets: \"{1}\" a la configuració",
        es: "hay secretos que nadie leería; añada secrets: \"{1}\" a la configuración",
        en: "there are secrets that nobody would read; add secrets: \"{1}\" to the configuration",
        fr: "il y a des secrets que personne ne lirait ; ajoutez secrets: \"{1}\" à la "
          + "configuration")
    case .badPIN:
      Texts(
        ca: "el PIN de la SIM no és un PIN; escriviu de 4 a 8 xifres",
        es: "el PIN de la SIM no es un PIN; escriba de 4 a 8 cifras",
        en: "the SIM's PIN is not a PIN; write 4 to 8 digits",
        fr: "le PIN de la SIM n'est pas un PIN ; écrivez 4 à 8 chiffres")
    case .noConsolePIN:
      Texts(
        ca: "la consola demana un PIN (console: \"pin\"); afegiu consolePin, de 4 a 64 caràcters",
        es: "la consola pide un PIN (console: \"pin\"); añada consolePin, de 4 a 64 caracteres",
        en: "the console asks for a PIN (console: \"pin\"); add consolePin, 4 to 64 characters",
        fr: "la console demande un PIN (console: \"pin\") ; ajoutez consolePin, 4 à 64 caractères")
    case .badBoardName:
      Texts(
        ca: "'{1}' no és el nom d'una placa; trackerctl boards les mostra",
        es: "'{1}' no es el nombre de una placa; trackerctl boards las muestra",
        en: "'{1}' is not the name of a board; trackerctl boards lists them",
        fr: "'{1}' n'est pas le nom d'une carte ; trackerctl boards les montre")
    case .simulatorBoard:
      Texts(
        ca: "'{1}' és només per al simulador; trieu-ne una altra",
        es: "'{1}' es solo para el simulador; elija otra",
        en: "'{1}' is for the simulator only; choose another",
        fr: "'{1}' est seulement pour le simulateur ; choisissez-en une autre")
    }
  }
}
