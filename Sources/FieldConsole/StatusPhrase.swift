import Wording

/// The names of the status's lines.
enum StatusLabel: String, Catalogue {
  case action, device, earlier, session, finish, position, receiver, line, capturing, sending
  case queue, waiting, store, damaged, unconfirmed, lastCapture, lastDelivery, lastContact
  case lastProblem, path, contacts, battery, charge, lasts, modem, receiverPort, modemPort
  case clock, systemClock, pins, recording, log, orders, lastWords, team, runningFor
  case file, levels, course, nextPlace, there, arrival

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
    case .modem: Texts(ca: "mòdem", es: "módem", en: "modem", fr: "modem")
    case .receiverPort:
      Texts(
        ca: "port receptor", es: "puerto receptor", en: "receiver port", fr: "port récepteur")
    case .modemPort:
      Texts(ca: "port mòdem", es: "puerto módem", en: "modem port", fr: "port modem")
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
