import CommandLineSupport
import Reports
import TrackerCore
import Wording

/// `tracker-sim compare A B`: which figures of two runs differ.
enum Compare {
  static let usage = """
    tracker-sim compare says which figures of two runs differ.

    usage:
      tracker-sim compare A.json B.json [--report FILE] [--language CODE]

    A and B were written by tracker-sim --json.

      --report FILE     write a page of HTML, too, with both runs
      --language CODE   ca, es, en or fr  [of the environment]

    exit code: 0 compared, whether they differ or not; 2 wrong use or unreadable
    input.

    """

  struct Options {
    var paths: [String] = []
    var report: String?
    var language: Language?
    var wantsHelp = false

    init(_ words: [String]) throws {
      var reader = ArgumentReader(words)
      while let word = reader.next() {
        switch word {
        case "--help", "-h": wantsHelp = true
        case "--report": report = try reader.value("a file")
        case "--language": language = try reader.language()
        case _ where word.hasPrefix("-"):
          throw UsageError("unknown option '\(word)'; see tracker-sim compare --help")
        default: paths.append(word)
        }
      }
      if wantsHelp { return }
      guard paths.count == 2 else {
        throw UsageError("give two files that --json wrote: tracker-sim compare a.json b.json")
      }
      if report == "-" { throw UsageError("--report cannot write to standard output; give a file") }
      if let report, paths.contains(where: { $0 == report || Simulate.isSameFile($0, report) }) {
        throw UsageError("--report \(report) is an input of the comparison; give another name")
      }
    }
  }

  static func run(_ words: [String]) -> Int32 {
    complaining(command: "tracker-sim compare") {
      let options = try Options(words)
      if options.wantsHelp { return try say(usage) }
      let report = try options.report.map { path throws in try OutputFile(path: path) }
      let runs = try options.paths.map { path throws in
        Comparison.Run(name: path, figures: try figures(in: path))
      }
      let language = Language.chosen(options.language)
      let comparison = Comparison(runs[0], runs[1], in: language)
      if let report {
        try report.write(Array(comparison.page(by: "tracker-sim \(version)").utf8))
        try report.finish()
      }
      return try say(comparison.text)
    }
  }

  /// The figures that a run has written.
  private static func figures(in path: String) throws -> Figure {
    let bytes = try InputFile.bytes(of: path, atMost: 16 << 20)
    let figures: Figure
    do throws(FigureProblem) {
      figures = try Figure(parsing: bytes, like: Summary.blank)
    } catch {
      throw UsageError("\(path): no JSON from byte \(error.offset) on; \(advice)")
    }
    guard figures[path: "captures.taken"] != nil else {
      throw UsageError("\(path): not the figures of a run; \(advice)")
    }
    return figures
  }

  private static let advice = "give a file that tracker-sim --json wrote"
}
