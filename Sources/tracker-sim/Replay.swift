import CommandLineSupport
import Reports
import Simulation
import Traces
import TrackerCore
import Wording

/// `tracker-sim replay FILE…`: repeats a recording and compares every effect.
enum Replay {
  static let usage = """
    tracker-sim replay feeds a recording's input to this program's tracker core and
    compares every effect with the recorded one.

    usage:
      tracker-sim replay FILE [FILE ...] [--events FILE] [--language CODE]

    The files of a rotation may be given in any order.

      --events FILE     write every event and effect, one per line; - is
                        standard output, instead of the summary
      --language CODE   of the summary: ca, es, en or fr  [of the environment]

    exit code: 0 identical; 1 different; 2 wrong use or unreadable input.

    """

  struct Options {
    var paths: [String] = []
    var events: String?
    var language: Language?
    var wantsHelp = false

    init(_ words: [String]) throws {
      var reader = ArgumentReader(words)
      while let word = reader.next() {
        switch word {
        case "--help", "-h": wantsHelp = true
        case "--events": events = try reader.value("a file, or - for standard output")
        case "--language": language = try reader.language()
        case _ where word.hasPrefix("-") && word != "-":
          throw UsageError("unknown option '\(word)'; see tracker-sim replay --help")
        default: paths.append(word)
        }
      }
      if paths.isEmpty && !wantsHelp {
        throw UsageError("no recording to replay; give one: tracker-sim replay FILE")
      }
    }
  }

  static func run(_ words: [String]) -> Int32 {
    complaining {
      let options = try Options(words)
      if options.wantsHelp {
        try printOut(usage)
        return 0
      }
      let events = try options.events.map { path throws in
        try OutputFile(path: path == "-" ? nil : path)
      }
      var code: Int32 = 0
      for paths in try RecordingFiles.recordings(in: options.paths) {
        code = max(
          code,
          try replay(
            paths, events: events, isQuiet: options.events == "-", in: .chosen(options.language)))
      }
      try events?.finish()
      return code
    }
  }

  private static func replay(
    _ paths: [String], events: OutputFile?, isQuiet: Bool, in language: Language
  ) throws -> Int32 {
    var files = RecordingFiles(paths)
    let beginning = try beginning(of: &files)
    var tracker = beginning.tracker
    var host = Observed(
      ReplayHost(files, at: beginning.instant, course: beginning.course),
      by: RunRecord(events: events))
    TrackerCore.run(&tracker, in: &host)
    try host.observer.finish()
    if let trouble = host.base.source.trouble { throw trouble }

    let counts = [host.base.arrivals, host.base.effects].map { Quantity.integer($0, in: language) }
    let place = ReplayPhrase.place.text(
      in: language, name(path(ofPart: host.base.part, in: paths)), "\(host.base.line)")
    let verdict: String
    switch host.base.ending {
    case .whole: verdict = ReplayPhrase.identical.text(in: language, filling: counts)
    case .cut, nil: verdict = ReplayPhrase.cut.text(in: language, filling: counts + [place])
    case .gap(let lost):
      verdict = ReplayPhrase.gap.text(
        in: language, filling: counts + [place, Quantity.integer(lost, in: language)])
    case .different(let difference):
      complain(
        Self.place(difference.part, difference.line, in: paths) + ": " + tell(difference)
          + " (recorded by \(beginning.program); replayed \(host.base.arrivals) arrivals, "
          + "\(host.base.effects) effects before)")
      return 1
    case .unreadable(let error): throw ReplayProblem(path: host.base.source.path, error: error)
    }
    if isQuiet { return 0 }
    var facts = RunFacts()
    facts.trace = name(paths[0])
    facts.traceEnd = .start + (host.base.now - beginning.instant)
    facts.take(tracker, host.observer)
    facts.truth.stored = facts.tally.taken
    facts.course = beginning.course.map { CourseFacts($0, tracker) }
    try printOut(
      verdict + "\n"
        + TextReport.replay(
          of: Summary.figures(facts), program: beginning.program, in: language))
    return 0
  }

  private static func beginning(of files: inout RecordingFiles) throws -> RecordingHeader {
    do throws(RecordingError) {
      if let beginning = try files.beginning() { return beginning }
    } catch {
      throw ReplayProblem(path: files.path, error: error)
    }
    if let trouble = files.trouble { throw trouble }
    throw ReplayProblem(path: files.path, error: RecordingError(problem: .notARecording))
  }

  // MARK: Words

  private static func tell(_ difference: Difference) -> String {
    let recorded = difference.recorded.map { "the recorded effect is '\($0)'" }
    let got = difference.got.map { "this program wants '\($0)'" }
    return "at \(difference.at.milliseconds) ms, after \(difference.cause), "
      + (recorded ?? "no effect is recorded") + ", and " + (got ?? "this program wants none")
  }

  /// Parts count from 1, and the files are in their order.
  private static func path(ofPart part: UInt32, in paths: [String]) -> String {
    paths[min(max(Int(part), 1), paths.count) - 1]
  }

  private static func place(_ part: UInt32, _ line: Int, in paths: [String]) -> String {
    "\(name(path(ofPart: part, in: paths))) line \(line)"
  }

  private static func name(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}
