import CommandLineSupport
import TrackerCore
import Wording

/// The command line of `trackerctl setup`.
struct SetupOptions {
  /// What is given instead of being asked, with the option's name.
  let answers: [(question: SetupQuestion, option: String, text: String)]
  /// A file with the secret; `-`: standard input.
  let secretFile: String?
  let isConfirmed: Bool
  let isRehearsal: Bool
  /// The folder of a system that does not run; empty: this one.
  let root: String
  let isStarted: Bool

  private static let ports = ["board", "auto", "gpsd://127.0.0.1:2947"]
  private static let kinds = ["arcgis", "osmand", "owntracks", "json"]
  private static let bearers = ["interface", "modem", "none"]
  private static let questions: [(option: Option, question: SetupQuestion)] = [
    (.board, .board),
    (.asked("--receiver", .text("PORT", suggestions: ports), .receiver), .receiver),
    (.asked("--team", .name, .team), .team), (.asked("--number", .name, .number), .number),
    (.asked("--kind", .text("KIND", suggestions: kinds), .kind), .kind),
    (.asked("--server", .text("URL"), .server), .server), (.asked("--user", .name, .user), .user),
    (.asked("--time-zone", .name, .timeZone), .timeZone),
    (.asked("--finish", .text(ValueName.time.texts), .finish), .finish),
    (.asked("--bearer", .text("B", suggestions: bearers), .bearer), .bearer),
    (.asked("--interface", .name, .interface), .interface),
    (.asked("--apn", .name, .accessPoint), .accessPoint),
    (.asked("--language", .oneOf(["ca", "es", "en", "fr"]), .language), .language),
  ]

  /// The option by which a question is answered.
  static func name(of question: SetupQuestion) -> String {
    questions.first { $0.question == question }?.option.name ?? Option.secretFile.name
  }

  init(_ arguments: Arguments) throws {
    answers = arguments.given.compactMap { name, text in
      Self.questions.first { $0.option.name == name }.map { ($0.question, name, text) }
    }
    if let secret = arguments.text(.secret), secret != "-" {
      throw UsageError(SetupPhrase.secretWord.texts(Option.secret.name))
    }
    secretFile = arguments.text(.secret) ?? arguments.text(.secretFile)
    isConfirmed = arguments.has(.yes)
    isRehearsal = arguments.has(.dryRun)
    isStarted = !arguments.has(.noStart)
    root = arguments.rootFolder
  }
}

extension Arguments {
  /// The folder of `--root` without the slash at its end: `/` is the system that runs.
  var rootFolder: String {
    var root = text(.root) ?? ""
    while root.hasSuffix("/") { root.removeLast() }
    return root
  }
}

extension Option {
  fileprivate static func asked(
    _ name: String, _ value: OptionValue, _ question: SetupQuestion
  ) -> Option {
    Option(name, value).says(question.texts)
  }

  fileprivate static let secretFile = Option("--secret-file", .file).says(
    ca: "un fitxer amb la contrasenya o el token", es: "un fichero con la contraseña o el token",
    en: "a file with the password or token", fr: "un fichier avec le mot de passe ou le jeton")
  fileprivate static let secret = Option(
    "--secret", .text("-", suggestions: ["-"]), excludes: ["--secret-file"]
  ).says(
    ca: "els llegeix de l'entrada estàndard", es: "los lee de la entrada estándar",
    en: "read them from standard input", fr: "les lit sur l'entrée standard")
  fileprivate static let dryRun = Option("--dry-run").says(
    ca: "mostra què canviaria, i no canvia res", es: "muestra qué cambiaría, y no cambia nada",
    en: "show what would change, and change nothing",
    fr: "montre ce qui changerait, et ne change rien")
  fileprivate static let noStart = Option("--no-start").says(
    ca: "no engega trackerd", es: "no arranca trackerd", en: "do not start trackerd",
    fr: "ne lance pas trackerd")
}

extension Program {
  static let setup = CommandTable(
    "setup",
    ca: "la primera configuració d'un equip (sudo)",
    es: "la primera configuración de un equipo (sudo)", en: "the first set-up of a tracker (sudo)",
    fr: "la première configuration d'une balise (sudo)",
    options: SetupOptions.options,
    notes: [
      .paragraph(
        ca: "En un terminal pregunta el que falta, i mostra què canviarà abans de canviar res.",
        es: "En un terminal pregunta lo que falta, y muestra qué va a cambiar antes de hacerlo.",
        en: "In a terminal it asks for what is not given, and shows what it changes beforehand.",
        fr: "Dans un terminal il demande ce qui manque, et montre ce qu'il changera avant."),
      .exitCodes(
        ca: "1 interromput, o trackerd no s'ha engegat",
        es: "1 interrumpido, o trackerd no ha arrancado",
        en: "1 stopped, or trackerd did not start",
        fr: "1 interrompu, ou trackerd n'a pas démarré"),
    ])
}

extension SetupOptions {
  fileprivate static let options =
    questions.map(\.option) + [.secretFile, .secret, .yes, .dryRun, .noStart, .root]
}
