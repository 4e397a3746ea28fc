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

/// What was wrong in races with an emergency, and which promises could not be kept: a line of CSV
/// each, with the command that plays the race again.
struct EmergencyFlaws {
  static let header = "seed,flaw,troubles,server_s,text_s,read_s,in_the_way,again\n"
  /// From the modem's registration, or the return of the network, to *read*, with nothing in the
  /// way: anything longer is a flaw.
  static let slow = Milliseconds.minutes(2)

  private(set) var lines = ""

  /// - Parameter board: as on the command line.
  init(_ outcome: EmergencyOutcome, board: String) {
    for flaw in Self.flaws(of: outcome) {
      let troubles = EmergencyTrouble.allCases.filter { outcome.troubles.contains($0) }
      let columns = [
        "\(outcome.seed)", flaw, troubles.map(\.rawValue).joined(separator: " "),
        Self.seconds(outcome.server), Self.seconds(outcome.text), Self.seconds(outcome.read),
        outcome.barriers.map(Self.text).joined(separator: " "),
        Self.command(seed: outcome.seed, board: board),
      ]
      lines += columns.joined(separator: ",") + "\n"
    }
  }

  static func command(seed: UInt64, board: String) -> String {
    let usual = board == SimulateOptions.usualBoard ? "" : " --board \(board)"
    return "tracker-sim rehearse --emergencies --races 1 --seed \(seed)\(usual)"
  }

  static func flaws(of outcome: EmergencyOutcome) -> [String] {
    var flaws: [String] = []
    switch outcome.verdict {
    case .unheard: flaws.append("unheard")
    case .couldNot: flaws.append("could_not")
    case .data, .text: break
    }
    if outcome.isLate { flaws.append("late") }
    if outcome.isStuck { flaws.append("stuck") }
    if outcome.isForgotten { flaws.append("forgotten") }
    if outcome.isToldTooEarly { flaws.append("told_too_early") }
    if outcome.isReadUnknown { flaws.append("read_unknown") }
    let times = [outcome.readAfterRegistration, outcome.readAfterCoverage].compactMap(\.self)
    if times.contains(where: { $0 > slow }) { flaws.append("slow") }
    return flaws
  }

  private static func seconds(_ time: Milliseconds?) -> String {
    time.map { "\($0.count / 1000)" } ?? ""
  }

  /// `noNetwork 0:03:12-0:47:00`, counted from when the tracker was switched on.
  static func text(_ barrier: EmergencyOutcome.Barrier) -> String {
    let to = barrier.to < .distantFuture ? clock(barrier.to) : "end"
    return "\(barrier.kind.rawValue) \(clock(barrier.from))-\(to)"
  }

  private static func clock(_ instant: Instant) -> String {
    TextReport.clock(instant.milliseconds)
  }
}
