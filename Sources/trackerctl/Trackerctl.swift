import CaptureStore
import CommandLineSupport
import FieldConsole
import MachineAccess
import Reports
import Statistics
import TrackerCore
import Wording

/// Runs a command.
enum Program {
  /// - Returns: the exit code.
  static func run(_ words: [String]) -> Int32 {
    guardSecrets()
    return CommandLineSupport.run(table, words) { arguments in
      switch arguments.command.name {
      case "push": try Push(arguments).run()
      case "retry": try Retry(arguments).run()
      case "export" where arguments.has(.stick): try StickExport.run(arguments)
      case "export": try Export(arguments).run()
      case "import": try Import(arguments).run()
      case "compare": try CompareWalks.run(arguments)
      case "console": try ConsoleDoor.run(arguments)
      case "boards": try BoardTable.run()
      case "setup": try Setup.run(arguments)
      case "fleet": try Fleet(arguments).write()
      case "firmware": try FirmwareFile.run(arguments)
      case "first-boot": try FirstBoot.run(arguments)
      case StoreReport.command: try StoreReport.run(arguments)
      default: try ShellDoor.run(arguments)
      }
    }
  }

  /// Writes one line to standard error: what, where, what to do.
  static func complain(_ message: some TextArgument) {
    CommandLineSupport.complain(message.texts[.chosen(nil)], program: table.name)
  }

  /// Warns that a damaged store shows only part of its captures.
  static func complainOfDamage(_ store: CaptureStore) {
    for remark in store.remarks { complain(remark) }
  }
}

/// A running tracker's answer to one line.
enum ControlAnswer {
  /// - Returns: the tracker's answer without its first line, `ok`.
  /// - Throws: if it does not answer or refuses.
  static func of(_ line: String, at socket: String) throws -> String {
    let answer = try ControlClient.ask(line, at: socket)
    if answer.hasPrefix("ok\n") { return String(answer.dropFirst(3)) }
    throw UsageError(ConsoleError(lines: answer).texts)
  }
}

extension Program {
  /// All commands and options of trackerctl.
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
      console, push, retry, export, importing, compare, boards, setup, fleet, firmware,
      firstBoot,
    ] + hidden)

  /// The console's commands, but for those that differ here and have their own table.
  private static let verbs = ConsoleCommand.Verb.allCases.filter {
    ![.retry, .export, .exit].contains($0)
  }.map { verb in
    CommandTable(
      verb.rawValue, verb.meaning,
      operands: .init(
        .text(
          String(verb.usage.dropFirst(verb.rawValue.count + 1)),
          suggestions: verb.words), nil),
      options: Option.own(of: verb) + Option.ofTracker)
  }

  private static let console = CommandTable(
    "console",
    ca: "obre una consola per a aquestes ordres en un terminal, amb historial i compleció (TAB); "
      + "per una canonada, llegeix una ordre per línia",
    es: "abre una consola para estas órdenes en un terminal, con historial y completado (TAB); por "
      + "una tubería, lee una orden por línea",
    en: "open a console for these commands in a terminal, with history and completion (TAB); from "
      + "a pipe, read a command a line",
    fr: "ouvre une console pour ces commandes dans un terminal, avec historique et complétion "
      + "(TAB) ; d'un tube, lit une commande par ligne",
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
      .store, .format, .notes, .output.with(excludes: ["--stick"]), .stick, .device,
      .socket.with(needs: ["--stick"]), .configuration.with(needs: ["--stick"]),
      .language.with(needs: ["--stick"]),
    ], required: [["--format", "--notes", "--stick"]])

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
    ca: "escriu els fitxers de molts equips, per a les particions d'arrencada de les targetes",
    es: "escribe los ficheros de muchos equipos, para las particiones de arranque de las "
      + "tarjetas",
    en: "write the files of many trackers, for the boot partitions of their cards",
    fr: "écrit les fichiers de plusieurs balises, pour les partitions d'amorçage des cartes",
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

  private static let firmware = CommandTable(
    "firmware",
    ca: "escriu els paràmetres d'un controlador sense Linux, per a una memòria flaix (Intel HEX)",
    es: "escribe los ajustes de un controlador sin Linux, para su memoria flash (Intel HEX)",
    en: "write the settings of a controller without Linux, for its flash (Intel HEX)",
    fr: "écrit les réglages d'un contrôleur sans Linux, pour sa mémoire flash (Intel HEX)",
    options: [.board, .controllerConfiguration, .recordsOnCard, .output],
    required: [["--board"], ["--config"]])

  private static let firstBoot = CommandTable(
    "first-boot",
    ca: "agafa els fitxers de l'equip de la partició d'arrencada, cada vegada que s'engega",
    es: "toma los ficheros del equipo de la partición de arranque, en cada arranque",
    en: "take the tracker's files from the boot partition, at each start",
    fr: "prend les fichiers de la balise sur la partition d'amorçage, à chaque démarrage",
    options: [.root])

  /// Synonyms, and the command that trackerctl runs itself.
  private static let hidden =
    ["exit", "quit", "logout", "?", "trackerctl"].map {
      CommandTable(
        $0, "".texts, operands: .init(.name, nil), options: Option.ofTracker, isHidden: true)
    } + [CommandTable(StoreReport.command, "".texts, operands: .init(.file), isHidden: true)]
}

// MARK: Which tracker, and how its answer is written

extension Option {
  static let ofTracker = [
    socket, store, configuration, .json, .language, .yes, .color, .noColor,
  ]

  static let socket = Option("--socket", .file, usual: ConsoleOptions.defaultSocket).says(
    ca: "el sòcol de control de l'equip", es: "el socket de control del equipo",
    en: "the tracker's control socket", fr: "le socket de contrôle de la balise")
  static let store = Option("--store", .file, usual: ConsoleOptions.defaultStore).says(
    ca: "el magatzem de l'equip; sense --socket només es mira el magatzem",
    es: "el almacén del equipo; sin --socket solo se mira el almacén",
    en: "the tracker's store; without --socket the store alone is looked at",
    fr: "le stockage de la balise ; sans --socket seul le stockage est consulté")
  static let configuration = Option(
    "--config", .file, usual: ConsoleOptions.defaultConfiguration
  ).says(
    ca: "la configuració de l'equip, que n'indica el sòcol i el magatzem",
    es: "la configuración del equipo, que indica su socket y su almacén",
    en: "the tracker's configuration, which names its socket and store",
    fr: "la configuration de la balise, qui indique son socket et son stockage")
  static let yes = Option("--yes").says(
    ca: "no pregunta res", es: "no pregunta nada", en: "do not ask", fr: "ne demande rien")
  static let color = Option("--color", excludes: ["--no-color"], aliases: ["--colour"]).says(
    ca: "en colors [en un terminal]", es: "en colores [en un terminal]",
    en: "in colours [on a terminal]", fr: "en couleurs [sur un terminal]")
  static let noColor = Option("--no-color", aliases: ["--no-colour"]).says(
    ca: "sense colors", es: "sin colores", en: "without colours", fr: "sans couleurs")

  // MARK: Of stats and compare

  /// Of a command of the console.
  static func own(of verb: ConsoleCommand.Verb) -> [Option] {
    switch verb {
    case .stats: ofStatistics
    case .captures: [fromServer]
    default: []
    }
  }

  static let fromServer = Option("--from-server").says(
    ca: "les que té el servidor, i quines no són en aquest magatzem",
    es: "las que tiene el servidor, y cuáles no están en este almacén",
    en: "those on the server, and which of them this store lacks",
    fr: "celles du serveur, et lesquelles manquent dans ce stockage")
  static let ofStatistics = [every, course, session, sessions]

  static let every = Option(
    "--every", .number(StatisticsBounds.marksEvery, "M"), usual: "1000"
  ).says(
    ca: "metres de marca a marca", es: "metros de marca a marca", en: "metres from mark to mark",
    fr: "mètres de marque à marque")
  static let session = Option("--session", .number(1...1000)).says(
    ca: "una sessió [la darrera]", es: "una sesión [la última]", en: "one session [the last one]",
    fr: "une session [la dernière]")
  static let sessions = Option("--sessions", excludes: ["--every", "--session"]).says(
    ca: "les sessions del magatzem", es: "las sesiones del almacén",
    en: "the sessions of the store", fr: "les sessions du stockage")

  // MARK: Of console

  static let readOnly = Option("--read-only").says(
    ca: "no mana res a l'equip", es: "no ordena nada al equipo", en: "no orders to the tracker",
    fr: "n'ordonne rien à la balise")
  static let serial = Option("--serial").says(
    ca: "espera una tecla, com en una línia sèrie", es: "espera una tecla, como en una línea serie",
    en: "wait for a key, as on a serial line", fr: "attend une touche, comme sur une ligne série")
  static let idle = Option("--idle", .like("10min, 0", ValueName.time.texts), usual: "10min").says(
    ca: "acaba la consola si ningú no prem cap tecla durant aquest temps; 0: mai",
    es: "termina la consola si nadie pulsa ninguna tecla durante ese tiempo; 0: nunca",
    en: "end the console after this time without a key; 0: never",
    fr: "termine la console après ce temps sans touche ; 0 : jamais")
}

// MARK: A server

extension Option {
  static let ofServer = [server, secrets, user, clientID, tokenURL, authorities]

  static let stoppedStore = Option("--store", .file).says(
    ca: "el magatzem d'un equip aturat", es: "el almacén de un equipo parado",
    en: "the store of a tracker that is stopped", fr: "le stockage d'une balise arrêtée")
  static let serverConfiguration = Option("--config", .file, excludes: ofServer.map(\.name)).says(
    ca: "la configuració de l'equip: el servidor, sigui del tipus que sigui, camps, secrets i "
      + "magatzem",
    es: "la configuración del equipo: su servidor, sea del tipo que sea, campos, secretos y "
      + "almacén",
    en: "the tracker's configuration: its server, whatever its kind, attributes, secrets and store",
    fr: "la configuration de la balise : serveur, de tout genre, champs, secrets et stockage")
  static let server = Option("--server", .text("URL")).says(
    ca: "una capa d'un FeatureServer d'ArcGIS, com https://host/…/FeatureServer/0",
    es: "una capa de un FeatureServer de ArcGIS, como https://host/…/FeatureServer/0",
    en: "a layer of an ArcGIS FeatureServer, as in https://host/…/FeatureServer/0",
    fr: "une couche d'un FeatureServer d'ArcGIS, comme https://host/…/FeatureServer/0")
  static let secrets = Option("--secrets", .file).says(
    ca: "credencials, mode 0600: una línia \"token = ...\", o \"password = ...\" amb --user, o "
      + "\"clientSecret = ...\" amb --client-id i --token-url",
    es: "credenciales, modo 0600: una línea \"token = ...\", o \"password = ...\" con --user, o "
      + "\"clientSecret = ...\" con --client-id y --token-url",
    en: "credentials, mode 0600: a line \"token = ...\", or \"password = ...\" with --user, or "
      + "\"clientSecret = ...\" with --client-id and --token-url",
    fr: "identifiants, mode 0600 : une ligne \"token = ...\", ou \"password = ...\" avec --user, "
      + "ou \"clientSecret = ...\" avec --client-id et --token-url")
  static let user = Option("--user", .name, excludes: ["--client-id"], needs: ["--secrets"]).says(
    ca: "l'usuari de la contrasenya", es: "el usuario de la contraseña", en: "the password's user",
    fr: "l'utilisateur du mot de passe")
  static let clientID = Option("--client-id", .text("ID"), needs: ["--secrets"]).says(
    ca: "l'identificador d'una aplicació", es: "el identificador de una aplicación",
    en: "an application's identifier", fr: "l'identifiant d'une application")
  static let tokenURL = Option("--token-url", .text("URL"), needs: ["--user", "--client-id"]).says(
    ca: "on es demanen els tokens [el mateix servidor]",
    es: "donde se piden los tokens [el mismo servidor]",
    en: "where to get tokens [the server's own site]",
    fr: "où demander les jetons [le même serveur]")
  static let authorities = Option("--ca", .file).says(
    ca: "certificats de confiança en lloc dels del sistema (PEM)",
    es: "certificados de confianza en vez de los del sistema (PEM)",
    en: "certificates to trust instead of the system's (PEM)",
    fr: "certificats fiables au lieu de ceux du système (PEM)")
}

// MARK: Files

extension Option {
  static let format = Option(
    "--format", .oneOf(ExportFormat.allCases.map(\.rawValue)), excludes: ["--stick"],
    needs: ["--store"]
  ).says(
    ca: "el format de les captures", es: "el formato de las capturas",
    en: "the format of the captures", fr: "le format des captures")
  static let notes = Option(
    "--notes", excludes: ["--format", "--stick"], needs: ["--store"]
  ).says(
    ca: "les notes en lloc de les captures, cada versió (CSV)",
    es: "las notas en vez de las capturas, cada versión (CSV)",
    en: "the notes instead of the captures, every version (CSV)",
    fr: "les notes au lieu des captures, chaque version (CSV)")
  static let stick = Option("--stick").says(
    ca: "escriu tots els formats i un informe en un llapis USB, que només es munta per a això (cal "
      + "ser root)",
    es: "escribe todos los formatos y un informe en una memoria USB, que solo se monta para eso "
      + "(hay que ser root)",
    en: "write all formats and a report to a USB stick, which is mounted for that only (needs "
      + "root)",
    fr: "écrit tous les formats et un rapport sur une clé USB, montée pour cela seulement (il "
      + "faut être root)")
  static let device = Option("--device", .text("/dev/sda1"), needs: ["--stick"]).says(
    ca: "la partició del llapis [la que es troba]",
    es: "la partición de la memoria [la que se halla]",
    en: "the stick's partition [the one that is found]",
    fr: "la partition de la clé [celle qui est trouvée]")
  static let newFolder = Option("--output", .folder).says(
    ca: "una carpeta nova", es: "una carpeta nueva", en: "a new folder", fr: "un nouveau dossier")
  static let fleetConfiguration = Option("--config", .file).says(
    ca: "els paràmetres que comparteixen tots els equips",
    es: "los ajustes que comparten todos los equipos",
    en: "the settings that all trackers share", fr: "les réglages communs à toutes les balises")
  static let controllerConfiguration = Option("--config", .file).says(
    ca: "la configuració del controlador", es: "la configuración del controlador",
    en: "the controller's configuration", fr: "la configuration du contrôleur")
  static let recordsOnCard = Option("--record").says(
    ca: "grava a la targeta tot el que arriba, per a tracker-sim replay",
    es: "graba en la tarjeta todo lo que llega, para tracker-sim replay",
    en: "record all that comes in on the card, for tracker-sim replay",
    fr: "enregistre sur la carte tout ce qui arrive, pour tracker-sim replay")
  static let replace = Option("--replace").says(
    ca: "substitueix la carpeta", es: "sustituye la carpeta", en: "replace the folder",
    fr: "remplace le dossier")
  static let root = Option("--root", .folder, usual: "/").says(
    ca: "el sistema d'aquesta carpeta, com una imatge",
    es: "el sistema de esta carpeta, como una imagen",
    en: "the system in this folder, such as an image's",
    fr: "le système de ce dossier, comme une image")
}
