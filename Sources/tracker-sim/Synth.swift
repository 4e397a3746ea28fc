import CommandLineSupport
import Courses
import Simulation
import TrackerCore
import Wording

/// `tracker-sim synth`: writes a made-up trace.
struct Synth {
  private(set) var options = SynthOptions()
  /// Where to write: a path, or `nil` for standard output.
  let output: String?
  /// The command that makes the same bytes, without the output file: for the header.
  private(set) var command = "tracker-sim synth"

  init(_ arguments: Arguments) throws(UsageError) {
    output = arguments.text(.out).flatMap { $0 == "-" ? nil : $0 }
    for (name, value) in arguments.given where name != Option.out.name {
      command += " \(name) \(ShellWords.quoted(value))"
    }
    options.name = try arguments.value(.title, Self.line) ?? options.name
    options.comment = try arguments.value(.comment, Self.line)
    options.seed = try arguments.value(.walk) { UInt64($0) } ?? options.seed
    options.courseFile = arguments.text(.walked).flatMap { $0 == "olot" ? nil : $0 }
    options.fromKilometres = arguments.decimal(.fromKilometres) ?? 0
    options.toKilometres = arguments.decimal(.toKilometres)
    options.start = try arguments.value(.start, DateText.date) ?? options.start
    options.duration = try arguments.value(.duration) { Self.length($0, 1000...1_209_600_000) }
    options.paceKilometresPerHour =
      arguments.decimal(.pace) ?? options.paceKilometresPerHour
    options.checkpointRestMinutes =
      try arguments.value(.checkpointRest, Self.minutes) ?? options.checkpointRestMinutes
    if let night = try arguments.value(.night, Self.night) { options.night = night }
    options.sentences = try arguments.value(.sentences, Self.sentences) ?? options.sentences
    options.constellations =
      try arguments.value(.talker) { Constellations(rawValue: $0.lowercased()) }
      ?? options.constellations
    options.interval =
      try arguments.value(.reportInterval) { text in
        Self.length(text, 50...3_600_000).flatMap { $0.count % 10 == 0 ? $0 : nil }
      } ?? options.interval
    options.noiseMetres = arguments.decimal(.noise) ?? options.noiseMetres
    options.coldStart =
      try arguments.value(.coldStart) { Self.length($0, 0...86_400_000) } ?? options.coldStart
    options.rests = try arguments.values(.rest, TimeText.span)
    options.dropouts = try arguments.values(.dropout, TimeText.span)
    options.tunnels = try arguments.values(.tunnel, TimeText.span)
    options.canyons = try arguments.values(.canyon, TimeText.span)
    options.garbage = try arguments.values(.garbage, TimeText.span)
    options.garbagePercent =
      arguments.decimal(.garbagePercent).map { Int($0) } ?? options.garbagePercent
    options.weekRollover = try arguments.value(.rollover) { Self.length($0, 0...3_600_000_000) }
    if let end = options.toKilometres, end <= options.fromKilometres {
      throw UsageError(SimPhrase.notAfter.texts)
    }
  }

  /// - Returns: the exit code.
  func run() throws -> Int32 {
    var course = Course.olotToTheSea
    if let path = options.courseFile {
      course = try Course(
        file: try InputFile.bytes(of: path, atMost: SimulatorBounds.courseBytes), path: path)
    }
    var trace = try Synthesizer(options: options, course: course, command: command)
    let file = try OutputFile(path: output)
    while let chunk = trace.nextChunk() { try file.write(chunk) }
    try file.finish()
    return 0
  }

  // MARK: Values

  /// Text for one line of the header.
  private static func line(_ text: String) -> String? {
    let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 }
    return text.utf8.count <= 200 && isPlain ? text : nil
  }

  private static func length(_ text: String, _ range: ClosedRange<Int64>) -> Milliseconds? {
    TimeText.length(text).flatMap { range.contains($0.count) ? $0 : nil }
  }

  private static func minutes(_ text: String) -> ClosedRange<Int>? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard (1...2).contains(parts.count), let low = parts[0], let high = parts[parts.count - 1],
      0 <= low, low <= high, high <= 600
    else { return nil }
    return low...high
  }

  /// - Returns: the night inside, which may be none.
  private static func night(_ text: String) -> SynthOptions.Night?? {
    if text == "none" { return .some(nil) }
    guard let span = text.firstIndex(of: "-"),
      let from = TimeText.length(text[..<span]), from < .hours(24),
      let to = TimeText.length(text[text.index(after: span)...]), to < .hours(24)
    else { return nil }
    return SynthOptions.Night(
      fromMinute: Int(from.count / 60_000), toMinute: Int(to.count / 60_000))
  }

  private static func sentences(_ text: String) -> [SynthSentence]? {
    let parts = text.lowercased().split(separator: ",", omittingEmptySubsequences: false)
    let kinds = parts.compactMap { SynthSentence(rawValue: String($0)) }
    let isEachOnce = kinds.indices.allSatisfy { !kinds[..<$0].contains(kinds[$0]) }
    return kinds.count == parts.count && isEachOnce ? kinds : nil
  }
}

extension Option {
  fileprivate static let fromKilometres = Option(
    "--from-km", .decimal(0...10_000, "KM"), usual: "0"
  ).says(
    ca: "camina des d'aquí", es: "camina desde aquí", en: "walk from here", fr: "marche d'ici")
  fileprivate static let toKilometres = Option("--to-km", .decimal(0...10_000, "KM")).says(
    ca: "fins aquí [el final]", es: "hasta aquí [el final]", en: "to here [the end]",
    fr: "jusqu'ici [la fin]")
  fileprivate static let pace = Option("--pace", .decimal(1...15, "KMH"), usual: "5.4").says(
    ca: "descansat, de dia, en pla; 15 % menys de nit, fins a 20 % menys amb els quilòmetres, 8 % "
      + "menys per cada 1 % de pujada",
    es: "descansado, de día, en llano; 15 % menos de noche, hasta 20 % menos con los kilómetros, 8 "
      + "% menos por cada 1 % de subida",
    en: "fresh, by day, on the flat; 15 % less at night, up to 20 % less with the kilometres, 8 % "
      + "less per 1 % uphill",
    fr: "frais, de jour, à plat ; 15 % de moins la nuit, jusqu'à 20 % avec les kilomètres, 8 % par "
      + "1 % de montée")
  fileprivate static let noise = Option("--noise", .decimal(0...1000, "METRES"), usual: "2.5").says(
    ca: "error d'una posició, una desviació típica en cada eix amb HDOP 1; deriva en minuts",
    es: "error de una posición, una desviación típica en cada eje con HDOP 1; deriva en minutos",
    en: "error of a position, one standard deviation on each axis at HDOP 1; it drifts over "
      + "minutes",
    fr: "erreur d'une position, un écart type sur chaque axe à HDOP 1 ; dérive en minutes")
  fileprivate static let garbagePercent = Option(
    "--garbage-percent", .decimal(1...100, "P"), usual: "20"
  ).says(
    ca: "sentències malmeses mentrestant", es: "sentencias dañadas mientras tanto",
    en: "sentences damaged meanwhile", fr: "phrases abîmées pendant ce temps")

  private static func span(_ name: String) -> Option {
    Option(name, .like("2:00:00-2:04:00, 3:00:00+40min", "SPAN"), isRepeatable: true)
  }

  private static func time(_ name: String, _ range: String, usual: String? = nil) -> Option {
    Option(
      name, .like("40min, 1h30min, 2:30:00 (\(range))", ValueName.time.texts), usual: usual)
  }

  fileprivate static let out = Option("--out", .file, usual: "-").says(
    ca: "on s'escriu; - és la sortida estàndard", es: "dónde se escribe; - es la salida estándar",
    en: "where to write; - is standard output", fr: "où écrire ; - est la sortie standard")
  fileprivate static let title = Option(
    "--name", .like("synth (1-200 bytes)", "TEXT"), usual: "synth"
  ).says(
    ca: "títol per a la capçalera", es: "título para la cabecera", en: "title for the header",
    fr: "titre pour l'en-tête")
  fileprivate static let comment = Option("--comment", .like("synth (1-200 bytes)", "TEXT")).says(
    ca: "observació per a la capçalera", es: "observación para la cabecera",
    en: "remark for the header", fr: "remarque pour l'en-tête")
  fileprivate static let walk = Option("--seed", .like("7 (0 - 2^64-1)", "N"), usual: "1").says(
    ca: "una altra llavor és una altra caminada", es: "otra semilla es otra caminata",
    en: "another seed is another walk", fr: "une autre graine est une autre marche")
  fileprivate static let walked = Option("--course", .file, usual: "olot").says(
    ca: "GeoJSON amb una LineString; els Points són controls, si no n'hi ha un cada 12 km; olot: "
      + "Olot - Sant Feliu de Guíxols, 100 km, inventat",
    es: "GeoJSON con una LineString; los Points son controles, si no hay uno cada 12 km; olot: "
      + "Olot - Sant Feliu de Guíxols, 100 km, inventado",
    en: "GeoJSON with a LineString; its Points are checkpoints, else there is one every 12 km; "
      + "olot: Olot - Sant Feliu de Guíxols, 100 km, synthetic",
    fr: "GeoJSON avec une LineString ; ses Points sont des contrôles, sinon un tous les 12 km ; "
      + "olot : Olot - Sant Feliu de Guíxols, 100 km, inventé")
  static let start = Option(
    "--start", .like("2026-04-18T08:00:00Z", "DATE"), usual: "2026-04-18T08:00:00Z"
  ).says(
    ca: "quan comença", es: "cuándo empieza", en: "when it begins", fr: "quand elle commence")
  fileprivate static let duration = time("--duration", "1s-336h").says(
    ca: "durada; després d'arribar l'equip s'està quiet [10 min després d'arribar]",
    es: "duración; tras llegar el equipo está quieto [10 min tras llegar]",
    en: "length of the trace; after the arrival the team stands [10 min after the arrival]",
    fr: "durée ; après l'arrivée l'équipe ne bouge plus [10 min après l'arrivée]")
  fileprivate static let checkpointRest = Option(
    "--checkpoint-rest", .like("10-40, 0 (0-600)", "M-M"), usual: "10-40"
  ).says(
    ca: "minuts de descans a cada control, a l'atzar; 0 és cap",
    es: "minutos de descanso en cada control, al azar; 0 es ninguno",
    en: "minutes of rest at each checkpoint, drawn from this range; 0 is none",
    fr: "minutes de repos à chaque contrôle, au hasard ; 0 est aucun")
  fileprivate static let night = Option(
    "--night", .like("19:00-05:00, none", "HH:MM-HH:MM"), usual: "19:00-05:00"
  ).says(
    ca: "en UTC, o none", es: "en UTC, o none", en: "in UTC, or none", fr: "en UTC, ou none")
  private static let allSentences = SynthSentence.allCases.map(\.rawValue).joined(separator: ",")
  fileprivate static let sentences = Option(
    "--sentences", .like("rmc,gga (\(allSentences))", "LIST"), usual: "rmc,gga"
  ).says(
    ca: "de \(allSentences), en aquest ordre", es: "de \(allSentences), en este orden",
    en: "of \(allSentences), in this order", fr: "de \(allSentences), dans cet ordre")
  fileprivate static let talker = Option("--talker", .like("gp, gn", "gp|gn"), usual: "gp").says(
    ca: "GPS, o GPS i GLONASS", es: "GPS, o GPS y GLONASS", en: "GPS, or GPS and GLONASS",
    fr: "GPS, ou GPS et GLONASS")
  fileprivate static let reportInterval = Option(
    "--every", .like("1s, 200ms (50ms-1h, n*10ms)", ValueName.time.texts), usual: "1s"
  ).says(
    ca: "entre informes", es: "entre informes", en: "between reports", fr: "entre rapports")
  fileprivate static let coldStart = time("--cold-start", "0-24h", usual: "0").says(
    ca: "un terç sense hora, després sense posició", es: "un tercio sin hora, luego sin posición",
    en: "first third without time, then without fix",
    fr: "un tiers sans heure, ensuite sans position")
  fileprivate static let rollover = time("--rollover", "0-1000h").says(
    ca: "des de llavors les dates van 1024 setmanes enrere",
    es: "desde entonces las fechas van 1024 semanas atrás",
    en: "from this moment on dates are 1024 weeks early",
    fr: "dès lors les dates sont 1024 semaines en arrière")
  fileprivate static let rest = span("--rest").says(
    ca: "l'equip s'atura", es: "el equipo se para", en: "the team stands", fr: "l'équipe s'arrête")
  fileprivate static let tunnel = span("--tunnel").says(
    ca: "sentències sense posició", es: "sentencias sin posición", en: "sentences without a fix",
    fr: "phrases sans position")
  fileprivate static let dropout = span("--dropout").says(
    ca: "cap byte", es: "ningún byte", en: "no bytes", fr: "aucun octet")
  fileprivate static let canyon = span("--canyon").says(
    ca: "entre parets altes: pocs satèl·lits, errors grans, salts",
    es: "entre paredes altas: pocos satélites, errores grandes, saltos",
    en: "between high walls: few satellites, big errors, jumps",
    fr: "entre de hauts murs : peu de satellites, grandes erreurs, sauts")
  fileprivate static let garbage = span("--garbage").says(
    ca: "danys a la línia", es: "daños en la línea", en: "damage on the line",
    fr: "dégâts sur la ligne")
}

extension Program {
  static let synth = CommandTable(
    "synth",
    ca: "escriu una traça NMEA 0183 d'una caminada que ningú no ha fet; les mateixes opcions donen "
      + "els mateixos bytes a tot arreu",
    es: "escribe una traza NMEA 0183 de una caminata que nadie ha hecho; las mismas opciones dan "
      + "los mismos bytes en todas partes",
    en: "write an NMEA 0183 trace of a walk that nobody walked; the same options give the same "
      + "bytes everywhere",
    fr: "écrit une trace NMEA 0183 d'une marche que personne n'a faite ; les mêmes options donnent "
      + "les mêmes octets partout",
    options: [
      .out, .title, .comment, .walk, .walked, .fromKilometres,
      .toKilometres, .start, .duration, .pace,
      .checkpointRest, .night, .sentences, .talker, .reportInterval, .noise,
      .coldStart, .rollover, .rest, .tunnel, .dropout, .canyon, .garbage,
      .garbagePercent,
    ],
    notes: [
      .paragraph(
        ca: "TEMPS és 40min, 1h30min, 5s, 200ms, 2:30 (hores:minuts) o 2:30:00. SPAN és DES-FINS o "
          + "DES+DURADA des de l'inici; es pot repetir.",
        es: "TIEMPO es 40min, 1h30min, 5s, 200ms, 2:30 (horas:minutos) o 2:30:00. SPAN es "
          + "DESDE-HASTA o DESDE+DURACIÓN desde el inicio; se puede repetir.",
        en: "TIME is 40min, 1h30min, 5s, 200ms, 2:30 (hours:minutes) or 2:30:00. SPAN is FROM-TO "
          + "or FROM+LENGTH, counted from the beginning; it may be given several times.",
        fr: "TEMPS est 40min, 1h30min, 5s, 200ms, 2:30 (heures:minutes) ou 2:30:00. SPAN est DE-À "
          + "ou DE+DURÉE, depuis le début ; il peut être répété."),
      .lines([
        ("tracker-sim synth --out my.nmea --seed 7 --every 5s --tunnel 2:00:00-2:04:00 --rest "
          + "3:00:00+40min").texts
      ]),
    ])
}
