import Wording

/// Why a layer cannot take captures, and what to do.
enum LayerPhrase: String, Catalogue {
  case noIdentifier, cannotHold, notALayer, notPoints, notEditable, noField
  case fieldNotEditable, tooSmall

  var texts: Texts {
    switch self {
    case .noIdentifier:
      Texts(
        ca: "no accepta GlobalIDs, i no hi ha cap camp d'identificador configurat; configureu un "
          + "camp de text de 36 caràcters",
        es: "no acepta GlobalIDs, y no hay ningún campo de identificador configurado; configure "
          + "un campo de texto de 36 caracteres",
        en: "does not accept GlobalIDs, and no identifier field is configured; configure a text "
          + "field of 36 characters",
        fr: "n'accepte pas de GlobalIDs, et aucun champ d'identifiant n'est configuré ; "
          + "configurez un champ texte de 36 caractères")
    case .cannotHold:
      Texts(
        ca: "el camp {1} no pot contenir un identificador; feu-lo un text de 36 caràcters",
        es: "el campo {1} no puede contener un identificador; hágalo un texto de 36 caracteres",
        en: "field {1} cannot hold an identifier; make it a text of 36 characters",
        fr: "le champ {1} ne peut contenir un identifiant ; faites-en un texte de 36 caractères")
    case .notALayer:
      Texts(
        ca: "no és una capa d'un FeatureServer; comproveu-ne l'adreça i el número",
        es: "no es una capa de un FeatureServer; compruebe su dirección y su número",
        en: "is not a layer of a FeatureServer; check its address and number",
        fr: "n'est pas une couche d'un FeatureServer ; vérifiez son adresse et son numéro")
    case .notPoints:
      Texts(
        ca: "conté {1}, no punts; trieu una capa de punts",
        es: "contiene {1}, no puntos; elija una capa de puntos",
        en: "contains {1}, not points; choose a point layer",
        fr: "contient {1}, pas des points ; choisissez une couche de points")
    case .notEditable:
      Texts(
        ca: "no és editable (capabilities: {1}); doneu-li la capacitat Create",
        es: "no es editable (capabilities: {1}); dele la capacidad Create",
        en: "is not editable (capabilities: {1}); give it the capability Create",
        fr: "n'est pas modifiable (capabilities: {1}) ; donnez-lui la capacité Create")
    case .noField:
      Texts(
        ca: "no té el camp {1}; afegiu-lo, o configureu un altre nom",
        es: "no tiene el campo {1}; añádalo, o configure otro nombre",
        en: "has no field {1}; add it, or configure another name",
        fr: "n'a pas de champ {1} ; ajoutez-le, ou configurez un autre nom")
    case .fieldNotEditable:
      Texts(
        ca: "el camp {1} no és editable; feu-lo editable",
        es: "el campo {1} no es editable; hágalo editable",
        en: "field {1} is not editable; make it so",
        fr: "le champ {1} n'est pas modifiable ; rendez-le modifiable")
    case .tooSmall:
      Texts(
        ca: "el camp {1} no passa de 32767, massa poc per a metres; feu-lo esriFieldTypeInteger",
        es: "el campo {1} no pasa de 32767, muy poco para metros; hágalo esriFieldTypeInteger",
        en: "field {1} holds no more than 32767, too little for metres; make it "
          + "esriFieldTypeInteger",
        fr: "le champ {1} ne dépasse pas 32767, trop peu pour des mètres ; faites-en un "
          + "esriFieldTypeInteger")
    }
  }
}
