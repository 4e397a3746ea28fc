import Wording

/// What the console says beside its answers.
enum ConsolePhrase: String, Catalogue {
  case unknown, unknownNear, usage, tooLong, openQuote, notANumber, readOnly, notRunning
  case confirm, cancelled
  case started, stopped, sending, capturing, requeued
  case changed, changedBy, unchangedValue, undone, teamChanged
  case noCapture, noSession
  case headNumber, headTime, headBattery, headPosition, headState
  case statePending, stateInFlight, stateSent, stateAside, counts, secondStore
  case notTrustedMark
  case team, taken, position, altitude, speed, accuracy, satellites, battery, trigger, state
  case attempts, code, identifier, device
  case whyNow, whyCapturing, whySending, whyLast, whyActive, whyPlanned
  case proofHead, proofDevice, proofEarlier, proofComplete, proofMissing
  case noEvents, noLog
  case testOK, testFailed, testSkipped

  var texts: Texts {
    switch self {
    case .unknown:
      Texts(
        ca: "'{1}' no és cap ordre; escriviu help", es: "'{1}' no es una orden; escriba help",
        en: "'{1}' is not a command; type help", fr: "'{1}' n'est pas une commande ; tapez help")
    case .unknownNear:
      Texts(
        ca: "'{1}' no és cap ordre; volíeu dir {2}? Escriviu help",
        es: "'{1}' no es una orden; ¿quería decir {2}? Escriba help",
        en: "'{1}' is not a command; did you mean {2}? Type help",
        fr: "'{1}' n'est pas une commande ; vouliez-vous dire {2} ? Tapez help")
    case .usage:
      Texts(ca: "escriviu: {1}", es: "escriba: {1}", en: "write: {1}", fr: "écrivez : {1}")
    case .tooLong:
      Texts(
        ca: "línia massa llarga; com a màxim 512 bytes",
        es: "línea demasiado larga; máximo 512 bytes",
        en: "line too long; at most 512 bytes", fr: "ligne trop longue ; 512 octets au plus")
    case .openQuote:
      Texts(
        ca: "unes cometes no es tanquen; afegiu-les", es: "unas comillas no se cierran; añádalas",
        en: "a quote is not closed; add it", fr: "un guillemet n'est pas fermé ; ajoutez-le")
    case .notANumber:
      Texts(
        ca: "'{1}' no és un nombre d'1 a 1000", es: "'{1}' no es un número de 1 a 1000",
        en: "'{1}' is not a number from 1 to 1000", fr: "'{1}' n'est pas un nombre de 1 à 1000")
    case .readOnly:
      Texts(
        ca: "aquesta consola només pot mirar; vegeu console a la configuració",
        es: "esta consola solo puede mirar; vea console en la configuración",
        en: "this console may only look; see console in the settings",
        fr: "cette console ne peut que regarder ; voir console dans les réglages")
    case .notRunning:
      Texts(
        ca: "trackerd no respon, i l'ordre no s'ha donat; escriviu status",
        es: "trackerd no responde, y la orden no se ha dado; escriba status",
        en: "trackerd does not answer, and the order was not given; type status",
        fr: "trackerd ne répond pas, et l'ordre n'est pas donné ; tapez status")
    case .confirm:
      Texts(
        ca: "{1}: {2}, segur? (yes/no)", es: "{1}: {2}, ¿seguro? (yes/no)",
        en: "{1}: {2}, sure? (yes/no)", fr: "{1} : {2}, vraiment ? (yes/no)")
    case .cancelled:
      Texts(ca: "no s'ha fet", es: "no se ha hecho", en: "not done", fr: "rien n'est fait")
    case .started:
      Texts(
        ca: "sessió iniciada", es: "sesión iniciada", en: "the session runs",
        fr: "la session tourne")
    case .stopped:
      Texts(
        ca: "sessió aturada; no s'ha esborrat res", es: "sesión parada; no se ha borrado nada",
        en: "the session is stopped; nothing is erased",
        fr: "session arrêtée ; rien n'est effacé")
    case .sending:
      Texts(
        ca: "s'envia tan aviat com es pugui; mireu-ho amb status",
        es: "se envía en cuanto se pueda; véalo con status",
        en: "it sends as soon as it may; see status",
        fr: "envoi dès que possible ; voir status")
    case .capturing:
      Texts(
        ca: "captura amb la pròxima posició", es: "captura con la próxima posición",
        en: "it captures with the next position", fr: "capture à la prochaine position")
    case .requeued:
      Texts(
        ca: "{1} tornada a la cua | {1} tornades a la cua",
        es: "{1} devuelta a la cola | {1} devueltas a la cola", en: "{1} put back | {1} put back",
        fr: "{1} remise en file | {1} remises en file")
    case .changed:
      Texts(
        ca: "{1}: {2}; abans {3}", es: "{1}: {2}; antes {3}", en: "{1}: {2}; it was {3}",
        fr: "{1} : {2} ; avant {3}")
    case .changedBy:
      Texts(
        ca: "{1}: {2}; abans {3}, de {4} fa {5}", es: "{1}: {2}; antes {3}, de {4} hace {5}",
        en: "{1}: {2}; it was {3}, set by {4} {5} ago",
        fr: "{1} : {2} ; avant {3}, par {4} il y a {5}")
    case .unchangedValue: Texts(ca: "{1}: {2}", es: "{1}: {2}", en: "{1}: {2}", fr: "{1} : {2}")
    case .undone:
      Texts(
        ca: "desfet: {1} torna a ser {2}", es: "deshecho: {1} vuelve a ser {2}",
        en: "taken back: {1} is {2} again", fr: "annulé : {1} est de nouveau {2}")
    case .teamChanged:
      Texts(
        ca: "l'equip es diu ara {1}; abans {2}", es: "el equipo se llama ahora {1}; antes {2}",
        en: "the team is called {1} now; it was {2}",
        fr: "l'équipe s'appelle {1} ; avant {2}")
    case .noCapture:
      Texts(
        ca: "no hi ha cap captura {1}; escriviu captures",
        es: "no hay captura {1}; escriba captures",
        en: "there is no capture {1}; type captures", fr: "pas de capture {1} ; tapez captures")
    case .noSession:
      Texts(
        ca: "cap sessió en marxa; inicieu-ne una amb start",
        es: "ninguna sesión en marcha; empiece una con start",
        en: "no session is running; begin one with start",
        fr: "aucune session en cours ; commencez-en une avec start")
    case .headNumber: Texts(ca: "número", es: "número", en: "number", fr: "numéro")
    case .headTime: Texts(ca: "hora (UTC)", es: "hora (UTC)", en: "time (UTC)", fr: "heure (UTC)")
    case .headBattery: Texts(ca: "bat.", es: "bat.", en: "batt", fr: "batt")
    case .headPosition: Texts(ca: "posició", es: "posición", en: "position", fr: "position")
    case .headState: Texts(ca: "estat", es: "estado", en: "state", fr: "état")
    case .statePending: Texts(ca: "pendent", es: "pendiente", en: "waiting", fr: "en attente")
    case .stateInFlight:
      Texts(ca: "sense resposta", es: "sin respuesta", en: "no answer", fr: "sans réponse")
    case .stateSent: Texts(ca: "enviada", es: "enviada", en: "sent", fr: "envoyée")
    case .stateAside: Texts(ca: "apartada", es: "apartada", en: "set aside", fr: "de côté")
    case .counts:
      Texts(
        ca: "{1} captures: {2} pendents, {3} enviades, {4} apartades",
        es: "{1} capturas: {2} pendientes, {3} enviadas, {4} apartadas",
        en: "{1} captures: {2} waiting, {3} sent, {4} set aside",
        fr: "{1} captures : {2} en attente, {3} envoyées, {4} de côté")
    case .secondStore:
      Texts(
        ca: "al segon magatzem:", es: "en el segundo almacén:", en: "in the second store:",
        fr: "dans le second stockage :")
    case .notTrustedMark:
      Texts(
        ca: "? hora no fiable", es: "? hora no fiable", en: "? time not trusted",
        fr: "? heure pas fiable")
    case .team: Texts(ca: "equip", es: "equipo", en: "team", fr: "équipe")
    case .taken: Texts(ca: "presa", es: "tomada", en: "taken", fr: "prise")
    case .position: Texts(ca: "posició", es: "posición", en: "position", fr: "position")
    case .altitude: Texts(ca: "altitud", es: "altitud", en: "altitude", fr: "altitude")
    case .speed: Texts(ca: "velocitat", es: "velocidad", en: "speed", fr: "vitesse")
    case .accuracy: Texts(ca: "precisió", es: "precisión", en: "accuracy", fr: "précision")
    case .satellites: Texts(ca: "satèl·lits", es: "satélites", en: "satellites", fr: "satellites")
    case .battery: Texts(ca: "bateria", es: "batería", en: "battery", fr: "batterie")
    case .trigger: Texts(ca: "motiu", es: "motivo", en: "trigger", fr: "motif")
    case .state: Texts(ca: "estat", es: "estado", en: "state", fr: "état")
    case .attempts: Texts(ca: "intents", es: "intentos", en: "attempts", fr: "essais")
    case .code: Texts(ca: "codi", es: "código", en: "code", fr: "code")
    case .identifier:
      Texts(ca: "identificador", es: "identificador", en: "identifier", fr: "identifiant")
    case .device: Texts(ca: "dispositiu", es: "dispositivo", en: "device", fr: "appareil")
    case .whyNow: Texts(ca: "ara", es: "ahora", en: "now", fr: "maintenant")
    case .whyCapturing: Texts(ca: "captura", es: "captura", en: "capturing", fr: "capture")
    case .whySending: Texts(ca: "enviament", es: "envío", en: "sending", fr: "envoi")
    case .whyLast:
      Texts(
        ca: "{1}, darrers {2}:", es: "{1}, últimos {2}:", en: "{1}, last {2}:",
        fr: "{1}, depuis {2} :")
    case .whyActive:
      Texts(ca: "activa", es: "activa", en: "active", fr: "active")
    case .whyPlanned:
      Texts(
        ca: "entre dues, com està previst", es: "entre dos, como está previsto",
        en: "between two, as planned", fr: "entre deux, comme prévu")
    case .proofHead:
      Texts(
        ca: "Totes les captures d'aquest equip, segons el seu magatzem:",
        es: "Todas las capturas de este equipo, según su almacén:",
        en: "All captures of this tracker, by its store:",
        fr: "Toutes les captures de cette balise, selon son stockage :")
    case .proofDevice:
      Texts(
        ca: "{1}: de la {2} a la {3}; {4} preses, {5} confirmades, {6} pendents, "
          + "{7} apartades, {8} forats",
        es: "{1}: de la {2} a la {3}; {4} tomadas, {5} confirmadas, {6} pendientes, "
          + "{7} apartadas, {8} huecos",
        en: "{1}: {2} to {3}; {4} captured, {5} acknowledged, {6} waiting, {7} set aside, {8} gaps",
        fr: "{1} : de {2} à {3} ; {4} prises, {5} confirmées, {6} en attente, {7} de côté, "
          + "{8} trous")
    case .proofEarlier:
      Texts(ca: "anterior", es: "anterior", en: "earlier", fr: "précédent")
    case .proofComplete:
      Texts(
        ca: "complet: no en falta cap", es: "completo: no falta ninguna",
        en: "complete: none is missing", fr: "complet : il n'en manque aucune")
    case .proofMissing:
      Texts(
        ca: "INCOMPLET: en falten {1}", es: "INCOMPLETO: faltan {1}",
        en: "INCOMPLETE: {1} missing", fr: "INCOMPLET : il en manque {1}")
    case .noEvents:
      Texts(
        ca: "res des de l'inici", es: "nada desde el inicio", en: "nothing since the start",
        fr: "rien depuis le démarrage")
    case .noLog:
      Texts(ca: "cap línia", es: "ninguna línea", en: "no lines", fr: "aucune ligne")
    case .testOK: Texts(ca: "bé", es: "bien", en: "ok", fr: "bon")
    case .testFailed: Texts(ca: "MALAMENT", es: "FALLO", en: "FAILED", fr: "ÉCHEC")
    case .testSkipped: Texts(ca: "no provat", es: "no probado", en: "skipped", fr: "non testé")
    }
  }
}
