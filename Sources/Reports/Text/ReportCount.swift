public import Wording

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
