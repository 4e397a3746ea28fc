import CommandLineSupport
import Reports
import TrackerCore

/// The command line of the default command.
struct SimulateOptions {
  var trace = ""
  static let usualBoard = "pi-zero-2w-sim7600"

  var board = Self.usualBoard
  var config: String?
  var scenario: String?
  var course: String?
  var seed: UInt64 = 1
  var json = false
  /// Whether `--json` has what `--report` draws over time.
  var series = false
  var timing = false
  var console = false
  var events: String?
  var store: String?
  var record: String?
  var report: String?
  var tiles: String?
  var expectations: [Expectation] = []
  var language: Language?
  var wantsHelp = false
  var wantsVersion = false

  /// Reads the command line's arguments, `--name value` or `--name=value`.
  ///
  /// - Throws: a `UsageError` of one line for the first argument that is wrong.
  init(_ words: [String]) throws {
    var reader = ArgumentReader(words)
    var given: [String] = []
    while let word = reader.next() {
      if word != "--expect" && given.contains(word) {
        throw UsageError("\(word) is given twice; give it once")
      }
      given.append(word)
      switch word {
      case "--help", "-h":
        try reader.refuseValue()
        wantsHelp = true
      case "--version":
        try reader.refuseValue()
        wantsVersion = true
      case "--json":
        try reader.refuseValue()
        json = true
      case "--series":
        try reader.refuseValue()
        series = true
      case "--timing":
        try reader.refuseValue()
        timing = true
      case "--console":
        try reader.refuseValue()
        console = true
      case "--trace": trace = try reader.value("a file, or - for standard input")
      case "--board": board = try reader.value("a folder in boards/, or a path")
      case "--config": config = try reader.value("a JSON5 file")
      case "--scenario": scenario = try reader.value("a JSON5 file")
      case "--course": course = try reader.value("a GeoJSON or GPX file")
      case "--language": language = try reader.language()
      case "--events": events = try reader.value("a file, or - for standard output")
      case "--store": store = try reader.value("a file that does not exist yet")
      case "--record": record = try reader.value("a file that does not exist yet")
      case "--report": report = try reader.value("a file")
      case "--tiles": tiles = try reader.value("an MBTiles file")
      case "--seed":
        let text = try reader.value("a whole number")
        guard let seed = UInt64(text), seed <= UInt64(Int64.max) else {
          throw UsageError("--seed '\(text)': give a whole number from 0 to 2^63 - 1")
        }
        self.seed = seed
      case "--expect":
        let text = try reader.value("a claim such as 'captures.pending == 0'")
        do { expectations.append(try Expectation(text)) } catch { throw UsageError("\(error)") }
      default: throw Self.unknown(word)
      }
    }
    if wantsHelp || wantsVersion { return }
    guard !trace.isEmpty else {
      throw UsageError(
        "no trace to play; give one: tracker-sim --trace traces/race.nmea (or see --help)")
    }
    if record == "-" { throw UsageError("--record cannot write to standard output; give a file") }
    if report == "-" { throw UsageError("--report cannot write to standard output; give a file") }
    let outputs = [store, events, record, report].compactMap { $0 }
    if let name = outputs.first(where: { name in outputs.count { $0 == name } > 1 }) {
      throw UsageError("two outputs both name \(name); give each its own file")
    }
    if tiles != nil && report == nil {
      throw UsageError("--tiles goes below the map of a page; give --report, too")
    }
    if series && !json {
      throw UsageError("--series adds to the figures of --json; give --json, too")
    }
    if console { try checkConsole() }
    if events == "-" && json {
      throw UsageError("--events - and --json both use standard output; give --events a file")
    }
  }

  /// A console answers instead of a summary, and may leave before the end.
  private func checkConsole() throws(UsageError) {
    if trace == "-" {
      throw UsageError("--console reads from standard input, as --trace - does; give a file")
    }
    if events == "-" {
      throw UsageError("--console and --events - both use standard output; give --events a file")
    }
    if report != nil { throw UsageError("--report shows a whole run; give it without --console") }
    if !expectations.isEmpty {
      throw UsageError("--expect judges a whole run; give it without --console")
    }
  }

  private static let names = [
    "--trace", "--board", "--config", "--scenario", "--course", "--seed", "--json", "--series",
    "--events",
    "--store",
    "--record", "--report", "--tiles", "--language", "--expect", "--timing", "--console", "--help",
    "--version",
  ]

  private static func unknown(_ word: String) -> UsageError {
    if !word.hasPrefix("-") {
      return UsageError(
        "'\(word)' is not a command; write plan, compare, stats, passages, replay, decode, synth, "
          + "board or bench, or --trace \(word) to play a trace")
    }
    let near = names.first { $0.hasPrefix(word) || word.hasPrefix($0) }
    return UsageError(
      "unknown option '\(word)'; "
        + (near.map { "did you mean \($0)?" } ?? "see tracker-sim --help"))
  }
}
