/// The languages of the race.
public enum Language: UInt8, Sendable, Equatable {
  case catalan
  case spanish
  case english
  case french
}

extension Reason {
  /// The name used in files, logs and reports.
  public var key: StaticString {
    switch self {
    case .sessionStopped: "sessionStopped"
    case .noFix: "noFix"
    case .poorAccuracy: "poorAccuracy"
    case .clockUntrusted: "clockUntrusted"
    case .atRest: "atRest"
    case .notDue: "notDue"
    case .batteryReserve: "batteryReserve"
    case .modemOff: "modemOff"
    case .modemSilent: "modemSilent"
    case .noSIM: "noSIM"
    case .simLocked: "simLocked"
    case .simRefused: "simRefused"
    case .simLastTry: "simLastTry"
    case .simUncertain: "simUncertain"
    case .simBlocked: "simBlocked"
    case .operatorLocked: "operatorLocked"
    case .searching: "searching"
    case .registrationDenied: "registrationDenied"
    case .noBearer: "noBearer"
    case .reconnectFloor: "reconnectFloor"
    case .backingOff: "backingOff"
    case .serverRejected: "serverRejected"
    case .unauthorised: "unauthorised"
    case .storeFailed: "storeFailed"
    case .nothingPending: "nothingPending"
    case .finished: "finished"
    }
  }

  /// The reason's number: HTTP status or server code.
  public var detail: Int32? {
    switch self {
    case .backingOff(let status): status
    case .serverRejected(let code): code
    case .sessionStopped, .noFix, .poorAccuracy, .clockUntrusted, .atRest, .notDue,
      .batteryReserve, .modemOff, .modemSilent, .noSIM, .simLocked, .simRefused, .simLastTry,
      .simUncertain, .simBlocked, .operatorLocked, .searching, .registrationDenied, .noBearer,
      .reconnectFloor, .unauthorised,
      .storeFailed, .nothingPending, .finished:
      nil
    }
  }

  /// The text for people, without `detail`.
  public func text(in language: Language) -> StaticString {
    switch language {
    case .catalan: catalan
    case .spanish: spanish
    case .english: english
    case .french: french
    }
  }

  private var catalan: StaticString {
    switch self {
    case .sessionStopped: "la sessió està aturada"
    case .noFix: "sense posició del receptor"
    case .poorAccuracy: "posició massa imprecisa"
    case .clockUntrusted: "hora encara no fiable"
    case .atRest: "l'equip està parat"
    case .notDue: "encara no toca"
    case .batteryReserve: "bateria a la reserva"
    case .modemOff: "mòdem apagat o engegant-se"
    case .modemSilent: "el mòdem no respon: mireu-ne el cable"
    case .noSIM: "no hi ha targeta SIM"
    case .simLocked: "la SIM vol el PIN: poseu-lo als secrets"
    case .simRefused: "el PIN no val: corregiu els secrets"
    case .simLastTry: "darrer intent de PIN: trackerctl pin try"
    case .simUncertain: "intents desconeguts: trackerctl pin try"
    case .simBlocked: "la SIM vol el PUK: useu un telèfon"
    case .operatorLocked: "mòdem d'altre operador: canvieu la SIM"
    case .searching: "buscant xarxa"
    case .registrationDenied: "la xarxa rebutja la SIM"
    case .noBearer: "sense connexió de dades"
    case .reconnectFloor: "massa aviat per tornar a connectar"
    case .backingOff: "esperant per reintentar"
    case .serverRejected: "el servidor ho rebutja"
    case .unauthorised: "el servidor no accepta les credencials"
    case .storeFailed: "no es pot desar al disc"
    case .nothingPending: "res pendent d'enviar"
    case .finished: "la cursa s'ha acabat"
    }
  }

  private var spanish: StaticString {
    switch self {
    case .sessionStopped: "la sesión está parada"
    case .noFix: "sin posición del receptor"
    case .poorAccuracy: "posición demasiado imprecisa"
    case .clockUntrusted: "hora aún no fiable"
    case .atRest: "el equipo está parado"
    case .notDue: "aún no toca"
    case .batteryReserve: "batería en reserva"
    case .modemOff: "módem apagado o arrancando"
    case .modemSilent: "el módem no responde: mire su cable"
    case .noSIM: "no hay tarjeta SIM"
    case .simLocked: "la SIM pide el PIN: póngalo en secretos"
    case .simRefused: "el PIN no vale: corrija los secretos"
    case .simLastTry: "queda un intento: trackerctl pin try"
    case .simUncertain: "intentos inciertos: trackerctl pin try"
    case .simBlocked: "la SIM pide el PUK: use un teléfono"
    case .operatorLocked: "módem de otro operador: cambie la SIM"
    case .searching: "buscando red"
    case .registrationDenied: "la red rechaza la SIM"
    case .noBearer: "sin conexión de datos"
    case .reconnectFloor: "demasiado pronto para reconectar"
    case .backingOff: "esperando para reintentar"
    case .serverRejected: "el servidor lo rechaza"
    case .unauthorised: "el servidor no acepta las credenciales"
    case .storeFailed: "no se puede guardar en el disco"
    case .nothingPending: "nada pendiente de enviar"
    case .finished: "la carrera ha terminado"
    }
  }

  private var english: StaticString {
    switch self {
    case .sessionStopped: "the session is stopped"
    case .noFix: "no position from the receiver"
    case .poorAccuracy: "position too inaccurate"
    case .clockUntrusted: "date not trusted yet"
    case .atRest: "the team is at rest"
    case .notDue: "not due yet"
    case .batteryReserve: "battery in its reserve"
    case .modemOff: "modem off or starting"
    case .modemSilent: "modem does not answer: check its cable"
    case .noSIM: "no SIM card"
    case .simLocked: "the SIM needs a PIN: add it as a secret"
    case .simRefused: "wrong PIN: correct the secrets file"
    case .simLastTry: "last PIN try left: trackerctl pin try"
    case .simUncertain: "tries left unknown: trackerctl pin try"
    case .simBlocked: "the SIM wants its PUK: use a telephone"
    case .operatorLocked: "modem locked to an operator: change SIM"
    case .searching: "searching for a network"
    case .registrationDenied: "the network refuses the SIM"
    case .noBearer: "no data connection"
    case .reconnectFloor: "too soon to connect again"
    case .backingOff: "waiting to try again"
    case .serverRejected: "the server refuses it"
    case .unauthorised: "the server refuses the credentials"
    case .storeFailed: "cannot write to the disk"
    case .nothingPending: "nothing waits to be sent"
    case .finished: "the race is over"
    }
  }

  private var french: StaticString {
    switch self {
    case .sessionStopped: "la session est arrêtée"
    case .noFix: "pas de position du récepteur"
    case .poorAccuracy: "position trop imprécise"
    case .clockUntrusted: "date pas encore fiable"
    case .atRest: "l'équipe est à l'arrêt"
    case .notDue: "pas encore l'heure"
    case .batteryReserve: "batterie sur la réserve"
    case .modemOff: "modem éteint ou au démarrage"
    case .modemSilent: "modem muet : vérifiez son câble"
    case .noSIM: "pas de carte SIM"
    case .simLocked: "le PIN manque : ajoutez-le aux secrets"
    case .simRefused: "le PIN est faux : corrigez les secrets"
    case .simLastTry: "dernier essai : trackerctl pin try"
    case .simUncertain: "essais inconnus : trackerctl pin try"
    case .simBlocked: "le PUK manque : prenez un téléphone"
    case .operatorLocked: "modem d'un autre opérateur : autre SIM !"
    case .searching: "recherche d'un réseau"
    case .registrationDenied: "le réseau refuse la SIM"
    case .noBearer: "pas de connexion de données"
    case .reconnectFloor: "trop tôt pour se reconnecter"
    case .backingOff: "attente avant un nouvel essai"
    case .serverRejected: "le serveur le refuse"
    case .unauthorised: "le serveur refuse les identifiants"
    case .storeFailed: "écriture sur disque impossible"
    case .nothingPending: "rien à envoyer"
    case .finished: "la course est finie"
    }
  }
}
