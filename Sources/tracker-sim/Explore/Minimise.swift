import BoardSupport
import CommandLineSupport
import Reports
import Simulation
import SystemCalls
import Traces
import TrackerCore
import Wording

/// `tracker-sim explore minimise RECORDING…`: a recording from the field becomes a small trace and
/// a scenario that still break an invariant, or an expectation.
struct Minimise {
  static let word = "minimise"
  private static let usualFolder = "findings"

  private let board: BoardDescription
  private let expectations: [Expectation]

  /// - Returns: the exit code: 1 if something does not hold.
  static func run(_ arguments: Arguments) throws -> Int32 {
    guard arguments.operands.first == word, arguments.operands.count > 1 else {
      throw UsageError(
        "write: tracker-sim explore \(word) RECORDING, or: tracker-sim explore --controller FINDING"
      )
    }
    let name = arguments.text(.board) ?? SimulateOptions.usualBoard
    let minimise = Minimise(
      board: try BoardDescription.load(named: name),
      expectations: try arguments.texts(.expect).map { try Expectation($0) })
    try Verdict.check(minimise.expectations, hasCourse: false)
    var race = ExploredCase(seed: UInt64(arguments.number(.seed) ?? 1))
    race.board = name
    if let path = arguments.text(.config) {
      _ = try ConfigurationFile.load(path: path)
      race.settings = try SettingsText.members(
        of: InputFile.regularBytes(of: path, atMost: SimulatorBounds.hintBytes))
    }
    var story = FieldStory()
    for paths in try RecordingFiles.recordings(in: Array(arguments.operands.dropFirst())) {
      try read(paths, into: &story)
    }
    story.end()
    (race.scenario, race.trace) = (story.scenario, story.trace)
    return try minimise.report(race, in: arguments.text(.keep) ?? usualFolder)
  }

  private static func read(_ paths: [String], into story: inout FieldStory) throws {
    var files = RecordingFiles(paths)
    do throws(RecordingError) {
      let beginning = try files.beginning()
      if let beginning { story.begin(at: beginning.instant) }
      while let recorded = try files.next() { story.take(recorded) }
    } catch {
      throw ReplayError(path: files.path, error: error)
    }
    if let trouble = files.trouble { throw trouble }
  }

  private func report(_ race: ExploredCase, in folder: String) throws -> Int32 {
    guard let first = try trouble(in: race) else {
      let again = try Finding(race: race, why: "all holds", options: options).write(in: folder)
      try printOut("all holds\n  \(again)\n")
      return 0
    }
    // What cannot be played, as without any report, breaks nothing.
    var minimiser = Minimiser(race) { (try? trouble(in: $0))??.name == first.name }
    minimiser.run()
    let small = minimiser.smallest
    let why = try trouble(in: small)?.text ?? first.text
    let again = try Finding(race: small, why: why, options: options).write(in: folder)
    try printOut("\(why)\n  \(again)\n")
    return 1
  }

  private var options: String {
    expectations.isEmpty
      ? " --invariants" : expectations.map { " --expect '\($0.source)'" }.joined()
  }

  /// What does not hold in a race; `nil`: nothing.
  private func trouble(in race: ExploredCase) throws -> (name: String, text: String)? {
    if expectations.isEmpty {
      let broken = try ExploredRace.judge(race, on: board).broken.first
      return broken.map { ($0.invariant.rawValue, "\($0)") }
    }
    var facts = RunFacts()
    facts.startPercent = Double(race.scenario.batteryStartPercent)
    try ExploredRace.play(race, on: board, by: RunRecord(events: nil)) { tracker, host in
      facts.traceEnd = host.base.traceEndsAt ?? host.base.now
      facts.wholeTraceEnd = facts.traceEnd
      facts.take(copy tracker, host.observer)
      facts.truth = try Truth(host.base)
    }
    let claims = try Verdict.claims(expectations, Summary.figures(facts))
    return claims.first { !$0.holds }.map { ($0.source, "\($0.source): \($0.found)") }
  }
}
