import CommandLineSupport
import Reports
import TrackerCore

/// The command line of the default command.
struct SimulateOptions {
  static let usualBoard = "pi-zero-2w-sim7600"

  let trace: String
  let board: String
  let config: String?
  let scenario: String?
  let course: String?
  let seed: UInt64
  let json: Bool
  /// Whether `--json` has what `--report` draws over time.
  let series: Bool
  let timing: Bool
  let console: Bool
  let events: String?
  let store: String?
  let record: String?
  let report: String?
  let tiles: String?
  let expectations: [Expectation]
  let language: Language?

  /// - Throws: a `UsageError` of one line for the first argument that is wrong.
  init(_ arguments: Arguments) throws {
    trace = arguments.text(.trace) ?? ""
    board = arguments.text(.board) ?? Self.usualBoard
    config = arguments.text(.config)
    scenario = arguments.text(.scenario)
    course = arguments.text(.course)
    seed = UInt64(arguments.number(.seed) ?? 1)
    json = arguments.has(.json)
    series = arguments.has(.series)
    timing = arguments.has(.timing)
    console = arguments.has(.console)
    events = arguments.text(.events)
    store = arguments.text(.store)
    record = arguments.text(.record)
    report = arguments.text(.report)
    tiles = arguments.text(.tiles)
    language = arguments.language
    expectations = try arguments.texts(.expect).map { text throws in
      do { return try Expectation(text) } catch { throw UsageError("\(error)") }
    }
    for option in [Option.record, .report] where arguments.text(option) == "-" {
      throw UsageError(SimPhrase.notStandardOutput.texts(option.name))
    }
    let outputs = [store, events, record, report].compactMap { $0 }
    if let name = outputs.first(where: { name in outputs.count { $0 == name } > 1 }) {
      throw UsageError(SimPhrase.sameOutput.texts(name))
    }
    // A console answers instead of a summary, and may leave before the end.
    if console && trace == "-" { throw UsageError(SimPhrase.bothInput.texts) }
    for option in [Option.console, .json] where events == "-" && arguments.has(option) {
      throw UsageError(SimPhrase.bothOutput.texts(option.name))
    }
  }
}
