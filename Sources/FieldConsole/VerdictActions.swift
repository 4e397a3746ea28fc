import TrackerCore
import Wording

extension Cause {
  /// The same, without what this tracker does already.
  func action(for facts: TrackerFacts) -> Texts {
    let isAdaptive = facts.captures.policy == CapturePolicy.adaptive(interval: 0).name
    return self == .batteryShort && isAdaptive ? Cause.batteryLow.action : action
  }

  /// What to do.
  var action: Texts {
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
    case .emergency:
      Texts(
        ca: "ajudeu l'equip; si ja no cal: emergency over",
        es: "ayude al equipo; si ya no hace falta: emergency over",
        en: "help the team; if that is no longer needed: emergency over",
        fr: "aidez l'équipe ; si ce n'est plus nécessaire : emergency over")
    case .callAsked:
      Texts(
        ca: "truqueu-hi; després premeu el botó un moment, o escriviu: undo call",
        es: "llame; después pulse el botón un momento, o escriba: undo call",
        en: "call it; then press the button briefly, or type: undo call",
        fr: "appelez-le ; puis appuyez brièvement sur le bouton, ou tapez : undo call")
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
        ca: "poseu el PIN als secrets, o traieu-lo amb un telèfon",
        es: "ponga el PIN en los secretos, o quítelo con un teléfono",
        en: "add its PIN to the secrets, or remove it with a telephone",
        fr: "PIN dans les secrets, ou enlevez-le avec un téléphone")
    case .simLastTry, .simUncertain:
      Texts(
        ca: "comproveu el PIN dels secrets; després escriviu: pin try",
        es: "compruebe el PIN de los secretos; después escriba: pin try",
        en: "check the PIN in the secrets, then type: pin try",
        fr: "vérifiez le PIN dans les secrets, puis tapez : pin try")
    case .simBlocked:
      Texts(
        ca: "desbloqueu-la amb el PUK en un telèfon, o canvieu de SIM",
        es: "desbloquéela con el PUK en un teléfono, o cambie de SIM",
        en: "unblock it with its PUK in a telephone, or change the SIM",
        fr: "débloquez-la avec le PUK dans un téléphone, ou changez de SIM")
    case .operatorLocked:
      Texts(
        ca: "poseu una SIM de l'operador del mòdem, o canvieu de mòdem",
        es: "ponga una SIM del operador del módem, o cambie de módem",
        en: "insert a SIM of the modem's operator, or change the modem",
        fr: "mettez une SIM de l'opérateur du modem, ou changez de modem")
    case .simRefused:
      Texts(
        ca: "corregiu el PIN als secrets, o canvieu de SIM",
        es: "corrija el PIN en los secretos, o cambie de SIM",
        en: "correct the PIN in the secrets, or change the SIM",
        fr: "corrigez le PIN dans les secrets, ou changez de SIM")
    case .networkDenies:
      Texts(
        ca: "pregunteu a l'operador si és activa, o canvieu de SIM",
        es: "pregunte al operador si está activa, o cambie de SIM",
        en: "ask its operator whether it is active, or change the SIM",
        fr: "demandez à l'opérateur si elle est active, ou changez de SIM")
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
    case .portal:
      Texts(
        ca: "mireu el saldo de la SIM; Wi-Fi: entreu-hi amb un navegador",
        es: "mire el saldo de la SIM; Wi-Fi: entre con un navegador",
        en: "check the SIM's credit; Wi-Fi: log in with a browser",
        fr: "crédit de la SIM ; Wi-Fi : connectez-vous avec un navigateur")
    case .accessPointRefused:
      Texts(
        ca: "corregiu apn a la configuració", es: "corrija apn en la configuración",
        en: "correct apn in the settings", fr: "corrigez apn dans les réglages")
    case .noDataConnection:
      Texts(
        ca: "comproveu apn, i que la SIM tingui dades i saldo",
        es: "compruebe apn, y que la SIM tenga datos y saldo",
        en: "check apn, and that the SIM has data and credit",
        fr: "vérifiez apn, et que la SIM a des données et du crédit")
    case .noInterface:
      Texts(
        ca: "comproveu network.interface i què l'activa",
        es: "compruebe network.interface y qué la activa",
        en: "check network.interface and what brings it up",
        fr: "vérifiez network.interface et ce qui l'active")
    case .otherAddressFamily:
      Texts(
        ca: "poseu el nom del servidor en lloc de l'adreça numèrica",
        es: "ponga el nombre del servidor en lugar de la dirección numérica",
        en: "set the server's name instead of its numeric address",
        fr: "mettez le nom du serveur au lieu de l'adresse numérique")
    case .nameNotFound:
      Texts(
        ca: "comproveu el nom del servidor i el DNS de la xarxa",
        es: "compruebe el nombre del servidor y el DNS de la red",
        en: "check the server's name, and the network's DNS",
        fr: "vérifiez le nom du serveur et le DNS du réseau")
    case .tlsFailed:
      Texts(
        ca: "comproveu el certificat, network.authorities i l'hora",
        es: "compruebe el certificado, network.authorities y la hora",
        en: "check the certificate, network.authorities and the date",
        fr: "vérifiez le certificat, network.authorities et la date")
    case .modemTLSFailed:
      Texts(
        ca: "comproveu el certificat i network.modemAuthority",
        es: "compruebe el certificado y network.modemAuthority",
        en: "check the certificate and network.modemAuthority",
        fr: "vérifiez le certificat et network.modemAuthority")
    case .proxyRefuses:
      Texts(
        ca: "corregiu network.proxy", es: "corrija network.proxy", en: "correct network.proxy",
        fr: "corrigez network.proxy")
    case .foreignServer, .settingsUnusable:
      Texts(
        ca: "corregiu l'adreça del servidor a la configuració",
        es: "corrija la dirección del servidor en la configuración",
        en: "correct the server's address in the settings",
        fr: "corrigez l'adresse du serveur dans les réglages")
    case .weakSupply:
      Texts(
        ca: "comproveu la bateria i el cable del mòdem",
        es: "compruebe la batería y el cable del módem",
        en: "check the battery and the modem's cable",
        fr: "vérifiez la batterie et le câble du modem")
    case .noConnection, .serverSilent:
      Texts(
        ca: "comproveu l'adreça del servidor; aviseu l'organització",
        es: "compruebe la dirección del servidor; avise a la organización",
        en: "check the server's address and port; tell the organiser",
        fr: "vérifiez l'adresse du serveur ; prévenez l'organisation")
    case .serverBusy:
      Texts(
        ca: "aviseu l'organització: el servidor respon amb errors",
        es: "avise a la organización: el servidor responde con errores",
        en: "tell the organiser: the server answers with errors",
        fr: "prévenez l'organisation : le serveur répond par des erreurs")
    case .noNetwork:
      Texts(
        ca: "sortiu a fora; mireu l'antena del mòdem i l'operador de la SIM",
        es: "salga fuera; mire la antena del módem y el operador de la SIM",
        en: "go outside; check the modem's antenna and the SIM's operator",
        fr: "sortez ; vérifiez l'antenne du modem et l'opérateur de la SIM")
    case .neverReached:
      Texts(
        ca: "comproveu l'antena, el saldo de la SIM i l'adreça del servidor",
        es: "compruebe la antena, el saldo de la SIM y la dirección del servidor",
        en: "check antenna, SIM credit and the server's address",
        fr: "vérifiez l'antenne, le crédit de la SIM et l'adresse du serveur")
    case .radioStuck:
      Texts(
        ca: "traieu el corrent al mòdem un minut; si segueix, canvieu-lo",
        es: "quite la corriente al módem un minuto; si sigue, cámbielo",
        en: "take the modem's power away for a minute; if it stays so, replace it",
        fr: "coupez le courant du modem une minute ; si ça dure, remplacez-le")
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
