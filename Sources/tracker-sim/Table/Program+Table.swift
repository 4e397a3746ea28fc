import CommandLineSupport
import Wording

extension Program {
  /// All that can be told to tracker-sim.
  static let table = ProgramTable(
    "tracker-sim", main: simulate,
    commands: [replay, decode, synth, board, compare, stats, plan, passages])

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
      .report, .tiles, .expect, .language, .console, .timing,
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
    options: [.events, .language],
    notes: [
      .exitCodes(ca: "1 diferent", es: "1 distinto", en: "1 different", fr: "1 différent")
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
