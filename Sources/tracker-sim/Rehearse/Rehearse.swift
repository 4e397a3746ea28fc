import BoardSupport
import CommandLineSupport
import ControlRoom
import Courses
import Reports
import Simulation
import TrackerCore
import Wording

/// The command line of `tracker-sim rehearse`.
struct RehearseOptions: Sendable {
  var board = SimulateOptions.usualBoard
  /// `nil`: the built-in one.
  var course: String?
  /// Of a timetable, the control room's; `nil`: it has none.
  var timetable: String?
  var scenario: String?
  /// Of a file with the coverage that an earlier race has found; it is the control room's only.
  var coverage: String?
  /// For that of the last race.
  var coverageOutput: String?
  /// For what the control room got wrong.
  var flaws: String?
  /// Whose hole in the coverage all races have; `nil`: each its own.
  var valley: UInt64?
  var teams = 40
  var races = 1
  /// Of the first race.
  var seed: UInt64 = 1
  var start: UTC?
  var threads: Int?
  /// The only races that are played; `nil`: all.
  var part: Part?
  /// Whether it is about emergencies of one team each.
  var isEmergencies = false
  var isJSON = false
  var language: Language?
  var expectations: [Expectation] = []
  /// The server that the race is sent to; `nil`: it is played into a control room here.
  var live: LiveOptions?

  init() {}

  /// - Throws: a `UsageError` of one line for the first argument that is wrong.
  init(_ arguments: Arguments) throws {
    board = arguments.text(.board) ?? board
    course = arguments.text(.course)
    timetable = arguments.text(.timetable)
    scenario = arguments.text(.scenario)
    coverage = arguments.text(.coverage)
    coverageOutput = arguments.text(.coverageOutput)
    flaws = arguments.text(.flaws)
    valley = arguments.number(.valley).map { UInt64($0) }
    teams = arguments.number(.teams).map { Int($0) } ?? teams
    isEmergencies = arguments.has(.emergencies)
    if isEmergencies { races = RehearsedEmergencies.usualRaces }
    races = arguments.number(.rehearsals).map { Int($0) } ?? races
    seed = arguments.number(.firstSeed).map { UInt64($0) } ?? seed
    start = try arguments.value(.start, DateText.date)
    if arguments.has(.server) {
      let live = try LiveOptions(arguments)
      // Night falls when it does here.
      if start == nil { start = .now + Milliseconds(-live.into.count) }
      self.live = live
    }
    threads = arguments.number(.threads).map { Int($0) }
    part = try arguments.part()
    isJSON = arguments.has(.json)
    language = arguments.language
    expectations = try arguments.texts(.expect).map { text throws in
      do { return try Expectation(text) } catch { throw UsageError("\(error)") }
    }
  }
}

/// `tracker-sim rehearse`: races of many teams into the organisers' control room, and how what it
/// says compares with what is true.
final class Rehearse {
  let options: RehearseOptions
  private let terms: RehearsalTerms
  private let plan: RacePlan
  /// That a file is not used.
  let warning: String?

  /// - Throws: for a file that cannot be used, or an expectation that can never be judged.
  init(_ options: RehearseOptions) throws {
    self.options = options
    let blank = RehearsalFigures([]).figure(options)
    for expectation in options.expectations { _ = try expectation.check(blank) }
    let (course, map) = try Self.course(options.course)
    var terms = RehearsalTerms(
      course: course, map: map, board: try BoardDescription.load(named: options.board))
    terms.teams = options.teams
    terms.valleySeed = options.valley
    if let start = options.start { terms.start = start }
    if let path = options.scenario { terms.scenario = try Scenario.load(path: path) }
    terms.closePlaces()
    self.terms = terms
    var plan = RacePlan(course: terms.map)
    plan.timetable = try options.timetable.map { path throws in
      try PassagesCommand.plan(at: path, map)
    }
    if let path = options.coverage {
      let bytes = try InputFile.regularBytes(of: path, atMost: SimulatorBounds.coverageBytes)
      warning = plan.use(coverage: String(decoding: bytes, as: UTF8.self)).map { "\(path): \($0)" }
    } else {
      warning = nil
    }
    self.plan = plan
  }

  private static func course(_ path: String?) throws -> (Course, MappedCourse) {
    guard let path else {
      let course = Course.olotToTheSea
      let file = course.geoJSON(names: ("Olot - la mar", "Olot", "Sant Feliu de Guíxols"))
      return (course, try MappedCourse(Array(file.utf8)))
    }
    let bytes = try InputFile.regularBytes(of: path, atMost: SimulatorBounds.courseBytes)
    return (try Course(file: bytes, path: path), try WalkFile.course(in: path))
  }

  /// Plays the first race.
  func race() throws -> RehearsedRace {
    try RehearsedRace.run(terms, seed: options.seed, threads: options.threads)
  }

  /// What one race came to, as far as it is printed or written.
  struct PlayedRace: Codable {
    let score: RaceScore
    let course: CourseScore
    /// Lines for the file of flaws, if one is wanted.
    let flaws: String?
    /// Of the last race, if it is wanted.
    let coverage: String?
  }

  /// Plays one race on all processors.
  ///
  /// - Parameter number: from 0 on.
  private func played(_ number: Int) throws -> PlayedRace {
    let seed = options.seed + UInt64(number)
    let race = try RehearsedRace.run(terms, seed: seed, threads: options.threads)
    let log = RoomLog(of: race, plan)
    let score = RaceScore(race, log)
    let isLast = number == options.races - 1
    return PlayedRace(
      score: score, course: CourseScore(race, log, plan),
      flaws: options.flaws == nil ? nil : RaceFlaws(seed, race, log, score).lines,
      coverage: isLast && options.coverageOutput != nil ? log.coverage : nil)
  }

  /// Writes the files that are wanted.
  ///
  /// - Parameter result: of a race by its number, called in order.
  private func figures(_ result: (Int) throws -> PlayedRace) throws -> RehearsalFigures {
    var scores: [RaceScore] = []
    var courses: [CourseScore] = []
    let flaws = try options.flaws.map { path throws in try OutputFile(path: path) }
    try flaws?.write(Array(RaceFlaws.header.utf8))
    for number in 0..<options.races {
      let result = try result(number)
      scores.append(result.score)
      courses.append(result.course)
      try flaws?.write(Array((result.flaws ?? "").utf8))
      if let path = options.coverageOutput, let text = result.coverage {
        let file = try OutputFile(path: path)
        try file.write(Array((text + "\n").utf8))
        try file.finish()
      }
    }
    try flaws?.finish()
    return RehearsalFigures(scores, courses)
  }

  /// - Parameter parts: what was played already: all races.
  /// - Returns: the exit code.
  static func run(_ arguments: Arguments, merging parts: Parts? = nil) throws -> Int32 {
    let options = try RehearseOptions(arguments)
    if options.isEmergencies {
      return try RehearsedEmergencies.run(options, arguments, merging: parts)
    }
    let rehearsal = try Rehearse(options)
    if let warning = rehearsal.warning { complain(warning) }
    if let live = options.live {
      return try LiveRace.run(try rehearsal.race(), on: rehearsal.terms.map, live, options)
    }
    let numbers = options.part?.races(of: options.races) ?? 0..<options.races
    let bar = ProgressBar()
    func play(_ number: Int) throws -> PlayedRace {
      bar.show(Double(number - numbers.lowerBound) / Double(numbers.count))
      let result = try rehearsal.played(number)
      if number == numbers.upperBound - 1 { bar.clear() }
      return result
    }
    if let part = options.part {
      return try say(try PartFile.text(part, PartOrigin(arguments), try numbers.map(play)))
    }
    let played = try parts?.races(PlayedRace.self, count: options.races)
    let figures = try rehearsal.figures { number in try played?[number] ?? play(number) }
    let figure = figures.figure(options)
    let text = RehearsalText(
      figures: figures, options: options, language: .chosen(options.language))
    try printOut(options.isJSON ? figure.json : text.text)
    return Verdict.of(try Verdict.claims(options.expectations, figure))
  }
}

extension Option {
  fileprivate static let teams = Option("--teams", .number(1...200), usual: "40").says(
    ca: "equips de cada marxa", es: "equipos de cada marcha", en: "teams of each race",
    fr: "équipes de chaque marche")
  fileprivate static let rehearsals = Option("--races", .number(1...100_000), usual: "1").says(
    ca: "marxes, amb una llavor cadascuna", es: "marchas, cada una con su semilla",
    en: "races, each with a seed of its own", fr: "marches, chacune avec sa graine")
}

extension Option {
  fileprivate static let emergencies = Option(
    "--emergencies",
    excludes: [
      "--teams", "--course", "--plan", "--coverage", "--coverage-out", "--valley", "--scenario",
      "--start", "--server",
    ]
  ).says(
    ca: "marxes d'un equip amb una emergència cada una [10000]: si un humà la sent, i quan; amb "
      + "--races 1, què hi passa",
    es: "marchas de un equipo con una emergencia cada una [10000]: si un humano la oye, y cuándo; "
      + "con --races 1, qué pasa en ella",
    en: "races of one team with one emergency each [10000]: whether a human hears of it, and when; "
      + "with --races 1, what happens in it",
    fr: "des marches d'une équipe avec une urgence chacune [10000] : si un humain l'entend, et "
      + "quand ; avec --races 1, ce qui s'y passe")
  fileprivate static let coverageOutput = Option("--coverage-out", .file).says(
    ca: "escriu la cobertura que l'última marxa ha trobat",
    es: "escribe la cobertura que la última marcha ha hallado",
    en: "write the coverage that the last race has found",
    fr: "écrire la couverture que la dernière marche a trouvée")
  fileprivate static let flaws = Option("--flaws", .file).says(
    ca: "escriu en què s'ha equivocat la sala, una línia de CSV cada cosa",
    es: "escribe en qué se ha equivocado la sala, una línea de CSV cada cosa",
    en: "write what the room got wrong, one line of CSV each",
    fr: "écrire en quoi la salle s'est trompée, une ligne de CSV par erreur")
  fileprivate static let valley = Option("--valley", .number(0...(.max - 100_000))).says(
    ca: "totes les marxes tenen la vall d'aquesta llavor",
    es: "todas las marchas tienen el valle de esta semilla",
    en: "all races have the valley of this seed",
    fr: "toutes les marches ont la vallée de cette graine")
}

extension Program {
  static let rehearse = CommandTable(
    "rehearse",
    ca: "marxes inventades de molts equips, amb tot el que hi falla, per a la sala de control; "
      + "compara el que ella diu amb el que passa de debò",
    es: "marchas inventadas de muchos equipos, con todo lo que falla, para la sala de control; "
      + "compara lo que ella dice con lo que pasa de verdad",
    en: "made-up races of many teams, with all that goes wrong in them, into the control room; "
      + "compare what it says with what really happens",
    fr: "des marches inventées de nombreuses équipes, avec tout ce qui y échoue, dans la salle de "
      + "contrôle ; compare ce qu'elle dit à ce qui se passe vraiment",
    options: [
      .emergencies, .teams, .rehearsals, .firstSeed, .course, .timetable, .coverage,
      .coverageOutput, .flaws,
      .valley, .scenario, .start, .server.with(excludes: LiveOptions.others), .serverUser,
      .serverPasswordFile, .speed, .into, .files,
      .board.with(usual: SimulateOptions.usualBoard), .json, .expect, .language, .threads,
      .part,
    ],
    notes: [
      .lines([
        ("tracker-sim rehearse --races 20 --seed 1000 --expect 'false_alarms.mean <= 1'").texts,
        "tracker-sim rehearse --emergencies --flaws flaws.csv".texts,
        "tracker-sim rehearse --server http://127.0.0.1:8080 --into 8".texts,
      ]),
      .exitCodes(
        ca: "1 una expectativa no es compleix, o ningú no sent una emergència que es podia sentir",
        es: "1 una expectativa no se cumple, o nadie oye una emergencia que se podía oír",
        en: "1 an expectation failed, or an emergency that could be heard was not",
        fr: "1 une attente n'est pas tenue, ou une urgence qui pouvait être entendue ne l'est pas"),
    ])
}
