public import Wording

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
