internal import TrackerCore
public import Wording

/// What the console says around its answers.
enum ConsolePhrase: String, Catalogue {
  case unknown, unknownNear, usage, tooLong, openQuote, notANumber, controlCharacter, readOnly
  case badMarks, sessionOf, earlierSessions, noSuchSession, noDate
  case notRunning
  case confirm, confirmTryNow, askEmergency, askWithdrawal, cancelled
  case emergencyRaised, emergencyWithdrawn, callSeen
  case started, alreadyRuns, notAside, trying, notSet, stopped, sending, capturing, requeued
  case changed, changedBy, unchangedValue, undone, undoneUnset
  case noCapture, noSession
  case headNumber, headTime, headBattery, headPosition, headState
  case statePending, stateInFlight, stateSent, stateAside, counts, secondStore
  case servedHere, servedMissing, servedAnother, servedCounts
  case notTrustedMark
  case team, taken, position, course, place, altitude, speed, accuracy, satellites, battery
  case trigger, state, attempts, code, identifier, device
  case whyNow, whyCapturing, whySending, whyLast, whyBefore, whyActive, whyPlanned, whyOff,
    whyAsleep
  case beforeRestart
  case proofHead, proofDevice, proofEarlier, proofComplete, proofMissing
  case proofServer, proofServerLacks, proofNotAsked
  case noEvents, noLog, noMessages, messageRead, messageEnded, messageOrder
  case noNotes, noteKept, noteDeleted, notePair, noteGone
  case testOK, testFailed, testSkipped, testAsked, testNotAsked
  case saved, fileExists, fileFailed, exported, exportedMounted, noStick

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
        ca: "línia massa llarga; com a màxim 2048 bytes",
        es: "línea demasiado larga; máximo 2048 bytes",
        en: "line too long; at most 2048 bytes", fr: "ligne trop longue ; 2048 octets au plus")
    case .openQuote:
      Texts(
        ca: "unes cometes no es tanquen; afegiu-les", es: "unas comillas no se cierran; añádalas",
        en: "a quote is not closed; add it", fr: "un guillemet n'est pas fermé ; ajoutez-le")
    case .notANumber:
      Texts(
        ca: "'{1}' no és un nombre d'1 a 1000", es: "'{1}' no es un número de 1 a 1000",
        en: "'{1}' is not a number from 1 to 1000", fr: "'{1}' n'est pas un nombre de 1 à 1000")
    case .badMarks:
      Texts(
        ca: "every '{1}': doneu de 50 a 1000000 metres",
        es: "every '{1}': dé de 50 a 1000000 metros",
        en: "every '{1}': give 50 to 1000000 metres",
        fr: "every '{1}' : donnez de 50 à 1000000 mètres")
    case .sessionOf:
      Texts(
        ca: "sessió des de {1} UTC", es: "sesión desde {1} UTC", en: "session since {1} UTC",
        fr: "session depuis {1} UTC")
    case .earlierSessions:
      Texts(
        ca: "{1} sessió anterior: stats sessions | {1} sessions anteriors: stats sessions",
        es: "{1} sesión anterior: stats sessions | {1} sesiones anteriores: stats sessions",
        en: "{1} earlier session: stats sessions | {1} earlier sessions: stats sessions",
        fr: "{1} session antérieure : stats sessions | {1} sessions antérieures : stats sessions")
    case .noSuchSession:
      Texts(
        ca: "no hi ha cap sessió {1}, n'hi ha {2}: vegeu stats sessions",
        es: "no hay ninguna sesión {1}, hay {2}: vea stats sessions",
        en: "there is no session {1}, there are {2}: see stats sessions",
        fr: "pas de session {1}, il y en a {2} : voyez stats sessions")
    case .noDate:
      Texts(ca: "sense data", es: "sin fecha", en: "no date", fr: "sans date")
    case .controlCharacter:
      Texts(
        ca: "hi ha un caràcter de control; escriviu-ho sense",
        es: "hay un carácter de control; escríbalo sin él",
        en: "there is a control character in it; write it without",
        fr: "il y a un caractère de contrôle ; écrivez sans")
    case .readOnly:
      Texts(
        ca: "aquesta consola només pot mirar; vegeu console a la configuració",
        es: "esta consola solo puede mirar; vea console en la configuración",
        en: "this console may only look; see console in the settings",
        fr: "cette console ne peut que regarder ; voir console dans les réglages")
    case .notRunning:
      Texts(
        ca: "trackerd no respon, i no s'ha fet res; escriviu status",
        es: "trackerd no responde, y no se ha hecho nada; escriba status",
        en: "trackerd does not answer, and nothing was done; type status",
        fr: "trackerd ne répond pas, et rien n'a été fait ; tapez status")
    case .confirm:
      Texts(
        ca: "{1}: {2}, segur? (sí/no)", es: "{1}: {2}, ¿seguro? (sí/no)",
        en: "{1}: {2}, sure? (yes/no)", fr: "{1} : {2}, vraiment ? (oui/non)")
    case .askEmergency:
      Texts(
        ca: "demanar AJUDA als organitzadors", es: "pedir AYUDA a los organizadores",
        en: "call the organisers for HELP", fr: "appeler les organisateurs à l'AIDE")
    case .askWithdrawal:
      Texts(
        ca: "ja no cal ajuda", es: "ya no hace falta ayuda", en: "help is no longer needed",
        fr: "l'aide n'est plus nécessaire")
    case .emergencyRaised:
      Texts(
        ca: "emergència en marxa; mireu amb status qui l'ha llegida",
        es: "emergencia en marcha; vea con status quién la ha leído",
        en: "the emergency stands; see status for who has read it",
        fr: "urgence lancée ; status dit qui l'a lue")
    case .emergencyWithdrawn:
      Texts(
        ca: "emergència retirada; algú ho ha de confirmar",
        es: "emergencia retirada; alguien debe confirmarlo",
        en: "the emergency is withdrawn; somebody has to confirm that",
        fr: "urgence retirée ; quelqu'un doit le confirmer")
    case .callSeen:
      Texts(
        ca: "el centre de control sabrà que ho heu vist",
        es: "el centro de control sabrá que lo han visto",
        en: "the control room will learn that you have seen it",
        fr: "le centre de contrôle saura que vous l'avez vu")
    case .confirmTryNow:
      Texts(
        ca: "{1}: try now torna a la xarxa abans d'hora: gasta bateria, i l'operador pot blocar la "
          + "SIM. Segur? (sí/no)",
        es: "{1}: try now vuelve a la red antes de tiempo: gasta batería, y el operador puede "
          + "bloquear la SIM. ¿Seguro? (sí/no)",
        en: "{1}: try now joins the network early: this costs battery, and the operator "
          + "may bar the SIM. Sure? (yes/no)",
        fr: "{1} : try now rejoint le réseau avant l'heure : cela use la batterie, et l'opérateur "
          + "peut bloquer la SIM. Vraiment ? (oui/non)")
    case .cancelled:
      Texts(ca: "no s'ha fet", es: "no se ha hecho", en: "not done", fr: "rien n'est fait")
    case .started:
      Texts(
        ca: "sessió iniciada", es: "sesión iniciada", en: "session begun", fr: "session commencée")
    case .alreadyRuns:
      Texts(
        ca: "la sessió ja està en marxa", es: "la sesión ya está en marcha",
        en: "the session already runs", fr: "la session tourne déjà")
    case .notAside:
      Texts(
        ca: "la captura {1} no és apartada; escriviu captures aside",
        es: "la captura {1} no está apartada; escriba captures aside",
        en: "capture {1} is not set aside; type captures aside",
        fr: "la capture {1} n'est pas de côté ; tapez captures aside")
    case .trying:
      Texts(
        ca: "es pren una posició i s'envia; cada pas:",
        es: "se toma una posición y se envía; cada paso:",
        en: "a position is taken and sent; each step:",
        fr: "une position est prise et envoyée ; chaque étape :")
    case .notSet: Texts(ca: "sense valor", es: "sin valor", en: "not set", fr: "non défini")
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
    case .undoneUnset:
      Texts(
        ca: "desfet: {1} ja no té valor", es: "deshecho: {1} ya no tiene valor",
        en: "taken back: {1} is no longer set", fr: "annulé : {1} n'a plus de valeur")
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
        ca: "{1} captura: {2} | {1} captures: {2}", es: "{1} captura: {2} | {1} capturas: {2}",
        en: "{1} capture: {2} | {1} captures: {2}", fr: "{1} capture : {2} | {1} captures : {2}")
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
    case .course: Texts(ca: "recorregut", es: "recorrido", en: "course", fr: "parcours")
    case .place: Texts(ca: "lloc", es: "lugar", en: "place", fr: "lieu")
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
    case .whyBefore:
      Texts(
        ca: "{1}, {2} abans de reiniciar:", es: "{1}, {2} antes de reiniciar:",
        en: "{1}, {2} before the restart:", fr: "{1}, {2} avant le redémarrage :")
    case .whyOff: Texts(ca: "apagat", es: "apagado", en: "switched off", fr: "éteint")
    case .whyAsleep:
      Texts(
        ca: "ordinador adormit, com està previst", es: "ordenador dormido, como está previsto",
        en: "computer asleep, as planned", fr: "ordinateur en veille, comme prévu")
    case .beforeRestart:
      Texts(
        ca: "abans de reiniciar", es: "antes de reiniciar", en: "before the restart",
        fr: "avant redémarrage")
    case .whyPlanned:
      Texts(
        ca: "entre dues, com està previst", es: "entre dos, como está previsto",
        en: "between two, as planned", fr: "entre deux, comme prévu")
    case .proofHead:
      Texts(
        ca: "Totes les captures d'aquest equip, segons el seu magatzem:",
        es: "Todas las capturas de este equipo, según su almacén:",
        en: "\(ConsoleWords.proofHead)",
        fr: "Toutes les captures de cette balise, selon son stockage :")
    case .proofDevice:
      Texts(
        ca: "{1}: de la {2} a la {3}; preses {4}: {5}; forats {6}",
        es: "{1}: de la {2} a la {3}; tomadas {4}: {5}; huecos {6}",
        en: "\(ConsoleWords.proofDevice)",
        fr: "{1} : de {2} à {3} ; prises {4} : {5} ; trous {6}")
    case .proofEarlier:
      Texts(ca: "anterior", es: "anterior", en: "earlier", fr: "précédent")
    case .proofComplete:
      Texts(
        ca: "complet: no en falta cap", es: "completo: no falta ninguna",
        en: "\(ConsoleWords.proofComplete)", fr: "complet : il n'en manque aucune")
    case .proofMissing:
      Texts(
        ca: "INCOMPLET: en falten {1}", es: "INCOMPLETO: faltan {1}",
        en: "\(ConsoleWords.proofMissing)", fr: "INCOMPLET : il en manque {1}")
    case .servedHere: Texts(ca: "aquí també", es: "aquí también", en: "here too", fr: "ici aussi")
    case .servedMissing:
      Texts(ca: "no és aquí", es: "no está aquí", en: "not here", fr: "pas ici")
    case .servedAnother:
      Texts(
        ca: "aquí n'és una altra", es: "aquí es otra", en: "another one here", fr: "une autre ici")
    case .servedCounts:
      Texts(
        ca: "{1} captura al servidor; {2} no és en aquest magatzem | {1} captures al servidor; "
          + "{2} no són en aquest magatzem",
        es: "{1} captura en el servidor; {2} no está en este almacén | {1} capturas en el "
          + "servidor; {2} no están en este almacén",
        en: "{1} capture on the server; {2} not in this store | {1} captures on the server; {2} "
          + "not in this store",
        fr: "{1} capture sur le serveur ; {2} absente de ce stockage | {1} captures sur le "
          + "serveur ; {2} absentes de ce stockage")
    case .proofServer:
      Texts(
        ca: "el servidor té {1} de les {2} confirmades",
        es: "el servidor tiene {1} de las {2} confirmadas",
        en: "the server has {1} of the {2} acknowledged",
        fr: "le serveur a {1} des {2} confirmées")
    case .proofServerLacks:
      Texts(
        ca: "AL SERVIDOR en falten {1}: {2}", es: "AL SERVIDOR le faltan {1}: {2}",
        en: "THE SERVER lacks {1}: {2}", fr: "AU SERVEUR il en manque {1} : {2}")
    case .proofNotAsked:
      Texts(
        ca: "el servidor no s'ha pogut preguntar: {1}", es: "no se pudo preguntar al servidor: {1}",
        en: "the server could not be asked: {1}", fr: "serveur pas interrogé : {1}")
    case .noEvents:
      Texts(
        ca: "res des de l'inici", es: "nada desde el inicio", en: "nothing since the start",
        fr: "rien depuis le démarrage")
    case .noLog:
      Texts(ca: "cap línia", es: "ninguna línea", en: "no lines", fr: "aucune ligne")
    case .noNotes: Texts(ca: "cap nota", es: "ninguna nota", en: "no notes", fr: "aucune note")
    case .noteKept:
      Texts(
        ca: "la nota {1} és desada; anirà amb un contacte, si el servidor en vol",
        es: "la nota {1} está guardada; irá con un contacto, si el servidor las admite",
        en: "note {1} is kept; it goes out with a contact, if the server takes notes",
        fr: "la note {1} est gardée ; elle partira avec un contact, si le serveur en prend")
    case .noteDeleted:
      Texts(
        ca: "la nota {1} és esborrada; note {1} mostra què deia",
        es: "la nota {1} está borrada; note {1} muestra qué decía",
        en: "note {1} is deleted; note {1} shows what it said",
        fr: "la note {1} est supprimée ; note {1} montre ce qu'elle disait")
    case .notePair:
      Texts(
        ca: "versions escrites sense veure's l'una a l'altra; escriviu la bona:",
        es: "versiones escritas sin verse una a otra; escriba la buena:",
        en: "versions written unseen by each other; write the right one:",
        fr: "versions écrites sans se voir l'une l'autre ; écrivez la bonne :")
    case .noteGone: Texts(ca: "esborrada", es: "borrada", en: "deleted", fr: "supprimée")
    case .noMessages:
      Texts(ca: "cap missatge", es: "ningún mensaje", en: "no messages", fr: "aucun message")
    case .messageRead:
      Texts(
        ca: "ha llegit l'emergència", es: "ha leído la emergencia",
        en: "has read the emergency", fr: "a lu l'urgence")
    case .messageOrder:
      Texts(ca: "ordre", es: "orden", en: "order", fr: "ordre")
    case .messageEnded:
      Texts(
        ca: "diu que l'emergència s'ha acabat", es: "dice que la emergencia ha terminado",
        en: "says that the emergency is over", fr: "dit que l'urgence est finie")
    case .saved:
      Texts(
        ca: "escrit: {1}, {2}", es: "escrito: {1}, {2}", en: "written: {1}, {2}",
        fr: "écrit : {1}, {2}")
    case .fileExists:
      Texts(
        ca: "{1} ja existeix; doneu un altre nom", es: "{1} ya existe; dé otro nombre",
        en: "{1} exists already; give another name", fr: "{1} existe déjà ; donnez un autre nom")
    case .fileFailed:
      Texts(
        ca: "{1} no es pot escriure: {2}", es: "{1} no se puede escribir: {2}",
        en: "{1} cannot be written: {2}", fr: "{1} ne peut pas être écrit : {2}")
    case .exported:
      Texts(
        ca: "{1} captura és a {2}; ja es pot treure | {1} captures són a {2}; ja es pot treure",
        es: "{1} captura está en {2}; ya se puede sacar | {1} capturas están en {2}; "
          + "ya se puede sacar",
        en: "{1} capture is on {2}; pull it out | {1} captures are on {2}; pull it out",
        fr: "{1} capture est sur {2} ; retirez la clé | {1} captures sont sur {2} ; retirez la clé")
    case .noStick:
      Texts(
        ca: "aquí no es pot exportar; useu trackerctl",
        es: "aquí no se puede exportar; use trackerctl",
        en: "nothing can be exported from here; use trackerctl",
        fr: "rien ne peut être exporté d'ici ; utilisez trackerctl")
    case .exportedMounted:
      Texts(
        ca: "{1} captura és a {2}, que segueix muntat | {1} captures són a {2}, que segueix muntat",
        es: "{1} captura está en {2}, que sigue montado | {1} capturas están en {2}, "
          + "que sigue montado",
        en: "{1} capture is on {2}, which stays mounted | {1} captures are on {2}, which stays "
          + "mounted",
        fr: "{1} capture est sur {2}, qui reste monté | {1} captures sont sur {2}, qui reste monté")
    case .testOK: Texts(ca: "bé", es: "bien", en: "ok", fr: "OK")
    case .testFailed: Texts(ca: "MALAMENT", es: "FALLO", en: "FAILED", fr: "ÉCHEC")
    case .testAsked:
      Texts(
        ca: "accepta els camps, preguntat ara", es: "acepta los campos, preguntado ahora",
        en: "takes the fields, asked just now", fr: "accepte les champs, interrogée à l'instant")
    case .testNotAsked:
      Texts(
        ca: "ara no s'ha pogut preguntar: {1}", es: "ahora no se ha podido preguntar: {1}",
        en: "could not be asked now: {1}", fr: "n'a pas pu être interrogée : {1}")
    case .testSkipped: Texts(ca: "no provat", es: "no probado", en: "skipped", fr: "non testé")
    }
  }
}

/// What a console on a terminal says between its answers.
public enum DoorPhrase: String, Catalogue {
  case greeting, idle, anyKey, off
  case askPIN, wrongPIN, pinWait, unlocked, notGiven

  public var texts: Texts {
    switch self {
    case .greeting:
      Texts(
        ca: "trackerctl a {1}; help mostra les ordres, exit surt",
        es: "trackerctl en {1}; help muestra las órdenes, exit sale",
        en: "trackerctl on {1}; help lists the commands, exit leaves",
        fr: "trackerctl sur {1} ; help liste les commandes, exit quitte")
    case .idle:
      Texts(
        ca: "cap tecla en {1}; la consola es tanca",
        es: "ninguna tecla en {1}; la consola se cierra",
        en: "no key for {1}; the console closes",
        fr: "aucune touche depuis {1} ; la console se ferme")
    case .anyKey:
      Texts(
        ca: "(qualsevol tecla ho atura)", es: "(cualquier tecla lo para)",
        en: "(any key ends this)", fr: "(une touche pour arrêter)")
    case .off:
      Texts(
        ca: "la consola està desactivada; vegeu console a la configuració",
        es: "la consola está desactivada; vea console en la configuración",
        en: "the console is off; see console in the settings",
        fr: "la console est désactivée ; voir console dans les réglages")
    case .askPIN: Texts(ca: "PIN:", es: "PIN:", en: "PIN:", fr: "PIN :")
    case .wrongPIN:
      Texts(ca: "PIN incorrecte", es: "PIN incorrecto", en: "wrong PIN", fr: "PIN incorrect")
    case .pinWait:
      Texts(
        ca: "massa intents; torneu-ho a provar d'aquí a {1}",
        es: "demasiados intentos; vuelva a probar dentro de {1}",
        en: "too many tries; try again in {1}", fr: "trop d'essais ; réessayez dans {1}")
    case .notGiven:
      Texts(
        ca: "l'ordre no s'ha donat", es: "la orden no se ha dado", en: "the order was not given",
        fr: "l'ordre n'est pas donné")
    case .unlocked:
      Texts(
        ca: "ordres permeses", es: "órdenes permitidas", en: "orders are unlocked",
        fr: "ordres permis")
    }
  }
}
