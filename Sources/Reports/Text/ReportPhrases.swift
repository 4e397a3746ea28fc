import TrackerCore
public import Wording

/// The names in the left column of a summary.
public enum ReportName: Catalogue {
  case trace, recording, run, ended, course
  case receiver, rejected, notUsed
  case captures, notCaptured, because
  case uploads, contacts, air, server, delivery
  case energy, byPart, battery

  public var texts: Texts {
    switch self {
    case .trace: Texts(ca: "traça", es: "traza", en: "trace", fr: "trace")
    case .recording: Texts(ca: "gravació", es: "grabación", en: "recording", fr: "fichier")
    case .run: Texts(ca: "execució", es: "ejecución", en: "run", fr: "exécution")
    case .ended: Texts(ca: "final", es: "final", en: "ended", fr: "fin")
    case .course: Texts(ca: "recorregut", es: "recorrido", en: "course", fr: "parcours")
    case .receiver: Texts(ca: "receptor", es: "receptor", en: "receiver", fr: "récepteur")
    case .rejected: Texts(ca: "rebutjades", es: "rechazadas", en: "rejected", fr: "rejetées")
    case .notUsed: Texts(ca: "no usades", es: "no usadas", en: "not used", fr: "inutilisées")
    case .captures: Texts(ca: "captures", es: "capturas", en: "captures", fr: "captures")
    case .notCaptured:
      Texts(ca: "sense captura", es: "sin captura", en: "not captured", fr: "sans capture")
    case .because: Texts(ca: "motiu", es: "motivo", en: "because", fr: "motif")
    case .uploads: Texts(ca: "enviaments", es: "envíos", en: "uploads", fr: "envois")
    case .contacts: Texts(ca: "contactes", es: "contactos", en: "contacts", fr: "contacts")
    case .air: Texts(ca: "per ràdio", es: "por radio", en: "on the air", fr: "par radio")
    case .server: Texts(ca: "servidor", es: "servidor", en: "server", fr: "serveur")
    case .delivery: Texts(ca: "lliurament", es: "entrega", en: "delivery", fr: "livraison")
    case .energy: Texts(ca: "energia", es: "energía", en: "energy", fr: "énergie")
    case .byPart:
      Texts(ca: "per part, mWh", es: "por parte, mWh", en: "by part, mWh", fr: "par poste, mWh")
    case .battery: Texts(ca: "bateria", es: "batería", en: "battery", fr: "batterie")
    }
  }
}

/// What a summary says beside the names of its column.
public enum ReportPhrase: Catalogue {
  case uploads, contacts, byTransmitInterval, byReconnectFloor, air, server
  case latency, nothingDelivered
  case energy, energyEach, battery

  public var texts: Texts {
    switch self {
    case .uploads:
      Texts(
        ca: "{1} de {2} amb èxit en {3}", es: "{1} de {2} con éxito en {3}",
        en: "{1} of {2} succeeded in {3}", fr: "{1} sur {2} réussis en {3}")
    case .contacts:
      Texts(
        ca: "cada {1}, {2}", es: "cada {1}, {2}", en: "{1} apart, {2}", fr: "espacés de {1}, {2}")
    case .byTransmitInterval:
      Texts(
        ca: "segons transmit.interval", es: "según transmit.interval",
        en: "by transmit.interval", fr: "selon transmit.interval")
    case .byReconnectFloor:
      Texts(
        ca: "segons reconnectFloor: transmit.interval és més curt",
        es: "según reconnectFloor: transmit.interval es más corto",
        en: "by reconnectFloor: transmit.interval is shorter",
        fr: "selon reconnectFloor : transmit.interval est plus court")
    case .air:
      Texts(
        ca: "{1}, {2} bytes enviats, {3} rebuts", es: "{1}, {2} bytes enviados, {3} recibidos",
        en: "{1}, {2} bytes sent, {3} received", fr: "{1}, {2} octets envoyés, {3} reçus")
    case .server:
      Texts(
        ca: "{1}, {2} per duplicat; {3} de {4} promeses incomplertes",
        es: "{1}, {2} por duplicado; {3} de {4} promesas incumplidas",
        en: "{1}, {2} twice; {3} of {4} promises broken",
        fr: "{1}, {2} en double ; {3} promesses sur {4} non tenues")
    case .latency:
      Texts(
        ca: "la meitat en {1}, el 95 % en {2}, totes en {3}",
        es: "la mitad en {1}, el 95 % en {2}, todas en {3}",
        en: "half within {1}, 95 % within {2}, all within {3}",
        fr: "la moitié en {1}, 95 % en {2}, toutes en {3}")
    case .nothingDelivered:
      Texts(
        ca: "res lliurat", es: "nada entregado", en: "nothing delivered", fr: "rien de livré")
    case .energy: Texts(ca: "{1} mWh", es: "{1} mWh", en: "{1} mWh", fr: "{1} mWh")
    case .energyEach:
      Texts(
        ca: "{1} mWh, {2} J per captura lliurada", es: "{1} mWh, {2} J por captura entregada",
        en: "{1} mWh, {2} J for each delivered capture", fr: "{1} mWh, {2} J par capture livrée")
    case .battery:
      Texts(
        ca: "en queda el {1} % ({2}-{3})", es: "queda el {1} % ({2}-{3})",
        en: "{1} % ({2}-{3}) left", fr: "reste {1} % ({2}-{3})")
    }
  }
}

/// What a summary counts.
public enum ReportCount: Catalogue {
  case sentences, reports, fixes
  case taken, acknowledged, pending, setAside
  case contacts, requests, received

  public var texts: Texts {
    switch self {
    case .sentences:
      Texts(
        ca: "{1} sentència | {1} sentències", es: "{1} sentencia | {1} sentencias",
        en: "{1} sentence | {1} sentences", fr: "{1} trame | {1} trames")
    case .reports:
      Texts(
        ca: "{1} informe | {1} informes", es: "{1} informe | {1} informes",
        en: "{1} report | {1} reports", fr: "{1} relevé | {1} relevés")
    case .fixes:
      Texts(
        ca: "{1} posició | {1} posicions", es: "{1} posición | {1} posiciones",
        en: "{1} fix | {1} fixes", fr: "{1} position | {1} positions")
    case .taken:
      Texts(
        ca: "{1} feta | {1} fetes", es: "{1} hecha | {1} hechas", en: "{1} taken | {1} taken",
        fr: "{1} prise | {1} prises")
    case .acknowledged:
      Texts(
        ca: "{1} confirmada | {1} confirmades", es: "{1} confirmada | {1} confirmadas",
        en: "{1} acknowledged | {1} acknowledged", fr: "{1} confirmée | {1} confirmées")
    case .pending:
      Texts(
        ca: "{1} pendent | {1} pendents", es: "{1} pendiente | {1} pendientes",
        en: "{1} pending | {1} pending", fr: "{1} en attente | {1} en attente")
    case .setAside:
      Texts(
        ca: "{1} apartada | {1} apartades", es: "{1} apartada | {1} apartadas",
        en: "{1} set aside | {1} set aside", fr: "{1} mise de côté | {1} mises de côté")
    case .contacts:
      Texts(
        ca: "{1} contacte | {1} contactes", es: "{1} contacto | {1} contactos",
        en: "{1} contact | {1} contacts", fr: "{1} contact | {1} contacts")
    case .requests:
      Texts(
        ca: "{1} petició | {1} peticions", es: "{1} petición | {1} peticiones",
        en: "{1} request | {1} requests", fr: "{1} requête | {1} requêtes")
    case .received:
      Texts(
        ca: "{1} captura rebuda | {1} captures rebudes",
        es: "{1} captura recibida | {1} capturas recibidas",
        en: "{1} capture received | {1} captures received",
        fr: "{1} capture reçue | {1} captures reçues")
    }
  }
}

/// What people read for the members of a group of figures: why sentences, fixes and captures were
/// not used, and the parts that take energy.
public enum FigureName: Catalogue {
  case checksumMismatch, checksumMissing, malformed, truncated, tooLong, garbage
  case noFix, poorAccuracy, impossibleSpeed
  case clockUntrusted, atRest, storeFailed
  case board, receiver, modem, conversion

  /// - Parameter key: a member's name in JSON.
  /// - Returns: `nil` for a figure that has no name here.
  public init?(key: String) {
    switch key {
    case "checksum_mismatch": self = .checksumMismatch
    case "checksum_missing": self = .checksumMissing
    case "malformed": self = .malformed
    case "truncated": self = .truncated
    case "too_long": self = .tooLong
    case "garbage": self = .garbage
    case "no_fix", "noFix": self = .noFix
    case "poor_accuracy", "poorAccuracy": self = .poorAccuracy
    case "impossible_speed": self = .impossibleSpeed
    case "clockUntrusted": self = .clockUntrusted
    case "atRest": self = .atRest
    case "storeFailed": self = .storeFailed
    case "board": self = .board
    case "receiver": self = .receiver
    case "modem": self = .modem
    case "conversion": self = .conversion
    default: return nil
    }
  }

  public var texts: Texts {
    switch self {
    case .checksumMismatch:
      Texts(
        ca: "suma de control errònia", es: "suma de control errónea", en: "wrong checksum",
        fr: "somme de contrôle fausse")
    case .checksumMissing:
      Texts(
        ca: "sense suma de control", es: "sin suma de control", en: "no checksum",
        fr: "sans somme de contrôle")
    case .malformed:
      Texts(ca: "mal formades", es: "mal formadas", en: "malformed", fr: "mal formées")
    case .truncated: Texts(ca: "tallades", es: "cortadas", en: "cut short", fr: "tronquées")
    case .tooLong:
      Texts(ca: "massa llargues", es: "demasiado largas", en: "too long", fr: "trop longues")
    case .garbage: Texts(ca: "brossa", es: "basura", en: "garbage", fr: "parasites")
    case .noFix: Texts(ca: "sense posició", es: "sin posición", en: "no fix", fr: "sans position")
    case .poorAccuracy:
      Texts(
        ca: "posició imprecisa", es: "posición imprecisa", en: "poor accuracy",
        fr: "position imprécise")
    case .impossibleSpeed:
      Texts(
        ca: "velocitat impossible", es: "velocidad imposible", en: "impossible speed",
        fr: "vitesse impossible")
    case .clockUntrusted:
      Texts(
        ca: "hora no fiable", es: "hora no fiable", en: "date not trusted", fr: "date pas fiable")
    case .atRest: Texts(ca: "equip parat", es: "equipo parado", en: "at rest", fr: "à l'arrêt")
    case .storeFailed:
      Texts(ca: "error de disc", es: "error de disco", en: "disk failed", fr: "erreur de disque")
    case .board: Texts(ca: "placa", es: "placa", en: "board", fr: "carte")
    case .receiver: Texts(ca: "receptor", es: "receptor", en: "receiver", fr: "récepteur")
    case .modem: Texts(ca: "mòdem", es: "módem", en: "modem", fr: "modem")
    case .conversion:
      Texts(ca: "conversió", es: "conversión", en: "conversion", fr: "conversion")
    }
  }
}

/// What a summary says about the run as a whole: its conditions and its end.
public enum RacePhrase: Catalogue {
  case run, recorded
  case finished, stillPending, deadAfterTrace, deadBefore
  case notBefore, declaredInvalid

  public var texts: Texts {
    switch self {
    case .run:
      Texts(
        ca: "placa {1}, llavor {2}, empremta {3}", es: "placa {1}, semilla {2}, huella {3}",
        en: "board {1}, seed {2}, digest {3}", fr: "carte {1}, graine {2}, empreinte {3}")
    case .recorded:
      Texts(
        ca: "gravada amb {1}, empremta {2}", es: "grabada con {1}, huella {2}",
        en: "recorded by {1}, digest {2}", fr: "enregistrée par {1}, empreinte {2}")
    case .finished:
      Texts(
        ca: "tot enviat, {1} després de la traça", es: "todo enviado, {1} después de la traza",
        en: "all sent, {1} after the trace", fr: "tout envoyé, {1} après la trace")
    case .stillPending:
      Texts(
        ca: "amb captures encara pendents, {1} després de la traça",
        es: "con capturas aún pendientes, {1} después de la traza",
        en: "with captures still pending, {1} after the trace",
        fr: "avec des captures encore en attente, {1} après la trace")
    case .deadAfterTrace:
      Texts(
        ca: "bateria per sota de la tensió de tall, {1} després de la traça",
        es: "batería por debajo de la tensión de corte, {1} después de la traza",
        en: "battery below its cut-off {1} after the trace",
        fr: "batterie sous sa tension de coupure, {1} après la trace")
    case .deadBefore:
      Texts(
        ca: "bateria per sota de la tensió de tall al cap de {1}; només s'ha reproduït el {2} % "
          + "de la traça",
        es: "batería por debajo de la tensión de corte al cabo de {1}; solo se ha reproducido el "
          + "{2} % de la traza",
        en: "battery below its cut-off after {1}; only {2} % of the trace was played",
        fr: "batterie sous sa tension de coupure au bout de {1} ; seuls {2} % de la trace ont été "
          + "joués")
    case .declaredInvalid:
      Texts(
        ca: "{1}. La traça té posicions, però les declara no vàlides (estat V a RMC, qualitat 0 a "
          + "GGA), com fan els convertidors de GPX: useu el mateix GPX (--trace camí.gpx)",
        es: "{1}. La traza tiene posiciones, pero las declara no válidas (estado V en RMC, calidad "
          + "0 en GGA), como hacen los convertidores de GPX: use el propio GPX (--trace "
          + "camino.gpx)",
        en: "{1}. The trace has positions but declares them invalid (status V in RMC, quality 0 in "
          + "GGA), as converters of GPX do: use the GPX itself (--trace walk.gpx)",
        fr: "{1}. La trace a des positions mais les déclare non valides (état V dans RMC, qualité "
          + "0 dans GGA), comme le font les convertisseurs de GPX : utilisez le GPX lui-même "
          + "(--trace marche.gpx)")
    case .notBefore:
      Texts(
        ca: "{1} (les dates anteriors al notBefore de la configuració no ho són)",
        es: "{1} (las fechas anteriores al notBefore de la configuración no lo son)",
        en: "{1} (dates before the configuration's notBefore are not)",
        fr: "{1} (les dates antérieures au notBefore de la configuration ne le sont pas)")
    }
  }
}

/// What a summary says of the course.
enum PlacePhrase: Catalogue {
  case title, done, never, entered, left, inferred, missed

  init(_ kind: Passage.Kind) {
    switch kind {
    case .entered: self = .entered
    case .left: self = .left
    case .inferred: self = .inferred
    case .missed: self = .missed
    }
  }

  public var texts: Texts {
    switch self {
    case .title:
      Texts(
        ca: "Llocs del recorregut:", es: "Lugares del recorrido:", en: "Places of the course:",
        fr: "Lieux du parcours :")
    case .done:
      Texts(
        ca: "{1} km fets, {2} per fer", es: "{1} km hechos, {2} por hacer",
        en: "{1} km done, {2} to go", fr: "{1} km faits, {2} à faire")
    case .never:
      Texts(
        ca: "no hi ha passat mai a prop", es: "nunca ha pasado cerca", en: "never near it",
        fr: "jamais passé à proximité")
    case .entered: Texts(ca: "hi entra", es: "entra", en: "entered", fr: "entrée")
    case .left: Texts(ca: "en surt", es: "sale", en: "left", fr: "sortie")
    case .inferred: Texts(ca: "deduït", es: "deducido", en: "inferred", fr: "déduit")
    case .missed: Texts(ca: "no hi ha passat", es: "no ha pasado", en: "missed", fr: "manqué")
    }
  }
}

/// The list of silences at the end of a summary.
public enum SilencePhrase: Catalogue {
  case title, noCapture, notSent, more

  public var texts: Texts {
    switch self {
    case .title:
      Texts(
        ca: "Silencis d'un minut o més:", es: "Silencios de un minuto o más:",
        en: "Silences of a minute and more:", fr: "Silences d'une minute ou plus :")
    case .noCapture:
      Texts(ca: "no capturat", es: "no capturado", en: "no capture", fr: "non capturé")
    case .notSent: Texts(ca: "no enviat", es: "no enviado", en: "not sent", fr: "non envoyé")
    case .more:
      Texts(
        ca: "i {1} més (--json els llista tots)", es: "y {1} más (--json los lista todos)",
        en: "and {1} more (--json lists all)", fr: "et {1} de plus (--json les liste tous)")
    }
  }
}

/// The first line of a replay's summary.
public enum ReplayPhrase: Catalogue {
  case place, block, identical, cut, gap

  public var texts: Texts {
    switch self {
    case .place:
      Texts(ca: "{1} línia {2}", es: "{1} línea {2}", en: "{1} line {2}", fr: "{1} ligne {2}")
    case .block:
      Texts(ca: "{1} bloc {2}", es: "{1} bloque {2}", en: "{1} block {2}", fr: "{1} bloc {2}")
    case .identical:
      Texts(
        ca: "{1} arribades i {2} efectes reproduïts: idèntic",
        es: "{1} llegadas y {2} efectos reproducidos: idéntico",
        en: "replayed {1} arrivals, {2} effects: identical",
        fr: "{1} arrivées et {2} effets rejoués : identique")
    case .cut:
      Texts(
        ca: "{1} arribades i {2} efectes reproduïts: idèntic fins a {3}, on la gravació "
          + "s'interromp",
        es: "{1} llegadas y {2} efectos reproducidos: idéntico hasta {3}, donde la grabación se "
          + "interrumpe",
        en: "replayed {1} arrivals, {2} effects: identical, up to {3}, where the recording breaks "
          + "off",
        fr: "{1} arrivées et {2} effets rejoués : identique jusqu'à {3}, où l'enregistrement "
          + "s'interrompt")
    case .gap:
      Texts(
        ca: "{1} arribades i {2} efectes reproduïts: idèntic fins a {3}: allà no es van poder "
          + "gravar {4} arribades",
        es: "{1} llegadas y {2} efectos reproducidos: idéntico hasta {3}: allí no se pudieron "
          + "grabar {4} llegadas",
        en: "replayed {1} arrivals, {2} effects: identical, up to {3}: there {4} arrivals could "
          + "not be recorded",
        fr: "{1} arrivées et {2} effets rejoués : identique jusqu'à {3} : là, {4} arrivées n'ont "
          + "pas pu être enregistrées")
    }
  }
}
