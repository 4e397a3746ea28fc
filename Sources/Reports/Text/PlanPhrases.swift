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

/// What a plan rests on.
public enum PlanFact: Catalogue {
  case measured, full, finish, asleep, asPaid, alwaysOn, races, doubts
  case oneCell, inSeries, inParallel, pack

  public var texts: Texts {
    switch self {
    case .measured:
      Texts(
        ca: "{1} V, és a dir, carregada cap al {2} %",
        es: "{1} V, es decir, cargada hacia el {2} %",
        en: "{1} V, so about {2} % charged", fr: "{1} V, donc chargée à {2} % environ")
    case .full: Texts(ca: "plena", es: "llena", en: "full", fr: "pleine")
    case .finish:
      Texts(
        ca: "{1} h després de la sortida, cobertura {2}",
        es: "{1} h después de la salida, cobertura {2}",
        en: "{1} h after the start, coverage {2}", fr: "{1} h après le départ, couverture {2}")
    case .asleep:
      Texts(
        ca: "adormit entre captures", es: "dormido entre capturas", en: "asleep between captures",
        fr: "en veille entre les captures")
    case .asPaid:
      Texts(
        ca: "engegat mentre la bateria ho permeti, si no adormit entre captures",
        es: "encendido mientras la batería lo permita; si no, dormido entre capturas",
        en: "on while the battery pays for it, else asleep between captures",
        fr: "allumé tant que la batterie le permet, sinon en veille entre les captures")
    case .alwaysOn:
      Texts(ca: "sempre engegat", es: "siempre encendido", en: "always on", fr: "toujours allumé")
    case .races:
      Texts(
        ca: "{1} per a cada interval, des de la llavor {2}; {3}",
        es: "{1} para cada intervalo, desde la semilla {2}; {3}",
        en: "{1} for each interval, from seed {2}; {3}",
        fr: "{1} par intervalle, depuis la graine {2} ; {3}")
    case .doubts:
      Texts(
        ca: "varia {1} xifra | varien {1} xifres", es: "varía {1} cifra | varían {1} cifras",
        en: "{1} figure varied | {1} figures varied",
        fr: "{1} chiffre varie | {1} chiffres varient")
    case .oneCell: Texts(ca: "1 cel·la", es: "1 celda", en: "1 cell", fr: "1 élément")
    case .inSeries:
      Texts(ca: "{1} en sèrie", es: "{1} en serie", en: "{1} in series", fr: "{1} en série")
    case .inParallel:
      Texts(
        ca: "{1} en paral·lel", es: "{1} en paralelo", en: "{1} in parallel", fr: "{1} en parallèle"
      )
    case .pack:
      Texts(
        ca: "{1}, {2}, {3} mAh cadascuna", es: "{1}, {2}, {3} mAh cada una",
        en: "{1}, {2}, {3} mAh each", fr: "{1}, {2}, {3} mAh chacun")
    }
  }
}

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

/// What a plan advises.
public enum AdvicePhrase: Catalogue {
  case shortestInterval, smallestPack, holds, moreThan, holdsFrom
  case fails, dutyCycle, notAlone, interval, noInterval, pack, noPack

  public var texts: Texts {
    switch self {
    case .shortestInterval:
      Texts(
        ca: "L'interval més curt que aguanta: {1}.", es: "El intervalo más corto que aguanta: {1}.",
        en: "The shortest interval that holds: {1}.",
        fr: "L'intervalle le plus court qui tient : {1}.")
    case .smallestPack:
      Texts(
        ca: "La bateria més petita que aguanta: {1}.",
        es: "La batería más pequeña que aguanta: {1}.",
        en: "The smallest pack that holds: {1}.", fr: "La plus petite batterie qui tient : {1}.")
    case .holds:
      Texts(
        ca: "Aguanta: amb {1}, el {2} de les curses arriba a {3}, i el 95 % dura {4} h.",
        es: "Aguanta: con {1}, el {2} de las carreras llega a {3}, y el 95 % dura {4} h.",
        en: "It holds: at {1} {2} of the races reach {3}, and 95 % last {4} h.",
        fr: "Cela tient : avec {1}, {2} des courses atteignent {3}, et 95 % durent {4} h.")
    case .moreThan:
      Texts(ca: "més de {1}", es: "más de {1}", en: "more than {1}", fr: "plus de {1}")
    case .holdsFrom:
      Texts(
        ca: "{1} aguanta: el {2} de les curses arriba a {3}; amb {4}, només el {5}.",
        es: "{1} aguanta: el {2} de las carreras llega a {3}; con {4}, solo el {5}.",
        en: "{1} holds: {2} of the races reach {3}; with {4} only {5}.",
        fr: "{1} tient : {2} des courses atteignent {3} ; avec {4}, seulement {5}.")
    case .fails:
      Texts(
        ca: "No aguanta. Perquè el {1} % de les curses arribi a {2} amb {3}, canvieu-ne una:",
        es: "No aguanta. Para que el {1} % de las carreras llegue a {2} con {3}, cambie una cosa:",
        en: "It does not hold. So that {1} % of the races reach {2} at {3}, change one of:",
        fr:
          "Cela ne tient pas. Pour que {1} % des courses atteignent {2} avec {3}, changez une "
          + "chose :")
    case .dutyCycle:
      Texts(
        ca: "receiver: \"dutyCycle\" a la configuració: {1}",
        es: "receiver: \"dutyCycle\" en la configuración: {1}",
        en: "receiver: \"dutyCycle\" in the configuration: {1}",
        fr: "receiver: \"dutyCycle\" dans la configuration : {1}")
    case .notAlone:
      Texts(
        ca: "{1}, que tot sol no basta", es: "{1}, que por sí solo no basta",
        en: "{1}, which is not enough alone", fr: "{1}, ce qui ne suffit pas seul")
    case .interval:
      Texts(
        ca: "un interval de {1}: {2}", es: "un intervalo de {1}: {2}",
        en: "an interval of {1}: {2}", fr: "un intervalle de {1} : {2}")
    case .noInterval:
      Texts(
        ca: "no n'hi ha prou amb cap interval de fins a {1}",
        es: "ningún intervalo hasta {1} basta",
        en: "no interval up to {1} is enough", fr: "aucun intervalle jusqu'à {1} ne suffit")
    case .pack:
      Texts(
        ca: "una bateria de {1}: {2}", es: "una batería de {1}: {2}", en: "a pack of {1}: {2}",
        fr: "une batterie de {1} : {2}")
    case .noPack:
      Texts(
        ca: "no n'hi ha prou amb cap bateria de fins a {1} cel·les o branques així",
        es: "ninguna batería de hasta {1} celdas o ramas así basta",
        en: "no pack of up to {1} such cells or strings is enough",
        fr: "aucune batterie de {1} éléments ou branches au plus ne suffit")
    }
  }
}
