import Statistics
public import Wording

/// What a person may type. One list for all doors: a serial console, a shell, the simulator, a
/// pipe.
public enum ConsoleCommand: Sendable, Equatable {
  public enum Shown: String, Sendable, CaseIterable {
    case pending, sent, aside
  }

  case status
  case captures(newest: Int, Shown?)
  /// What the server has of the team, and what of that is not in the store.
  case served(newest: Int)
  case show(String)
  case why
  /// Whether to ask the server, too.
  case proof(asksServer: Bool)
  /// The figures of a session (`nil`: the last one) with the newest `newest` marks, one every
  /// `every` metres.
  case stats(newest: Int, every: Int64, session: Int? = nil)
  /// A list of all sessions.
  case sessions
  case selfTest
  case events(newest: Int)
  case log(newest: Int)
  /// What people have told the tracker.
  case messages(newest: Int)
  case get
  /// A key and its new value.
  case set(String, String)
  /// `nil`: the last order.
  case undo(String?)
  case start, stop, sendNow, captureNow, tryPIN
  /// Call for help, or say that it is not needed any more.
  case emergency(isOver: Bool)
  case retry(String)
  /// Whether even before the reconnect floor is over.
  case attempt(isNow: Bool)
  case watch
  /// Everything in one file.
  case report(String)
  /// Everything, to the stick that is plugged in.
  case exportToStick
  case help(String?)
  case version
  case leave

  /// The command's first word.
  public enum Verb: String, Sendable, CaseIterable {
    case status, captures, show, why, proof, stats, events, log, messages
    case start, stop, send, capture, emergency, set, get, undo, unset, retry, pin
    case attempt = "try"
    case selfTest = "self-test"
    case watch, report, export, help, version, exit
  }

  /// Whether the person has to confirm it.
  var isDangerous: Bool {
    switch self {
    case .stop, .tryPIN, .attempt(isNow: true), .emergency: true
    case .status, .captures, .served, .show, .why, .proof, .stats, .sessions, .selfTest, .events,
      .log, .messages, .get,
      .set,
      .undo,
      .start, .sendNow, .captureNow, .retry, .attempt(isNow: false), .watch, .report,
      .exportToStick,
      .help, .version, .leave:
      false
    }
  }

  /// Whether a person's answer is yes, in any of the languages.
  public static func isYes(_ line: String) -> Bool {
    ["y", "yes", "s", "si", "sí", "o", "oui"].contains(
      line.lowercased().filter { !$0.isWhitespace })
  }

  /// Whether it changes anything, or writes a file, which a read-only console refuses.
  public var isOrder: Bool {
    switch self {
    case .set, .undo, .start, .stop, .sendNow, .captureNow, .tryPIN, .emergency, .retry, .attempt,
      .report, .exportToStick:
      true
    case .status, .captures, .served, .show, .why, .proof, .stats, .sessions, .selfTest, .events,
      .log, .messages, .get,
      .watch,
      .help, .version, .leave:
      false
    }
  }
}

/// A line that is not a command.
public enum CommandError: Error, Sendable, Equatable {
  case empty
  case tooLong
  case openQuote
  /// With the nearest command, if one is near enough.
  case unknown(String, nearest: String?)
  /// How the verb is used.
  case usage(ConsoleCommand.Verb)
  case notANumber(String)
  /// Not a distance between marks.
  case badMarks(String)
  /// It could end a line to the tracker, or reach other people's terminals.
  case controlCharacter
}

extension ConsoleCommand {
  /// - Parameter words: a leading `trackerctl` is skipped, for those who type it out of habit.
  public init(_ words: [String]) throws(CommandError) {
    var words = words[...]
    if words.first == "trackerctl" { words = words.dropFirst() }
    guard let first = words.first else { throw .empty }
    guard words.allSatisfy({ $0 == $0.plain }) else { throw .controlCharacter }
    let word = first.lowercased()
    let rest = Array(words.dropFirst())
    if word == "?" {
      self = .help(rest.first)
      return
    }
    if word == "quit" || word == "logout" {
      self = .leave
      return
    }
    guard let verb = Verb(rawValue: word) else {
      // Noise on a line makes long words.
      throw .unknown(
        String(first.plain.prefix(40)),
        nearest: nearest(to: word, in: Verb.allCases.map(\.rawValue)))
    }
    self = try Self.parsed(verb, rest)
  }

  /// Reads a line of a console.
  public init(line: String) throws(CommandError) {
    let words: [String]
    do throws(CommandWords.SplitError) { words = try CommandWords.of(line) } catch {
      switch error {
      case .tooLong: throw .tooLong
      case .openQuote: throw .openQuote
      }
    }
    self = try ConsoleCommand(words)
  }

  private static func parsed(
    _ verb: Verb, _ rest: [String]
  ) throws(CommandError) -> ConsoleCommand {
    switch verb {
    case .status: return try alone(.status, verb, rest)
    case .why: return try alone(.why, verb, rest)
    case .proof:
      guard rest.isEmpty || rest == ["server"] else { throw .usage(verb) }
      return .proof(asksServer: !rest.isEmpty)
    case .stats: return try stats(rest)
    case .selfTest: return try alone(.selfTest, verb, rest)
    case .get: return try alone(.get, verb, rest)
    case .start: return try alone(.start, verb, rest)
    case .stop: return try alone(.stop, verb, rest)
    case .attempt: return .attempt(isNow: try isNow(verb, rest))
    case .watch: return try alone(.watch, verb, rest)
    case .version: return try alone(.version, verb, rest)
    case .export: return try alone(.exportToStick, verb, rest)
    case .exit: return try alone(.leave, verb, rest)
    case .send: return try now(.sendNow, verb, rest)
    case .capture: return try now(.captureNow, verb, rest)
    case .emergency:
      guard rest.isEmpty || rest == ["over"] else { throw .usage(verb) }
      return .emergency(isOver: !rest.isEmpty)
    case .captures: return try captures(rest)
    case .events: return .events(newest: try number(rest, verb) ?? FieldBounds.usualEvents)
    case .log: return .log(newest: try number(rest, verb) ?? FieldBounds.usualEvents)
    case .messages: return .messages(newest: try number(rest, verb) ?? FieldBounds.usualEvents)
    case .show: return .show(try one(verb, rest))
    case .report: return .report(try one(verb, rest))
    case .retry: return .retry(rest.isEmpty ? "all" : try one(verb, rest))
    case .pin: return try rest == ["try"] ? .tryPIN : fail(verb)
    case .unset: return .undo(try one(verb, rest))
    case .undo: return .undo(rest.isEmpty ? nil : try one(verb, rest))
    case .help: return .help(rest.first)
    case .set:
      guard rest.count >= 2, !rest[1].isEmpty else { throw .usage(verb) }
      return .set(rest[0].lowercased(), rest.dropFirst().joined(separator: " "))
    }
  }

  private static func fail(_ verb: Verb) throws(CommandError) -> ConsoleCommand {
    throw .usage(verb)
  }

  private static func alone(
    _ command: ConsoleCommand, _ verb: Verb, _ rest: [String]
  ) throws(CommandError) -> ConsoleCommand {
    guard rest.isEmpty else { throw .usage(verb) }
    return command
  }

  /// `send now`; the `now` may be left out.
  private static func now(
    _ command: ConsoleCommand, _ verb: Verb, _ rest: [String]
  ) throws(CommandError) -> ConsoleCommand {
    guard rest.isEmpty || rest == ["now"] else { throw .usage(verb) }
    return command
  }

  /// `try` or `try now`, which are different commands.
  private static func isNow(_ verb: Verb, _ rest: [String]) throws(CommandError) -> Bool {
    guard rest.isEmpty || rest == ["now"] else { throw .usage(verb) }
    return !rest.isEmpty
  }

  private static func one(_ verb: Verb, _ rest: [String]) throws(CommandError) -> String {
    guard rest.count == 1, let word = rest.first, !word.isEmpty else { throw .usage(verb) }
    return word
  }

  private static func number(_ rest: [String], _ verb: Verb) throws(CommandError) -> Int? {
    guard let word = rest.first else { return nil }
    guard rest.count == 1 else { throw .usage(verb) }
    guard let number = Int(word), (1...FieldBounds.listedLines).contains(number) else {
      throw .notANumber(word.plain)
    }
    return number
  }

  /// `stats [N|all] [every METRES] [session S]`, `stats sessions`
  private static func stats(_ rest: [String]) throws(CommandError) -> ConsoleCommand {
    if rest.first?.lowercased() == "sessions" {
      guard rest.count == 1 else { throw .usage(.stats) }
      return .sessions
    }
    var words: [String] = []
    var every = StatisticsBounds.usualMarksEvery
    var session: Int?
    var rest = rest[...]
    while let word = rest.popFirst() {
      switch word.lowercased() {
      case "every":
        guard let value = rest.popFirst() else { throw .usage(.stats) }
        guard let metres = Int64(value), StatisticsBounds.marksEvery.contains(metres) else {
          throw .badMarks(value.plain)
        }
        every = metres
      case "session":
        guard let value = rest.popFirst() else { throw .usage(.stats) }
        session = try number([value], .stats)
      default: words.append(word)
      }
    }
    if words.first?.lowercased() == "all", words.count == 1 {
      return .stats(newest: .max, every: every, session: session)
    }
    return .stats(
      newest: try number(words, .stats) ?? FieldBounds.usualCaptures, every: every, session: session
    )
  }

  private static func captures(_ rest: [String]) throws(CommandError) -> ConsoleCommand {
    var newest: Int?
    var shown: Shown?
    let isServed = rest.contains { $0.lowercased() == "server" }
    for word in rest {
      if isServed, word.lowercased() == "server" { continue }
      if let state = Shown(rawValue: word.lowercased()), shown == nil {
        shown = state
      } else if word.lowercased() == "all", newest == nil {
        newest = .max
      } else if newest == nil, word.allSatisfy(\.isNumber) || word.hasPrefix("-"),
        let number = try number([word], .captures)
      {
        newest = number
      } else {
        throw .usage(.captures)
      }
    }
    if isServed {
      guard shown == nil, rest.count <= 2 else { throw .usage(.captures) }
      return .served(newest: newest ?? FieldBounds.usualCaptures)
    }
    return .captures(newest: newest ?? FieldBounds.usualCaptures, shown)
  }
}

/// Splits a line into words, as a shell does: quotes hold a word together, a backslash takes the
/// next character as it is.
enum CommandWords {

  enum SplitError: Error, Equatable {
    case tooLong
    case openQuote
  }

  static func of(_ line: String) throws(SplitError) -> [String] {
    guard line.utf8.count <= FieldBounds.commandBytes else { throw .tooLong }
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in line {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\" && quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if let open = closing(character) {
        quote = open
        word = word ?? ""
      } else if character.isWhitespace {
        if let done = word { words.append(done) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil, !isEscaped else { throw .openQuote }
    if let word { words.append(word) }
    return words
  }

  /// Telephones write typographic quotes.
  private static func closing(_ character: Character) -> Character? {
    switch character {
    case "\"", "'": character
    case "\u{201C}": "\u{201D}"
    case "«": "»"
    default: nil
    }
  }
}

/// The help: one line for each verb.
extension ConsoleCommand.Verb {
  /// How to write it, the same in every language.
  public var usage: String {
    switch self {
    case .status: "status"
    case .captures: "captures [N] [STATE]"
    case .show: "show N"
    case .why: "why"
    case .proof: "proof [server]"
    case .stats: "stats [N] [every M]"
    case .events: "events [N]"
    case .log: "log [N]"
    case .messages: "messages [N]"
    case .start: "start"
    case .stop: "stop"
    case .send: "send now"
    case .capture: "capture now"
    case .emergency: "emergency [over]"
    case .set: "set KEY VALUE"
    case .get: "get"
    case .undo: "undo [KEY]"
    case .unset: "unset team"
    case .retry: "retry [N|all]"
    case .pin: "pin try"
    case .attempt: "try [now]"
    case .selfTest: "self-test"
    case .watch: "watch"
    case .report: "report FILE"
    case .export: "export"
    case .help: "help [verdict]"
    case .version: "version"
    case .exit: "exit"
    }
  }

  public var meaning: Texts {
    switch self {
    case .status:
      Texts(
        ca: "GO, WAIT o NO-GO, i per què", es: "GO, WAIT o NO-GO, y por qué",
        en: "GO, WAIT or NO-GO, and why", fr: "GO, WAIT ou NO-GO, et pourquoi")
    case .captures:
      Texts(
        ca: "darreres; STATE: pending, sent, aside, server; N: all",
        es: "últimas; STATE: pending, sent, aside, server; N: all",
        en: "the last; STATE: pending, sent, aside, server; N: all",
        fr: "STATE : pending, sent, aside, server ; N : all")
    case .show:
      Texts(
        ca: "tot sobre una captura", es: "todo sobre una captura", en: "everything about a capture",
        fr: "tout sur une capture")
    case .why:
      Texts(
        ca: "per què no captura o no envia", es: "por qué no captura o no envía",
        en: "why nothing is captured or sent", fr: "pourquoi rien n'est capturé ou envoyé")
    case .proof:
      Texts(
        ca: "prova que no falta cap captura", es: "prueba de que no falta ninguna captura",
        en: "proof that no capture is missing", fr: "preuve qu'aucune capture ne manque")
    case .stats:
      Texts(
        ca: "distància, temps; N marques de M m; sessions: llista",
        es: "distancia, tiempo; N marcas de M m; sessions: lista",
        en: "distance, times; N marks, M metres; sessions: list",
        fr: "distance, temps ; N marques de M m ; sessions : liste")
    case .events:
      Texts(
        ca: "què ha passat darrerament", es: "qué ha pasado últimamente",
        en: "what has happened recently", fr: "ce qui s'est passé")
    case .log:
      Texts(
        ca: "les darreres línies del registre", es: "las últimas líneas del registro",
        en: "the last lines of the log", fr: "les dernières lignes du journal")
    case .messages:
      Texts(
        ca: "què us han dit els organitzadors", es: "qué han dicho los organizadores",
        en: "what the organisers have told you", fr: "ce que les organisateurs ont dit")
    case .start:
      Texts(
        ca: "comença una sessió", es: "empieza una sesión", en: "begin a session",
        fr: "commence une session")
    case .stop:
      Texts(
        ca: "acaba la sessió; no s'esborra res", es: "termina la sesión; no se borra nada",
        en: "end the session; nothing is erased", fr: "termine la session ; rien n'est effacé")
    case .send:
      Texts(
        ca: "envia ara el que espera", es: "envía ahora lo que espera",
        en: "send what waits now", fr: "envoie maintenant ce qui attend")
    case .capture:
      Texts(
        ca: "pren una posició ara", es: "toma una posición ahora", en: "take a position now",
        fr: "prend une position maintenant")
    case .emergency:
      Texts(
        ca: "demana ajuda; over: ja no cal", es: "pide ayuda; over: ya no hace falta",
        en: "call for help; over: no longer needed", fr: "appelle à l'aide ; over : plus besoin")
    case .set:
      Texts(
        ca: "canvia un valor dels que diu get", es: "cambia un valor de los de get",
        en: "change one of the values of get", fr: "change une des valeurs de get")
    case .get:
      Texts(
        ca: "els valors, i qui els ha canviat", es: "los valores, y quién los cambió",
        en: "the values, and who changed them", fr: "les valeurs, et qui les a changées")
    case .undo:
      Texts(
        ca: "desfà un canvi, o el darrer", es: "deshace un cambio, o el último",
        en: "take back a change, or the last one", fr: "annule un changement, ou le dernier")
    case .unset:
      Texts(
        ca: "torna al nom configurat", es: "vuelve al nombre configurado",
        en: "return to the configured name", fr: "revient au nom configuré")
    case .retry:
      Texts(
        ca: "torna a enviar les apartades", es: "reenvía las apartadas",
        en: "send again what was set aside", fr: "renvoie ce qui était mis de côté")
    case .pin:
      Texts(
        ca: "entra el PIN, també al darrer intent",
        es: "da el PIN, también al último intento",
        en: "enter the PIN, even on the last try", fr: "entre le PIN, même au dernier essai")
    case .attempt:
      Texts(
        ca: "envia una posició i mostra cada pas", es: "envía una posición y muestra cada paso",
        en: "send a position and show each step", fr: "envoie une position, étape par étape")
    case .selfTest:
      Texts(
        ca: "prova cada part, amb el remei", es: "prueba cada parte, con el remedio",
        en: "check each part, with the cure", fr: "vérifie chaque partie, avec le remède")
    case .watch:
      Texts(
        ca: "l'estat, una vegada i una altra", es: "el estado, una y otra vez",
        en: "the status, again and again", fr: "l'état, encore et encore")
    case .report:
      Texts(
        ca: "totes les respostes en un fitxer per enviar",
        es: "todas las respuestas en un fichero para enviar",
        en: "all answers in one file to send", fr: "toutes les réponses dans un fichier à envoyer")
    case .export:
      Texts(
        ca: "tot plegat a una memòria USB", es: "todo a una memoria USB",
        en: "everything to a USB stick", fr: "le tout sur une clé USB")
    case .help:
      Texts(
        ca: "això; help verdict: quan és NO-GO", es: "esto; help verdict: cuándo es NO-GO",
        en: "this; help verdict: when it is NO-GO", fr: "ceci ; help verdict : quand c'est NO-GO")
    case .version: Texts(ca: "la versió", es: "la versión", en: "the version", fr: "la version")
    case .exit: Texts(ca: "surt", es: "sale", en: "leave", fr: "quitte")
    }
  }
}
