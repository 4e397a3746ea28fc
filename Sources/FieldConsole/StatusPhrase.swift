import TrackerCore
import Wording

/// The names of the status's lines.
enum StatusLabel: String, Catalogue {
  case action, device, earlier, session, finish, position, receiver, line, capturing, sending
  case queue, waiting, store, damaged, unconfirmed, lastCapture, lastDelivery, lastContact
  case lastProblem, path, contacts, battery, charge, lasts, plan, changes, modem, receiverPort,
    modemPort
  case clock, systemClock, pins, recording, log, orders, lastWords, team, runningFor
  case sleep, file, levels, course, nextPlace, there, arrival

  var texts: Texts {
    switch self {
    case .action: Texts(ca: "feu", es: "haga", en: "do", fr: "à faire")
    case .device: Texts(ca: "dispositiu", es: "dispositivo", en: "device", fr: "appareil")
    case .earlier:
      Texts(
        ca: "disp. anterior", es: "disp. anterior", en: "earlier device", fr: "app. précédent")
    case .session: Texts(ca: "sessió", es: "sesión", en: "session", fr: "session")
    case .finish: Texts(ca: "final", es: "meta", en: "finish", fr: "arrivée")
    case .position: Texts(ca: "posició", es: "posición", en: "position", fr: "position")
    case .course: Texts(ca: "recorregut", es: "recorrido", en: "course", fr: "parcours")
    case .nextPlace: Texts(ca: "pròxim", es: "próximo", en: "next", fr: "prochain")
    case .there: Texts(ca: "hi serà", es: "estará allí", en: "there", fr: "y sera")
    case .arrival: Texts(ca: "arribada", es: "llegada", en: "arrival", fr: "arrivée prévue")
    case .receiver: Texts(ca: "receptor", es: "receptor", en: "receiver", fr: "récepteur")
    case .levels: Texts(ca: "nivells", es: "niveles", en: "levels", fr: "niveaux")
    case .line: Texts(ca: "línia GPS", es: "línea GPS", en: "GPS line", fr: "ligne GPS")
    case .capturing: Texts(ca: "captura", es: "captura", en: "capturing", fr: "capture")
    case .sending: Texts(ca: "enviament", es: "envío", en: "sending", fr: "envoi")
    case .queue: Texts(ca: "cua", es: "cola", en: "queue", fr: "file")
    case .waiting: Texts(ca: "en espera", es: "en espera", en: "waiting", fr: "en attente")
    case .store: Texts(ca: "magatzem", es: "almacén", en: "store", fr: "stockage")
    case .file: Texts(ca: "fitxer", es: "fichero", en: "file", fr: "fichier")
    case .damaged: Texts(ca: "malmeses", es: "dañadas", en: "damaged", fr: "abîmées")
    case .unconfirmed:
      Texts(ca: "no confirmades", es: "no confirmadas", en: "unconfirmed", fr: "non confirmées")
    case .lastCapture:
      Texts(
        ca: "darrera captura", es: "última captura", en: "last capture", fr: "dern. capture")
    case .lastDelivery:
      Texts(
        ca: "darrera entrega", es: "última entrega", en: "last delivery", fr: "dern. livraison")
    case .lastContact:
      Texts(
        ca: "darrer contacte", es: "último contacto", en: "last contact", fr: "dern. contact")
    case .lastProblem:
      Texts(
        ca: "darrer problema", es: "último problema", en: "last problem", fr: "dern. problème")
    case .path: Texts(ca: "camí", es: "camino", en: "path", fr: "chemin")
    case .contacts: Texts(ca: "contactes", es: "contactos", en: "contacts", fr: "contacts")
    case .battery: Texts(ca: "bateria", es: "batería", en: "battery", fr: "batterie")
    case .charge: Texts(ca: "càrrega", es: "carga", en: "charge", fr: "charge")
    case .lasts: Texts(ca: "durarà", es: "durará", en: "lasts", fr: "durera")
    case .plan: Texts(ca: "pla", es: "previsto", en: "plan", fr: "prévu")
    case .changes: Texts(ca: "canviarà", es: "cambiará", en: "changes", fr: "changera")
    case .modem: Texts(ca: "mòdem", es: "módem", en: "modem", fr: "modem")
    case .receiverPort:
      Texts(
        ca: "port receptor", es: "puerto receptor", en: "receiver port", fr: "port récepteur")
    case .modemPort:
      Texts(ca: "port mòdem", es: "puerto módem", en: "modem port", fr: "port modem")
    case .sleep: Texts(ca: "repòs", es: "reposo", en: "sleep", fr: "veille")
    case .clock: Texts(ca: "hora", es: "hora", en: "clock", fr: "heure")
    case .systemClock:
      Texts(
        ca: "hora sistema", es: "hora sistema", en: "system clock", fr: "heure système")
    case .pins: Texts(ca: "pins", es: "pines", en: "pins", fr: "broches")
    case .recording:
      Texts(ca: "gravació", es: "grabación", en: "recording", fr: "enregistrement")
    case .log: Texts(ca: "registre", es: "registro", en: "log", fr: "journal")
    case .orders: Texts(ca: "ordres", es: "órdenes", en: "orders", fr: "ordres")
    case .lastWords:
      Texts(
        ca: "darreres línies", es: "últimas líneas", en: "last words", fr: "dern. lignes")
    case .team: Texts(ca: "equip", es: "equipo", en: "team", fr: "équipe")
    case .runningFor:
      Texts(ca: "engegat fa", es: "encendido hace", en: "running for", fr: "en marche")
    }
  }
}

/// The values of the status's lines.
enum StatusValue: String, Catalogue {
  case ago, beforeStart, no, noneYet, noContactYet, promised, promiseBroken, notTrusted, old,
    unnamed
  case satellites, satellitesUsed, bestSignal, levelsUsed, asleep, asleepStill, noReport
  case line, noise, nothingHeard, nothingSince
  case nextCapture, everyInterval, byDistance, capturingNow
  case nextContact, sendingNow, nothingToSend, retryIn
  case queueWaiting, queueAside, queueDelivered, oldest, drain
  case heldNow, heldLater, damagedRows
  case capture, captures, deliveredThen, nothingDelivered, unanswered
  case pathLimit, byBroker
  case apart, byBudget, byInterval, byFloor, atOnce
  case charge, chargeRange, drainFactor, lasts, reaches, reachesAt, falls
  case planLeft, planEmpty, planMore, planLess
  case signal
  case running, stopped, stoppedNever, finished, begun, ordered, setTeam
  case finishNone, finishIn, finishPast
  case connected, notConnected, butShared
  case recordingStopped, logDropped, earlier
  case safe, free
  case courseDone, notOnCourse, atPlace, offCourse, backwards, placeAhead, arrival, band
  case opens, closes, closed, mayCloseTooSoon, closesTooSoon

  var texts: Texts {
    switch self {
    case .ago: Texts(ca: "fa {1}", es: "hace {1}", en: "{1} ago", fr: "il y a {1}")
    case .beforeStart:
      Texts(
        ca: "abans d'engegar la màquina", es: "antes de encender la máquina",
        en: "before the machine started", fr: "avant le démarrage")
    case .courseDone:
      Texts(
        ca: "{1} km fets, {2} per fer", es: "{1} km hechos, {2} por hacer",
        en: "{1} km done, {2} to go", fr: "{1} km faits, {2} à faire")
    case .notOnCourse:
      Texts(
        ca: "encara no hi ha passat a prop", es: "aún no ha pasado cerca",
        en: "not near it yet", fr: "pas encore passé à proximité")
    case .atPlace: Texts(ca: "és a {1}", es: "está en {1}", en: "at {1}", fr: "à {1}")
    case .offCourse:
      Texts(
        ca: "fora del recorregut des de fa {1} ({2} m)",
        es: "fuera del recorrido desde hace {1} ({2} m)", en: "off the course for {1} ({2} m)",
        fr: "hors du parcours depuis {1} ({2} m)")
    case .backwards:
      Texts(
        ca: "va enrere des de fa {1}", es: "retrocede desde hace {1}",
        en: "moving backwards for {1}", fr: "recule depuis {1}")
    case .placeAhead:
      Texts(
        ca: "{1}, d'aquí a {2} km", es: "{1}, a {2} km", en: "{1} in {2} km", fr: "{1} dans {2} km")
    case .opens:
      Texts(
        ca: "obre d'aquí a {1}", es: "abre en {1}", en: "opens in {1}", fr: "ouvre dans {1}")
    case .closes:
      Texts(
        ca: "tanca d'aquí a {1}", es: "cierra en {1}", en: "closes in {1}", fr: "ferme dans {1}")
    case .closed:
      Texts(
        ca: "tancat des de fa {1}", es: "cerrado desde hace {1}", en: "closed {1} ago",
        fr: "fermé depuis {1}")
    case .mayCloseTooSoon:
      Texts(
        ca: "tanca d'aquí a {1}, potser abans que hi arribi",
        es: "cierra en {1}, quizá antes de que llegue",
        en: "closes in {1}, perhaps before it gets there",
        fr: "ferme dans {1}, peut-être avant son arrivée")
    case .closesTooSoon:
      Texts(
        ca: "tanca d'aquí a {1}, abans que hi arribi", es: "cierra en {1}, antes de que llegue",
        en: "closes in {1}, before it gets there", fr: "ferme dans {1}, avant son arrivée")
    case .arrival:
      Texts(ca: "d'aquí a {1}", es: "en {1}", en: "in {1}", fr: "dans {1}")
    case .band:
      Texts(
        ca: "4 de 5 entre {1} i {2}", es: "4 de 5 entre {1} y {2}",
        en: "4 in 5 between {1} and {2}", fr: "4 sur 5 entre {1} et {2}")
    case .no: Texts(ca: "no: {1}", es: "no: {1}", en: "no: {1}", fr: "non : {1}")
    case .noneYet:
      Texts(ca: "encara cap", es: "aún ninguna", en: "none yet", fr: "aucune pour l'instant")
    case .noContactYet:
      Texts(
        ca: "encara cap", es: "aún ninguno", en: "none yet", fr: "aucun pour l'instant")
    case .promised:
      Texts(
        ca: "{1}; pròxim en menys de {2}", es: "{1}; próximo en menos de {2}",
        en: "{1}; the next within {2}", fr: "{1} ; prochain sous {2}")
    case .promiseBroken:
      Texts(
        ca: "{1}; {2} de retard", es: "{1}; {2} de retraso", en: "{1}; {2} overdue",
        fr: "{1} ; {2} de retard")
    case .notTrusted:
      Texts(
        ca: "encara no fiable", es: "aún no fiable", en: "not trusted yet",
        fr: "pas encore fiable")
    case .old:
      Texts(ca: "{1}, fa {2}", es: "{1}, hace {2}", en: "{1}, {2} ago", fr: "{1}, il y a {2}")
    case .unnamed: Texts(ca: "(sense nom)", es: "(sin nombre)", en: "(no name)", fr: "(sans nom)")
    case .satellites:
      Texts(
        ca: "{1} satèl·lits de {2}", es: "{1} satélites de {2}", en: "{1} of {2} satellites",
        fr: "{1} satellites sur {2}")
    case .satellitesUsed:
      Texts(
        ca: "{1} satèl·lits usats", es: "{1} satélites usados", en: "{1} satellites used",
        fr: "{1} satellites utilisés")
    case .bestSignal:
      Texts(
        ca: "el millor {1} dB-Hz", es: "el mejor {1} dB-Hz", en: "best {1} dB-Hz",
        fr: "meilleur {1} dB-Hz")
    case .levelsUsed:
      Texts(
        ca: "* usats", es: "* usados", en: "* used", fr: "* utilisés")
    case .asleep:
      Texts(
        ca: "dorm fins a la pròxima captura", es: "duerme hasta la próxima captura",
        en: "asleep until the next capture", fr: "en veille jusqu'à la prochaine capture")
    case .asleepStill: Texts(ca: "dorm", es: "duerme", en: "asleep", fr: "en veille")
    case .noReport:
      Texts(
        ca: "encara cap", es: "aún ninguna", en: "none yet", fr: "aucune pour l'instant")
    case .line:
      Texts(
        ca: "{1} frases l'últim minut, {2} amb error",
        es: "{1} frases en el último minuto, {2} con error",
        en: "{1} sentences in the last minute, {2} bad checksums",
        fr: "{1} phrases en une minute, erronées : {2}")
    case .noise:
      Texts(
        ca: "{1} bytes l'últim minut, només {2} frases: velocitat equivocada?",
        es: "{1} bytes en el último minuto, solo {2} frases: ¿velocidad equivocada?",
        en: "{1} bytes in the last minute, only {2} sentences: wrong rate?",
        fr: "{1} octets en une minute, {2} phrases : mauvais débit ?")
    case .nothingHeard:
      Texts(
        ca: "res l'últim minut", es: "nada en el último minuto", en: "nothing in the last minute",
        fr: "rien depuis une minute")
    case .nothingSince:
      Texts(
        ca: "res des de fa {1}", es: "nada desde hace {1}", en: "nothing for {1}",
        fr: "rien depuis {1}")
    case .nextCapture:
      Texts(
        ca: "pròxima d'aquí a {1}", es: "próxima dentro de {1}", en: "next capture in {1}",
        fr: "prochaine dans {1}")
    case .everyInterval:
      Texts(ca: "cada {1}", es: "cada {1}", en: "every {1}", fr: "toutes les {1}")
    case .byDistance:
      Texts(
        ca: "per distància ({1})", es: "por distancia ({1})", en: "by distance ({1})",
        fr: "par distance ({1})")
    case .capturingNow:
      Texts(ca: "ara mateix", es: "ahora mismo", en: "yes, now", fr: "en cours")
    case .nextContact:
      Texts(
        ca: "pròxim contacte d'aquí a {1}", es: "próximo contacto dentro de {1}",
        en: "next contact in {1}", fr: "prochain contact dans {1}")
    case .sendingNow:
      Texts(ca: "sí, ara mateix", es: "sí, ahora mismo", en: "yes, now", fr: "oui, en cours")
    case .nothingToSend:
      Texts(ca: "tot enviat", es: "todo enviado", en: "everything is sent", fr: "tout est envoyé")
    case .retryIn:
      Texts(
        ca: "nou intent d'aquí a {1}", es: "nuevo intento dentro de {1}", en: "next try in {1}",
        fr: "nouvel essai dans {1}")
    case .queueWaiting:
      Texts(
        ca: "{1} pendent | {1} pendents", es: "{1} pendiente | {1} pendientes",
        en: "\(ConsoleWords.waiting) | \(ConsoleWords.waiting)",
        fr: "{1} en attente | {1} en attente")
    case .queueAside:
      Texts(
        ca: "{1} apartada | {1} apartades", es: "{1} apartada | {1} apartadas",
        en: "\(ConsoleWords.setAside) | \(ConsoleWords.setAside)",
        fr: "{1} mise de côté | {1} mises de côté")
    case .queueDelivered:
      Texts(
        ca: "{1} enviada | {1} enviades", es: "{1} enviada | {1} enviadas",
        en: "\(ConsoleWords.delivered) | \(ConsoleWords.delivered)",
        fr: "{1} envoyée | {1} envoyées")
    case .oldest:
      Texts(
        ca: "la més antiga de fa {1}, {2}", es: "la más antigua de hace {1}, {2}",
        en: "the oldest for {1}, {2}", fr: "la plus ancienne : {1}, {2}")
    case .drain:
      Texts(
        ca: "uns {1} de contacte", es: "unos {1} de contacto",
        en: "sent within about {1} of contact", fr: "environ {1} de contact")
    case .heldNow:
      Texts(
        ca: "{1} de les pendents; es preguntarà al servidor en el pròxim contacte",
        es: "{1} de las pendientes; se preguntará al servidor en el próximo contacto",
        en: "{1} of the waiting; the server is asked at the next contact",
        fr: "{1} en attente ; le serveur sera interrogé au prochain contact")
    case .heldLater:
      Texts(
        ca: "{1} de les pendents; es preguntarà al servidor d'aquí a {2}",
        es: "{1} de las pendientes; se preguntará al servidor dentro de {2}",
        en: "{1} of the waiting; the server is asked in {2}",
        fr: "{1} en attente ; le serveur sera interrogé dans {2}")
    case .damagedRows:
      Texts(
        ca: "{1} files, guardades a la taula damaged",
        es: "{1} filas, guardadas en la tabla damaged",
        en: "{1} rows, kept in the store's table damaged",
        fr: "{1} lignes, gardées dans la table damaged")
    case .capture:
      Texts(
        ca: "número {1}, {2}", es: "número {1}, {2}", en: "number {1}, {2}",
        fr: "numéro {1}, {2}")
    case .captures:
      Texts(
        ca: "{1} captura | {1} captures", es: "{1} captura | {1} capturas",
        en: "{1} capture | {1} captures", fr: "{1} capture | {1} captures")
    case .deliveredThen:
      Texts(
        ca: "{1} captura lliurada | {1} captures lliurades",
        es: "{1} captura entregada | {1} capturas entregadas",
        en: "{1} capture delivered | {1} captures delivered",
        fr: "{1} capture livrée | {1} captures livrées")
    case .nothingDelivered:
      Texts(
        ca: "encara res lliurat", es: "aún nada entregado", en: "nothing delivered yet",
        fr: "rien de livré pour l'instant")
    case .byBroker:
      Texts(
        ca: "segons el broker", es: "según el broker", en: "by the broker's word",
        fr: "selon le broker")
    case .pathLimit:
      Texts(
        ca: "la xarxa es queda les peticions de més d'uns {1} bytes; s'envien petites",
        es: "la red se queda las peticiones de más de unos {1} bytes; se envían pequeñas",
        en: "the network loses requests above some {1} bytes; small ones are sent",
        fr: "le réseau perd les requêtes de plus de {1} octets environ ; elles partent petites")
    case .unanswered:
      Texts(
        ca: "{1} intent sense resposta | {1} intents sense resposta",
        es: "{1} intento sin respuesta | {1} intentos sin respuesta",
        en: "{1} try without an answer | {1} tries without an answer",
        fr: "{1} essai sans réponse | {1} essais sans réponse")
    case .apart:
      Texts(
        ca: "cada {1}, {2}", es: "cada {1}, {2}", en: "{1} apart, {2}", fr: "toutes les {1}, {2}")
    case .atOnce:
      Texts(
        ca: "de seguida, mentre duri l'emergència", es: "enseguida, mientras dure la emergencia",
        en: "at once, while the emergency stands", fr: "aussitôt, tant que dure l'urgence")
    case .byBudget:
      Texts(
        ca: "més o menys segons la bateria", es: "más o menos según la batería",
        en: "more or less by budget", fr: "plus ou moins selon la batterie")
    case .byInterval:
      Texts(
        ca: "per transmit.interval", es: "por transmit.interval", en: "by transmit.interval",
        fr: "par transmit.interval")
    case .byFloor:
      Texts(
        ca: "per reconnectFloor: transmit.interval és més curt",
        es: "por reconnectFloor: transmit.interval es más corto",
        en: "by reconnectFloor: transmit.interval is shorter",
        fr: "par reconnectFloor : transmit.interval est plus court")
    case .charge:
      Texts(
        ca: "{1} % ± {2} %, estimada", es: "{1} % ± {2} %, estimada",
        en: "{1} % ± {2} %, estimated",
        fr: "{1} % ± {2} %, estimée")
    case .chargeRange:
      Texts(
        ca: "{1} % (de {2} a {3}), estimada", es: "{1} % (de {2} a {3}), estimada",
        en: "{1} % ({2} to {3}), estimated", fr: "{1} % (de {2} à {3}), estimée")
    case .drainFactor:
      Texts(
        ca: "es buida {1} x més de pressa que al fitxer",
        es: "se vacía {1} x más deprisa que en su fichero",
        en: "empties {1} x as fast as its file says", fr: "se vide {1} x plus vite que prévu")
    case .lasts:
      Texts(
        ca: "{1} amb un {2} % de confiança", es: "{1} con un {2} % de confianza",
        en: "{1} at {2} % confidence", fr: "{1} à {2} % de confiance")
    case .planLeft:
      Texts(
        ca: "{1} % d'aquí a {2}; posició de fa {3} de mitjana",
        es: "{1} % dentro de {2}; posición de hace {3} de media",
        en: "{1} % left in {2}; position {3} old on average",
        fr: "{1} % dans {2} ; position vieille de {3} en moyenne")
    case .planEmpty:
      Texts(
        ca: "buida d'aquí a {1}; posició de fa {2} de mitjana",
        es: "vacía dentro de {1}; posición de hace {2} de media",
        en: "empty in {1}; position {2} old on average",
        fr: "vide dans {1} ; position vieille de {2} en moyenne")
    case .planMore:
      Texts(
        ca: "més contactes des del {1} %", es: "más contactos desde el {1} %",
        en: "more contacts from {1} %", fr: "plus de contacts dès {1} %")
    case .planLess:
      Texts(
        ca: "menys contactes sota el {1} %", es: "menos contactos bajo el {1} %",
        en: "fewer contacts below {1} %", fr: "moins de contacts sous {1} %")
    case .reachesAt:
      Texts(
        ca: "arriba al final amb un {1} %", es: "llega a la meta con un {1} %",
        en: "reaches the finish at {1} %", fr: "atteint l'arrivée à {1} %")
    case .reaches:
      Texts(
        ca: "arriba al final", es: "llega a la meta", en: "reaches the finish",
        fr: "atteint l'arrivée")
    case .falls:
      Texts(
        ca: "NO arriba al final", es: "NO llega a la meta", en: "does NOT reach the finish",
        fr: "n'atteint PAS l'arrivée")
    case .signal:
      Texts(ca: "senyal {1} dBm", es: "señal {1} dBm", en: "signal {1} dBm", fr: "signal {1} dBm")
    case .running:
      Texts(
        ca: "en marxa, número {1}", es: "en marcha, número {1}", en: "running, number {1}",
        fr: "en cours, numéro {1}")
    case .stopped: Texts(ca: "aturada {1}", es: "parada {1}", en: "stopped {1}", fr: "arrêtée {1}")
    case .stoppedNever:
      Texts(
        ca: "aturada, encara cap", es: "parada, aún ninguna", en: "stopped, none yet",
        fr: "arrêtée, aucune encore")
    case .finished:
      Texts(ca: "acabada {1}", es: "terminada {1}", en: "finished {1}", fr: "finie {1}")
    case .begun: Texts(ca: "iniciada {1}", es: "iniciada {1}", en: "begun {1}", fr: "commencée {1}")
    case .ordered:
      Texts(ca: "ordenada {1}", es: "ordenada {1}", en: "ordered {1}", fr: "ordonnée {1}")
    case .setTeam:
      Texts(
        ca: "\"{1}\", canviat {2}", es: "\"{1}\", cambiado {2}", en: "\"{1}\", set {2}",
        fr: "\"{1}\", changé {2}")
    case .finishNone:
      Texts(
        ca: "cap; la bateria ha de durar 32 h", es: "ninguna; la batería debe durar 32 h",
        en: "none; the battery has to last for 32 h",
        fr: "aucune ; la batterie doit durer 32 h")
    case .finishIn: Texts(ca: "d'aquí a {1}", es: "dentro de {1}", en: "in {1}", fr: "dans {1}")
    case .finishPast:
      Texts(ca: "passat fa {1}", es: "pasada hace {1}", en: "past for {1}", fr: "passée depuis {1}")
    case .connected: Texts(ca: "connectat", es: "conectado", en: "connected", fr: "connecté")
    case .notConnected:
      Texts(ca: "no connectat", es: "no conectado", en: "not connected", fr: "non connecté")
    case .butShared: Texts(ca: "però {1}", es: "pero {1}", en: "but {1}", fr: "mais {1}")
    case .recordingStopped:
      Texts(ca: "aturada: {1}", es: "parada: {1}", en: "stopped: {1}", fr: "arrêté : {1}")
    case .logDropped:
      Texts(
        ca: "{1} línies perdudes: ningú no llegeix la sortida d'errors",
        es: "{1} líneas perdidas: nadie lee la salida de errores",
        en: "{1} lines dropped: nobody reads standard error",
        fr: "{1} lignes perdues : personne ne lit la sortie d'erreur")
    case .safe:
      Texts(
        ca: "{1} captura segura al disc | {1} captures segures al disc",
        es: "{1} captura segura en el disco | {1} capturas seguras en el disco",
        en: "{1} capture safe on the disk | {1} captures safe on the disk",
        fr: "{1} capture en sûreté sur le disque | {1} captures en sûreté sur le disque")
    case .free:
      Texts(ca: "{1} lliures", es: "{1} libres", en: "{1} free", fr: "{1} libres")
    case .earlier:
      Texts(
        ca: "{1}, {2} de les seves captures pendents", es: "{1}, {2} de sus capturas pendientes",
        en: "{1}, {2} of its captures waiting", fr: "{1}, {2} de ses captures en attente")
    }
  }
}
