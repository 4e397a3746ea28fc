import Wording

/// Why a recording cannot be written, and what to do.
enum RecordingPhrase: String, Catalogue {
  case write, save, resume, begin, rotate, makeRoom, cureSpace, cureDirectory, cureExists
  case curePermissions, cureMount, cureFile, cureDisk

  var texts: Texts {
    switch self {
    case .write:
      Texts(
        ca: "{1}: no es pot escriure la gravació: {2}; {3}",
        es: "{1}: no se puede escribir la grabación: {2}; {3}",
        en: "{1}: cannot write the recording: {2}; {3}",
        fr: "{1} : impossible d'écrire l'enregistrement : {2} ; {3}")
    case .save:
      Texts(
        ca: "{1}: no es pot desar la gravació: {2}; {3}",
        es: "{1}: no se puede guardar la grabación: {2}; {3}",
        en: "{1}: cannot save the recording: {2}; {3}",
        fr: "{1} : impossible de sauver l'enregistrement : {2} ; {3}")
    case .resume:
      Texts(
        ca: "{1}: no es pot continuar la gravació: {2}; {3}",
        es: "{1}: no se puede continuar la grabación: {2}; {3}",
        en: "{1}: cannot continue the recording: {2}; {3}",
        fr: "{1} : impossible de continuer l'enregistrement : {2} ; {3}")
    case .begin:
      Texts(
        ca: "{1}: no es pot començar la gravació: {2}; {3}",
        es: "{1}: no se puede empezar la grabación: {2}; {3}",
        en: "{1}: cannot begin the recording: {2}; {3}",
        fr: "{1} : impossible de commencer l'enregistrement : {2} ; {3}")
    case .rotate:
      Texts(
        ca: "{1}: no es pot fer rotar la gravació: {2}; {3}",
        es: "{1}: no se puede rotar la grabación: {2}; {3}",
        en: "{1}: cannot rotate the recording: {2}; {3}",
        fr: "{1} : impossible de tourner l'enregistrement : {2} ; {3}")
    case .makeRoom:
      Texts(
        ca: "{1}: no es pot fer lloc a la gravació: {2}; {3}",
        es: "{1}: no se puede hacer sitio a la grabación: {2}; {3}",
        en: "{1}: cannot make room for the recording: {2}; {3}",
        fr: "{1} : impossible de faire place à l'enregistrement : {2} ; {3}")
    case .cureSpace:
      Texts(
        ca: "allibereu espai",
        es: "libere espacio",
        en: "free some space",
        fr: "libérez de la place")
    case .cureDirectory:
      Texts(
        ca: "creeu el directori, o trieu un altre camí",
        es: "cree el directorio, o elija otra ruta",
        en: "create the directory, or choose another path",
        fr: "créez le répertoire, ou choisissez un autre chemin")
    case .cureExists:
      Texts(
        ca: "no és una gravació; trieu un altre camí",
        es: "no es una grabación; elija otra ruta",
        en: "it is not a recording; choose another path",
        fr: "ce n'est pas un enregistrement ; choisissez un autre chemin")
    case .curePermissions:
      Texts(
        ca: "canvieu els permisos, o trieu un altre camí",
        es: "cambie los permisos, o elija otra ruta",
        en: "change the permissions, or choose another path",
        fr: "changez les droits, ou choisissez un autre chemin")
    case .cureMount:
      Texts(
        ca: "munteu el disc per escriure-hi, o trieu un altre camí",
        es: "monte el disco para escritura, o elija otra ruta",
        en: "mount the disk for writing, or choose another path",
        fr: "montez le disque en écriture, ou choisissez un autre chemin")
    case .cureFile:
      Texts(
        ca: "doneu el camí d'un fitxer",
        es: "dé la ruta de un fichero",
        en: "give the path of a file",
        fr: "donnez le chemin d'un fichier")
    case .cureDisk:
      Texts(
        ca: "comproveu el disc",
        es: "compruebe el disco",
        en: "check the disk",
        fr: "vérifiez le disque")
    }
  }
}
