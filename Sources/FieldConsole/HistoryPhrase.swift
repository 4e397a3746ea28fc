import CaptureStore
import TrackerCore
import Wording

/// What became of a capture, for `show`.
enum HistoryPhrase: String, Catalogue {
  case history, stored, unanswered, setAside, setAsideCode, requeued, confirmed, sentNow, cut
  case otherClock

  var texts: Texts {
    switch self {
    case .history: Texts(ca: "història", es: "historia", en: "history", fr: "historique")
    case .stored: Texts(ca: "desada", es: "guardada", en: "stored", fr: "enregistrée")
    case .unanswered:
      Texts(
        ca: "enviada, no confirmada", es: "enviada, no confirmada", en: "sent, not confirmed",
        fr: "envoyée, non confirmée")
    case .setAside:
      Texts(
        ca: "rebutjada i apartada", es: "rechazada y apartada", en: "refused and set aside",
        fr: "refusée et mise de côté")
    case .setAsideCode:
      Texts(
        ca: "rebutjada i apartada, codi {1}", es: "rechazada y apartada, código {1}",
        en: "refused and set aside, code {1}", fr: "refusée et mise de côté, code {1}")
    case .requeued:
      Texts(
        ca: "tornada a la cua per una persona", es: "devuelta a la cola por una persona",
        en: "put back by a person", fr: "remise en file par une personne")
    case .confirmed:
      Texts(
        ca: "confirmada pel servidor", es: "confirmada por el servidor",
        en: "confirmed by the server", fr: "confirmée par le serveur")
    case .sentNow:
      Texts(
        ca: "enviada, encara sense resposta", es: "enviada, aún sin respuesta",
        en: "sent, no answer yet", fr: "envoyée, pas encore de réponse")
    case .cut:
      Texts(
        ca: "(el que va passar abans no es guarda)", es: "(lo que pasó antes no se guarda)",
        en: "(what happened before is not kept)", fr: "(ce qui a précédé n'est pas gardé)")
    case .otherClock:
      Texts(
        ca: "(hores del rellotge de la màquina, que anava {1} desviat)",
        es: "(horas del reloj de la máquina, que iba {1} desviado)",
        en: "(times of the machine's clock, which was {1} off)",
        fr: "(heures de l'horloge de la machine, décalée de {1})")
    }
  }

  /// - Returns: lines without their heading, and the same for scripts.
  static func lines(
    _ row: StoredCapture, _ history: CaptureHistory, in language: Language
  ) -> (text: [String], figures: [Figure]) {
    var text: [String] = []
    var figures: [Figure] = []
    func add(_ phrase: HistoryPhrase, _ at: UTC, _ code: Int32? = nil) {
      text.append(
        CalendarText.text(at) + "  " + phrase.text(in: language, code.map { "\($0)" } ?? ""))
      figures.append(
        .object([
          Figure.Member("atMs", .integer(at.milliseconds)),
          Figure.Member("step", .text(phrase.step)),
          Figure.Member("code", code.map { .integer($0) } ?? .none),
        ]))
    }
    add(.stored, row.takenAt)
    if history.isCut { text.append(Self.cut.text(in: language)) }
    for step in history.steps {
      switch step {
      case .unanswered(let at): add(.unanswered, at)
      case .setAside(let at, let code): add(code == nil ? .setAside : .setAsideCode, at, code)
      case .requeued(let at): add(.requeued, at)
      }
    }
    switch row.state {
    case .pending: break
    case .inFlight: add(.sentNow, row.stateChangedAt)
    case .acknowledged: add(.confirmed, row.stateChangedAt)
    case .setAside: add(row.code == nil ? .setAside : .setAsideCode, row.stateChangedAt, row.code)
    }
    if let utc = row.capture.utc, row.capture.isTimeTrusted {
      let off = Milliseconds(Int64(clamping: (row.takenAt - utc).count.magnitude))
      if off > FieldBounds.clockTolerance {
        text.append(Self.otherClock.text(in: language, Quantity.span(off, in: language)))
      }
    }
    return (text, figures)
  }

  /// For scripts.
  private var step: String { self == .setAsideCode ? Self.setAside.rawValue : rawValue }
}

/// Why a capture was taken.
enum TriggerPhrase: String, Catalogue {
  case start, interval, distance, heartbeat, command, batteryEnd, test, entered, left, inferred, end
  case emergency, emergencyOver

  init(_ trigger: Trigger) {
    switch trigger {
    case .start: self = .start
    case .interval: self = .interval
    case .distance: self = .distance
    case .heartbeat: self = .heartbeat
    case .command: self = .command
    case .batteryEnd: self = .batteryEnd
    case .test: self = .test
    case .entered: self = .entered
    case .left: self = .left
    case .inferred: self = .inferred
    case .end: self = .end
    case .emergency: self = .emergency
    case .emergencyOver: self = .emergencyOver
    }
  }

  var texts: Texts {
    switch self {
    case .test:
      Texts(
        ca: "prova (try)", es: "prueba (try)", en: "test (try)", fr: "essai (try)")
    case .start:
      Texts(
        ca: "inici de la sessió", es: "inicio de la sesión", en: "start of the session",
        fr: "début de la session")
    case .interval:
      Texts(ca: "interval", es: "intervalo", en: "interval", fr: "intervalle")
    case .distance:
      Texts(
        ca: "distància recorreguda", es: "distancia recorrida", en: "distance covered",
        fr: "distance parcourue")
    case .heartbeat:
      Texts(
        ca: "senyal de vida en repòs", es: "señal de vida en reposo", en: "sign of life at rest",
        fr: "signe de vie à l'arrêt")
    case .command:
      Texts(
        ca: "demanada per una persona", es: "pedida por una persona", en: "asked for by a person",
        fr: "demandée par une personne")
    case .batteryEnd:
      Texts(
        ca: "final de la bateria a prop", es: "fin de la batería cercano",
        en: "battery near its end", fr: "batterie presque vide")
    case .entered:
      Texts(
        ca: "arribada a un control", es: "llegada a un control", en: "checkpoint reached",
        fr: "arrivée à un contrôle")
    case .left:
      Texts(
        ca: "sortida d'un control", es: "salida de un control", en: "checkpoint left",
        fr: "départ d'un contrôle")
    case .inferred:
      Texts(
        ca: "control passat sense ser-hi vist", es: "control pasado sin ser visto",
        en: "checkpoint passed unseen", fr: "contrôle passé sans être vu")
    case .end:
      Texts(
        ca: "final de la sessió", es: "fin de la sesión", en: "end of the session",
        fr: "fin de la session")
    case .emergency: Texts(ca: "emergència", es: "emergencia", en: "emergency", fr: "urgence")
    case .emergencyOver:
      Texts(
        ca: "final de l'emergència", es: "fin de la emergencia", en: "emergency over",
        fr: "fin de l'urgence")
    }
  }
}
