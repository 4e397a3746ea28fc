import Wording

enum PlayVerb: String, Catalogue {
  case step, until, play

  /// How it is written, the same in every language.
  var usage: String {
    switch self {
    case .step: "step [10min]"
    case .until: "until 3:20:00"
    case .play: "play"
    }
  }

  var texts: Texts {
    switch self {
    case .step:
      Texts(
        ca: "deixa passar un temps, o 1 min", es: "deja pasar un tiempo, o 1 min",
        en: "let time pass, 1 min if not said", fr: "laisse passer un temps, ou 1 min")
    case .until:
      Texts(
        ca: "deixa passar el temps fins llavors", es: "deja pasar el tiempo hasta entonces",
        en: "let time pass until then", fr: "laisse passer le temps jusque-là")
    case .play:
      Texts(
        ca: "segueix fins al final", es: "sigue hasta el final", en: "play to the end",
        fr: "continue jusqu'à la fin")
    }
  }
}

enum PlayPhrase: String, Catalogue {
  case over, overAlready, past, usage

  var texts: Texts {
    switch self {
    case .over:
      Texts(
        ca: "{1}, la simulació s'ha acabat", es: "{1}, la simulación ha terminado",
        en: "{1}, the run is over", fr: "{1}, la simulation est finie")
    case .overAlready:
      Texts(
        ca: "la simulació s'ha acabat; torneu a engegar tracker-sim",
        es: "la simulación ha terminado; vuelva a arrancar tracker-sim",
        en: "the run is over; start tracker-sim again",
        fr: "la simulation est finie ; relancez tracker-sim")
    case .past:
      Texts(
        ca: "ja són les {1}; escriviu una hora posterior",
        es: "ya son las {1}; escriba una hora posterior",
        en: "it is {1} already; write a later time",
        fr: "il est déjà {1} ; écrivez une heure plus tardive")
    case .usage:
      Texts(ca: "escriviu: {1}", es: "escriba: {1}", en: "write: {1}", fr: "écrivez : {1}")
    }
  }
}
