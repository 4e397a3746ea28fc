public import Wording

/// The names of what a plan rests on, and the heads of its table.
public enum PlanName: Catalogue {
  case board, pack, charge, finish, receiver, races, modem, converter
  // Heads of columns: as wide as these at most.
  case interval, lifetime, arrive, captures, delivered, joules
  case receiverColumn, converterColumn

  public var texts: Texts {
    switch self {
    case .board: Texts(ca: "placa", es: "placa", en: "board", fr: "carte")
    case .pack: Texts(ca: "bateria", es: "batería", en: "pack", fr: "batterie")
    case .charge: Texts(ca: "càrrega", es: "carga", en: "charge", fr: "charge")
    case .finish: Texts(ca: "arribada", es: "llegada", en: "finish", fr: "arrivée")
    case .receiver: Texts(ca: "receptor", es: "receptor", en: "receiver", fr: "récepteur")
    case .races: Texts(ca: "curses", es: "carreras", en: "races", fr: "courses")
    case .modem: Texts(ca: "mòdem", es: "módem", en: "modem", fr: "modem")
    case .converter:
      Texts(ca: "conversor", es: "conversor", en: "converter", fr: "convertisseur")
    case .interval: Texts(ca: "interval", es: "cada", en: "interval", fr: "rythme")
    case .lifetime:
      Texts(
        ca: "durada, h (90 %)", es: "duración, h (90 %)", en: "lifetime, h (90 %)",
        fr: "durée, h (90 %)")
    case .arrive: Texts(ca: "arriben", es: "llegan", en: "finish", fr: "arrivée")
    case .captures: Texts(ca: "captures", es: "capturas", en: "captures", fr: "captures")
    case .delivered: Texts(ca: "lliurades", es: "entregadas", en: "delivered", fr: "livrées")
    case .joules:
      Texts(
        ca: "joules fins a l'arribada", es: "julios hasta la llegada",
        en: "joules until the finish", fr: "joules jusqu'à l'arrivée")
    case .receiverColumn: Texts(ca: "receptor", es: "receptor", en: "receiver", fr: "GPS")
    case .converterColumn: Texts(ca: "conversor", es: "conversor", en: "converter", fr: "pertes")
    }
  }
}
