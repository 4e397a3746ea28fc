import TrackerCore
import Wording

/// Events for people. `{1}` is the detail.
enum EventPhrase: String, Catalogue {
  case sessionStarted, sessionStopped, sessionFinished, captured, notStored, delivered, refused
  case noAnswer, unauthorised, serverBusy, modemOn, modemOff, searching, connected, modemRestarted
  case modemRecovery, accessPointRefused, pinRefused, receiverSilent, receiverHeard, clockTrusted
  case batteryLost, externalPower, batteryAgain, settingsChanged, ordered, orderEnded, portLost
  case portBack, textSent, restarted, ended, cutOff, halted, notHalted, wokenUp
  case placeEntered, placeLeft, placeInferred, placeMissed, offCourse, backOnCourse, backwards
  case forwards, courseChanged
  case callAsked, callSeen
  case emergencyRaised, emergencyStored, emergencyDelivered, emergencyRead, emergencyWithdrawn
  case emergencyEnded

  init(_ stage: EmergencyRecord.Stage) {
    switch stage {
    case .raised: self = .emergencyRaised
    case .stored: self = .emergencyStored
    case .delivered: self = .emergencyDelivered
    case .read: self = .emergencyRead
    case .withdrawn: self = .emergencyWithdrawn
    case .ended: self = .emergencyEnded
    }
  }

  init(_ kind: Passage.Kind) {
    switch kind {
    case .entered: self = .placeEntered
    case .left: self = .placeLeft
    case .inferred: self = .placeInferred
    case .missed: self = .placeMissed
    }
  }

  /// - Parameter detail: as the tracker gives it.
  func sentence(_ detail: String, in language: Language) -> String {
    guard self == .delivered, let count = Int64(detail) else {
      return text(in: language, detail)
    }
    return text(in: language, count: count)
  }

  var texts: Texts {
    switch self {
    case .sessionStarted:
      Texts(
        ca: "sessió iniciada", es: "sesión iniciada", en: "session started", fr: "session commencée"
      )
    case .sessionStopped:
      Texts(ca: "sessió aturada", es: "sesión parada", en: "session stopped", fr: "session arrêtée")
    case .sessionFinished:
      Texts(
        ca: "sessió acabada després del final", es: "sesión terminada tras la meta",
        en: "session ended after the finish", fr: "session finie après l'arrivée")
    case .captured:
      Texts(ca: "captura {1}", es: "captura {1}", en: "capture {1}", fr: "capture {1}")
    case .notStored:
      Texts(
        ca: "la captura {1} no s'ha pogut desar", es: "la captura {1} no se pudo guardar",
        en: "capture {1} could not be stored", fr: "capture {1} impossible à enregistrer")
    case .delivered:
      Texts(
        ca: "{1} captura lliurada al servidor | {1} captures lliurades al servidor",
        es: "{1} captura entregada al servidor | {1} capturas entregadas al servidor",
        en: "{1} capture delivered to the server | {1} captures delivered to the server",
        fr: "{1} capture livrée au serveur | {1} captures livrées au serveur")
    case .refused:
      Texts(
        ca: "el servidor n'ha rebutjat: {1}", es: "el servidor ha rechazado: {1}",
        en: "the server refused: {1}", fr: "le serveur a refusé : {1}")
    case .noAnswer:
      Texts(
        ca: "cap resposta del servidor", es: "sin respuesta del servidor",
        en: "no answer from the server", fr: "pas de réponse du serveur")
    case .unauthorised:
      Texts(
        ca: "el servidor no accepta les credencials",
        es: "el servidor no acepta las credenciales",
        en: "the server refuses the credentials", fr: "le serveur refuse les identifiants")
    case .serverBusy:
      Texts(
        ca: "el servidor està ocupat ({1})", es: "el servidor está ocupado ({1})",
        en: "the server is busy ({1})", fr: "le serveur est occupé ({1})")
    case .modemOn:
      Texts(ca: "mòdem engegat", es: "módem encendido", en: "modem on", fr: "modem allumé")
    case .modemOff:
      Texts(ca: "mòdem apagat", es: "módem apagado", en: "modem off", fr: "modem éteint")
    case .searching:
      Texts(
        ca: "buscant xarxa", es: "buscando red", en: "searching for a network",
        fr: "recherche de réseau")
    case .connected: Texts(ca: "connectat", es: "conectado", en: "connected", fr: "connecté")
    case .modemRestarted:
      Texts(
        ca: "el mòdem s'ha reiniciat sol: alimentació feble?",
        es: "el módem se ha reiniciado solo: ¿alimentación débil?",
        en: "the modem restarted by itself: weak supply?",
        fr: "le modem a redémarré seul : alimentation faible ?")
    case .modemRecovery:
      Texts(
        ca: "recuperant el mòdem ({1})", es: "recuperando el módem ({1})",
        en: "recovering the modem ({1})", fr: "relance du modem ({1})")
    case .accessPointRefused:
      Texts(
        ca: "punt d'accés (APN) rebutjat", es: "punto de acceso (APN) rechazado",
        en: "access point (APN) refused", fr: "point d'accès (APN) refusé")
    case .pinRefused:
      Texts(ca: "PIN rebutjat", es: "PIN rechazado", en: "PIN refused", fr: "PIN refusé")
    case .receiverSilent:
      Texts(ca: "receptor mut", es: "receptor mudo", en: "receiver silent", fr: "récepteur muet")
    case .receiverHeard:
      Texts(
        ca: "receptor recuperat", es: "receptor recuperado", en: "receiver heard again",
        fr: "récepteur de retour")
    case .clockTrusted:
      Texts(ca: "hora fiable", es: "hora fiable", en: "date trusted", fr: "date fiable")
    case .batteryLost:
      Texts(
        ca: "la bateria ja no es mesura", es: "la batería ya no se mide",
        en: "battery no longer measured", fr: "batterie plus mesurée")
    case .externalPower:
      Texts(
        ca: "alimentació externa", es: "alimentación externa", en: "external supply",
        fr: "alimentation externe")
    case .batteryAgain:
      Texts(
        ca: "sense alimentació externa", es: "sin alimentación externa",
        en: "external supply gone", fr: "plus d'alimentation externe")
    case .settingsChanged:
      Texts(
        ca: "configuració canviada", es: "configuración cambiada", en: "settings changed",
        fr: "réglages changés")
    case .ordered: Texts(ca: "ordre: {1}", es: "orden: {1}", en: "order: {1}", fr: "ordre : {1}")
    case .orderEnded:
      Texts(
        ca: "l'ordre ja no val: {1}", es: "la orden ya no vale: {1}",
        en: "order no longer applies: {1}", fr: "ordre périmé : {1}")
    case .portLost:
      Texts(
        ca: "port desconnectat: {1}", es: "puerto desconectado: {1}", en: "port lost: {1}",
        fr: "port débranché : {1}")
    case .portBack:
      Texts(
        ca: "port connectat: {1}", es: "puerto conectado: {1}", en: "port connected: {1}",
        fr: "port branché : {1}")
    case .restarted:
      Texts(
        ca: "trackerd engegat de nou", es: "trackerd iniciado de nuevo",
        en: "trackerd started again",
        fr: "trackerd redémarré")
    case .halted:
      Texts(
        ca: "ordinador adormit, {1} min", es: "ordenador dormido, {1} min",
        en: "computer asleep, for {1} min", fr: "ordinateur en veille, {1} min")
    case .notHalted:
      Texts(
        ca: "l'ordinador queda despert", es: "el ordenador sigue despierto",
        en: "the computer stays awake", fr: "l'ordinateur reste éveillé")
    case .wokenUp:
      Texts(
        ca: "despertat pel seu rellotge", es: "despertado por su reloj",
        en: "woken by its clock", fr: "réveillé par son horloge")
    case .ended:
      Texts(
        ca: "trackerd aturat", es: "trackerd parado", en: "trackerd was ended",
        fr: "trackerd arrêté")
    case .cutOff:
      Texts(
        ca: "trackerd interromput poc després: tall de corrent o error",
        es: "trackerd interrumpido poco después: corte de corriente o fallo",
        en: "trackerd was cut off soon after: power lost, or a crash",
        fr: "trackerd interrompu peu après : coupure de courant ou panne")
    case .textSent:
      Texts(
        ca: "missatge curt: {1}", es: "mensaje corto: {1}", en: "short message: {1}",
        fr: "message court : {1}")
    case .emergencyRaised:
      Texts(
        ca: "EMERGÈNCIA", es: "EMERGENCIA", en: "EMERGENCY", fr: "URGENCE")
    case .emergencyStored:
      Texts(
        ca: "emergència desada", es: "emergencia guardada", en: "emergency stored",
        fr: "urgence enregistrée")
    case .emergencyDelivered:
      Texts(
        ca: "el servidor té l'emergència", es: "el servidor tiene la emergencia",
        en: "the server has the emergency", fr: "le serveur a reçu l'urgence")
    case .emergencyRead:
      Texts(
        ca: "algú ha llegit l'emergència", es: "alguien ha leído la emergencia",
        en: "somebody has read the emergency", fr: "quelqu'un a lu l'urgence")
    case .emergencyWithdrawn:
      Texts(
        ca: "emergència retirada", es: "emergencia retirada", en: "emergency withdrawn",
        fr: "urgence retirée")
    case .emergencyEnded:
      Texts(
        ca: "emergència tancada", es: "emergencia cerrada", en: "emergency over",
        fr: "urgence terminée")
    case .callAsked:
      Texts(
        ca: "el centre de control demana que truqueu",
        es: "el centro de control pide que llame",
        en: "the control room asks for a call", fr: "le centre de contrôle demande un appel")
    case .callSeen:
      Texts(
        ca: "petició de trucada vista o retirada", es: "petición de llamada vista o retirada",
        en: "request for a call seen, or taken back", fr: "demande d'appel vue, ou retirée")
    case .placeEntered, .placeLeft, .placeInferred, .placeMissed, .offCourse, .backOnCourse,
      .backwards, .forwards, .courseChanged:
      courseTexts
    }
  }
}

extension EventPhrase {
  /// The phrase for a passage.
  private var courseTexts: Texts {
    switch self {
    case .placeLeft:
      Texts(ca: "surt de {1}", es: "sale de {1}", en: "left {1}", fr: "quitte {1}")
    case .placeInferred:
      Texts(
        ca: "ha passat per {1} sense ser-hi vist (deduït)",
        es: "ha pasado por {1} sin ser visto (deducido)", en: "passed {1} unseen (inferred)",
        fr: "passé par {1} sans être vu (déduit)")
    case .placeMissed:
      Texts(
        ca: "no ha passat per {1}", es: "no ha pasado por {1}", en: "missed {1}",
        fr: "n'est pas passé par {1}")
    case .offCourse:
      Texts(
        ca: "fora del recorregut: {1} m", es: "fuera del recorrido: {1} m",
        en: "off the course: {1} m", fr: "hors du parcours : {1} m")
    case .backOnCourse:
      Texts(
        ca: "torna a ser al recorregut", es: "vuelve a estar en el recorrido",
        en: "back on the course", fr: "de retour sur le parcours")
    case .backwards:
      Texts(
        ca: "va enrere pel recorregut", es: "retrocede por el recorrido",
        en: "moving backwards on the course", fr: "recule sur le parcours")
    case .forwards:
      Texts(
        ca: "torna a anar endavant", es: "vuelve a avanzar", en: "moving forwards again",
        fr: "avance de nouveau")
    case .courseChanged:
      Texts(
        ca: "un altre recorregut: el progrés comença de nou",
        es: "otro recorrido: el progreso empieza de nuevo",
        en: "another course: progress starts over",
        fr: "un autre parcours : la progression recommence")
    default: Texts(ca: "arriba a {1}", es: "llega a {1}", en: "reached {1}", fr: "arrivé à {1}")
    }
  }
}
