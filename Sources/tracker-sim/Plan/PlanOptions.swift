import BoardSupport
import CommandLineSupport
import TrackerCore
import Wording

/// The command line of `tracker-sim plan`.
struct PlanOptions {
  enum Search: String, CaseIterable {
    case interval, pack
  }

  let board: String
  let pack: String?
  let measuredMillivolts: Int32?
  private(set) var intervals: [Milliseconds]
  let hours: Milliseconds
  let coverage: String
  let config: String?
  let runs: Int
  let seed: UInt64
  let search: Search?
  let sharePercent: Int64
  let json: Bool
  let page: String?
  let threads: Int?
  let language: Language?

  static let usualIntervals: [Milliseconds] = [
    .minutes(5), .minutes(10), .minutes(20), .minutes(60),
  ]

  /// - Throws: a `UsageError` of one line for the first argument that is wrong.
  init(_ arguments: Arguments) throws {
    board = arguments.text(.board) ?? SimulateOptions.usualBoard
    pack = arguments.text(.pack)
    measuredMillivolts = try arguments.value(.measured) { text in
      Self.amount(text, .voltage, 1...100_000).map { Int32($0) }
    }
    intervals = try arguments.values(.interval) { text in
      Self.amount(text, .duration, 10_000...86_400_000).map { Milliseconds($0) }
    }
    hours = try arguments.value(.hours, Self.hours) ?? .hours(32)
    coverage = arguments.text(.coverage) ?? "good"
    config = arguments.text(.otherSettings)
    runs = Int(arguments.number(.runs) ?? 40)
    seed = UInt64(arguments.number(.firstSeed) ?? 1)
    search = arguments.text(.search).flatMap { Search(rawValue: $0) }
    sharePercent = arguments.number(.share) ?? 95
    json = arguments.has(.json)
    page = arguments.text(.page)
    threads = arguments.number(.threads).map { Int($0) }
    language = arguments.language
    if search == .interval && !intervals.isEmpty {
      throw UsageError(SimPhrase.triesIntervals.texts)
    }
    if search == .pack && intervals.count > 1 { throw UsageError(SimPhrase.oneInterval.texts) }
    if search == .pack && intervals.isEmpty { intervals = [.minutes(10)] }
    if intervals.isEmpty { intervals = Self.usualIntervals }
    intervals.sort { $0.count < $1.count }
    if let twice = zip(intervals, intervals.dropFirst()).first(where: { $0 == $1 })?.0 {
      throw UsageError(UsagePhrase.twice.texts("--interval \(PlanText.time(twice))"))
    }
  }

  private static func amount(
    _ text: String, _ dimension: Dimension, _ range: ClosedRange<Int64>
  ) -> Int64? {
    dimension.amount(text).flatMap { range.contains($0) ? $0 : nil }
  }

  /// `32`, or `27.5`.
  private static func hours(_ text: String) -> Milliseconds? {
    guard let hours = Double(text), hours >= 1, hours <= 168 else { return nil }
    return Milliseconds(Int64((hours * 3_600_000).rounded()))
  }
}

extension Option {
  fileprivate static let pack = Option(
    "--pack", .text("PACK"),
    ca: "en lloc de la bateria de la placa", es: "en vez de la batería de la placa",
    en: "instead of the board's own battery", fr: "au lieu de la batterie de la carte")
  fileprivate static let measured = Option(
    "--measured", .form("4.02V", SimPhrase.voltage.texts),
    ca: "tensió de tot el paquet, en repòs, ara [ple]",
    es: "tensión de todo el paquete, en reposo, ahora [lleno]",
    en: "voltage of the whole pack, at rest, now [full]",
    fr: "tension du pack entier, au repos, maintenant [plein]")
  fileprivate static let interval = Option(
    "--interval", .form(ValueName.time.texts, SimPhrase.intervalForm.texts),
    usual: "5min 10min 20min 60min", isRepeatable: true,
    ca: "entre captures, i entre contactes; es pot repetir",
    es: "entre capturas, y entre contactos; se puede repetir",
    en: "between captures, and between contacts; may be given several times",
    fr: "entre captures, et entre contacts ; peut être répété")
  fileprivate static let hours = Option(
    "--hours", .form("H", SimPhrase.hours.texts), usual: "32",
    ca: "de la sortida a l'arribada", es: "de la salida a la llegada",
    en: "from the start to the finish", fr: "du départ à l'arrivée")
  fileprivate static let coverage = Option(
    "--coverage", .file.named(ValueName.name.texts), usual: "good",
    ca: "good, un escenari de traces/scenarios (valleys, cold-night ...), o un fitxer",
    es: "good, un escenario de traces/scenarios (valleys, cold-night ...), o un fichero",
    en: "good, a scenario in traces/scenarios (valleys, cold-night ...), or a scenario file",
    fr: "good, un scénario de traces/scenarios (valleys, cold-night ...), ou un fichier")
  fileprivate static let otherSettings = Option(
    "--config", .file,
    ca: "configuració a més dels intervals (JSON5)", es: "ajustes aparte de los intervalos (JSON5)",
    en: "settings other than the intervals (JSON5)", fr: "réglages hors intervalles (JSON5)")
  fileprivate static let runs = Option(
    "--runs", .number(1...100_000), usual: "40",
    ca: "marxes per a cada interval", es: "marchas para cada intervalo",
    en: "races for each interval", fr: "marches pour chaque intervalle")
  fileprivate static let firstSeed = Option(
    "--seed", .number(0...(.max - 100_000)), usual: "1",
    ca: "de la primera marxa", es: "de la primera marcha", en: "of the first race",
    fr: "de la première marche")
  fileprivate static let search = Option(
    "--search", .oneOf(PlanOptions.Search.allCases.map(\.rawValue)),
    ca: "troba l'interval més curt, o el paquet amb menys cel·les, que aguanta",
    es: "halla el intervalo más corto, o el paquete con menos celdas, que aguanta",
    en: "find the shortest interval, or the smallest number of cells, that holds",
    fr: "trouve l'intervalle le plus court, ou le moins de piles, qui tient")
  fileprivate static let share = Option(
    "--share", .number(1...100, "PERCENT"), usual: "95",
    ca: "de les marxes que han d'arribar", es: "de las marchas que deben llegar",
    en: "of the races that must reach the finish", fr: "des marches qui doivent arriver")
  fileprivate static let page = Option(
    "--html", .file,
    ca: "escriu una pàgina amb dibuixos", es: "escribe una página con dibujos",
    en: "write a page with pictures", fr: "écrit une page avec des dessins")
  fileprivate static let threads = Option(
    "--threads", .number(1...256),
    ca: "alhora; les xifres no en depenen [processadors]",
    es: "a la vez; las cifras no dependen de ello [procesadores]",
    en: "at once; the figures do not depend on it [processors]",
    fr: "à la fois ; les chiffres n'en dépendent pas [processeurs]")
}

extension Program {
  static let plan = CommandTable(
    "plan",
    ca: "abans de la marxa, quant dura una bateria: moltes marxes inventades, amb sort diferent i "
      + "les xifres no verificades de la placa dins les seves bandes",
    es: "antes de la marcha, cuánto dura una batería: muchas marchas inventadas, con distinta "
      + "suerte y las cifras no verificadas de la placa dentro de sus bandas",
    en: "before the race, how long a battery lasts: many made-up walks with different luck, and "
      + "the board's unverified figures somewhere in their bands",
    fr: "avant la marche, combien dure une batterie : beaucoup de marches inventées, avec une "
      + "chance différente et les chiffres non vérifiés de la carte dans leurs bandes",
    options: [
      .board, .pack, .measured, .interval, .hours, .coverage, .otherSettings, .runs, .firstSeed,
      .search, .share, .json, .page, .configuredLanguage, .threads,
    ],
    notes: [
      .heading(ca: "paquets", es: "paquetes", en: "packs", fr: "packs"),
      .terms([
        (
          term: "'8 alkaline-aa'".texts,
          meaning: Texts(
            ca: "tantes cel·les: alkaline-aa, lithium-aa, nimh-aa, li-ion, lifepo4",
            es: "tantas celdas: alkaline-aa, lithium-aa, nimh-aa, li-ion, lifepo4",
            en: "so many cells: alkaline-aa, lithium-aa, nimh-aa, li-ion, lifepo4",
            fr: "tant de piles : alkaline-aa, lithium-aa, nimh-aa, li-ion, lifepo4")
        ),
        (
          term: "'2s3p li-ion'".texts,
          meaning: Texts(
            ca: "dues en sèrie, tres tires així", es: "dos en serie, tres tiras así",
            en: "two in series, three such strings", fr: "deux en série, trois telles chaînes")
        ),
        (
          term: "'6 nimh-aa 2600mAh'".texts,
          meaning: Texts(
            ca: "amb la capacitat de cada cel·la", es: "con la capacidad de cada celda",
            en: "with the capacity of each cell", fr: "avec la capacité de chaque pile")
        ),
        (
          term: "li-ion-3p, FILE".texts,
          meaning: Texts(
            ca: "la bateria d'un fitxer de placa", es: "la batería de un fichero de placa",
            en: "the battery of a board file", fr: "la batterie d'un fichier de carte")
        ),
      ]),
      .paragraph(
        ca: "Un nombre de cel·les sense 's' ni 'p' va en paral·lel en una placa que funciona amb "
          + "una, i en sèrie en qualsevol altra. Les durades es compten fins a quatre vegades les "
          + "hores. Les captures són les lliurades a l'arribada; els joules, la mitjana fins "
          + "llavors. Amb un interval --json és un objecte, amb més una llista.",
        es:
          "Un número de celdas sin 's' ni 'p' va en paralelo en una placa que funciona con una, y "
          + "en serie en cualquier otra. Las duraciones se cuentan hasta cuatro veces las horas. "
          + "Las capturas son las entregadas a la llegada; los julios, la media hasta entonces. "
          + "Con un intervalo --json es un objeto, con más una lista.",
        en: "A number of cells without 's' and 'p' is in parallel on a board that runs from one "
          + "such cell, and in series on any other. Lifetimes are counted up to four times the "
          + "hours. Captures are those delivered by the finish; joules are the mean until then. "
          + "--json is one object for one interval, a list for several.",
        fr: "Un nombre de piles sans 's' ni 'p' va en parallèle sur une carte qui marche avec une "
          + "seule, et en série sur toute autre. Les durées se comptent jusqu'à quatre fois les "
          + "heures. Les captures sont celles livrées à l'arrivée ; les joules, la moyenne "
          + "jusque-là. --json est un objet pour un intervalle, une liste pour plusieurs."),
      .paragraph(
        ca: "codi de sortida: 0 bé; 1 una cerca no ha trobat res; 2 mal ús o entrada il·legible.",
        es: "código de salida: 0 bien; 1 una búsqueda no halló nada; 2 mal uso o entrada ilegible.",
        en: "exit code: 0 success; 1 a search found nothing; 2 wrong use or unreadable input.",
        fr: "code de sortie : 0 succès ; 1 une recherche n'a rien trouvé ; 2 mauvais usage ou "
          + "entrée illisible."),
    ])
}
