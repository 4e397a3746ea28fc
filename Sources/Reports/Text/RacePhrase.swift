public import Wording

/// What a summary says about the run as a whole: its conditions and its end.
public enum RacePhrase: Catalogue {
  case run, recorded
  case finished, stillPending, deadAfterTrace, deadBefore
  case notBefore, declaredInvalid

  public var texts: Texts {
    switch self {
    case .run:
      Texts(
        ca: "placa {1}, llavor {2}, empremta {3}", es: "placa {1}, semilla {2}, huella {3}",
        en: "board {1}, seed {2}, digest {3}", fr: "carte {1}, graine {2}, empreinte {3}")
    case .recorded:
      Texts(
        ca: "gravada amb {1}, empremta {2}", es: "grabada con {1}, huella {2}",
        en: "recorded by {1}, digest {2}", fr: "enregistrée par {1}, empreinte {2}")
    case .finished:
      Texts(
        ca: "tot enviat, {1} després de la traça", es: "todo enviado, {1} después de la traza",
        en: "all sent, {1} after the trace", fr: "tout envoyé, {1} après la trace")
    case .stillPending:
      Texts(
        ca: "amb captures encara pendents, {1} després de la traça",
        es: "con capturas aún pendientes, {1} después de la traza",
        en: "with captures still pending, {1} after the trace",
        fr: "avec des captures encore en attente, {1} après la trace")
    case .deadAfterTrace:
      Texts(
        ca: "bateria per sota de la tensió de tall, {1} després de la traça",
        es: "batería por debajo de la tensión de corte, {1} después de la traza",
        en: "battery below its cut-off {1} after the trace",
        fr: "batterie sous sa tension de coupure, {1} après la trace")
    case .deadBefore:
      Texts(
        ca: "bateria per sota de la tensió de tall al cap de {1}; només s'ha reproduït el {2} % "
          + "de la traça",
        es: "batería por debajo de la tensión de corte al cabo de {1}; solo se ha reproducido el "
          + "{2} % de la traza",
        en: "battery below its cut-off after {1}; only {2} % of the trace was played",
        fr: "batterie sous sa tension de coupure au bout de {1} ; seuls {2} % de la trace ont été "
          + "joués")
    case .declaredInvalid:
      Texts(
        ca: "{1}. La traça té posicions, però les declara no vàlides (estat V a RMC, qualitat 0 a "
          + "GGA), com fan els convertidors de GPX: useu el mateix GPX (--trace camí.gpx)",
        es: "{1}. La traza tiene posiciones, pero las declara no válidas (estado V en RMC, calidad "
          + "0 en GGA), como hacen los convertidores de GPX: use el propio GPX (--trace "
          + "camino.gpx)",
        en: "{1}. The trace has positions but declares them invalid (status V in RMC, quality 0 in "
          + "GGA), as converters of GPX do: use the GPX itself (--trace walk.gpx)",
        fr: "{1}. La trace a des positions mais les déclare non valides (état V dans RMC, qualité "
          + "0 dans GGA), comme le font les convertisseurs de GPX : utilisez le GPX lui-même "
          + "(--trace marche.gpx)")
    case .notBefore:
      Texts(
        ca: "{1} (les dates anteriors al notBefore de la configuració no ho són)",
        es: "{1} (las fechas anteriores al notBefore de la configuración no lo son)",
        en: "{1} (dates before the configuration's notBefore are not)",
        fr: "{1} (les dates antérieures au notBefore de la configuration ne le sont pas)")
    }
  }
}
