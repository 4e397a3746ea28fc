import CommandLineSupport
import Wording

extension Program {
  /// All that can be told to tracker-sim.
  static let table = ProgramTable(
    "tracker-sim", main: simulate,
    commands: [replay, decode, synth, board, compare, stats, plan, passages, bench])

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
      .trace, .board, .config, .scenario, .course, .seed, .json, .series, .events, .store, .record,
      .report, .tiles, .expect, .configuredLanguage, .console, .timing,
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
      .paragraph(
        ca: "codi de sortida: 0 bé; 1 una expectativa no es compleix; 2 mal ús o entrada "
          + "il·legible.",
        es: "código de salida: 0 bien; 1 una expectativa no se cumple; 2 mal uso o entrada "
          + "ilegible.",
        en: "exit code: 0 success; 1 an expectation failed; 2 wrong use or unreadable input.",
        fr: "code de sortie : 0 succès ; 1 une attente n'est pas tenue ; 2 mauvais usage ou "
          + "entrée illisible."),
    ])

  private static let replay = CommandTable(
    "replay",
    ca: "dona l'entrada d'un enregistrament al nucli d'aquest programa i compara cada efecte",
    es: "da la entrada de una grabación al núcleo de este programa y compara cada efecto",
    en: "feed a recording's input to this program's core and compare every effect",
    fr: "donne l'entrée d'un enregistrement au cœur de ce programme et compare chaque effet",
    operands: .init(.file.named(ValueName.file.texts + "..."), 1...Int.max),
    options: [.events, .language],
    notes: [
      .paragraph(
        ca: "Els fitxers d'una rotació van en qualsevol ordre. codi de sortida: 0 idèntic; 1 "
          + "diferent; 2 mal ús o entrada il·legible.",
        es: "Los ficheros de una rotación van en cualquier orden. código de salida: 0 idéntico; 1 "
          + "distinto; 2 mal uso o entrada ilegible.",
        en: "The files of a rotation may be given in any order. exit code: 0 identical; 1 "
          + "different; 2 wrong use or unreadable input.",
        fr: "Les fichiers d'une rotation vont dans n'importe quel ordre. code de sortie : 0 "
          + "identique ; 1 différent ; 2 mauvais usage ou entrée illisible.")
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
    ca:
      "quines xifres de dos --json difereixen; o qui anava al davant i on en un recorregut (NMEA, "
      + "GPX o exportacions)",
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
    operands: .init(.file), options: [.course, .every, .json, .language],
    notes: [
      .paragraph(
        ca: "Una posició compta quan és a 20 m, i més lluny que la seva precisió, de la darrera "
          + "que ho ha fet: el soroll en repòs no és distància. Un buit de 15 min o més compta com "
          + "una línia recta. Per sota d'1 km/h és un descans. Un desnivell compta on l'altitud, "
          + "mitjana de 200 m, gira 10 m o més.",
        es:
          "Una posición cuenta cuando está a 20 m, y más lejos que su precisión, de la última "
          + "que contó: el ruido en reposo no es distancia. Un hueco de 15 min o más cuenta como "
          + "una línea recta. Por debajo de 1 km/h es un descanso. Un desnivel cuenta donde la "
          + "altitud, media de 200 m, gira 10 m o más.",
        en: "Positions count once they are 20 m, and further than their accuracy, from the last "
          + "one that did, so that noise at rest is no distance; a gap of 15 min and more counts "
          + "as a straight line. Below 1 km/h it is a rest. Climbs are counted where the altitude, "
          + "averaged over 200 m, turns by 10 m or more.",
        fr: "Une position compte à 20 m, et plus loin que sa précision, de la dernière qui a "
          + "compté : le bruit à l'arrêt n'est pas une distance. Un trou de 15 min ou plus compte "
          + "comme une ligne droite. Au-dessous de 1 km/h c'est un repos. Un dénivelé compte où "
          + "l'altitude, moyenne de 200 m, tourne de 10 m ou plus.")
    ])

  private static let passages = CommandTable(
    "passages",
    ca: "qui era on i quan en el recorregut, pels magatzems o exportacions dels equips",
    es: "quién estaba dónde y cuándo en el recorrido, por los almacenes o exportaciones de los "
      + "equipos",
    en: "who was where on the course, and when, from the trackers' stores or exports",
    fr: "qui était où et quand sur le parcours, d'après les stockages ou exports des balises",
    operands: .init(.file.named(ValueName.file.texts + "..."), 1...Int.max),
    options: [.course, .timetable, .tolerance, .at, .json, .csv, .language],
    required: [["--course"]],
    notes: [
      .paragraph(
        ca: "Les captures sense data fiable no compten. Un lloc fa tard quan ha tancat o s'ha "
          + "passat la seva hora de l'horari, i falta quan se n'ha passat un de posterior sense "
          + "ell; és deduït qui s'ha vist abans i després, però no allà; és desconegut on un equip "
          + "és més enllà, i cap captura no diu si hi ha passat, o quan. Una fila de l'horari amb "
          + "km vol dir el lloc a menys d'1 km.",
        es: "Las capturas sin fecha fiable no cuentan. Un lugar va tarde cuando ha cerrado o ha "
          + "pasado su hora del horario, y falta cuando se pasó uno posterior sin él; se deduce a "
          + "quien se vio antes y después, pero no allí; se desconoce donde un equipo está más "
          + "allá, y ninguna captura dice si pasó, o cuándo. Una fila del horario con km es el "
          + "lugar a menos de 1 km.",
        en: "Captures without a trusted date do not count. A place is past due when it has closed "
          + "or its time in the plan is over, and missing when a later one was passed without it; "
          + "inferred is who was seen before and after it, but not there; unknown is where a team "
          + "is beyond it, and no capture tells whether it was there, or when. A row of the plan "
          + "with km means the place within 1 km of these.",
        fr: "Les captures sans date fiable ne comptent pas. Un lieu est en retard quand il a fermé "
          + "ou que son heure du plan est passée, et manque quand un lieu suivant a été passé sans "
          + "lui ; est déduit qui a été vu avant et après, mais pas là ; est inconnu où une équipe "
          + "est au-delà sans qu'une capture dise si elle y était, ni quand. Une ligne du plan en "
          + "km désigne le lieu à moins de 1 km.")
    ])

  private static let bench = CommandTable(
    "bench",
    ca: "mesura aquesta màquina: descodificador, bucle tancat de 32 h, enregistrador i cua; "
      + "compileu-lo amb -c release",
    es: "mide esta máquina: decodificador, bucle cerrado de 32 h, grabador y cola; compílelo con "
      + "-c release",
    en: "measure this machine: decoder, closed loop of 32 h, recorder and queue; build it with -c "
      + "release",
    fr: "mesure cette machine : décodeur, boucle fermée de 32 h, enregistreur et file ; "
      + "compilez-le avec -c release",
    operands: .init(.file.named("[SCRIPT ...]"), 0...Int.max),
    options: [.modems, .races, .policies, .arrivals])
}
