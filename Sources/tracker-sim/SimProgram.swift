import BoardSupport
import CommandLineSupport
import Statistics
import Wording

/// Runs a command.
enum Program {
  /// - Returns: the exit code: 0; 1 if an expectation failed; 2 for wrong use, unreadable input or
  ///   unwritable output.
  static func run(_ words: [String]) -> Int32 {
    CommandLineSupport.run(table, words) { arguments in
      let name = arguments.command.name
      // Some are named in all of their errors.
      let named = [
        "plan", "synth", "stats", "compare", "passages", "rehearse", "merge", "explore",
      ]
      guard named.contains(name) else { return try run(arguments) }
      return CommandLineSupport.run(program: "tracker-sim \(name)") { try run(arguments) }
    }
  }

  private static func run(_ arguments: Arguments) throws -> Int32 {
    switch arguments.command.name {
    case "replay": try Replay.run(arguments)
    case "decode": try Decode.run(path: arguments.operands[0])
    case "synth": try Synth(arguments).run()
    case "stats": try Stats.run(arguments)
    case "compare": try Compare.run(arguments)
    case "plan": try Plan.run(arguments)
    case "board": try say(BoardSheet.text(of: .load(named: arguments.operands[0])))
    case "passages": try PassagesCommand.run(arguments)
    case "rehearse": try Rehearse.run(arguments)
    case "merge": try Merge.run(arguments)
    case "explore": try Explore.run(arguments)
    default: try Simulate.run(SimulateOptions(arguments))
    }
  }
}

/// Writes one line to standard error: what, where, what to do.
func complain(_ message: String) { complain(message, program: "tracker-sim") }

/// Says on standard error what the settings do not do on a board.
func complain(
  of settings: ConfigurationFile, on board: BoardDescription, path: String, in language: Language
) {
  for warning in settings.warnings(on: board, path: path) { complain(warning[language]) }
}

extension Program {
  /// All that can be told to tracker-sim.
  static let table = ProgramTable(
    "tracker-sim", main: simulate,
    commands: [
      replay, decode, synth, board, compare, stats, plan, passages, rehearse, explore, merge,
    ])

  private static let simulate = CommandTable(
    ca: "fa passar una marxa gravada pel nucli de l'equip en temps virtual, i mostra les xifres de "
      + "captures, mòdem, enviaments i bateria",
    es: "hace pasar una marcha grabada por el núcleo del equipo en tiempo virtual, y muestra las "
      + "cifras de capturas, módem, envíos y batería",
    en: "plays a recorded race through the tracker's core in virtual time, and prints the figures "
      + "of captures, modem, uploads and battery",
    fr: "fait passer une marche enregistrée par le cœur de la balise en temps virtuel, et montre "
      + "les chiffres des captures, du modem, des envois et de la batterie",
    options: [
      .trace, .board.with(usual: SimulateOptions.usualBoard), .config, .scenario, .course, .seed,
      .json, .series, .events, .store, .record,
      .report, .tiles, .expect, .invariants, .language, .console, .timing,
    ],
    required: [["--trace"]],
    notes: [
      .heading(ca: "exemples", es: "ejemplos", en: "examples", fr: "exemples"),
      .lines(
        [
          "tracker-sim --trace traces/race.nmea --expect 'captures.pending == 0'",
          "tracker-sim --trace race.nmea --expect 'delivery.latency_s.p95 <= 900'",
          "tracker-sim --trace race.nmea --expect 'energy.battery_end_percent >= 15'",
        ].map(\.texts)),
      .paragraph(
        ca: "La mateixa traça, placa, configuració, escenari i llavor donen la mateixa sortida, "
          + "byte per byte, a tot arreu.",
        es: "La misma traza, placa, configuración, escenario y semilla dan la misma salida, byte "
          + "por byte, en todas partes.",
        en: "The same trace, board, configuration, scenario and seed give the same output, byte "
          + "for byte, everywhere.",
        fr: "Les mêmes trace, carte, configuration, scénario et graine donnent la même sortie, "
          + "octet pour octet, partout."),
      .exitCodes(
        ca: "1 una expectativa no es compleix", es: "1 una expectativa no se cumple",
        en: "1 an expectation failed", fr: "1 une attente n'est pas tenue"),
    ])

  private static let replay = CommandTable(
    "replay",
    ca:
      "dona un enregistrament (els seus fitxers, en qualsevol ordre) al nucli d'aquest programa i "
      + "compara cada efecte",
    es: "da una grabación (sus ficheros, en cualquier orden) al núcleo de este programa y compara "
      + "cada efecto",
    en:
      "feed a recording (its files, in any order) to this program's core and compare every effect",
    fr: "donne un enregistrement (ses fichiers, dans n'importe quel ordre) au cœur de ce programme "
      + "et compare chaque effet",
    operands: .init(.file.named(ValueName.file.texts + "..."), 1...Int.max),
    options: [.events, .cardCopy, .language],
    notes: [
      .paragraph(
        ca: "Un fitxer pot ser la targeta d'un controlador, o una imatge seva: es repeteix cada "
          + "gravació que té.",
        es: "Un fichero puede ser la tarjeta de un controlador, o una imagen suya: se repite "
          + "cada grabación que tiene.",
        en: "A file can be a controller's memory card, or an image of it: each recording on it is "
          + "replayed.",
        fr: "Un fichier peut être la carte d'un contrôleur, ou son image : chaque enregistrement y "
          + "est rejoué."),
      .exitCodes(ca: "1 diferent", es: "1 distinto", en: "1 different", fr: "1 différent"),
    ])

  private static let decode = CommandTable(
    "decode",
    ca: "mostra els informes de posició d'una traça, en JSON; - és l'entrada estàndard",
    es: "muestra los informes de posición de una traza, en JSON; - es la entrada estándar",
    en: "print a trace's position reports as JSON; - is standard input",
    fr: "montre les rapports de position d'une trace, en JSON ; - est l'entrée standard",
    operands: .init(.file))

  private static let board = CommandTable(
    "board",
    ca: "mostra una placa i la comprova; trackerctl boards diu els noms",
    es: "muestra una placa y la comprueba; trackerctl boards dice los nombres",
    en: "show a board and check it; trackerctl boards lists the names",
    fr: "montre une carte et la vérifie ; trackerctl boards dit les noms",
    operands: .init(.board.named("NAME[+PART]...")))

  private static let compare = CommandTable(
    "compare",
    ca: "quines xifres de dos --json difereixen; o qui anava al davant i on en un recorregut "
      + "(NMEA, GPX o exportacions)",
    es: "qué cifras de dos --json difieren; o quién iba por delante y dónde en un recorrido (NMEA, "
      + "GPX o exportaciones)",
    en: "which figures of two --json differ; or who was ahead where on a course (NMEA, GPX or "
      + "exports)",
    fr: "quels chiffres de deux --json diffèrent ; ou qui était devant et où sur un parcours "
      + "(NMEA, GPX ou exports)",
    operands: .init(.file.named("A [B]"), 1...2),
    options: [
      .course, .plan, .every.with(usual: "5000"), .json.with(needs: ["--course"]), .comparisonPage,
      .tiles.with(excludes: ["--course"]), .language,
    ])

  private static let stats = CommandTable(
    "stats",
    ca: "distància, temps, velocitats, desnivell i marques d'una caminada: NMEA, GPX o una "
      + "exportació; - és l'entrada estàndard",
    es: "distancia, tiempos, velocidades, desnivel y marcas de una caminata: NMEA, GPX o una "
      + "exportación; - es la entrada estándar",
    en: "distance, times, speeds, climb and marks of a walk: NMEA, GPX or an export; - is standard "
      + "input",
    fr: "distance, temps, vitesses, dénivelé et marques d'une marche : NMEA, GPX ou un export ; - "
      + "est l'entrée standard",
    operands: .init(.file), options: [.course, .every, .json, .language])

  private static let passages = CommandTable(
    "passages",
    ca: "qui era on i quan en el recorregut, pels magatzems o exportacions dels equips",
    es: "quién estaba dónde y cuándo en el recorrido, por los almacenes o exportaciones de los "
      + "equipos",
    en: "who was where on the course, and when, from the trackers' stores or exports",
    fr: "qui était où et quand sur le parcours, d'après les stockages ou exports des balises",
    operands: .init(.file.named(ValueName.file.texts + "..."), 1...Int.max),
    options: [.course, .timetable, .tolerance, .at, .json, .csv, .language],
    required: [["--course"]])
}

// MARK: A run

extension Option {
  static let trace = Option("--trace", .file).says(
    ca: "NMEA 0183, com l'envia un receptor; o un enregistrament, del qual només es fa servir el "
      + "receptor; o una ruta GPX, que es fa caminar a un receptor; - és l'entrada estàndard",
    es: "NMEA 0183, como lo envía un receptor; o una grabación, de la que solo se usa el receptor; "
      + "o una ruta GPX, que un receptor recorre; - es la entrada estándar",
    en: "NMEA 0183, as a receiver sends it; or a recording, from which only the receiver is "
      + "played; or a GPX track, which a receiver is made to walk; - is standard input",
    fr: "NMEA 0183, comme l'envoie un récepteur ; ou un enregistrement, dont seul le récepteur "
      + "joue ; ou une trace GPX, qu'un récepteur parcourt ; - est l'entrée standard")
  static let config = Option("--config", .file).says(
    ca: "política de captura, intervals, equip (JSON5)",
    es: "política de captura, intervalos, equipo (JSON5)",
    en: "capture policy, intervals, team (JSON5)",
    fr: "politique de capture, intervalles, équipe (JSON5)")
  static let scenario = Option("--scenario", .file).says(
    ca: "forats de cobertura, fallades del servidor, fred ... (JSON5)",
    es: "huecos de cobertura, fallos del servidor, frío ... (JSON5)",
    en: "coverage holes, server faults, cold ... (JSON5)",
    fr: "trous de couverture, pannes du serveur, froid ... (JSON5)")
  static let seed = Option("--seed", .number(0...Int64.max), usual: "1").says(
    ca: "del que canvia d'un dia a l'altre: registre, latència, senyal, primera posició, el "
      + "rellotge del servidor",
    es: "de lo que cambia de un día a otro: registro, latencia, señal, primera posición, el reloj "
      + "del servidor",
    en: "of what differs from day to day: registration, latency, signal, first fix, the server's "
      + "clock",
    fr: "de ce qui change d'un jour à l'autre : enregistrement, latence, signal, première "
      + "position, l'horloge du serveur")
  static let series = Option("--series", needs: ["--json"]).says(
    ca: "en JSON, també el que --report dibuixa en el temps, per a compare",
    es: "en JSON, también lo que --report dibuja en el tiempo, para compare",
    en: "in JSON, too, what --report draws over time, for compare",
    fr: "en JSON, aussi ce que --report dessine dans le temps, pour compare")
  static let events = Option("--events", .file).says(
    ca: "escriu cada esdeveniment i efecte, un per línia; - és la sortida estàndard, en lloc del "
      + "resum",
    es: "escribe cada evento y efecto, uno por línea; - es la salida estándar, en vez del resumen",
    en: "write every event and effect, one per line; - is standard output, instead of the summary",
    fr: "écrit chaque événement et effet, un par ligne ; - est la sortie standard, au lieu du "
      + "résumé")
  static let store = Option("--store", .file).says(
    ca: "desa les captures en un fitxer nou, per a trackerctl captures",
    es: "guarda las capturas en un fichero nuevo, para trackerctl captures",
    en: "keep the captures in a new file, for trackerctl captures",
    fr: "garde les captures dans un nouveau fichier, pour trackerctl captures")
  static let record = Option("--record", .file).says(
    ca: "enregistra l'execució en un fitxer nou, com trackerd --record, per a replay o --trace",
    es: "graba la ejecución en un fichero nuevo, como trackerd --record, para replay o --trace",
    en: "record the run to a new file, as trackerd --record does, for replay or --trace",
    fr: "enregistre dans un nouveau fichier, comme trackerd --record, pour replay ou --trace")
  static let cardCopy = Option("--record", .file).says(
    ca: "escriu l'última gravació d'una targeta en un fitxer nou, per a replay o --trace",
    es: "escribe la última grabación de una tarjeta en un fichero nuevo, para replay o --trace",
    en: "write a card's last recording to a new file, for replay or --trace",
    fr: "écrit le dernier enregistrement d'une carte dans un nouveau fichier, pour replay ou "
      + "--trace")
  static let report = Option("--report", .file).says(
    ca: "dibuixa l'execució, una pàgina d'HTML; les hores són del timeZone de la configuració, si "
      + "no de TZ",
    es: "dibuja la ejecución, una página de HTML; las horas son del timeZone de la configuración, "
      + "si no de TZ",
    en: "write a picture of the run, one page of HTML; its times are those of the configuration's "
      + "timeZone, else of TZ",
    fr: "dessine l'exécution, une page HTML ; les heures sont du timeZone de la configuration, "
      + "sinon de TZ")
  static let tiles = Option("--tiles", .file, needs: ["--report"]).says(
    ca: "MBTiles (PNG o JPEG) sota el mapa", es: "MBTiles (PNG o JPEG) bajo el mapa",
    en: "MBTiles (PNG or JPEG) below the map", fr: "MBTiles (PNG ou JPEG) sous la carte")
  static let expect = Option("--expect", .text("'CLAIM'"), isRepeatable: true).says(
    ca: "falla si no es compleix; es pot repetir", es: "falla si no se cumple; se puede repetir",
    en: "fail unless it holds; may be given several times",
    fr: "échoue si elle n'est pas tenue ; peut être répétée")
  static let invariants = Option("--invariants", excludes: ["--console"]).says(
    ca: "falla si no es compleix alguna invariant del disseny, com a explore",
    es: "falla si no se cumple alguna invariante del diseño, como en explore",
    en: "fail unless the design's invariants hold, as in explore",
    fr: "échoue si une invariante de la conception n'est pas tenue, comme dans explore")
  static let console = Option("--console", excludes: ["--report", "--expect"]).says(
    ca: "s'atura a l'inici i respon les ordres de la consola, de l'entrada estàndard (help)",
    es: "se para al inicio y responde a las órdenes de la consola, de la entrada estándar (help)",
    en: "stop at the start and answer the commands of the field console, read from standard input "
      + "(help)",
    fr: "s'arrête au début et répond aux commandes de la console, de l'entrée standard (help)")
  static let timing = Option("--timing").says(
    ca: "mostra el temps i la memòria a la sortida d'errors",
    es: "muestra el tiempo y la memoria en la salida de errores",
    en: "print time and peak memory to standard error",
    fr: "montre le temps et la mémoire sur la sortie d'erreur")
}

// MARK: Walks

extension Option {
  static let every = Option(
    "--every", .number(StatisticsBounds.marksEvery, "M"), usual: "1000"
  ).says(
    ca: "metres de marca a marca", es: "metros de marca a marca", en: "metres from mark to mark",
    fr: "mètres de marque à marque")
  static let comparisonPage = Option("--report", .file).says(
    ca: "escriu també una pàgina d'HTML amb tots dos", es: "escribe también una página con ambos",
    en: "write a page of HTML, too, with both", fr: "écrit aussi une page HTML avec les deux")
  static let tolerance = Option("--tolerance", .number(0...1440), usual: "30").says(
    ca: "minuts després de l'horari fins que un lloc fa tard",
    es: "minutos tras el horario hasta que un lugar va tarde",
    en: "minutes after the plan, until a place is past due",
    fr: "minutes après l'horaire avant qu'un lieu soit en retard")
  static let at = Option("--at", .like("2026-04-18T08:00:00Z", "DATE")).says(
    ca: "de quan parla la taula, a menys de 7 dies de les captures [la darrera]",
    es: "de cuándo habla la tabla, a menos de 7 días de las capturas [la última]",
    en: "what the table tells of, within 7 days of the captures [the latest of all]",
    fr: "de quand parle le tableau, à moins de 7 jours des captures [la dernière]")
  static let csv = Option("--csv", excludes: ["--json"]).says(
    ca: "en CSV en lloc de text", es: "en CSV en vez de texto", en: "as CSV instead of text",
    fr: "en CSV au lieu de texte")
}
