public import Wording

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
