import Wording

/// What `push`, `import`, `retry` and `export` say of captures on their way.
enum DeliveryPhrase: String, Catalogue {
  case pushed, pushedSome, refused, usesSecond, displaced, putBack
  case pushing, importing, asksSoon
  case imported, importRefused, importLeft, noNote

  var texts: Texts {
    switch self {
    case .pushed:
      Texts(
        ca: "enviades {1}, en queden {2}, apartades {3}",
        es: "enviadas {1}, quedan {2}, apartadas {3}",
        en: "pushed {1}, {2} left, {3} set aside",
        fr: "envoyées {1}, restent {2}, mises de côté {3}")
    case .pushedSome:
      Texts(
        ca: "enviades {1} ({4} ja hi eren), en queden {2}, apartades {3}",
        es: "enviadas {1} ({4} ya estaban), quedan {2}, apartadas {3}",
        en: "pushed {1} ({4} already there), {2} left, {3} set aside",
        fr: "envoyées {1} ({4} y étaient déjà), restent {2}, mises de côté {3}")
    case .refused:
      Texts(
        ca: "{2}: {1} captura apartada, que el servidor ha rebutjat; mireu trackerctl captures, i "
          + "torneu-la a la cua amb trackerctl retry all --store {2} | {2}: {1} captures "
          + "apartades, que el servidor ha rebutjat; mireu trackerctl captures, i torneu-les a la "
          + "cua amb trackerctl retry all --store {2}",
        es: "{2}: {1} captura apartada, que el servidor ha rechazado; mire trackerctl captures, y "
          + "devuélvala a la cola con trackerctl retry all --store {2} | {2}: {1} capturas "
          + "apartadas, que el servidor ha rechazado; mire trackerctl captures, y devuélvalas a "
          + "la cola con trackerctl retry all --store {2}",
        en: "{2}: {1} capture set aside, refused by the server; see trackerctl captures, and put "
          + "it back with trackerctl retry all --store {2} | {2}: {1} captures set aside, refused "
          + "by the server; see trackerctl captures, and put them back with trackerctl retry all "
          + "--store {2}",
        fr: "{2} : {1} capture mise de côté, refusée par le serveur ; voyez trackerctl captures, "
          + "et remettez-la dans la file avec trackerctl retry all --store {2} | {2} : {1} "
          + "captures mises de côté, refusées par le serveur ; voyez trackerctl captures, et "
          + "remettez-les dans la file avec trackerctl retry all --store {2}")
    case .usesSecond:
      Texts(
        ca: "{1}; s'usa el segon magatzem, {2}", es: "{1}; se usa el segundo almacén, {2}",
        en: "{1}; using the second store, {2}", fr: "{1} ; le second stockage, {2}, est utilisé")
    case .displaced:
      Texts(
        ca: "el servidor té altres captures amb els identificadors d'{1} captura: un altre equip "
          + "tenia la mateixa identitat, o s'ha editat un fitxer; s'envia amb un identificador "
          + "nou | el servidor té altres captures amb els identificadors de {1} captures: un "
          + "altre equip tenia la mateixa identitat, o s'ha editat un fitxer; s'envien amb "
          + "identificadors nous",
        es: "el servidor tiene otras capturas con los identificadores de {1} captura: otro equipo "
          + "tenía la misma identidad, o se editó un fichero; se envía con un identificador nuevo "
          + "| el servidor tiene otras capturas con los identificadores de {1} capturas: otro "
          + "equipo tenía la misma identidad, o se editó un fichero; se envían con "
          + "identificadores nuevos",
        en: "the server has other captures with the identifiers of {1} capture: another device "
          + "had the same identity, or a file was edited; it is sent with a new identifier | the "
          + "server has other captures with the identifiers of {1} captures: another device had "
          + "the same identity, or a file was edited; these are sent with new identifiers",
        fr: "le serveur a d'autres captures avec les identifiants de {1} capture : une autre "
          + "balise avait la même identité, ou un fichier a été modifié ; elle est envoyée avec "
          + "un nouvel identifiant | le serveur a d'autres captures avec les identifiants de {1} "
          + "captures : une autre balise avait la même identité, ou un fichier a été modifié ; "
          + "elles sont envoyées avec de nouveaux identifiants")
    case .putBack:
      Texts(
        ca: "{1} tornades a la cua", es: "{1} devueltas a la cola", en: "{1} put back",
        fr: "{1} remises dans la file")
    case .pushing:
      Texts(
        ca: "enviades {1}, en queden {2}", es: "enviadas {1}, quedan {2}",
        en: "pushed {1}, {2} left", fr: "envoyées {1}, restent {2}")
    case .importing:
      Texts(
        ca: "importades {1}, en queden {2}", es: "importadas {1}, quedan {2}",
        en: "imported {1}, {2} left", fr: "importées {1}, restent {2}")
    case .asksSoon:
      Texts(
        ca: "{1}, que potser han arribat; es pregunta al servidor d'aquí a {2} s",
        es: "{1}, que quizá han llegado; se pregunta al servidor dentro de {2} s",
        en: "{1}, which may have arrived; the server is asked in {2} s",
        fr: "{1}, peut-être déjà arrivées ; le serveur sera interrogé dans {2} s")
    case .imported:
      Texts(
        ca: "importades {1}, {2} ja hi eren", es: "importadas {1}, {2} ya estaban",
        en: "imported {1}, {2} already there", fr: "importées {1}, {2} y étaient déjà")
    case .importRefused:
      Texts(
        ca: "{1}, el servidor n'ha rebutjat {2}", es: "{1}, el servidor ha rechazado {2}",
        en: "{1}, {2} refused by the server", fr: "{1}, {2} refusées par le serveur")
    case .importLeft:
      Texts(
        ca: "{1}, en queden {2}", es: "{1}, quedan {2}", en: "{1}, {2} left",
        fr: "{1}, restent {2}")
    case .noNote:
      Texts(
        ca: "{1}; sense cap nota al magatzem, importeu això només on la capa accepta GlobalIDs, "
          + "com la de basecamp",
        es: "{1}; sin una nota en el almacén, importe esto solo donde la capa acepta GlobalIDs, "
          + "como la de basecamp",
        en: "{1}; without a note in the store, import this only where the layer takes GlobalIDs, "
          + "as basecamp's does",
        fr: "{1} ; sans note dans le stockage, n'importez ceci que là où la couche accepte les "
          + "GlobalIDs, comme celle de basecamp")
    }
  }
}
