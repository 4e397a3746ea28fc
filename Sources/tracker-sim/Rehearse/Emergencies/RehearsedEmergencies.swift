import BoardSupport
import CommandLineSupport
import Reports
import Simulation
import TrackerCore
import Wording

/// `tracker-sim rehearse --emergencies`: races of one team with one emergency each, and whether a
/// human heard of it.
struct RehearsedEmergencies {
  static let usualRaces = 10_000
  /// Between two looks at the progress.
  private static let step = 200

  let options: RehearseOptions

  /// - Returns: the exit code: 1 also if an emergency that could be heard in time was not.
  static func run(_ options: RehearseOptions) throws -> Int32 {
    let rehearsal = RehearsedEmergencies(options: options)
    let blank = EmergencyFigures([]).figure(seed: options.seed)
    for expectation in options.expectations { _ = try expectation.check(blank) }
    let bar = ProgressBar()
    let outcomes = try rehearsal.outcomes { bar.show($0) }
    bar.clear()
    let figures = EmergencyFigures(outcomes)
    let figure = figures.figure(seed: options.seed)
    let text = EmergencyText(
      figures: figures, seed: options.seed, board: options.board,
      language: .chosen(options.language))
    try printOut(options.isJSON ? figure.json : text.text)
    let verdict = Verdict.of(try Verdict.claims(options.expectations, figure))
    return code(figures, verdict)
  }

  /// - Parameter verdict: the exit code by the expectations.
  static func code(_ figures: EmergencyFigures, _ verdict: Int32) -> Int32 {
    figures.all.outcomes.contains(where: \.isFailure) ? 1 : verdict
  }

  /// Plays all races, the flaws of each on a line of their file.
  private func outcomes(_ progress: (Double) -> Void) throws -> [EmergencyOutcome] {
    let board = try BoardDescription.load(named: options.board)
    let terms = try EmergencyTerms(
      course: .olotToTheSea, board: board, threads: options.threads)
    let flaws = try options.flaws.map { path throws in try OutputFile(path: path) }
    try flaws?.write(Array(EmergencyFlaws.header.utf8))
    let (first, count) = (options.seed, options.races)
    var outcomes: [EmergencyOutcome] = []
    outcomes.reserveCapacity(count)
    while outcomes.count < count {
      let done = outcomes.count
      let more = try Workers.run(min(Self.step, count - done), threads: options.threads) { number in
        try EmergencyRace.run(terms, seed: first + UInt64(done + number), keepsStory: count == 1)
      }
      outcomes += more
      let lines = more.map { EmergencyFlaws($0, board: options.board).lines }.joined()
      try flaws?.write(Array(lines.utf8))
      progress(Double(outcomes.count) / Double(count))
    }
    try flaws?.finish()
    return outcomes
  }
}
