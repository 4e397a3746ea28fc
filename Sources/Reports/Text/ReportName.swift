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
