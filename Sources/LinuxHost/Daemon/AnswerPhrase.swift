import Wording

/// Why a running tracker gives no answer.
enum AnswerPhrase: String, Catalogue {
  case forbidden, silent, absent, other, hungUp, hungUpSilently, badPath, foreign
  case onlyOthers, onlyUser, onlyGroup

  var texts: Texts {
    switch self {
    case .forbidden:
      Texts(
        ca: "{1}: {2} pot preguntar a aquest equip; feu-vos-en, o useu sudo",
        es: "{1}: {2} puede preguntar a este equipo; sea uno de ellos, o use sudo",
        en: "{1}: {2} may ask this tracker; become one of them, or use sudo",
        fr: "{1} : {2} peut interroger cette balise ; devenez l'un d'eux, ou utilisez sudo")
    case .silent:
      Texts(
        ca: "{1}: trackerd no respon a temps; vegeu trackerctl status",
        es: "{1}: trackerd no responde a tiempo; vea trackerctl status",
        en: "{1}: trackerd does not answer in time; see trackerctl status",
        fr: "{1} : trackerd ne répond pas à temps ; voir trackerctl status")
    case .absent:
      Texts(
        ca: "{1}: cap trackerd no hi respon: {2}; engegueu trackerd, o indiqueu-ne el --socket",
        es: "{1}: ningún trackerd responde ahí: {2}; arranque trackerd, o indique su --socket",
        en: "{1}: no trackerd answers there: {2}; start trackerd, or pass its --socket",
        fr: "{1} : aucun trackerd n'y répond : {2} ; lancez trackerd, ou indiquez son --socket")
    case .other:
      Texts(
        ca: "{1}: no se li pot preguntar: {2}; indiqueu el --socket correcte",
        es: "{1}: no se le puede preguntar: {2}; indique el --socket correcto",
        en: "{1}: cannot be asked: {2}; pass the right --socket",
        fr: "{1} : interrogation impossible : {2} ; indiquez le bon --socket")
    case .hungUp:
      Texts(
        ca: "{1}: trackerd ha penjat: {2}; torneu-ho a provar",
        es: "{1}: trackerd ha colgado: {2}; vuelva a probar",
        en: "{1}: trackerd hung up: {2}; try again",
        fr: "{1} : trackerd a raccroché : {2} ; réessayez")
    case .hungUpSilently:
      Texts(
        ca: "{1}: trackerd ha penjat sense respondre; mireu-ne el registre",
        es: "{1}: trackerd ha colgado sin responder; mire su registro",
        en: "{1}: trackerd hung up without an answer; look at its log",
        fr: "{1} : trackerd a raccroché sans répondre ; regardez son journal")
    case .foreign:
      Texts(
        ca: "{1}: qui hi respon no és cap trackerd d'aquesta versió",
        es: "{1}: quien responde ahí no es un trackerd de esta versión",
        en: "{1}: what answers there is not a trackerd of this version",
        fr: "{1} : ce qui y répond n'est pas un trackerd de cette version")
    case .badPath:
      Texts(
        ca: "{1}: no és un camí de sòcol vàlid; useu-ne un d'1 a 107 bytes",
        es: "{1}: no es una ruta de socket válida; use una de 1 a 107 bytes",
        en: "{1}: is not a valid socket path; use one of 1 to 107 bytes",
        fr: "{1} : ce n'est pas un chemin de socket valide ; prenez-en un de 1 à 107 octets")
    case .onlyOthers:
      Texts(
        ca: "només altres",
        es: "solo otros",
        en: "only others",
        fr: "seuls d'autres")
    case .onlyUser:
      Texts(
        ca: "només l'usuari {1}",
        es: "solo el usuario {1}",
        en: "only user {1}",
        fr: "seul l'utilisateur {1}")
    case .onlyGroup:
      Texts(
        ca: "només l'usuari {1} i el grup {2}",
        es: "solo el usuario {1} y el grupo {2}",
        en: "only user {1} and group {2}",
        fr: "seul l'utilisateur {1} et le groupe {2}")
    }
  }
}
