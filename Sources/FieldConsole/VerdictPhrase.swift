import Wording

/// What a verdict says beside its cause.
enum VerdictPhrase: String, Catalogue {
  case forTime, since, lastSign, lastSignAt
  case finished, waiting, waitingForCoverage, waitingForServer, batteryNotMeasured
  case pathLimit

  var texts: Texts {
    switch self {
    case .forTime: Texts(ca: "fa {1}", es: "hace {1}", en: "for {1}", fr: "depuis {1}")
    case .since:
      Texts(ca: "des de {1}", es: "desde {1}", en: "since {1}", fr: "depuis {1}")
    case .lastSignAt:
      Texts(
        ca: "darrer senyal de vida: {1}", es: "última señal de vida: {1}",
        en: "last sign of life: {1}", fr: "dernier signe de vie : {1}")
    case .lastSign:
      Texts(
        ca: "darrer senyal de vida fa {1}", es: "última señal de vida hace {1}",
        en: "last sign of life {1} ago", fr: "dernier signe de vie il y a {1}")
    case .finished:
      Texts(ca: "cursa acabada", es: "carrera terminada", en: "finished", fr: "course finie")
    case .waiting:
      Texts(
        ca: "{1} per enviar", es: "{1} por enviar", en: "{1} to send", fr: "{1} à envoyer")
    case .waitingForCoverage:
      Texts(
        ca: "{1} esperant cobertura", es: "{1} esperando cobertura",
        en: "{1} waiting for coverage", fr: "{1} en attente de réseau")
    case .waitingForServer:
      Texts(
        ca: "{1} esperant el servidor", es: "{1} esperando al servidor",
        en: "{1} waiting for the server", fr: "{1} en attente du serveur")
    case .pathLimit:
      Texts(
        ca: "la xarxa perd les peticions grans", es: "la red pierde las peticiones grandes",
        en: "the network loses large requests", fr: "le réseau perd les grandes requêtes")
    case .batteryNotMeasured:
      Texts(
        ca: "bateria no mesurada", es: "batería no medida", en: "battery not measured",
        fr: "batterie non mesurée")
    }
  }
}
