import CommandLineSupport
import FieldConsole
import Reports
import Wording

extension Program {
  /// All that can be told to trackerctl.
  static let table = ProgramTable(
    "trackerctl", needsCommand: true,
    main: CommandTable(
      ca: "controla un equip en marxa, i llista, envia i exporta captures",
      es: "controla un equipo en marcha, y lista, envía y exporta capturas",
      en: "controls a running tracker, and lists, sends and exports captures",
      fr: "commande une balise en marche, et liste, envoie et exporte des captures",
      options: Option.ofTracker,
      notes: [
        .exitCodes(
          ca: "1 no tot és lliurat, i de status NO-GO; 3 de status WAIT",
          es: "1 no todo está entregado, y de status NO-GO; 3 de status WAIT",
          en: "1 not everything is delivered, and of status NO-GO; 3 of status WAIT",
          fr: "1 tout n'est pas livré, et de status NO-GO ; 3 de status WAIT")
      ]),
    commands: verbs + [
      console, push, retry, export, importing, compare, boards, setup, fleet, firstBoot, bench,
    ] + hidden)

  /// The commands of the console's language; those with an own table here are another thing.
  private static let verbs = ConsoleCommand.Verb.allCases.filter {
    ![.retry, .export, .exit].contains($0)
  }.map { verb in
    CommandTable(
      verb.rawValue, verb.meaning,
      operands: .init(
        .text(
          String(verb.usage.dropFirst(verb.rawValue.count + 1)),
          suggestions: words(of: verb)), nil),
      options: (verb == .stats ? Option.ofStatistics : []) + Option.ofTracker)
  }

  /// What a shell completes.
  private static func words(of verb: ConsoleCommand.Verb) -> [String] {
    switch verb {
    case .captures: ["all", "pending", "sent", "aside"]
    case .stats: ["all"]
    case .send, .capture, .attempt: ["now"]
    case .pin: ["try"]
    case .proof: ["server"]
    case .set, .undo:
      [
        "interval", "policy", "every", "accuracy", "contacts", "finish", "language", "reserve",
        "team",
      ]
    case .unset: ["team"]
    case .help: ["verdict"]
    default: []
    }
  }

  private static let console = CommandTable(
    "console",
    ca: "el mateix en un terminal, amb historial i compleció (TAB); per una canonada, una ordre "
      + "per línia",
    es: "lo mismo en un terminal, con historial y completado (TAB); por una tubería, una orden por "
      + "línea",
    en: "the same in a terminal, with history and completion (TAB); from a pipe, a command a line",
    fr: "la même chose dans un terminal, avec historique et complétion (TAB) ; d'un tube, une "
      + "commande par ligne",
    options: [.readOnly, .serial, .idle] + Option.ofTracker)

  private static let push = CommandTable(
    "push",
    ca: "envia a un servidor les captures pendents d'un magatzem",
    es: "envía a un servidor las capturas pendientes de un almacén",
    en: "send a store's waiting captures to a server",
    fr: "envoie à un serveur les captures en attente d'un stockage",
    options: [.stoppedStore, .serverConfiguration] + Option.ofServer,
    required: [["--store", "--config"], ["--server", "--config"]])

  private static let retry = CommandTable(
    "retry",
    ca: "torna a la cua captures apartades; totes, si no es diu quina",
    es: "devuelve a la cola capturas apartadas; todas, si no se dice cuál",
    en: "put back captures that were set aside; all, if not said which",
    fr: "remet dans la file des captures mises de côté ; toutes, si l'on ne dit pas laquelle",
    operands: .init(.text("[N|DEVICE4:N|all]", suggestions: ["all"]), 0...1),
    options: [
      .socket, .stoppedStore.with(excludes: ["--socket", "--config"]),
      .configuration.with(excludes: ["--socket"]),
    ],
    notes: [
      .paragraph(
        ca: "DEVICE4: les primeres xifres de l'equip, com 6F1C:17.",
        es: "DEVICE4: las primeras cifras del equipo, como 6F1C:17.",
        en: "DEVICE4: the first digits of the device, as in 6F1C:17.",
        fr: "DEVICE4 : les premiers chiffres de la balise, comme 6F1C:17.")
    ])

  private static let export = CommandTable(
    "export",
    ca: "escriu les captures per a un mapa o un llapis USB",
    es: "escribe las capturas para un mapa o una memoria USB",
    en: "write the captures for a map or to a USB stick",
    fr: "écrit les captures pour une carte ou sur une clé USB",
    options: [
      .store, .format, .output.with(needs: ["--format"]), .stick, .device,
      .socket.with(needs: ["--stick"]), .configuration.with(needs: ["--stick"]),
      .language.with(needs: ["--stick"]),
    ], required: [["--format", "--stick"]])

  private static let importing = CommandTable(
    "import",
    ca: "envia a un servidor un fitxer d'export (GeoJSON o CSV)",
    es: "envía a un servidor un fichero de export (GeoJSON o CSV)",
    en: "send a file from export (GeoJSON or CSV) to a server",
    fr: "envoie à un serveur un fichier d'export (GeoJSON ou CSV)",
    operands: .init(.file), options: [.serverConfiguration] + Option.ofServer,
    required: [["--server", "--config"]])

  private static let compare = CommandTable(
    "compare",
    ca: "qui anava al davant i on en un recorregut, o contra un horari; A i B són magatzems, o "
      + "fitxers d'export o GPX",
    es: "quién iba por delante y dónde en un recorrido, o contra un horario; A y B son almacenes, "
      + "o ficheros de export o GPX",
    en: "who was ahead where on a course, or against a timetable; A and B are stores, or files of "
      + "export or GPX",
    fr: "qui était devant et où sur un parcours, ou contre un horaire ; A et B sont des stockages, "
      + "ou des fichiers d'export ou GPX",
    operands: .init(.file.named("A [B]"), 1...2),
    options: [.course, .plan, .every.with(usual: "5000"), .json, .language],
    required: [["--course"]])

  private static let boards = CommandTable(
    "boards",
    ca: "llista les plaques, i les parts que es poden combinar",
    es: "lista las placas, y las partes que se pueden combinar",
    en: "list the boards, and the parts that can be combined",
    fr: "liste les cartes, et les parties qui se combinent")

  private static let fleet = CommandTable(
    "fleet",
    ca: "els fitxers de molts equips, per a les particions d'arrencada de les targetes",
    es: "los ficheros de muchos equipos, para las particiones de arranque de las tarjetas",
    en: "write the files of many trackers, for the boot partitions of their cards",
    fr: "les fichiers de plusieurs balises, pour les partitions d'amorçage des cartes",
    operands: .init(.file.named(ValueName.file.texts + ".csv")),
    options: [.newFolder, .fleetConfiguration, .board, .replace, .language],
    required: [["--output"]],
    notes: [
      .paragraph(
        ca: "Columnes: team, number, secret, i user, language, board, apn, server, receiver, "
          + "interface, pin, consolePin.",
        es: "Columnas: team, number, secret, y user, language, board, apn, server, receiver, "
          + "interface, pin, consolePin.",
        en: "Columns: team, number, secret, and user, language, board, apn, server, receiver, "
          + "interface, pin, consolePin.",
        fr: "Colonnes : team, number, secret, et user, language, board, apn, server, receiver, "
          + "interface, pin, consolePin.")
    ])

  private static let firstBoot = CommandTable(
    "first-boot",
    ca: "els agafa de la partició d'arrencada, cada vegada que s'engega",
    es: "los toma de la partición de arranque, en cada arranque",
    en: "take them from the boot partition, at each start",
    fr: "les prend de la partition d'amorçage, à chaque démarrage", options: [.root])

  private static let bench = CommandTable(
    "bench",
    ca: "mesura com de ràpid arriben captures inventades a un basecamp d'aquesta màquina",
    es: "mide lo rápido que llegan capturas inventadas a un basecamp de esta máquina",
    en: "measure how fast made-up captures are delivered to a basecamp on this machine",
    fr: "mesure la vitesse d'envoi de captures inventées à un basecamp de cette machine",
    options: [.captures, .yes] + Option.ofServer, required: [["--server"]])

  /// Other words for what there is, and what trackerctl asks itself.
  private static let hidden =
    ["exit", "quit", "logout", "?", "trackerctl"].map {
      CommandTable(
        $0, "".texts, operands: .init(.name, nil), options: Option.ofTracker, isHidden: true)
    } + [CommandTable(StoreReport.command, "".texts, operands: .init(.file), isHidden: true)]
}
