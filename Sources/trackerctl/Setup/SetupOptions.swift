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
    Option(name, value, question.texts)
  }

  fileprivate static let secretFile = Option(
    "--secret-file", .file,
    ca: "un fitxer amb la contrasenya o el token", es: "un fichero con la contraseña o el token",
    en: "a file with the password or token", fr: "un fichier avec le mot de passe ou le jeton")
  fileprivate static let secret = Option(
    "--secret", .text("-", suggestions: ["-"]), excludes: ["--secret-file"],
    ca: "els llegeix de l'entrada estàndard", es: "los lee de la entrada estándar",
    en: "read them from standard input", fr: "les lit sur l'entrée standard")
  fileprivate static let dryRun = Option(
    "--dry-run",
    ca: "mostra què canviaria, i no canvia res", es: "muestra qué cambiaría, y no cambia nada",
    en: "show what would change, and change nothing",
    fr: "montre ce qui changerait, et ne change rien")
  fileprivate static let noStart = Option(
    "--no-start",
    ca: "no engega trackerd", es: "no arranca trackerd", en: "do not start trackerd",
    fr: "ne lance pas trackerd")
}

extension Program {
  static let setup = CommandTable(
    "setup",
    ca: "la primera configuració d'un equip (sudo)",
    es: "la primera configuración de un equipo (sudo)",
    en: "the first set-up of a tracker (sudo)", fr: "la première configuration d'une balise (sudo)",
    options: SetupOptions.options,
    notes: [
      .paragraph(
        ca: "En un terminal demana el que no se li dona, i Retorn pren el que hi ha entre "
          + "claudàtors: el que diuen els fitxers, o el que ha trobat. Mostra què canviarà i ho "
          + "pregunta un cop més. Abans no canvia res. Si es repeteix, només canvia el que cal. "
          + "Escriu la configuració, el secret i la placa; treu la consola d'entrada del port del "
          + "receptor i l'activa a config.txt; aparta ModemManager del mòdem; i engega trackerd i "
          + "mostra self-test, o diu que abans cal reiniciar. Amb --yes no pregunta res, i el que "
          + "falta és un error.",
        es: "En un terminal pregunta lo que no se le da, e Intro toma lo que hay entre corchetes: "
          + "lo que dicen los ficheros, o lo que ha encontrado. Muestra qué va a cambiar y lo "
          + "pregunta una vez más. Antes no cambia nada. Si se repite, solo cambia lo necesario. "
          + "Escribe la configuración, el secreto y la placa; quita la consola de entrada del "
          + "puerto del receptor y lo activa en config.txt; aparta ModemManager del módem; después "
          + "arranca trackerd y muestra self-test, o dice que antes hay que reiniciar. Con --yes "
          + "no pregunta nada, y lo que falta es un error.",
        en: "In a terminal it asks for what is not given, and Enter takes what is in brackets: "
          + "what the files have, or what it found. It shows what it is going to change, and asks "
          + "once more. Before that nothing is changed. Run again, it changes only what has to be. "
          + "It writes the settings, the secret and the board; it frees the receiver's port from "
          + "the login console and enables it in config.txt; it keeps ModemManager away from the "
          + "modem; then it starts trackerd and prints the self-test, or says that a reboot is "
          + "needed first. With --yes it asks nothing, and what is missing is an error.",
        fr: "Dans un terminal, il demande ce qui n'est pas donné, et Entrée prend ce qui est entre "
          + "crochets : ce que disent les fichiers, ou ce qu'il a trouvé. Il montre ce qu'il va "
          + "changer et le demande une fois de plus. Avant cela, rien ne change. Relancé, il ne "
          + "change que ce qu'il faut. Il écrit les réglages, le secret et la carte ; il retire la "
          + "console de connexion du port du récepteur et l'active dans config.txt ; il écarte "
          + "ModemManager du modem ; puis il lance trackerd et montre self-test, ou dit qu'il faut "
          + "d'abord redémarrer. Avec --yes il ne demande rien, et ce qui manque est une erreur."),
      .paragraph(
        ca: "codi de sortida: 0 fet, o res a fer; 1 interromput, o trackerd no s'ha engegat; 2 mal "
          + "ús, o un fitxer que no es pot llegir o escriure.",
        es: "código de salida: 0 hecho, o nada que hacer; 1 interrumpido, o trackerd no ha "
          + "arrancado; 2 mal uso, o un fichero que no se puede leer o escribir.",
        en: "exit code: 0 done, or nothing to do; 1 stopped, or trackerd did not start; 2 wrong "
          + "use, or a file that cannot be read or written.",
        fr: "code de sortie : 0 fait, ou rien à faire ; 1 interrompu, ou trackerd n'a pas "
          + "démarré ; 2 mauvais usage, ou fichier illisible ou non inscriptible."),
    ])
}

extension SetupOptions {
  fileprivate static let options =
    questions.map(\.option) + [.secretFile, .secret, .yes, .dryRun, .noStart, .root]
}
