public import TrackerCore

/// Why nothing was delivered, where that is known. The table of verdicts has the words for each,
/// and how long it may last.
public enum FailureCause: String, Sendable, CaseIterable, Codable {
  /// The network's login page answers instead of the server.
  case portal
  /// The modem rejects the access point.
  case accessPoint
  /// The network does not open a data connection.
  case dataConnection
  /// The network interface is not there, or does not come up.
  case interface
  /// The server's address is an IPv4 address, and the network has no IPv4; or the same with IPv6.
  case addressFamily
  /// The server's name is not found.
  case name
  /// Nothing listens at the server's address.
  case connection
  /// The server, or whatever is at its address, does not answer.
  case silence
  /// No TLS connection is established.
  case certificate
  /// The same between the modem's own HTTP and the server.
  case modemCertificate
  case proxy
  /// What answers is not the configured kind of server.
  case foreignServer
  /// The modem restarts by itself.
  case supply
  /// The server answers that it is overloaded or out of service.
  case busy
  /// No request can be made with these settings.
  case settings
}

/// The phases of a modem (`ModemPhase`, in its order) for people.
public enum ModemPhaseName: String, Catalogue, Codable {
  case off, starting, checkingSIM, searching, registered, attached, inUse, stopping, faulted
  case stillOn

  public init(_ phase: ModemPhase) {
    switch phase {
    case .off: self = .off
    case .starting: self = .starting
    case .checkingSIM: self = .checkingSIM
    case .searching: self = .searching
    case .registered: self = .registered
    case .attached: self = .attached
    case .inUse: self = .inUse
    case .stopping: self = .stopping
    case .faulted: self = .faulted
    case .stillOn: self = .stillOn
    }
  }

  public var texts: Texts {
    switch self {
    case .off: Texts(ca: "apagat", es: "apagado", en: "off", fr: "éteint")
    case .starting: Texts(ca: "engegant-se", es: "arrancando", en: "starting", fr: "démarrage")
    case .checkingSIM:
      Texts(
        ca: "comprovant la SIM", es: "comprobando la SIM", en: "checking the SIM",
        fr: "contrôle de la SIM")
    case .searching:
      Texts(ca: "buscant xarxa", es: "buscando red", en: "searching", fr: "recherche de réseau")
    case .registered:
      Texts(
        ca: "registrat a la xarxa", es: "registrado en la red", en: "registered",
        fr: "inscrit au réseau")
    case .attached: Texts(ca: "connectat", es: "conectado", en: "attached", fr: "connecté")
    case .inUse: Texts(ca: "enviant", es: "enviando", en: "in use", fr: "en cours d'envoi")
    case .stopping: Texts(ca: "apagant-se", es: "apagándose", en: "stopping", fr: "arrêt")
    case .faulted: Texts(ca: "avariat", es: "averiado", en: "faulted", fr: "en panne")
    case .stillOn:
      Texts(
        ca: "encara engegat: no confirma que la ràdio és apagada; es torna a provar",
        es: "aún encendido: no confirma que la radio está apagada; se reintenta",
        en: "still on: it does not confirm that its radio is off; trying again",
        fr: "encore allumé : il ne confirme pas que sa radio est éteinte ; nouvel essai")
    }
  }
}
