internal import SQLite
public import Wording

/// Why the store failed: one line that says what, where and what to do.
public struct StoreError: Error, Sendable, Equatable, Worded {
  public enum Kind: Sendable, Equatable {
    /// Another process uses the store.
    case inUse
    /// The file is not a store. It was left as it is.
    case notAStore
    /// A later version of the program wrote it. It was left as it is.
    case newer(version: Int32, known: Int32)
    /// An earlier version of the program wrote it, which cannot record this.
    case older(version: Int32)
    /// A name refers to captures of several devices; `instead` has a name for each of them.
    case ambiguous(name: String, instead: [String])
    /// A capture with a wrong sequence number: the next one must be `expected`.
    case outOfTurn(expected: UInt32, given: UInt32)
    /// The store's own limit is reached, by captures that no server has yet.
    case storeFull(waiting: Int)
    case diskFull
    case readOnly
    case inputOutput
    /// Another process is using the database at the moment.
    case busy
    /// Damage found while running; the next opening salvages.
    case damaged
    /// It or its directory cannot be opened.
    case cannotOpen
    /// There is no file to read.
    case missing
    /// The file was removed, renamed or replaced while it was in use; the next opening creates a
    /// new one.
    case gone
    /// It has several names (hard links), so that two programs could use it at once.
    case linked
  }

  public var kind: Kind
  public var path: String
  /// Details, such as the system's message.
  public var detail: Texts

  init(_ kind: Kind, path: String, detail: Texts) {
    self.kind = kind
    self.path = path
    self.detail = detail
  }

  /// - Parameter detail: of the database or of a file's content, as it is.
  public init(_ kind: Kind, path: String, detail: String = "") {
    self.init(kind, path: path, detail: detail.texts)
  }

  init(_ error: SQLiteError) {
    kind =
      switch error.kind {
      case .busy: .busy
      case .full: .diskFull
      case .readOnly: .readOnly
      case .inputOutput, .interrupted, .other: .inputOutput
      case .corrupt, .notADatabase, .constraint: .damaged
      case .cannotOpen: .cannotOpen
      }
    path = error.path
    detail = "\(error.operation): \(error.message) (SQLite \(error.code))".texts
  }

  public var texts: Texts {
    // The end of a path is the most useful part.
    let shown = path.count > 200 ? "…\(path.suffix(200))".texts : path.texts
    return (path.isEmpty ? StorePhrase.noPath.texts : shown).colon(reason).map(singleLine)
  }

  /// The same line without the path.
  var reason: Texts { detail.english.isEmpty ? wording : wording + detail.map { " (\($0))" } }

  private var wording: Texts {
    switch kind {
    case .inUse: StorePhrase.inUse.texts
    case .notAStore: StorePhrase.notAStore.texts
    case .newer(let version, let known): StorePhrase.newer.texts("\(version)", "\(known)")
    case .older(let version): StorePhrase.older.texts("\(version)")
    case .ambiguous(let name, let instead):
      StorePhrase.ambiguous.texts(name, listed(plain: instead, or: true))
    case .outOfTurn(let expected, let given):
      StorePhrase.outOfTurn.texts("\(given)", "\(expected)")
    case .storeFull(let waiting): StorePhrase.storeFull.texts("\(waiting)")
    case .diskFull: StorePhrase.diskFull.texts
    case .readOnly: StorePhrase.readOnly.texts
    case .inputOutput: StorePhrase.inputOutput.texts
    case .busy: StorePhrase.busy.texts
    case .damaged: StorePhrase.damaged.texts
    case .missing: StorePhrase.missing.texts
    case .gone: StorePhrase.gone.texts
    case .linked: StorePhrase.linked.texts
    case .cannotOpen: StorePhrase.cannotOpen.texts
    }
  }
}

/// Converts SQLite's errors into the store's.
func stating<Result: ~Copyable>(
  _ body: () throws(SQLiteError) -> Result
) throws(StoreError) -> Result {
  do throws(SQLiteError) { return try body() } catch { throw StoreError(error) }
}

/// What people are told about a store.
public enum StorePhrase: String, Catalogue {
  case noPath
  case inUse, notAStore, newer, older, ambiguous, outOfTurn, storeFull, diskFull, readOnly
  case inputOutput, busy, damaged, missing, gone, linked, cannotOpen
  case notTakenOver, notUsable, withWaiting, untilRoom, untilEnded, leftAsItIs
  case room, roomOld, needed, openElsewhere, notAStoreMove, damagedRows
  case wantedSelection
  case empty, anotherUsers, reserved, dangling, tooLittle, noFileName, notRegular
  case salvaged, newIdentity, keptAs, secondDamaged

  public var texts: Texts {
    switch self {
    case .noPath: Texts(ca: "(sense camí)", es: "(sin ruta)", en: "(no path)", fr: "(sans chemin)")
    case .inUse:
      Texts(
        ca: "l'usa un altre trackerd; atureu-lo, o trieu un altre magatzem",
        es: "lo usa otro trackerd; deténgalo, o elija otro almacén",
        en: "another tracker uses it; stop that one, or choose another store",
        fr: "un autre trackerd l'utilise ; arrêtez-le, ou choisissez un autre stockage")
    case .notAStore:
      Texts(
        ca: "no és un magatzem de captures i s'ha deixat com estava; trieu un altre camí",
        es: "no es un almacén de capturas y se ha dejado como estaba; elija otra ruta",
        en: "is not a capture store and was left as it is; choose another path",
        fr: "n'est pas un stockage de captures et reste tel quel ; choisissez un autre chemin")
    case .newer:
      Texts(
        ca: "té el format {1}, i aquest programa arriba al {2}; instal·leu el programa nou",
        es: "tiene el formato {1}, y este programa llega al {2}; instale el programa nuevo",
        en: "has format {1}, this program knows up to {2}; install the newer program",
        fr: "a le format {1}, ce programme va jusqu'au {2} ; installez le nouveau programme")
    case .older:
      Texts(
        ca: "té el format {1}, que això no ho pot desar; engegueu-hi trackerd un cop",
        es: "tiene el formato {1}, que no puede guardar esto; arranque trackerd una vez con él",
        en: "has format {1}, which cannot record this; start the tracker once on it",
        fr: "a le format {1}, qui ne peut noter cela ; lancez trackerd une fois dessus")
    case .ambiguous:
      Texts(
        ca: "{1} correspon a captures de diversos equips; escriviu {2}",
        es: "{1} corresponde a capturas de varios equipos; escriba {2}",
        en: "{1} matches captures of several devices; write {2}",
        fr: "{1} désigne des captures de plusieurs appareils ; écrivez {2}")
    case .outOfTurn:
      Texts(
        ca: "la captura {1} està fora d'ordre, toca la {2}; aviseu-ne, és un error del programa",
        es: "la captura {1} está fuera de orden, toca la {2}; avise, es un error del programa",
        en: "capture {1} is out of order, {2} is next; report this as a bug",
        fr: "la capture {1} n'est pas à sa place, attendue : {2} ; signalez cette anomalie")
    case .storeFull:
      Texts(
        ca: "és ple: {1} captures esperen l'enviament; envieu-les o apugeu el límit",
        es: "está lleno: {1} capturas esperan el envío; envíelas o suba el límite",
        en: "is full: {1} captures are waiting to be sent; send them or raise the limit",
        fr: "est plein : {1} captures attendent l'envoi ; envoyez-les ou relevez la limite")
    case .diskFull:
      Texts(
        ca: "el disc és ple; feu-hi lloc", es: "el disco está lleno; libere espacio",
        en: "the disk is full; make room on it", fr: "le disque est plein ; faites de la place")
    case .readOnly:
      Texts(
        ca: "no es pot llegir o escriure; comproveu-ne els permisos i el muntatge del disc",
        es: "no se puede leer o escribir; compruebe sus permisos y el montaje del disco",
        en: "cannot be read or written; check its permissions and how the disk is mounted",
        fr: "lecture ou écriture impossible ; vérifiez ses droits et le montage du disque")
    case .inputOutput:
      Texts(
        ca: "el disc ha fallat; comproveu la targeta o el disc i els contactes",
        es: "el disco ha fallado; compruebe la tarjeta o el disco y sus contactos",
        en: "the disk failed; check the card or disk and its contacts",
        fr: "le disque a échoué ; vérifiez la carte ou le disque et ses contacts")
    case .busy:
      Texts(
        ca: "l'usa un altre programa; tanqueu-lo", es: "lo usa otro programa; ciérrelo",
        en: "another program is using it; close that one",
        fr: "un autre programme l'utilise ; fermez-le")
    case .damaged:
      Texts(
        ca: "està malmès; torneu a engegar trackerd, que salva el que es pot llegir",
        es: "está dañado; reinicie trackerd, que salva lo que se puede leer",
        en: "is damaged; restart the tracker, which saves what can be read",
        fr: "est endommagé ; relancez trackerd, qui sauve ce qui est lisible")
    case .missing:
      Texts(
        ca: "no existeix; comproveu el camí", es: "no existe; compruebe la ruta",
        en: "does not exist; check the path", fr: "n'existe pas ; vérifiez le chemin")
    case .gone:
      Texts(
        ca: "s'ha esborrat o substituït mentre s'usava; torneu a engegar trackerd",
        es: "se ha borrado o sustituido mientras se usaba; reinicie trackerd",
        en: "was removed or replaced while it was in use; restart the tracker",
        fr: "a été supprimé ou remplacé pendant l'usage ; relancez trackerd")
    case .linked:
      Texts(
        ca: "té un segon enllaç dur; esborreu un dels noms, o substituïu-lo per una còpia",
        es: "tiene un segundo enlace duro; borre uno de los nombres, o sustitúyalo por una copia",
        en: "has a second hard link; remove one of the names, or replace it with a copy",
        fr: "a un second lien physique ; supprimez un des noms, ou remplacez-le par une copie")
    case .cannotOpen:
      Texts(
        ca: "no es pot obrir; comproveu que el directori existeix i s'hi pot escriure",
        es: "no se puede abrir; compruebe que el directorio existe y se puede escribir en él",
        en: "cannot be opened; check that its directory exists and is writable",
        fr: "ouverture impossible ; vérifiez que son répertoire existe et est accessible")
    case .notTakenOver:
      Texts(
        ca: "{1} no es pot incorporar ({2})", es: "{1} no se puede incorporar ({2})",
        en: "{1} cannot be taken over ({2})", fr: "{1} ne peut être repris ({2})")
    case .notUsable:
      Texts(
        ca: "{1} no es pot usar ({2}){3}; s'ha deixat com estava, i les captures van a {4}",
        es: "{1} no se puede usar ({2}){3}; se ha dejado como estaba, y las capturas van a {4}",
        en: "{1} cannot be used ({2}){3}; it was left as it is, and captures go to {4}",
        fr: "{1} est inutilisable ({2}){3} ; il reste tel quel, et les captures vont à {4}")
    case .withWaiting:
      Texts(
        ca: "{1} amb {2} captures pendents", es: "{1} con {2} capturas pendientes",
        en: "{1} with {2} waiting captures", fr: "{1} avec {2} captures en attente")
    case .untilRoom:
      Texts(
        ca: "fins que hi hagi {1} KB lliures", es: "hasta que haya {1} KB libres",
        en: "until {1} KB are free", fr: "jusqu'à ce que {1} Ko soient libres")
    case .untilEnded:
      Texts(
        ca: "fins que aquell acabi", es: "hasta que aquel termine",
        en: "until that one has ended", fr: "jusqu'à la fin de celui-ci")
    case .leftAsItIs:
      Texts(
        ca: "s'ha deixat com estava", es: "se ha dejado como estaba", en: "it was left as it is",
        fr: "il reste tel quel")
    case .room:
      Texts(
        ca: "per fer lloc, esborreu gravacions o registres",
        es: "para liberar espacio, borre grabaciones o registros",
        en: "to make room, remove recordings or logs",
        fr: "pour faire de la place, supprimez des enregistrements ou des journaux")
    case .roomOld:
      Texts(
        ca: "per fer lloc, esborreu {1} ({2} KB), gravacions o registres",
        es: "para liberar espacio, borre {1} ({2} KB), grabaciones o registros",
        en: "to make room, remove {1} ({2} KB), recordings or logs",
        fr: "pour faire de la place, supprimez {1} ({2} Ko), enregistrements ou journaux")
    case .needed:
      Texts(
        ca: "calen {1} KB; {2}", es: "se necesitan {1} KB; {2}", en: "{1} KB are needed; {2}",
        fr: "il faut {1} Ko ; {2}")
    case .openElsewhere:
      Texts(
        ca: "un altre procés el té obert", es: "otro proceso lo tiene abierto",
        en: "another process has it open", fr: "un autre processus l'a ouvert")
    case .notAStoreMove:
      Texts(
        ca: "no és un magatzem de captures; aparteu-lo",
        es: "no es un almacén de capturas; apártelo",
        en: "it is not a capture store; move it away",
        fr: "ce n'est pas un stockage de captures ; déplacez-le")
    case .damagedRows:
      Texts(
        ca: "{1} de les seves files estan malmeses", es: "{1} de sus filas están dañadas",
        en: "{1} of its rows are damaged", fr: "{1} de ses lignes sont endommagées")
    case .wantedSelection:
      Texts(
        ca: "escriviu el número d'una captura, com 17, o all; d'un altre equip 6F1C:17, amb les "
          + "quatre primeres xifres o més del seu identificador",
        es: "escriba el número de una captura, como 17, o all; de otro equipo 6F1C:17, con las "
          + "cuatro primeras cifras o más de su identificador",
        en: "write the number of a capture, such as 17, or all; of another device 6F1C:17, with "
          + "the first four or more digits of its identifier",
        fr: "écrivez le numéro d'une capture, comme 17, ou all ; d'un autre appareil 6F1C:17, avec "
          + "les quatre premiers chiffres ou plus de son identifiant")
    case .empty: Texts(ca: "és buit", es: "está vacío", en: "it is empty", fr: "il est vide")
    case .anotherUsers:
      Texts(
        ca: "és d'un altre usuari", es: "es de otro usuario", en: "it is another user's",
        fr: "il est à un autre utilisateur")
    case .reserved:
      Texts(
        ca: "l'espai que queda es reserva per al registre",
        es: "el espacio restante se reserva para el registro",
        en: "the remaining space is reserved for the log",
        fr: "l'espace restant est réservé au journal")
    case .dangling:
      Texts(
        ca: "és un enllaç que no porta enlloc", es: "es un enlace que no lleva a ninguna parte",
        en: "it is a dangling link", fr: "c'est un lien qui ne mène nulle part")
    case .tooLittle:
      Texts(
        ca: "quedaria massa poc espai", es: "quedaría demasiado poco espacio",
        en: "too little space would be left", fr: "il resterait trop peu de place")
    case .noFileName:
      Texts(
        ca: "no és el nom d'un fitxer", es: "no es el nombre de un fichero",
        en: "it is not a file name", fr: "ce n'est pas un nom de fichier")
    case .notRegular:
      Texts(
        ca: "no és un fitxer normal", es: "no es un fichero normal",
        en: "it is not a regular file", fr: "ce n'est pas un fichier ordinaire")
    case .salvaged:
      Texts(
        ca: "el magatzem estava malmès ({1}): {2} captures recuperades, en falten {3} entremig, "
          + "la numeració segueix al {4}",
        es: "el almacén estaba dañado ({1}): {2} capturas recuperadas, faltan {3} entre ellas, "
          + "la numeración sigue en {4}",
        en: "the store was damaged ({1}): {2} captures recovered, {3} missing between them, "
          + "numbering continues at {4}",
        fr: "le stockage était endommagé ({1}) : {2} captures récupérées, {3} manquent entre "
          + "elles, la numérotation reprend à {4}")
    case .newIdentity:
      Texts(
        ca: "{1}, l'equip té una identitat nova", es: "{1}, el equipo tiene una identidad nueva",
        en: "{1}, the device has a new identity", fr: "{1}, l'appareil a une nouvelle identité")
    case .keptAs:
      Texts(
        ca: "{1}; el fitxer antic es guarda com a {2}",
        es: "{1}; el fichero antiguo se guarda como {2}",
        en: "{1}; the old file is kept as {2}", fr: "{1} ; l'ancien fichier est gardé : {2}")
    case .secondDamaged:
      Texts(
        ca: "el segon magatzem estava malmès ({1}): {2} captures recuperades",
        es: "el segundo almacén estaba dañado ({1}): {2} capturas recuperadas",
        en: "the second store was damaged ({1}): {2} captures recovered",
        fr: "le second stockage était endommagé ({1}) : {2} captures récupérées")
    }
  }
}
