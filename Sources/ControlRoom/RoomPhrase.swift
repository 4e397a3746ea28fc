public import TrackerCore
public import Wording

/// What the control room says.
enum RoomPhrase: Catalogue {
  case asksForHelp, askedForHelp, byText, byUnknown, helpOver, silent, silentBattery, silentStretch,
    silentPlace
  case silentServer, standing, standingAt, off
  case backwards, late, battery, passedOver, refused, cloned, unheard
  case noAlarm, isResolved, isOver, noReason
  case changedEntry, unreadableEntry, otherCourse

  var texts: Texts {
    switch self {
    case .asksForHelp:
      Texts(
        ca: "l'equip demana ajuda", es: "el equipo pide ayuda", en: "the team asks for help",
        fr: "l'équipe demande de l'aide")
    case .askedForHelp:
      Texts(
        ca: "l'equip va demanar ajuda a les {1}", es: "el equipo pidió ayuda a las {1}",
        en: "the team asked for help at {1}", fr: "l'équipe a demandé de l'aide à {1}")
    case .byText:
      Texts(
        ca: "{1}, per missatge de text", es: "{1}, por mensaje de texto",
        en: "{1}, by text message",
        fr: "{1}, par SMS")
    case .byUnknown:
      Texts(
        ca: "{1}, per missatge de text d'un telèfon que no és d'aquest equip: truqueu-hi",
        es: "{1}, por mensaje de texto de un teléfono que no es de este equipo: llámelo",
        en: "{1}, by text message from a telephone that is not known to be this team's: call it",
        fr: "{1}, par SMS d'un téléphone qui n'est pas connu de cette équipe : appelez-le")
    case .helpOver:
      Texts(
        ca: "{1}; a les {2} va dir que ja no calia: confirmeu-ho",
        es: "{1}; a las {2} dijo que ya no hacía falta: confírmelo",
        en: "{1}; at {2} it said that it no longer needs any: confirm that",
        fr: "{1} ; à {2} elle a dit ne plus en avoir besoin : à confirmer")
    case .silent:
      Texts(
        ca: "darrer contacte: {1}; havia de tornar a connectar abans de: {2}",
        es: "último contacto: {1}; debía volver a conectar antes de: {2}",
        en: "last heard at {1}, and was to make contact by {2}",
        fr: "dernier contact : {1} ; elle devait le reprendre avant : {2}")
    case .silentBattery:
      Texts(
        ca: "es va sentir a les {1}, amb la bateria al {3} %, i havia de tornar a connectar abans "
          + "de les {2}: s'ha d'haver buidat",
        es: "se oyó a las {1}, con la batería al {3} %, y debía volver a conectar antes de las "
          + "{2}: debe de haberse vaciado",
        en: "last heard at {1} with {3} % of battery, and was to make contact by {2}: it must be "
          + "empty",
        fr: "entendue à {1}, avec {3} % de batterie, elle devait reprendre contact avant {2} : "
          + "la batterie doit être vide")
    case .silentStretch:
      Texts(
        ca: "{1} balises callen entre el km {2} i el {3}: la xarxa hi deu faltar",
        es: "{1} balizas callan entre el km {2} y el {3}: allí debe de faltar la red",
        en: "{1} trackers are silent between km {2} and {3}: the network must be down there",
        fr: "{1} balises se taisent entre les km {2} et {3} : le réseau doit y manquer")
    case .silentPlace:
      Texts(
        ca: "calla al km {1}, on altres també haurien hagut de connectar: la xarxa hi deu faltar",
        es: "calla en el km {1}, donde otras también debían conectar: allí debe de faltar la red",
        en: "silent at km {1}, where others miss contacts, too: the network must be down there",
        fr: "se tait au km {1}, où d'autres manquent aussi le contact : le réseau doit y manquer")
    case .silentServer:
      Texts(
        ca: "no arriba res de ningú, i {1} balises havien de connectar: mireu la connexió del "
          + "servidor",
        es: "no llega nada de nadie, y {1} balizas debían conectar: mire la conexión del servidor",
        en: "nothing arrives from anybody, and {1} trackers were to make contact: check the "
          + "server's connection",
        fr: "rien n'arrive de personne, et {1} balises devaient prendre contact : vérifiez la "
          + "connexion du serveur")
    case .standing:
      Texts(
        ca: "està aturat fora d'un lloc de descans",
        es: "está parado fuera de un lugar de descanso",
        en: "has stopped where nobody rests", fr: "est arrêtée hors d'un lieu de repos")
    case .standingAt:
      Texts(
        ca: "està aturat a {1}", es: "está parado en {1}", en: "has stayed at {1}",
        fr: "est restée à {1}")
    case .off:
      Texts(
        ca: "és a {1} m del recorregut", es: "está a {1} m del recorrido",
        en: "is {1} m off the course", fr: "est à {1} m du parcours")
    case .backwards:
      Texts(
        ca: "va enrere", es: "va hacia atrás", en: "walks back along the course",
        fr: "marche en arrière")
    case .late:
      Texts(
        ca: "{1} tanca a les {2}; l'equip hi arriba, com a molt aviat, a les {3}",
        es: "{1} cierra a las {2}; el equipo llega, como muy pronto, a las {3}",
        en: "{1} closes at {2}; the team gets there at {3} at the earliest",
        fr: "{1} ferme à {2} ; l'équipe y arrive à {3} au plus tôt")
    case .battery:
      Texts(
        ca: "bateria al {1} %: s'acabarà cap al {2}, i arriba a la meta cap al {3}",
        es: "batería al {1} %: se acabará hacia las {2}, y llega a la meta hacia las {3}",
        en: "{1} % of battery: it ends about {2}, and the team finishes about {3}",
        fr: "{1} % de batterie : elle finit vers le {2}, et l'équipe arrive vers le {3}")
    case .passedOver:
      Texts(
        ca: "{1} captures que el servidor no ha acceptat",
        es: "{1} capturas que el servidor no ha aceptado",
        en: "{1} captures that the server did not take",
        fr: "{1} captures que le serveur n'a pas acceptées")
    case .refused:
      Texts(
        ca: "el servidor no ha acceptat {1} de les seves captures: {2}",
        es: "el servidor no ha aceptado {1} de sus capturas: {2}",
        en: "the server did not take {1} of its captures: {2}",
        fr: "le serveur n'a pas accepté {1} de ses captures : {2}")
    case .cloned:
      Texts(
        ca: "dos dispositius envien amb aquest codi: una targeta copiada",
        es: "dos dispositivos envían con este código: una tarjeta copiada",
        en: "two devices send under this code: a copied card",
        fr: "deux appareils envoient sous ce code : une carte copiée")
    case .unheard:
      Texts(
        ca: "no n'ha arribat res des de la sortida, a les {1}",
        es: "no ha llegado nada desde la salida, a las {1}",
        en: "nothing has come since the start at {1}",
        fr: "rien n'est arrivé depuis le départ, à {1}")
    case .noAlarm:
      Texts(
        ca: "no hi ha cap alarma {1}", es: "no hay ninguna alarma {1}", en: "there is no alarm {1}",
        fr: "il n'y a pas d'alarme {1}")
    case .isResolved:
      Texts(
        ca: "l'alarma {1} ja la va tancar {2}", es: "la alarma {1} ya la cerró {2}",
        en: "alarm {1} was closed by {2} already", fr: "l'alarme {1} a déjà été close par {2}")
    case .isOver:
      Texts(
        ca: "l'alarma {1} s'ha acabat sola a les {2}: no cal fer res",
        es: "la alarma {1} terminó sola a las {2}: no hay que hacer nada",
        en: "alarm {1} ended by itself at {2}: there is nothing to do",
        fr: "l'alarme {1} s'est terminée d'elle-même le {2} : il n'y a rien à faire")
    case .noReason:
      Texts(
        ca: "digueu per què es tanca l'alarma", es: "diga por qué se cierra la alarma",
        en: "say why the alarm is closed", fr: "dites pourquoi l'alarme est close")
    case .changedEntry:
      Texts(
        ca: "l'entrada {1} del diari no és la que es va escriure: useu una còpia anterior",
        es: "la entrada {1} del diario no es la que se escribió: use una copia anterior",
        en: "entry {1} of the diary is not the one that was written: use an earlier copy",
        fr: "l'entrée {1} du journal n'est pas celle qui a été écrite : prenez une copie antérieure"
      )
    case .unreadableEntry:
      Texts(
        ca: "l'entrada {1} del diari no s'entén: useu la versió que el va escriure",
        es: "la entrada {1} del diario no se entiende: use la versión que lo escribió",
        en: "entry {1} of the diary cannot be read: use the version that wrote it",
        fr: "l'entrée {1} du journal est illisible : prenez la version qui l'a écrit")
    case .otherCourse:
      Texts(
        ca: "des de l'entrada {1} del diari surten altres alarmes: useu el recorregut, els equips "
          + "i la versió d'aleshores",
        es: "desde la entrada {1} del diario salen otras alarmas: use el recorrido, los equipos y "
          + "la versión de entonces",
        en: "from entry {1} of the diary on other alarms result: use the course, the teams and the "
          + "version of that time",
        fr: "à partir de l'entrée {1} du journal, d'autres alarmes résultent : prenez le parcours, "
          + "les équipes et la version d'alors")
    }
  }
}

extension Evidence {
  /// In one line.
  ///
  /// - Parameter time: how a date is written; by default in UTC.
  public func text(
    in language: Language, time: (UTC) -> String = { "\(CalendarText.text($0)) UTC" }
  ) -> String {
    func km(_ metres: Int32) -> String { Quantity.decimal(Double(metres) / 1000, 1, in: language) }
    func say(_ phrase: RoomPhrase, _ arguments: String...) -> String {
      phrase.text(in: language, filling: arguments)
    }
    switch self {
    case .asksForHelp(nil): return say(.asksForHelp)
    case .asksForHelp(let at?): return say(.askedForHelp, time(at))
    case .asksForHelpByText(let at, let isKnown):
      return say(
        isKnown ? .byText : .byUnknown, Evidence.asksForHelp(at: at).text(in: language, time: time))
    case .helpOver(let asked, let over):
      return say(
        .helpOver, Evidence.asksForHelp(at: asked).text(in: language, time: time), time(over))
    case .silent(let heard, let promise, let percent):
      let times = [time(heard), time(promise)]
      guard let percent else { return RoomPhrase.silent.text(in: language, filling: times) }
      return RoomPhrase.silentBattery.text(in: language, filling: times + ["\(percent)"])
    case .silentStretch(let from, _, trackers: 1): return say(.silentPlace, km(from))
    case .silentStretch(let from, let to, let trackers):
      return say(.silentStretch, "\(trackers)", km(from), km(to))
    case .silentServer(let promises): return say(.silentServer, "\(promises)")
    case .unheard(let start): return say(.unheard, time(start))
    case .standing(nil): return say(.standing)
    case .standing(let place?): return say(.standingAt, place)
    case .off(let metres): return say(.off, Quantity.integer(metres, in: language))
    case .backwards: return say(.backwards)
    case .late(let place, let closes, let earliest):
      return say(.late, place, time(closes), time(earliest))
    case .battery(let percent, let end, let arrival):
      return say(.battery, "\(percent)", time(end), time(arrival))
    case .passedOver(let captures): return say(.passedOver, "\(captures)")
    case .refused(let captures, let reason): return say(.refused, "\(captures)", reason)
    case .cloned: return say(.cloned)
    case .written(let text): return text
    }
  }
}
