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

  /// - Parameter parts: what was played already: all races.
  /// - Returns: the exit code: 1 also if an emergency that could be heard in time was not.
  static func run(
    _ options: RehearseOptions, _ arguments: Arguments, merging parts: Parts? = nil
  ) throws -> Int32 {
    let rehearsal = RehearsedEmergencies(options: options)
    let blank = EmergencyFigures([]).figure(seed: options.seed)
    for expectation in options.expectations { _ = try expectation.check(blank) }
    if let part = options.part {
      let outcomes = try rehearsal.outcomes(of: part.races(of: options.races))
      return try say(try PartFile.text(part, PartOrigin(arguments), outcomes))
    }
    let outcomes = try rehearsal.outcomes(
      of: 0..<options.races,
      played: try parts?.races(EmergencyOutcome.self, count: options.races))
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

  /// Plays races, the flaws of each on a line of their file; a part has no file.
  ///
  /// - Parameters:
  ///   - numbers: from 0 on.
  ///   - played: the outcomes, if they are known.
  private func outcomes(
    of numbers: Range<Int>, played: [EmergencyOutcome]? = nil
  ) throws -> [EmergencyOutcome] {
    let board = try BoardDescription.load(named: options.board)
    let terms = try EmergencyTerms(
      course: .olotToTheSea, board: board, threads: options.threads)
    let path = options.part == nil ? options.flaws : nil
    let flaws = try path.map { path throws in try OutputFile(path: path) }
    try flaws?.write(Array(EmergencyFlaws.header.utf8))
    let (seed, isOne) = (options.seed, options.races == 1)
    let bar = ProgressBar()
    var outcomes: [EmergencyOutcome] = []
    outcomes.reserveCapacity(numbers.count)
    while outcomes.count < numbers.count {
      let next = numbers.lowerBound + outcomes.count
      let step = min(Self.step, numbers.upperBound - next)
      let more =
        try played.map { Array($0[next..<next + step]) }
        ?? Workers.run(step, threads: options.threads) { number in
          try EmergencyRace.run(terms, seed: seed + UInt64(next + number), keepsStory: isOne)
        }
      outcomes += more
      let lines = more.map { EmergencyFlaws($0, board: options.board).lines }.joined()
      try flaws?.write(Array(lines.utf8))
      bar.show(Double(outcomes.count) / Double(numbers.count))
    }
    bar.clear()
    try flaws?.finish()
    return outcomes
  }
}
