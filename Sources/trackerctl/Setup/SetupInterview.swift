import BoardSupport
import CommandLineSupport
import Glibc
import MachineAccess
import SystemCalls
import TrackerCore
import Wording

/// Asks for what is missing, one question after the other.
struct SetupInterview {
  var draft: SetupDraft
  /// Answers given as options.
  let answered: Set<SetupQuestion>
  private(set) var language = Language.chosen(nil)

  init(_ draft: SetupDraft, answered: Set<SetupQuestion>) {
    self.draft = draft
    self.answered = answered
  }

  /// - Throws: `SetupCancelledError`.
  mutating func run() throws {
    try ask(.language)
    if case .text(let code) = draft.choices.language,
      let chosen = Language.all.first(where: { $0.code == code })
    {
      language = chosen
    }
    let model = BoardGuess(draft.root).model
    if !model.isEmpty { try say(SetupPhrase.model.texts(model)) }
    try ask(.board)
    try askReceiver()
    for question in [SetupQuestion.team, .number, .kind, .server, .user] { try ask(question) }
    try askSecret()
    for question in [SetupQuestion.timeZone, .finish, .bearer] { try ask(question) }
    if draft.bearer == "interface" { try ask(.interface) }
    if draft.bearer != "none" { try ask(.accessPoint) }
  }

  func say(_ text: some TextArgument) throws {
    try printOut(text.texts[language] + "\n")
  }

  private mutating func ask(_ question: SetupQuestion, default given: String? = nil) throws {
    guard !answered.contains(question) else { return }
    let standard = given ?? draft.suggestion(question)
    while true {
      let mark = standard.map { " [\($0)]" } ?? ""
      try printOut("\(question.text(in: language))\(mark): ")
      guard let line = try SetupTerminal.line() else { throw SetupCancelledError() }
      if question == .board, line == "?" {
        try showBoards()
        continue
      }
      guard let answer = line.isEmpty ? standard : line else {
        try say(SetupPhrase.needed.texts)
        continue
      }
      do {
        try draft.accept(question, answer)
        return
      } catch let error as FileAccessError {
        throw error
      } catch {
        try say("  ".texts + Texts(of: error).semicolon(SetupPhrase.again.texts))
      }
    }
  }

  private func showBoards() throws {
    let boards = BoardGuess(draft.root).boards
    let width = boards.map(\.identifier.count).max() ?? 0
    for part in boards {
      let name = part.identifier + (part.kind == .base ? "+…" : "")
      try printOut("  \(name.leftAligned(in: width + 2))  \(part.description)\n")
    }
    let example = "pi-4b+waveshare-sim7600+neo-6m+li-ion-3p"
    try printOut("  \(example)\n  trackerctl boards\n")
  }

  // MARK: The receiver

  private mutating func askReceiver() throws {
    guard !answered.contains(.receiver), let board = draft.board else { return }
    // In the modem, or none: there is no port to choose.
    switch board.board.receiver.dialect {
    case .modemGPS, .none: return
    case .ublox, .ubloxM10, .mediatek, .casic: break
    }
    let found = try findReceiver(board)
    try ask(.receiver, default: draft.configured(.receiver) ?? found)
  }

  /// Listens to gpsd and at the port that the receiver should have.
  ///
  /// - Returns: where it is, as written in settings; `nil`: nowhere, or where the board says.
  mutating func findReceiver(_ board: BoardDescription) throws -> String? {
    guard draft.root.isLive else { return nil }
    try say(SetupPhrase.listening.texts)
    let gpsd = "gpsd://127.0.0.1:2947"
    if try listen(gpsd, board.receiverPort.baud) != nil { return gpsd }
    let port = board.receiverPort
    guard let baud = try listen("\(port.device)@auto", port.baud) else { return nil }
    return baud == port.baud ? nil : "\(port.device)@\(baud)"
  }

  /// - Returns: the rate at which sentences come; `nil` if none come.
  private func listen(_ place: String, _ usual: Int32) throws -> Int? {
    guard let address = try? LineAddress(place) else { return nil }
    var probe = ReceiverProbe(address, baud: Int(usual))
    let finding = probe.listen()
    try SetupTerminal.checkSignals()
    let name = place.hasSuffix("@auto") ? String(place.dropLast(5)) : place
    switch finding {
    case .heard(let baud, let sentences, let time):
      let phrase = baud == 0 ? SetupPhrase.heardGpsd : SetupPhrase.heard
      try say("  ".texts + phrase.texts(name, "\(baud)", "\(sentences)", "\(time.count / 1000)"))
      return baud
    case .silent: try say("  ".texts + SetupPhrase.silent.texts(name))
    case .noise: try say("  ".texts + SetupPhrase.noise.texts(name))
    case .unavailable(let problem): try say("  ".texts + problem.texts)
    }
    return nil
  }

  // MARK: The secret

  private mutating func askSecret() throws {
    guard !answered.contains(.secret) else { return }
    while true {
      let prompt = SetupQuestion.secret.text(in: language) + ": "
      guard let secret = try SetupTerminal.secret(after: prompt) else {
        throw SetupCancelledError()
      }
      if secret.isEmpty, !draft.lacksSecret { return }
      if secret.isEmpty {
        try say(SetupPhrase.needed.texts)
        continue
      }
      do {
        try draft.accept(.secret, secret)
        return
      } catch {
        try say("  ".texts + Texts(of: error).semicolon(SetupPhrase.again.texts))
      }
    }
  }
}

/// What `trackerctl setup` asks.
enum SetupQuestion: String, Catalogue {
  case language, board, receiver, team, number, kind, server, user, secret, timeZone, finish
  case bearer, interface, accessPoint, goOn

  var texts: Texts {
    switch self {
    case .language:
      Texts(
        ca: "Llengua de l'equip (ca, es, en, fr)", es: "Idioma del equipo (ca, es, en, fr)",
        en: "Language of the tracker (ca, es, en, fr)", fr: "Langue de la balise (ca, es, en, fr)")
    case .board:
      Texts(
        ca: "Placa, o parts unides amb + (? les llista)",
        es: "Placa, o partes unidas con + (? las lista)",
        en: "Board, or parts joined by + (? lists them)",
        fr: "Carte, ou parties jointes par + (? les liste)")
    case .receiver:
      Texts(
        ca: "Port del receptor: board (el de la placa), un dispositiu o gpsd://…",
        es: "Puerto del receptor: board (el de la placa), un dispositivo o gpsd://…",
        en: "Port of the receiver: board (the board's own), a device, or gpsd://…",
        fr: "Port du récepteur : board (celui de la carte), un périphérique ou gpsd://…")
    case .team:
      Texts(
        ca: "Nom de l'equip de marxa", es: "Nombre del equipo de marcha", en: "Name of the team",
        fr: "Nom de l'équipe")
    case .number:
      Texts(
        ca: "Número o nom curt per al servidor (- per a cap)",
        es: "Número o nombre corto para el servidor (- para ninguno)",
        en: "Number or short name for the server (- for none)",
        fr: "Numéro ou nom court pour le serveur (- pour aucun)")
    case .kind:
      Texts(
        ca: "Tipus de servidor (arcgis, osmand, owntracks, json, mqtt)",
        es: "Tipo de servidor (arcgis, osmand, owntracks, json, mqtt)",
        en: "Kind of server (arcgis, osmand, owntracks, json, mqtt)",
        fr: "Type de serveur (arcgis, osmand, owntracks, json, mqtt)")
    case .server:
      Texts(
        ca: "Adreça del servidor", es: "Dirección del servidor", en: "Address of the server",
        fr: "Adresse du serveur")
    case .user:
      Texts(
        ca: "Usuari al servidor (- per a cap)", es: "Usuario en el servidor (- para ninguno)",
        en: "User at the server (- for none)", fr: "Utilisateur sur le serveur (- pour aucun)")
    case .secret:
      Texts(
        ca: "Contrasenya o token (no es mostra; Retorn: cap de nou)",
        es: "Contraseña o token (no se muestra; Intro: ninguno nuevo)",
        en: "Password or token (not shown; Enter: no new one)",
        fr: "Mot de passe ou jeton (non affiché ; Entrée : pas de nouveau)")
    case .timeZone:
      Texts(
        ca: "Zona horària", es: "Zona horaria", en: "Time zone", fr: "Fuseau horaire")
    case .finish:
      Texts(
        ca: "Final de la marxa: data i hora (2027-04-18T14:00), o des de l'inici (32 h)",
        es: "Fin de la marcha: fecha y hora (2027-04-18T14:00), o desde el inicio (32 h)",
        en: "End of the race: date and time (2027-04-18T14:00), or from the start (32 h)",
        fr: "Fin de la marche : date et heure (2027-04-18T14:00), ou depuis le départ (32 h)")
    case .bearer:
      Texts(
        ca: "Què porta les dades: interface o modem (del mòdem), none (Wi-Fi, NetworkManager)",
        es: "Qué lleva los datos: interface o modem (del módem), none (Wi-Fi, NetworkManager)",
        en: "What carries the data: interface or modem (the modem's), none (Wi-Fi, NetworkManager)",
        fr: "Ce qui porte les données : interface ou modem (du modem), none (Wi-Fi, "
          + "NetworkManager)")
    case .interface:
      Texts(
        ca: "Interfície de xarxa de les dades (- per a qualsevol)",
        es: "Interfaz de red de los datos (- para cualquiera)",
        en: "Network interface of the data (- for any)",
        fr: "Interface réseau des données (- pour n'importe laquelle)")
    case .accessPoint:
      Texts(
        ca: "Punt d'accés, APN (- per al que té el mòdem)",
        es: "Punto de acceso, APN (- para el que tiene el módem)",
        en: "Access point, APN (- for the modem's own)",
        fr: "Point d'accès, APN (- pour celui du modem)")
    case .goOn:
      Texts(
        ca: "Ho canvio? (s/n)", es: "¿Lo cambio? (s/n)", en: "Change this? (y/n)",
        fr: "Je le change ? (o/n)")
    }
  }
}

/// A signal, or the end of the input, at a question.
struct SetupCancelledError: Error {}

/// The person at standard input. A signal ends the question and not the program, so that it can be
/// said that nothing has changed.
struct SetupTerminal {
  static var isThere: Bool { isTerminal(StandardStream.input) }

  /// Set by the handler, which may interrupt any line.
  nonisolated(unsafe) private static var hasSignal: sig_atomic_t = 0

  /// From now on signals end a question.
  static func holdSignals() {
    var all = sigset_t()
    sigemptyset(&all)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
      sigaddset(&all, number)
      var action = sigaction()
      // Without SA_RESTART, so that the reading ends.
      action.__sigaction_handler.sa_handler = { _ in SetupTerminal.hasSignal = 1 }
      sigaction(number, &action, nil)
    }
    // Some parent processes start this one with signals blocked.
    pthread_sigmask(SIG_UNBLOCK, &all, nil)
  }

  /// Ends if a signal has come, as it may while something else is done.
  static func checkSignals() throws {
    if hasSignal != 0 { throw SetupCancelledError() }
  }

  /// One line; `nil`: the end of the input.
  ///
  /// - Parameter isSecret: blanks around it are part of it.
  /// - Throws: `SetupCancelledError`; `UsageError` for a line that is not text.
  static func line(isSecret: Bool = false) throws -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      try checkSignals()
      let count = read(StandardStream.input, &byte, 1)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return bytes.isEmpty ? nil : try text(bytes, isSecret) }
      if byte == 0x0A { return try text(bytes, isSecret) }
      if bytes.count < ControlBounds.setupLine { bytes.append(byte) }
    }
  }

  private static func text(_ bytes: [UInt8], _ isSecret: Bool) throws -> String {
    guard let whole = String(validating: bytes, as: UTF8.self) else {
      throw UsageError(SetupPhrase.notText.texts("/dev/stdin"))
    }
    if isSecret { return whole }
    var text = Substring(whole).drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }

  /// One line that the terminal does not show.
  static func secret(after prompt: String) throws -> String? {
    var settings = termios()
    guard tcgetattr(StandardStream.input, &settings) == 0 else { return nil }
    var silent = settings
    silent.c_lflag &= ~tcflag_t(ECHO)
    silent.c_lflag |= tcflag_t(ECHONL)
    tcsetattr(StandardStream.input, TCSANOW, &silent)
    defer { tcsetattr(StandardStream.input, TCSADRAIN, &settings) }
    // Not earlier, or typed characters would be shown.
    try printOut(prompt)
    return try line(isSecret: true)
  }
}
