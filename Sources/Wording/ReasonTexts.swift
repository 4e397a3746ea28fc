public import TrackerCore

extension Reason {
  /// All reasons, those with a number with 0.
  public static let all: [Reason] = [
    .sessionStopped, .noFix, .poorAccuracy, .clockUntrusted, .atRest, .notDue, .batteryReserve,
    .modemOff, .modemSilent, .noSIM, .simLocked, .simRefused, .simLastTry, .simUncertain,
    .simBlocked, .operatorLocked, .searching, .registrationDenied, .noBearer, .reconnectFloor,
    .backingOff(status: 0), .serverRejected(code: 0), .unauthorised, .storeFailed,
    .nothingPending, .finished,
  ]

  /// As in files and reports: `searching`, or with its number, `backingOff 503`.
  public var name: String {
    detail.map { "\(key) \($0)" } ?? "\(key)"
  }

  /// - Returns: `nil` if no reason has this name.
  public init?(name: String) {
    let words = name.split(separator: " ")
    guard let word = words.first, words.count <= 2,
      let reason = Self.all.first(where: { "\($0.key)" == word })
    else { return nil }
    guard let number = words.dropFirst().first else {
      self = reason
      return
    }
    guard let detail = Int32(number) else { return nil }
    if case .backingOff = reason {
      self = .backingOff(status: detail)
    } else if case .serverRejected = reason {
      self = .serverRejected(code: detail)
    } else {
      return nil
    }
  }

  /// For people, without `detail`; at most 40 characters, so that it fits a line of the status.
  var texts: Texts {
    let english = "\(words)"
    return switch self {
    case .sessionStopped:
      Texts(
        ca: "la sessió està aturada", es: "la sesión está parada", en: english,
        fr: "la session est arrêtée")
    case .noFix:
      Texts(
        ca: "sense posició del receptor", es: "sin posición del receptor",
        en: english, fr: "pas de position du récepteur")
    case .poorAccuracy:
      Texts(
        ca: "posició massa imprecisa", es: "posición demasiado imprecisa",
        en: english, fr: "position trop imprécise")
    case .clockUntrusted:
      Texts(
        ca: "hora encara no fiable", es: "hora aún no fiable", en: english,
        fr: "date pas encore fiable")
    case .atRest:
      Texts(
        ca: "l'equip està parat", es: "el equipo está parado", en: english,
        fr: "l'équipe est à l'arrêt")
    case .notDue:
      Texts(
        ca: "encara no toca", es: "aún no toca", en: english, fr: "pas encore l'heure")
    case .batteryReserve:
      Texts(
        ca: "bateria a la reserva", es: "batería en reserva", en: english,
        fr: "batterie sur la réserve")
    case .modemOff:
      Texts(
        ca: "mòdem apagat o engegant-se", es: "módem apagado o arrancando",
        en: english, fr: "modem éteint ou au démarrage")
    case .modemSilent:
      Texts(
        ca: "el mòdem no respon: mireu-ne el cable", es: "el módem no responde: mire su cable",
        en: english, fr: "modem muet : vérifiez son câble")
    case .noSIM:
      Texts(
        ca: "no hi ha targeta SIM", es: "no hay tarjeta SIM", en: english,
        fr: "pas de carte SIM")
    case .simLocked:
      Texts(
        ca: "la SIM vol el PIN: poseu-lo als secrets",
        es: "la SIM pide el PIN: póngalo en secretos",
        en: english, fr: "le PIN manque : ajoutez-le aux secrets")
    case .simRefused:
      Texts(
        ca: "el PIN no val: corregiu els secrets", es: "el PIN no vale: corrija los secretos",
        en: english, fr: "le PIN est faux : corrigez les secrets")
    case .simLastTry:
      Texts(
        ca: "darrer intent de PIN: trackerctl pin try", es: "queda un intento: trackerctl pin try",
        en: english, fr: "dernier essai : trackerctl pin try")
    case .simUncertain:
      Texts(
        ca: "intents desconeguts: trackerctl pin try", es: "intentos inciertos: trackerctl pin try",
        en: english, fr: "essais inconnus : trackerctl pin try")
    case .simBlocked:
      Texts(
        ca: "la SIM vol el PUK: useu un telèfon", es: "la SIM pide el PUK: use un teléfono",
        en: english, fr: "le PUK manque : prenez un téléphone")
    case .operatorLocked:
      Texts(
        ca: "mòdem d'altre operador: canvieu la SIM", es: "módem de otro operador: cambie la SIM",
        en: english,
        fr: "modem d'un autre opérateur : autre SIM !")
    case .searching:
      Texts(
        ca: "buscant xarxa", es: "buscando red", en: english,
        fr: "recherche d'un réseau")
    case .registrationDenied:
      Texts(
        ca: "la xarxa rebutja la SIM", es: "la red rechaza la SIM",
        en: english, fr: "le réseau refuse la SIM")
    case .noBearer:
      Texts(
        ca: "sense connexió de dades", es: "sin conexión de datos", en: english,
        fr: "pas de connexion de données")
    case .reconnectFloor:
      Texts(
        ca: "massa aviat per tornar a connectar", es: "demasiado pronto para reconectar",
        en: english, fr: "trop tôt pour se reconnecter")
    case .backingOff:
      Texts(
        ca: "esperant per reintentar", es: "esperando para reintentar", en: english,
        fr: "attente avant un nouvel essai")
    case .serverRejected:
      Texts(
        ca: "el servidor ho rebutja", es: "el servidor lo rechaza", en: english,
        fr: "le serveur le refuse")
    case .unauthorised:
      Texts(
        ca: "el servidor no accepta les credencials", es: "el servidor no acepta las credenciales",
        en: english, fr: "le serveur refuse les identifiants")
    case .storeFailed:
      Texts(
        ca: "no es pot desar al disc", es: "no se puede guardar en el disco",
        en: english, fr: "écriture sur disque impossible")
    case .nothingPending:
      Texts(
        ca: "res pendent d'enviar", es: "nada pendiente de enviar", en: english,
        fr: "rien à envoyer")
    case .finished:
      Texts(
        ca: "la cursa s'ha acabat", es: "la carrera ha terminado", en: english,
        fr: "la course est finie")
    }
  }

  public func text(in language: Language) -> String { texts[language] }
}
