public import TrackerCore
public import Wording

/// What a summary says of the course.
public enum PlacePhrase: Catalogue {
  case title, done, never, entered, left, inferred, missed

  public init(_ kind: Passage.Kind) {
    switch kind {
    case .entered: self = .entered
    case .left: self = .left
    case .inferred: self = .inferred
    case .missed: self = .missed
    }
  }

  public var texts: Texts {
    switch self {
    case .title:
      Texts(
        ca: "Llocs del recorregut:", es: "Lugares del recorrido:", en: "Places of the course:",
        fr: "Lieux du parcours :")
    case .done:
      Texts(
        ca: "{1} km fets, {2} per fer", es: "{1} km hechos, {2} por hacer",
        en: "{1} km done, {2} to go", fr: "{1} km faits, {2} à faire")
    case .never:
      Texts(
        ca: "no hi ha passat mai a prop", es: "nunca ha pasado cerca", en: "never near it",
        fr: "jamais passé à proximité")
    case .entered: Texts(ca: "hi entra", es: "entra", en: "entered", fr: "entrée")
    case .left: Texts(ca: "en surt", es: "sale", en: "left", fr: "sortie")
    case .inferred: Texts(ca: "deduït", es: "deducido", en: "inferred", fr: "déduit")
    case .missed: Texts(ca: "no hi ha passat", es: "no ha pasado", en: "missed", fr: "manqué")
    }
  }
}
