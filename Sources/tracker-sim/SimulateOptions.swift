import CommandLineSupport
import Reports
import TrackerCore
import Wording

/// The command line of the default command.
struct SimulateOptions {
  static let usualBoard = "pi-zero-2w-sim7600"

  private let arguments: Arguments
  let expectations: [Expectation]

  var trace: String { arguments.text(.trace) ?? "" }
  var board: String { arguments.text(.board) ?? Self.usualBoard }
  var config: String? { arguments.text(.config) }
  var scenario: String? { arguments.text(.scenario) }
  var course: String? { arguments.text(.course) }
  var seed: UInt64 { UInt64(arguments.number(.seed) ?? 1) }
  var json: Bool { arguments.has(.json) }
  /// Whether `--json` has what `--report` draws over time.
  var series: Bool { arguments.has(.series) }
  var timing: Bool { arguments.has(.timing) }
  var console: Bool { arguments.has(.console) }
  var events: String? { arguments.text(.events) }
  var store: String? { arguments.text(.store) }
  var record: String? { arguments.text(.record) }
  var report: String? { arguments.text(.report) }
  var tiles: String? { arguments.text(.tiles) }
  var language: Language? { arguments.language }

  /// - Throws: a `UsageError` of one line for the first argument that is wrong.
  init(_ arguments: Arguments) throws {
    self.arguments = arguments
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
