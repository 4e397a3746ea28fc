import BoardSupport
import CommandLineSupport
import TrackerCore
import Wording

/// The command line of `tracker-sim plan`.
struct PlanOptions {
  enum Search: String, CaseIterable {
    case interval, pack
  }

  private let arguments: Arguments
  let measuredMillivolts: Int32?
  private(set) var intervals: [Milliseconds]

  var board: String { arguments.text(.board) ?? SimulateOptions.usualBoard }
  var pack: String? { arguments.text(.pack) }
  var hours: Milliseconds {
    Milliseconds(Int64(((arguments.decimal(.hours) ?? 32) * 3_600_000).rounded()))
  }
  /// How long before the finish an emergency stands.
  let emergency: Milliseconds
  var coverage: String { arguments.text(.coverage) ?? "good" }
  var config: String? { arguments.text(.otherSettings) }
  var runs: Int { Int(arguments.number(.runs) ?? 40) }
  var seed: UInt64 { UInt64(arguments.number(.firstSeed) ?? 1) }
  var search: Search? { arguments.text(.search).flatMap { Search(rawValue: $0) } }
  var sharePercent: Int64 { arguments.number(.share) ?? 95 }
  var json: Bool { arguments.has(.json) }
  var page: String? { arguments.text(.page) }
  /// Whether people read it.
  var hasAdvice: Bool { !json || page != nil }
  var threads: Int? { arguments.number(.threads).map { Int($0) } }
  var language: Language? { arguments.language }
  /// The only races that are played; `nil`: all.
  let part: Part?

  static let usualIntervals: [Milliseconds] = [
    .minutes(5), .minutes(10), .minutes(20), .minutes(60),
  ]

  /// - Throws: a `UsageError` of one line for the first argument that is wrong.
  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    measuredMillivolts = try arguments.value(.measured) { text in
      Self.amount(text, .voltage, 1...100_000).map { Int32($0) }
    }
    emergency =
      try arguments.value(.emergency) { text in
        Self.amount(text, .duration, 0...86_400_000).map { Milliseconds($0) }
      } ?? .hours(1)
    part = try arguments.part()
    intervals = try arguments.values(.interval) { text in
      Self.amount(text, .duration, 10_000...86_400_000).map { Milliseconds($0) }
    }
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
}

extension Option {
  fileprivate static let pack = Option("--pack", .text("PACK")).says(
    ca: "en lloc de la bateria de la placa: '8 alkaline-aa', '2s3p li-ion', '6 nimh-aa 2600mAh', o "
      + "la d'un fitxer de placa",
    es: "en vez de la batería de la placa: '8 alkaline-aa', '2s3p li-ion', '6 nimh-aa 2600mAh', o "
      + "la de un fichero de placa",
    en: "instead of the board's own battery: '8 alkaline-aa', '2s3p li-ion', '6 nimh-aa 2600mAh', "
      + "or that of a board file",
    fr: "au lieu de la batterie de la carte : '8 alkaline-aa', '2s3p li-ion', '6 nimh-aa 2600mAh', "
      + "ou celle d'un fichier de carte")
  fileprivate static let measured = Option("--measured", .like("4.02V", "VOLTAGE")).says(
    ca: "tensió de tot el paquet, en repòs, ara [ple]",
    es: "tensión de todo el paquete, en reposo, ahora [lleno]",
    en: "voltage of the whole pack, at rest, now [full]",
    fr: "tension du pack entier, au repos, maintenant [plein]")
  fileprivate static let interval = Option(
    "--interval", .like("10min (10s-24h)", ValueName.time.texts), usual: "5min 10min 20min 60min",
    isRepeatable: true
  ).says(
    ca: "entre captures, i entre contactes; es pot repetir",
    es: "entre capturas, y entre contactos; se puede repetir",
    en: "between captures, and between contacts; may be given several times",
    fr: "entre captures, et entre contacts ; peut être répété")
  fileprivate static let hours = Option("--hours", .decimal(1...168, "H"), usual: "32").says(
    ca: "de la sortida a l'arribada", es: "de la salida a la llegada",
    en: "from the start to the finish", fr: "du départ à l'arrivée")
  fileprivate static let emergency = Option(
    "--emergency", .like("1h (0-24h)", ValueName.time.texts), usual: "1h"
  ).says(
    ca: "l'última part de cada cursa en què l'equip demana ajuda: n'hi ha prou bateria?",
    es: "la última parte de cada carrera en la que el equipo pide ayuda: ¿basta la batería?",
    en: "the last part of each race in which the team calls for help, so that the battery has "
      + "enough for that",
    fr:
      "la dernière partie de chaque course, où l'équipe appelle à l'aide : assez de batterie ?"
  )
  fileprivate static let coverage = Option(
    "--coverage", .file.named(ValueName.name.texts), usual: "good"
  ).says(
    ca: "good, un escenari de traces/scenarios (valleys, cold-night ...), o un fitxer",
    es: "good, un escenario de traces/scenarios (valleys, cold-night ...), o un fichero",
    en: "good, a scenario in traces/scenarios (valleys, cold-night ...), or a scenario file",
    fr: "good, un scénario de traces/scenarios (valleys, cold-night ...), ou un fichier")
  fileprivate static let otherSettings = Option("--config", .file).says(
    ca: "configuració a més dels intervals (JSON5)", es: "ajustes aparte de los intervalos (JSON5)",
    en: "settings other than the intervals (JSON5)", fr: "réglages hors intervalles (JSON5)")
  fileprivate static let runs = Option("--runs", .number(1...100_000), usual: "40").says(
    ca: "marxes per a cada interval", es: "marchas para cada intervalo",
    en: "races for each interval", fr: "marches pour chaque intervalle")
  static let firstSeed = Option(
    "--seed", .number(0...(.max - 100_000)), usual: "1"
  ).says(
    ca: "de la primera marxa", es: "de la primera marcha", en: "of the first race",
    fr: "de la première marche")
  fileprivate static let search = Option(
    "--search", .oneOf(PlanOptions.Search.allCases.map(\.rawValue))
  ).says(
    ca: "troba l'interval més curt, o el paquet amb menys cel·les, que aguanta",
    es: "halla el intervalo más corto, o el paquete con menos celdas, que aguanta",
    en: "find the shortest interval, or the smallest number of cells, that holds",
    fr: "trouve l'intervalle le plus court, ou le moins de piles, qui tient")
  fileprivate static let share = Option("--share", .number(1...100, "PERCENT"), usual: "95").says(
    ca: "de les marxes que han d'arribar", es: "de las marchas que deben llegar",
    en: "of the races that must reach the finish", fr: "des marches qui doivent arriver")
  fileprivate static let page = Option("--html", .file).says(
    ca: "escriu una pàgina amb dibuixos", es: "escribe una página con dibujos",
    en: "write a page with pictures", fr: "écrit une page avec des dessins")
  static let threads = Option("--threads", .number(1...256)).says(
    ca: "alhora; les xifres no en depenen [processadors]",
    es: "a la vez; las cifras no dependen de ello [procesadores]",
    en: "at once; the figures do not depend on it [processors]",
    fr: "à la fois ; les chiffres n'en dépendent pas [processeurs]")
}

extension Program {
  static let plan = CommandTable(
    "plan",
    ca: "abans de la marxa, quant dura una bateria: moltes marxes inventades, amb sort diferent i "
      + "les xifres de la placa dins les seves bandes",
    es: "antes de la marcha, cuánto dura una batería: muchas marchas inventadas, con distinta "
      + "suerte y las cifras de la placa dentro de sus bandas",
    en: "before the race, how long a battery lasts: many made-up walks with different luck, and "
      + "the board's figures somewhere in their bands",
    fr: "avant la marche, combien dure une batterie : beaucoup de marches inventées, avec une "
      + "chance différente et les chiffres de la carte dans leurs bandes",
    options: [
      .board.with(usual: SimulateOptions.usualBoard), .pack, .measured, .interval, .hours,
      .emergency, .coverage, .otherSettings, .runs, .firstSeed,
      .search, .share, .json, .page, .language, .threads, .part,
    ],
    notes: [
      .exitCodes(
        ca: "1 una cerca no ha trobat res", es: "1 una búsqueda no halló nada",
        en: "1 a search found nothing", fr: "1 une recherche n'a rien trouvé")
    ])
}
