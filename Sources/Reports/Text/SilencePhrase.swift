public import Wording

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
