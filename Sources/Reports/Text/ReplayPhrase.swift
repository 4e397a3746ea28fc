public import Wording

/// The first line of a replay's summary.
public enum ReplayPhrase: Catalogue {
  case place, identical, cut, gap

  public var texts: Texts {
    switch self {
    case .place:
      Texts(ca: "{1} línia {2}", es: "{1} línea {2}", en: "{1} line {2}", fr: "{1} ligne {2}")
    case .identical:
      Texts(
        ca: "{1} arribades i {2} efectes reproduïts: idèntic",
        es: "{1} llegadas y {2} efectos reproducidos: idéntico",
        en: "replayed {1} arrivals, {2} effects: identical",
        fr: "{1} arrivées et {2} effets rejoués : identique")
    case .cut:
      Texts(
        ca: "{1} arribades i {2} efectes reproduïts: idèntic fins a {3}, on la gravació "
          + "s'interromp",
        es: "{1} llegadas y {2} efectos reproducidos: idéntico hasta {3}, donde la grabación se "
          + "interrumpe",
        en: "replayed {1} arrivals, {2} effects: identical, up to {3}, where the recording breaks "
          + "off",
        fr: "{1} arrivées et {2} effets rejoués : identique jusqu'à {3}, où l'enregistrement "
          + "s'interrompt")
    case .gap:
      Texts(
        ca: "{1} arribades i {2} efectes reproduïts: idèntic fins a {3}: allà no es van poder "
          + "gravar {4} arribades",
        es: "{1} llegadas y {2} efectos reproducidos: idéntico hasta {3}: allí no se pudieron "
          + "grabar {4} llegadas",
        en: "replayed {1} arrivals, {2} effects: identical, up to {3}: there {4} arrivals could "
          + "not be recorded",
        fr: "{1} arrivées et {2} effets rejoués : identique jusqu'à {3} : là, {4} arrivées n'ont "
          + "pas pu être enregistrées")
    }
  }
}
