import TrackerCore
public import Wording

/// Why a request could not be carried out.
public enum ProblemPhrase: String, Catalogue {
  case noServer, noConfiguration, storeTakesNoOrders, storeInUse, onlyStore, listensElsewhere
  case cannotBeRead, damagedStore, secondStore, notACount
  case teamLength, nothingOrdered, noOrder, unknownSetting, unknownSettingNamed, notPossible
  case noSession, noEmergencies, noPINKept, nothingChanged
  case doneNotKept, runIsOver, noPIN, unknownHere
  case noCallAsked
  case remoteUnknown, remoteWords, remoteNotAllowed, remoteTooLong, remoteFinish

  public var texts: Texts {
    switch self {
    case .noServer:
      Texts(
        ca: "aquí no hi ha cap servidor per preguntar-li",
        es: "aquí no hay ningún servidor al que preguntar",
        en: "there is no server to ask here", fr: "il n'y a pas de serveur à interroger ici")
    case .noConfiguration:
      Texts(
        ca: "cap configuració no l'indica; afegiu --config FITXER",
        es: "ninguna configuración lo indica; añada --config FICHERO",
        en: "no configuration names it; pass --config FILE",
        fr: "aucune configuration ne l'indique ; ajoutez --config FICHIER")
    case .storeTakesNoOrders:
      Texts(
        ca: "{1}: un magatzem no accepta ordres; indiqueu el --socket de trackerd",
        es: "{1}: un almacén no acepta órdenes; indique el --socket de trackerd",
        en: "{1}: a store takes no orders; pass the tracker's --socket",
        fr: "{1} : un stockage ne prend pas d'ordres ; indiquez le --socket de trackerd")
    case .storeInUse:
      Texts(
        ca: "el seu magatzem és en ús; indiqueu-ne el --socket",
        es: "su almacén está en uso; indique su --socket",
        en: "its store is in use; pass its --socket",
        fr: "son stockage est utilisé ; indiquez son --socket")
    case .onlyStore:
      Texts(
        ca: "només s'ha mirat el magatzem", es: "solo se ha mirado el almacén",
        en: "only its store was looked at", fr: "seul son stockage a été consulté")
    case .listensElsewhere:
      Texts(
        ca: "funciona, però no escolta a {1}", es: "funciona, pero no escucha en {1}",
        en: "it runs, but does not listen at {1}", fr: "il tourne, mais n'écoute pas sur {1}")
    case .cannotBeRead:
      Texts(
        ca: "{1}: no es pot llegir en {2} s; torneu-ho a provar",
        es: "{1}: no se puede leer en {2} s; vuelva a probar",
        en: "{1}: cannot be read within {2} s; try again",
        fr: "{1} : illisible en {2} s ; réessayez")
    case .damagedStore:
      Texts(
        ca: "està malmès: {1}", es: "está dañado: {1}", en: "is damaged: {1}",
        fr: "est endommagé : {1}")
    case .secondStore:
      Texts(
        ca: "n'hi ha un segon, {1}; la pròxima engegada l'incorporarà",
        es: "hay un segundo, {1}; el próximo arranque lo incorporará",
        en: "there is a second one, {1}; the next start will take it over",
        fr: "il y en a un second, {1} ; le prochain démarrage le reprendra")
    case .notACount:
      Texts(
        ca: "{1} '{2}': no és cap nombre de línies; doneu-ne un des d'1, o cap per a totes",
        es: "{1} '{2}': no es un número de líneas; dé uno desde 1, o ninguno para todas",
        en: "{1} '{2}': is no number of lines; give one from 1 up, or none for all",
        fr: "{1} '{2}' : n'est pas un nombre de lignes ; donnez-en un dès 1, ou aucun pour toutes")
    case .teamLength:
      Texts(
        ca: "el nom d'un equip té d'1 a 64 bytes i cap caràcter de control",
        es: "el nombre de un equipo tiene de 1 a 64 bytes y ningún carácter de control",
        en: "a team's name has 1 to 64 bytes and no control characters",
        fr: "le nom d'une équipe a de 1 à 64 octets et aucun caractère de contrôle")
    case .nothingOrdered:
      Texts(
        ca: "no hi ha cap ordre per desfer", es: "no hay ninguna orden que deshacer",
        en: "nothing is ordered that could be undone", fr: "il n'y a aucun ordre à annuler")
    case .noOrder:
      Texts(
        ca: "no hi ha cap ordre en vigor sobre {1}; vegeu get",
        es: "no hay ninguna orden en vigor sobre {1}; vea get",
        en: "no order about the {1} is in force; see get",
        fr: "aucun ordre en vigueur pour {1} ; voir get")
    case .unknownSetting:
      Texts(
        ca: "paràmetre desconegut; hi ha {1}", es: "parámetro desconocido; hay {1}",
        en: "unknown setting; there are {1}", fr: "réglage inconnu ; il y a {1}")
    case .unknownSettingNamed:
      Texts(
        ca: "paràmetre desconegut {1}; hi ha {2}", es: "parámetro desconocido {1}; hay {2}",
        en: "unknown setting {1}; there are {2}", fr: "réglage inconnu {1} ; il y a {2}")
    case .notPossible:
      Texts(
        ca: "{1}: no és possible amb {2}", es: "{1}: no es posible con {2}",
        en: "{1}: not possible with {2}", fr: "{1} : impossible avec {2}")
    case .noCallAsked:
      Texts(
        ca: "el centre de control no demana cap trucada",
        es: "el centro de control no pide ninguna llamada",
        en: "the control room asks for no call",
        fr: "le centre de contrôle ne demande aucun appel")
    case .remoteUnknown:
      Texts(
        ca: "ordre desconeguda; n'hi ha: {1}", es: "orden desconocida; hay: {1}",
        en: "unknown order; there are {1}", fr: "ordre inconnu ; il y a : {1}")
    case .remoteWords:
      Texts(
        ca: "{1} no porta res més", es: "{1} no lleva nada más",
        en: "{1} takes no further words", fr: "{1} ne prend pas d'autres mots")
    case .remoteNotAllowed:
      Texts(
        ca: "la configuració del rastrejador no permet {1}; afegiu-ho a remote",
        es: "la configuración del rastreador no permite {1}; añádalo a remote",
        en: "the tracker's configuration does not allow {1}; add it to remote",
        fr: "la configuration de la balise ne permet pas {1} ; ajoutez-le à remote")
    case .remoteTooLong:
      Texts(
        ca: "massa llarg; la configuració permet {1} com a màxim (remoteLimit)",
        es: "demasiado largo; la configuración permite {1} como máximo (remoteLimit)",
        en: "too long; the configuration allows {1} at most (remoteLimit)",
        fr: "trop long ; la configuration permet {1} au plus (remoteLimit)")
    case .remoteFinish:
      Texts(
        ca: "la sala només pot ajornar l'arribada que hi ha",
        es: "la sala solo puede aplazar la llegada que hay",
        en: "the control room can only put off the finish that there is",
        fr: "la salle peut seulement reporter l'arrivée qu'il y a")
    case .noSession:
      Texts(
        ca: "no hi ha cap sessió en marxa; comenceu-ne una amb trackerctl start",
        es: "no hay ninguna sesión en marcha; empiece una con trackerctl start",
        en: "no session is running; begin one with trackerctl start",
        fr: "aucune session en cours ; commencez-en une avec trackerctl start")
    case .noEmergencies:
      Texts(
        ca: "la configuració diu emergency: false; poseu-hi true i recarregueu-la",
        es: "la configuración dice emergency: false; ponga true y recárguela",
        en: "the configuration says emergency: false; write true, and reload it",
        fr: "la configuration dit emergency: false ; écrivez true, puis rechargez-la")
    case .noPINKept:
      Texts(
        ca: "no hi ha cap PIN configurat; afegiu-lo al fitxer de secrets",
        es: "no hay ningún PIN configurado; añádalo al fichero de secretos",
        en: "no PIN is configured; add it to the secrets file",
        fr: "aucun PIN n'est configuré ; ajoutez-le au fichier des secrets")
    case .nothingChanged:
      Texts(
        ca: "no s'ha canviat res: {1}", es: "no se ha cambiado nada: {1}",
        en: "nothing was changed: {1}", fr: "rien n'a été changé : {1}")
    case .doneNotKept:
      Texts(
        ca: "fet, però en tornar a engegar s'oblidaria: {1}",
        es: "hecho, pero al reiniciar se olvidaría: {1}",
        en: "done, but a restart would forget it: {1}",
        fr: "fait, mais un redémarrage l'oublierait : {1}")
    case .runIsOver:
      Texts(
        ca: "la simulació s'ha acabat; torneu a engegar tracker-sim",
        es: "la simulación ha terminado; vuelva a iniciar tracker-sim",
        en: "the run is over; start tracker-sim again",
        fr: "la simulation est finie ; relancez tracker-sim")
    case .noPIN:
      Texts(
        ca: "no hi ha cap PIN configurat; afegiu-lo a l'escenari, com a sim.secret",
        es: "no hay ningún PIN configurado; añádalo al escenario, como sim.secret",
        en: "no PIN is configured; add it to the scenario, as sim.secret",
        fr: "aucun PIN n'est configuré ; ajoutez-le au scénario, en sim.secret")
    case .unknownHere:
      Texts(
        ca: "un equip simulat no coneix {1}; escriviu help",
        es: "un equipo simulado no conoce {1}; escriba help",
        en: "a simulated tracker does not know {1}; type help",
        fr: "une balise simulée ne connaît pas {1} ; tapez help")
    }
  }
}

extension ConsoleError {
  /// As a control socket answers it: in English behind `error`, as it always was, and then a line
  /// for each other language.
  public var lines: String {
    var text = "error \(texts.english.plain)\n"
    for language in Language.all where language != .english {
      text += "\(language.code) \(texts[language].plain)\n"
    }
    return text
  }

  /// From a control socket's answer. A tracker of another version may answer only in English.
  public init(lines: String) {
    let all = lines.split(whereSeparator: \.isNewline).map(String.init)
    let first = all.first ?? ""
    let english = first.hasPrefix("error ") ? String(first.dropFirst(6)) : first
    func text(_ language: Language) -> String {
      let mark = language.code + " "
      return all.dropFirst().first { $0.hasPrefix(mark) }.map { String($0.dropFirst(3)) } ?? english
    }
    texts = Texts(ca: text(.catalan), es: text(.spanish), en: english, fr: text(.french))
  }
}

/// How many lines somebody wants of a tracker's events or of its log.
public enum LineCount {
  /// - Parameters:
  ///   - text: `nil`: all.
  ///   - verb: for the error: `events`.
  public static func of(_ text: String?, for verb: String) throws(ConsoleError) -> Int {
    guard let text else { return .max }
    guard let count = Int(text), count > 0 else {
      throw ConsoleError(ProblemPhrase.notACount.texts(verb, text.cut(to: NameWidth.team)))
    }
    return count
  }
}
