public import Wording

/// The page with a plan's pictures.
public enum PlanPhrase: Catalogue {
  case title, lifetimes, lifetimeCaption, energy, energyCaption, finishMark
  case interval, arrive, delivered

  public var texts: Texts {
    switch self {
    case .title:
      Texts(
        ca: "Pla de bateria per a {1}", es: "Plan de batería para {1}",
        en: "Battery plan for {1}", fr: "Plan de batterie pour {1}")
    case .lifetimes:
      Texts(
        ca: "Durada segons l'interval", es: "Duración según el intervalo",
        en: "Lifetime by interval", fr: "Durée selon l'intervalle")
    case .lifetimeCaption:
      Texts(
        ca: "Durada segons l'interval: la mediana, i la franja del 90 % de les curses. La línia "
          + "discontínua és l'arribada.",
        es: "Duración según el intervalo: la mediana, y la franja del 90 % de las carreras. La "
          + "línea discontinua es la llegada.",
        en: "Lifetime by interval: the median, and the band of 90 % of the races. The dashed line "
          + "is the finish.",
        fr: "Durée selon l'intervalle : la médiane, et la bande de 90 % des courses. La ligne "
          + "en tirets est l'arrivée.")
    case .energy:
      Texts(
        ca: "Energia per part", es: "Energía por parte", en: "Energy by part",
        fr: "Énergie par poste")
    case .energyCaption:
      Texts(
        ca: "On va l'energia fins a l'arribada, en quilojoules, la mitjana de les curses.",
        es: "Adónde va la energía hasta la llegada, en kilojulios, la media de las carreras.",
        en: "Where the energy goes until the finish, kilojoules, the mean of the races.",
        fr: "Où va l'énergie jusqu'à l'arrivée, en kilojoules, la moyenne des courses.")
    case .finishMark:
      Texts(
        ca: "arribada, {1} h", es: "llegada, {1} h", en: "finish, {1} h", fr: "arrivée, {1} h")
    case .interval: Texts(ca: "interval", es: "intervalo", en: "interval", fr: "intervalle")
    case .arrive:
      Texts(
        ca: "arriben al final", es: "llegan a la meta", en: "reach the finish",
        fr: "vont jusqu'à l'arrivée")
    case .delivered:
      Texts(
        ca: "captures lliurades (90 %)", es: "capturas entregadas (90 %)",
        en: "captures delivered (90 %)", fr: "captures livrées (90 %)")
    }
  }
}
