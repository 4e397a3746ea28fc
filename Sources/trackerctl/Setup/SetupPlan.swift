import BoardSupport
import CommandLineSupport
import FirstSetup
import MachineAccess
import SystemCalls
import TrackerCore
import Wording

/// All that has to change in the system, and what cannot be changed.
struct SetupPlan {
  /// In the order in which they are written: the configuration last, because trackerd only runs
  /// with one.
  private(set) var files: [FileChange] = []
  /// Links to make: the technician's console starts with the system.
  private(set) var links: [(path: String, target: String)] = []
  /// Remarks for people.
  private(set) var notes: [Texts] = []
  /// Serial ports on which the login has to end and the technician's console starts.
  private(set) var freed: [String] = []
  private(set) var console: String?
  private(set) var needsReboot = false
  private(set) var changesRules = false

  var isEmpty: Bool { files.isEmpty && links.isEmpty }

  private static let primary = ["serial0", "ttyAMA0", "ttyS0"]

  init(_ draft: SetupDraft) throws {
    guard let board = draft.board else { return }
    let root = draft.root
    if let secrets = try draft.secretsChange() {
      add(secrets)
      if root.tracker == nil { notes.append(SetupPhrase.noUser.texts(draft.secretsPath)) }
    }
    let environment = draft.oldEnvironment ?? EnvironmentText.template
    guard let new = EnvironmentText.setting("BOARD", to: draft.boardName, in: environment) else {
      throw UsageError(SetupPhrase.oneLine.texts(draft.boardName))
    }
    add(
      FileChange(
        name: SetupDraft.environment, old: draft.oldEnvironment.map { Array($0.utf8) },
        new: Array(new.utf8)))
    try planModemManager(draft, board)
    try planConsole(board, root)
    try planPorts(draft, board)
    add(try draft.configurationChange())
  }

  private mutating func add(_ change: FileChange) {
    if change.isNeeded { files.append(change) }
  }

  private mutating func add(_ name: String, _ old: String?, _ new: String) {
    add(FileChange(name: name, old: old.map { Array($0.utf8) }, new: Array(new.utf8)))
  }

  /// The package's own rule is for SIMCom's modems; others get one here.
  private mutating func planModemManager(_ draft: SetupDraft, _ board: BoardDescription) throws {
    let usesModem = draft.bearer != "none" || board.board.receiver.dialect == .modemGPS
    let top = draft.root.isLive ? "/" : draft.root.folder
    guard usesModem, let address = try? LineAddress(draft.modemPort),
      let advice = ModemManagerAdvice(address, below: top)
    else { return }
    let old = try draft.root.text(of: ModemManagerAdvice.file)
    add(ModemManagerAdvice.file, old, LineList.adding(advice.rule, to: old ?? ""))
    changesRules = files.last?.name == ModemManagerAdvice.file
  }

  private mutating func planConsole(_ board: BoardDescription, _ root: SystemRoot) throws {
    guard let device = board.consolePort?.device, let port = Self.port(device, on: board, root),
      port.hasPrefix("tty")
    else { return }
    let name = SerialConsole.file(port: port)
    let old = try root.text(of: name)
    add(name, old, SerialConsole.text)
    let link = SerialConsole.link(port: port)
    if destination(ofLink: root.path(link.path)) == nil { links.append(link) }
    if files.last?.name == name || links.last?.path == link.path { console = port }
  }

  /// config.txt and cmdline.txt.
  private mutating func planPorts(_ draft: SetupDraft, _ board: BoardDescription) throws {
    let root = draft.root
    let console = board.consolePort?.device
    var names: [String] = []
    for device in [draft.receiverPort, draft.modemPort, console ?? ""] {
      let bare = device.prefix { $0 != "@" }
      for name in Self.names(of: String(bare), on: board, root) where !names.contains(name) {
        names.append(name)
      }
    }
    let own = console.map { Self.names(of: $0, on: board, root) } ?? []
    freed = names.filter { !own.contains($0) && $0 != "serial0" }
    guard let folder = root.bootFolder else {
      let lines = board.assembly.bootLines
      if !lines.isEmpty {
        notes.append(SetupPhrase.noBoot.texts(lines.joined(separator: ", ")))
      }
      return
    }
    let before = files.count
    if let old = try root.text(of: folder + "/cmdline.txt") {
      add(folder + "/cmdline.txt", old, KernelCommandLine.freeing(names, in: old))
    }
    if let old = try root.text(of: folder + "/config.txt") {
      let new = FirmwareConfiguration.adding(board.assembly.bootLines, to: old)
      add(folder + "/config.txt", old, new)
    }
    needsReboot = files.count > before
  }

  /// All names of one of the computer's serial ports; empty for others.
  private static func names(
    of device: String, on board: BoardDescription, _ root: SystemRoot
  ) -> [String] {
    guard device.hasPrefix("/dev/") else { return [] }
    let name = String(device.dropFirst(5))
    guard name == "serial0" || name.hasPrefix("ttyAMA") || name.hasPrefix("ttyS") else { return [] }
    // On a Pi 5, serial0 is the connector between the HDMI sockets.
    let isOwn = board.assembly.parts.contains { $0.identifier == "pi-5" } && name != "serial0"
    if primary.contains(name), !isOwn { return primary }
    let isSerial0 = destination(ofLink: root.path("/dev/serial0")) == name
    return isSerial0 ? [name, "serial0"] : [name]
  }

  /// The name that systemd has for a port: no link's.
  private static func port(
    _ device: String, on board: BoardDescription, _ root: SystemRoot
  ) -> String? {
    guard device.hasPrefix("/dev/") else { return nil }
    let name = String(device.dropFirst(5))
    guard name == "serial0" else { return name }
    if let target = destination(ofLink: root.path("/dev/serial0")) { return target }
    return board.assembly.bootLines.contains("dtoverlay=disable-bt") ? "ttyAMA0" : "ttyS0"
  }

  // MARK: Showing and doing

  /// What changes, for people.
  func text(in language: Language) -> String {
    var text = SetupPhrase.changes.text(in: language) + "\n"
    for file in files {
      text += "  \(file.name)\n"
      for line in file.lines { text += "    \(line)\n" }
      if file.isSecret { text += "    \(SetupPhrase.notShown.text(in: language))\n" }
    }
    for link in links { text += "  \(link.path)\n    + -> \(link.target)\n" }
    // Old files come from anywhere: their control characters must not reach the terminal.
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { (scalar: Unicode.Scalar) in
          scalar.properties.generalCategory == .control && scalar != "\n" ? "?" : scalar
        }))
  }

  /// - Throws: for the first change that fails; those before it are done.
  func apply(to root: SystemRoot) throws {
    do {
      // Together with the files, because a console without its own settings would be a login.
      for file in files where file.name != SetupDraft.configuration { try file.apply(to: root) }
      for link in links { try make(link, root) }
      for file in files where file.name == SetupDraft.configuration { try file.apply(to: root) }
    } catch let problem as FileAccessError {
      throw UsageError(SetupPhrase.halfway.texts(problem.description))
    }
  }

  private func make(_ link: (path: String, target: String), _ root: SystemRoot) throws {
    let path = try root.real(link.path)
    let folder = directory(of: path)
    if kind(ofPath: folder) == nil { try? makeFolder(folder, mode: 0o755) }
    do throws(SystemError) { try makeLink(path, to: link.target) } catch {
      guard error.code == Errno.exists else {
        throw FileAccessError("cannot make", path, code: error.code)
      }
    }
  }
}

/// The command line of `trackerctl setup`.
struct SetupOptions {
  /// Answers given as options, with the option's name.
  let answers: [(question: SetupQuestion, option: String, text: String)]
  /// A file with the secret; `-`: standard input.
  let secretFile: String?
  let isConfirmed: Bool
  let isRehearsal: Bool
  /// The folder of a system that does not run; empty: this one.
  let root: String
  let isStarted: Bool

  private static let ports = ["board", "auto", "gpsd://127.0.0.1:2947"]
  private static let kinds = ["arcgis", "osmand", "owntracks", "json", "mqtt"]
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
