public import Wording

extension Cause {
  /// The one thing to do.
  public var action: Texts {
    switch self {
    case .notInstalled:
      Texts(
        ca: "instal·leu el paquet trailtracker; després: sudo systemctl enable --now trackerd",
        es: "instale el paquete trailtracker; después: sudo systemctl enable --now trackerd",
        en: "install the package trailtracker, then: sudo systemctl enable --now trackerd",
        fr: "installez le paquet trailtracker, puis : sudo systemctl enable --now trackerd")
    case .dead:
      Texts(
        ca: "sudo systemctl restart trackerd", es: "sudo systemctl restart trackerd",
        en: "sudo systemctl restart trackerd", fr: "sudo systemctl restart trackerd")
    case .hung:
      Texts(
        ca: "espereu 1 min; si segueix: sudo systemctl restart trackerd",
        es: "espere 1 min; si sigue: sudo systemctl restart trackerd",
        en: "wait 1 min; if it stays so: sudo systemctl restart trackerd",
        fr: "attendez 1 min ; si ça dure : sudo systemctl restart trackerd")
    case .sessionStopped:
      Texts(
        ca: "escriviu: start", es: "escriba: start", en: "type: start", fr: "tapez : start")
    case .storeFailed:
      Texts(
        ca: "feu lloc al disc o canvieu la targeta",
        es: "haga sitio en el disco o cambie la tarjeta",
        en: "make room on the disk, or change the card",
        fr: "libérez le disque ou changez la carte")
    case .diskFull:
      Texts(
        ca: "esborreu fitxers que no calguin, p. ex. gravacions velles",
        es: "borre ficheros que no hagan falta, p. ej. grabaciones viejas",
        en: "remove files that are not needed, such as old recordings",
        fr: "effacez des fichiers inutiles, p. ex. de vieux enregistrements")
    case .batteryShort:
      Texts(
        ca: "canvieu la bateria, o escriviu: set policy adaptive",
        es: "cambie la batería, o escriba: set policy adaptive",
        en: "change the battery, or type: set policy adaptive",
        fr: "changez la batterie, ou tapez : set policy adaptive")
    case .batteryLow:
      Texts(
        ca: "carregueu o canvieu la bateria", es: "cargue o cambie la batería",
        en: "charge or change the battery", fr: "chargez ou changez la batterie")
    case .receiverUnplugged, .receiverSilent:
      Texts(
        ca: "comproveu el cable i l'alimentació del receptor",
        es: "compruebe el cable y la alimentación del receptor",
        en: "check the receiver's cable and power",
        fr: "vérifiez le câble et l'alimentation du récepteur")
    case .receiverNoise:
      Texts(
        ca: "velocitat equivocada: poseu receiverPort: \"/dev/…@auto\"",
        es: "velocidad equivocada: ponga receiverPort: \"/dev/…@auto\"",
        en: "wrong rate or port: set receiverPort: \"/dev/…@auto\"",
        fr: "mauvais débit : mettez receiverPort: \"/dev/…@auto\"")
    case .noFix, .poorFix:
      Texts(
        ca: "traieu-lo a cel obert; si segueix, mireu l'antena",
        es: "sáquelo a cielo abierto; si sigue, mire la antena",
        en: "take it under the open sky; if it stays so, check the antenna",
        fr: "sortez-la à ciel ouvert ; si ça dure, vérifiez l'antenne")
    case .modemPortTaken:
      Texts(
        ca: "atureu-lo; ModemManager: sudo systemctl disable --now ModemManager",
        es: "párelo; ModemManager: sudo systemctl disable --now ModemManager",
        en: "stop it; ModemManager: sudo systemctl disable --now ModemManager",
        fr: "arrêtez-le ; ModemManager : sudo systemctl disable --now ModemManager")
    case .modemUnplugged, .modemSilent:
      Texts(
        ca: "comproveu el cable i l'alimentació del mòdem",
        es: "compruebe el cable y la alimentación del módem",
        en: "check the modem's cable and power",
        fr: "vérifiez le câble et l'alimentation du modem")
    case .noSIM:
      Texts(
        ca: "poseu-hi la SIM; mireu que encaixi", es: "ponga la SIM; mire que encaje",
        en: "insert the SIM; check that it sits right", fr: "insérez la SIM correctement")
    case .simLocked:
      Texts(
        ca: "poseu el PIN als secrets, o traieu-lo amb un telèfon; darrer intent: pin try",
        es: "ponga el PIN en los secretos, o quítelo con un teléfono; último intento: pin try",
        en: "add its PIN to the secrets, or remove it with a telephone; last try: pin try",
        fr: "PIN dans les secrets, ou enlevez-le avec un téléphone ; dernier essai : pin try")
    case .simRefused:
      Texts(
        ca: "corregiu el PIN als secrets, o canvieu de SIM",
        es: "corrija el PIN en los secretos, o cambie de SIM",
        en: "correct the PIN in the secrets, or change the SIM",
        fr: "corrigez le PIN dans les secrets, ou changez de SIM")
    case .unauthorised:
      Texts(
        ca: "corregiu l'usuari i el fitxer de secrets", es: "corrija el usuario y los secretos",
        en: "correct the user and the secrets file", fr: "corrigez l'utilisateur et les secrets")
    case .serverRefuses:
      Texts(
        ca: "aviseu l'organització: la capa no les accepta",
        es: "avise a la organización: la capa no las acepta",
        en: "tell the organiser: the layer does not take them",
        fr: "prévenez l'organisation : la couche les refuse")
    case .neverReached:
      Texts(
        ca: "comproveu l'antena, el saldo de la SIM i l'adreça del servidor",
        es: "compruebe la antena, el saldo de la SIM y la dirección del servidor",
        en: "check antenna, SIM credit and the server's address",
        fr: "vérifiez l'antenne, le crédit de la SIM et l'adresse du serveur")
    case .setAside:
      Texts(
        ca: "mireu-les: captures aside; torneu-hi: retry all",
        es: "mírelas: captures aside; reintente: retry all",
        en: "look at them: captures aside; send them again: retry all",
        fr: "regardez-les : captures aside ; réessayez : retry all")
    case .clockUntrusted:
      Texts(
        ca: "apagueu i engegueu el receptor; mireu notBefore",
        es: "apague y encienda el receptor; mire notBefore",
        en: "power-cycle the receiver; check notBefore in the settings",
        fr: "redémarrez le récepteur ; vérifiez notBefore")
    case .sharedIdentity:
      Texts(
        ca: "targeta clonada: traieu device de la configuració i reengegueu",
        es: "tarjeta clonada: quite device de la configuración y reinicie",
        en: "cloned card: remove device from the settings and restart",
        fr: "carte clonée : enlevez device des réglages et redémarrez")
    case .starting, .firstFix, .firstDate, .modemStarting, .firstContact:
      Texts(ca: "espereu", es: "espere", en: "wait", fr: "attendez")
    }
  }
}
