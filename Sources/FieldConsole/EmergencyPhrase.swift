import Wording

extension TrackerFacts.Emergency {
  /// Whether the team wants help, or nobody has confirmed that it does not any more.
  var isOpen: Bool {
    switch stage {
    case nil, .ended: false
    case .raised, .stored, .delivered, .read, .withdrawn: true
    }
  }

  /// The team wants help, and nobody has ended that.
  var isStanding: Bool { isOpen && stage != .withdrawn }

  /// What has become of it: `Marta has read it (03:12 UTC)`.
  var texts: Texts? {
    switch stage {
    case nil: nil
    case .raised, .stored: EmergencyPhrase.unsent.texts
    case .delivered: EmergencyPhrase.unread.texts
    case .read: EmergencyPhrase.read.texts(answer)
    case .withdrawn: EmergencyPhrase.withdrawn.texts
    case .ended: EmergencyPhrase.ended.texts(answer)
    }
  }

  private var answer: String {
    let time = answered.map { " (\(CalendarText.text($0).dropFirst(11).prefix(5)) UTC)" }
    return (person ?? "?") + (time ?? "")
  }
}

/// What has become of an emergency.
enum EmergencyPhrase: String, Catalogue {
  case unsent, unread, read, withdrawn, ended

  var texts: Texts {
    switch self {
    case .unsent:
      Texts(
        ca: "encara no ha arribat al servidor", es: "aún no ha llegado al servidor",
        en: "the server does not have it yet", fr: "pas encore arrivée au serveur")
    case .unread:
      Texts(
        ca: "el servidor la té; ningú no l'ha llegida",
        es: "el servidor la tiene; nadie la ha leído",
        en: "the server has it; nobody has read it", fr: "le serveur l'a ; personne ne l'a lue")
    case .read:
      Texts(
        ca: "l'ha llegida {1}", es: "la ha leído {1}", en: "read by {1}", fr: "lue par {1}")
    case .withdrawn:
      Texts(
        ca: "retirada per l'equip; ningú no ho ha confirmat",
        es: "retirada por el equipo; nadie lo ha confirmado",
        en: "withdrawn by the team; nobody has confirmed that",
        fr: "retirée par l'équipe ; personne ne l'a confirmé")
    case .ended:
      Texts(
        ca: "tancada per {1}", es: "cerrada por {1}", en: "ended by {1}", fr: "close par {1}")
    }
  }
}
