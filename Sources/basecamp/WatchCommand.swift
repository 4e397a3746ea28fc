import CommandLineSupport
import HTTPTransfer
import SystemCalls
import TrackerCore
import Uplink
import Wording

/// `basecamp watch`: a process of its own, best on another machine, that tells people when the
/// server does not answer any more.
struct WatchCommand {
  /// For an answer.
  private static let patience = Milliseconds.seconds(10)
  /// For the command, mail and SMS gateways take some seconds.
  private static let ofCommand = Milliseconds.seconds(30)
  /// It is said again after this time as long as it lasts.
  private static let again = Milliseconds.minutes(30)
  /// An answer is some 60 bytes; anything longer is another server's.
  private static let answerBytes = 4096

  private let url: String
  private let limit: Milliseconds
  /// Between two questions, six of which fit into the limit.
  private let rest: Milliseconds
  private let alert: ShellCommand
  private let language: Language
  /// When it answered last, by this machine's clock since it began.
  private var answered: Milliseconds
  /// When people were told last that it does not; `nil`: it does.
  private var told: Milliseconds?

  /// - Returns: the exit code.
  static func run(_ arguments: Arguments) throws -> Int32 {
    let signals = HeldSignals([.interrupt, .terminate])
    var watch = try WatchCommand(arguments)
    var client = try HTTPClient(watch.configuration)
    while !signals.isPending {
      try watch.look(&client)
      let next = HostTime.now.uptime + watch.rest
      while !signals.isPending, HostTime.now.uptime < next { pause(milliseconds: 100) }
    }
    return 0
  }

  private init(_ arguments: Arguments) throws {
    let address = arguments.operands.first ?? ""
    guard ServerName.isWeb(address) else { throw UsageError(WatchPhrase.noAddress.texts(address)) }
    var base = address
    while base.hasSuffix("/") { base.removeLast() }
    url = (base.hasSuffix("/room") ? base : base + "/room") + "/beat"
    let seconds = arguments.number(.silence) ?? 60
    limit = .seconds(seconds)
    rest = .seconds(min(10, max(1, seconds / 6)))
    alert = ShellCommand(arguments.text(.alert) ?? "")
    language = Language.chosen(arguments.language)
    answered = HostTime.now.uptime
  }

  private var configuration: HTTPClientConfiguration {
    var configuration = HTTPClientConfiguration()
    configuration.connectTimeout = Self.patience
    configuration.totalTimeout = Self.patience
    return configuration
  }

  private mutating func look(_ client: inout HTTPClient) throws {
    let request = HTTPRequest(method: .get, url: url, headers: [], answerBytes: Self.answerBytes)
    let completion = client.perform(request)
    let now = HostTime.now.uptime
    guard let trouble = trouble(completion) else {
      answered = now
      if told != nil { try tell(.back, "", at: nil) }
      return
    }
    let isNew = told.map { now - $0 >= Self.again } ?? true
    if now - answered >= limit, isNew { try tell(.silent, trouble, at: now) }
  }

  /// - Returns: why the answer is none of a room that works; `nil`: it is one.
  private func trouble(_ completion: HTTPCompletion) -> String? {
    guard case .response(let status, _, let body) = completion.reply else {
      return completion.failure.map { Texts(of: $0)[language] } ?? "\(completion.reply)"
    }
    let text = String(decoding: body, as: UTF8.self)
    guard status == 200, text.has("\"updated\"") else {
      return WatchPhrase.strange.text(in: language, "\(status)")
    }
    return text.has("\"written\": true")
      ? nil : WatchPhrase.notWritten.text(in: language)
  }

  /// - Parameter time: now, if it is trouble; `nil`: it is over.
  private mutating func tell(
    _ phrase: WatchPhrase, _ reason: String, at time: Milliseconds?
  ) throws {
    told = time
    let text = phrase.text(in: language, ServerName.shown(url), reason) + "\n"
    try printOut(text)
    do throws(SystemError) {
      let process = try alert.start(text)
      // The next question is asked whether or not the command has ended.
      let end = HostTime.now.uptime + Self.ofCommand
      while reap(process) == .running {
        if HostTime.now.uptime > end { send(.kill, toGroup: process) }
        pause(milliseconds: 50)
      }
    } catch {
      complain("\(WatchPhrase.noCommand.text(in: language)): \(error)", program: "basecamp watch")
    }
  }

  static let table = CommandTable(
    "watch",
    Texts(
      ca: "avisa algú quan un basecamp deixa de respondre",
      es: "avisa a alguien cuando un basecamp deja de responder",
      en: "tells somebody when a basecamp stops answering",
      fr: "prévient quelqu'un quand un basecamp ne répond plus"),
    operands: .init(.like("https://control.example.org", "URL"), 1...1),
    options: [.alert, .silence, .language], required: [["--alert"]],
    notes: [
      .paragraph(
        ca: "L'ordre rep un text a l'entrada estàndard, quan el servidor calla, cada 30 min "
          + "mentre dura, i quan torna. Millor des d'una altra màquina.",
        es: "La orden recibe un texto en la entrada estándar, cuando el servidor calla, cada 30 "
          + "min mientras dura, y cuando vuelve. Mejor desde otra máquina.",
        en: "The command gets a text on standard input when the server falls silent, every 30 min "
          + "while that lasts, and when it is back. Best run on another machine.",
        fr: "La commande reçoit un texte sur l'entrée standard quand le serveur se tait, toutes "
          + "les 30 min tant que cela dure, et quand il revient. De préférence sur une autre "
          + "machine."),
      .exitCodes(),
    ])
}

extension Option {
  static let alert = Option("--alert", .text("'COMMAND'")).says(
    ca: "l'ordre que rep el text, com ara: mail -s basecamp marta@example.org",
    es: "la orden que recibe el texto, como: mail -s basecamp marta@example.org",
    en: "the command that gets the text, such as: mail -s basecamp marta@example.org",
    fr: "la commande qui reçoit le texte, comme : mail -s basecamp marta@example.org")
  fileprivate static let silence = Option("--silence", .number(1...3600, "SECONDS"), usual: "60")
    .says(
      ca: "quant de temps sense resposta és massa", es: "cuánto tiempo sin respuesta es demasiado",
      en: "how long without an answer is too long",
      fr: "combien de temps sans réponse est trop")
}

/// What `basecamp watch` says.
private enum WatchPhrase: Catalogue {
  case noAddress, silent, back, strange, notWritten, noCommand

  var texts: Texts {
    switch self {
    case .noAddress:
      Texts(
        ca: "'{1}' no és una adreça; doneu-la com https://control.example.org",
        es: "'{1}' no es una dirección; déla como https://control.example.org",
        en: "'{1}' is no address; give it like https://control.example.org",
        fr: "« {1} » n'est pas une adresse ; donnez-la comme https://control.example.org")
    case .silent:
      Texts(
        ca: "basecamp a {1} no respon: {2}", es: "basecamp en {1} no responde: {2}",
        en: "basecamp at {1} does not answer: {2}", fr: "basecamp sur {1} ne répond pas : {2}")
    case .back:
      Texts(
        ca: "basecamp a {1} torna a respondre", es: "basecamp en {1} vuelve a responder",
        en: "basecamp at {1} answers again", fr: "basecamp sur {1} répond de nouveau")
    case .strange:
      Texts(
        ca: "respon {1}, i no com una sala de control",
        es: "responde {1}, y no como una sala de control",
        en: "it answers {1}, and not as a control room does",
        fr: "il répond {1}, et non comme une salle de contrôle")
    case .notWritten:
      Texts(
        ca: "no pot escriure el diari; mireu el disc",
        es: "no puede escribir el diario; mire el disco",
        en: "it cannot write its diary; look at its disk",
        fr: "il ne peut pas écrire son journal ; voyez son disque")
    case .noCommand:
      Texts(
        ca: "l'ordre de --alert no s'ha pogut executar",
        es: "la orden de --alert no se ha podido ejecutar",
        en: "the command of --alert cannot be run",
        fr: "la commande de --alert n'a pas pu être exécutée")
    }
  }
}
