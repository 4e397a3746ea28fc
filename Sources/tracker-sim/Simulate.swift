import BoardSupport
import CaptureStore
import CommandLineSupport
import Reports
import Simulation
import SystemCalls
import Traces
import TrackerCore
import Wording

/// The default command: plays a trace through the tracker's core in virtual time.
enum Simulate {
  /// - Returns: the exit code: 0; 1 if an expectation failed.
  static func run(_ options: SimulateOptions) throws -> Int32 {
    let timing = Timing()
    let board = try BoardDescription.load(named: options.board)
    var settings = ConfigurationFile()
    if let path = options.config { settings = try ConfigurationFile.load(path: path) }
    settings.adoptDefaults(of: board)
    if let path = options.config {
      try settings.check(on: board, path: path)
      let language = Language.chosen(options.language, configured: settings.language)
      complain(of: settings, on: board, path: path, in: language)
    }
    let scenario = try options.scenario.map { path throws in try Scenario.load(path: path) }
    try refuseOverwriting(options)
    let tiles = try options.tiles.map { path throws in try TileFile(path: path) }
    let events = try options.events.map { path throws in
      try OutputFile(path: path == "-" ? nil : path)
    }
    let report = try options.report.map { path throws in try OutputFile(path: path) }
    let record = try options.record.map { path throws in try RecordingFile(path: path) }
    try Verdict.check(options.expectations, hasCourse: options.course != nil)

    let inputs = RunInputs(
      options: options, board: board, settings: settings, scenario: scenario ?? Scenario(),
      events: events, record: record, history: report == nil && !options.series ? nil : RunHistory()
    )
    if options.console { return try converse(inputs) }
    let (facts, broken) = try play(inputs)
    try events?.finish()
    var summary = Summary.figures(facts)
    let claims = try Verdict.claims(options.expectations, summary)
    // A closed pipe does not change the verdict.
    let verdict = max(Verdict.of(claims), broken.isEmpty ? 0 : 1)
    for broken in broken { complain(broken.description) }
    let language = Language.chosen(options.language, configured: settings.language)
    // A page that cannot be written does not take the summary with it.
    var pageProblem: (any Error)?
    var page = RunReport.facts(summary, facts, claims, of: inputs, in: language)
    page?.tiles = tiles?.mosaic
    if options.series, let page { summary = summary.adding("series", page.series) }
    if let report, let page {
      do {
        try RunReport.write(page, to: report)
      } catch {
        pageProblem = error
      }
    }
    do {
      try show(summary, options, in: language)
    } catch let problem as FileAccessError where problem.isClosedPipe {
      if pageProblem == nil { return verdict }
    }
    if let pageProblem { throw pageProblem }
    if options.timing {
      complain(timing.report(raced: TextReport.clock((facts.traceEnd - .start).count)))
    }
    return verdict
  }

  /// Refuses outputs that would overwrite an input or each other.
  private static func refuseOverwriting(_ options: SimulateOptions) throws {
    let inputs = [options.trace, options.config, options.scenario, options.tiles]
      .compactMap { $0 }
    for (name, output) in [
      ("--events", options.events), ("--record", options.record), ("--report", options.report),
    ] {
      guard let output, output != "-" else { continue }
      for input in inputs where isSameFile(output, input) {
        throw UsageError(SimPhrase.isInput.texts(name, output))
      }
    }
    // As with --store, an existing recording is not overwritten.
    if let record = options.record, (try? FileStatus(record))?.kind == .file {
      throw UsageError(SimPhrase.exists.texts("--record", record))
    }
  }

  static func isSameFile(_ one: String, _ other: String) -> Bool {
    guard let first = try? FileStatus(one), let second = try? FileStatus(other) else {
      return false
    }
    return first.kind == .file && first.isSame(as: second)
  }

  /// Prints the summary, unless the events are on standard output.
  private static func show(
    _ summary: Figure, _ options: SimulateOptions, in language: Language
  ) throws {
    if options.events == "-" { return }
    try printOut(options.json ? summary.json : TextReport.text(of: summary, in: language))
  }
}

extension Simulate {
  /// Plays a trace to its end and returns the facts for the summary, and which of the invariants
  /// did not hold, if that is asked for.
  static func play(_ inputs: RunInputs) throws -> (RunFacts, [BrokenInvariant]) {
    let bar = ProgressBar()
    let language = Language.chosen(
      inputs.options.language, configured: inputs.settings.language)
    bar.sayInterrupted(inputs.traceName, in: language)
    let beginning = try inputs.beginning()
    var tracker = beginning.tracker
    var host = try inputs.host(of: beginning)
    host.base.progress = { share, now in
      Interruption.reached(seconds: Int32(clamping: now.milliseconds / 1000))
      if let share { bar.show(share) }
    }
    if let history = inputs.history { RunReport.gather(history, from: &host) }
    if inputs.options.invariants {
      let watch = InvariantWatch(inputs.scenario, inputs.settings.configuration)
      watch.playCopies(
        of: try PreparedTrace(path: inputs.options.trace), on: inputs.board, inputs.settings,
        seed: inputs.options.seed)
      watch.look(at: &host.base)
      host.observer.watch = watch
    }
    TrackerCore.run(&tracker, in: &host)
    bar.clear()
    try host.observer.finish()
    if let error = host.base.traceError {
      inputs.queue.remove()
      throw error
    }
    if let problem = host.base.storeProblem, !inputs.options.invariants { throw problem }
    // A store that cannot be opened any more breaks an invariant.
    let isFound = host.observer.watch?.broken.isEmpty == false
    if let problem = host.base.problem, !isFound { throw problem }
    var broken: [BrokenInvariant] = []
    if let watch = host.observer.watch {
      try watch.finish(tracker, host.base)
      broken = watch.broken
      RoomCheck.broken(by: watch.deliveries, seed: inputs.options.seed).map { broken.append($0) }
    }
    var facts = RunFacts()
    facts.trace = inputs.traceName
    facts.board = inputs.board.identifier
    facts.configuration = inputs.settings.configuration
    facts.seed = inputs.options.seed
    facts.traceEnd = host.base.traceEndsAt ?? host.base.now
    do throws(TraceError) {
      facts.wholeTraceEnd = try host.base.findTraceEnd()
    } catch {
      inputs.queue.remove()
      throw error
    }
    facts.take(tracker, host.observer)
    facts.course = beginning.course.map { CourseFacts($0, tracker) }
    facts.doubts = inputs.board.doubts
    if inputs.history != nil {
      facts.places = host.base.places.map { name, point in
        PageFacts.Place(
          name: name ?? "",
          position: Coordinate(
            latitude: Int32((point.latitude * 1e7).rounded()),
            longitude: Int32((point.longitude * 1e7).rounded())))
      }
    }
    if facts.fixes.accepted == 0, facts.fixes.noFix > 0 {
      facts.hint = TraceHint(path: inputs.options.trace)
    }
    facts.startPercent = Double(inputs.scenario.batteryStartPercent)
    facts.truth = try Truth(host.base)
    if let history = inputs.history, facts.truth.setAside > 0 {
      try RunReport.noteSetAside(history, host.base.store)
    }
    return (facts, broken)
  }
}

/// How long a run took and how much memory it used. This differs from run to run, so it goes to
/// standard error only.
struct Timing {
  private let start = KernelTimer.monotonic.milliseconds

  /// `32:00:00 of the race in 0.257 s, peak memory 14592 kB`
  func report(raced: String) -> String {
    let taken = KernelTimer.monotonic.milliseconds - start
    let fraction = String(1000 + taken % 1000).dropFirst()
    return "\(raced) of the race in \(taken / 1000).\(fraction) s, "
      + "peak memory \(Self.peakKilobytes) kB"
  }

  /// VmHWM of this process, or 0 without /proc. rusage would include what the parent held at the
  /// fork.
  private static var peakKilobytes: Int {
    guard let bytes = try? InputFile.bytes(of: "/proc/self/status", atMost: 65_536) else {
      return 0
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { $0.split(separator: " ").dropLast().last.flatMap { Int($0) } }
      ?? 0
  }
}

/// What is said about a run besides its summary.
enum RunPhrase: String, Catalogue {
  case interrupted

  var texts: Texts {
    switch self {
    case .interrupted:
      Texts(
        ca: "{1}: interromput a {2} de la marxa; cap resultat",
        es: "{1}: interrumpido a las {2} de la marcha; sin resultado",
        en: "{1}: interrupted at {2} of the run; no result",
        fr: "{1} : interrompu à {2} du parcours ; aucun résultat")
    }
  }
}

/// What may be wrong with a trace from which nothing was captured.
enum TraceHint {
  /// It has positions, but says of each that it is not valid: RMC with status V, GGA with quality
  /// 0. Converters write that for a track that does not say what kind of fix its points were.
  case positionsDeclaredInvalid

  /// - Parameter path: standard input cannot be read again, and gives no hint.
  /// - Returns: `nil` if nothing is known to be wrong.
  init?(path: String) {
    guard path != "-", let file = try? Descriptor(opening: path, .read) else { return nil }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < SimulatorBounds.hintBytes, let count = try? file.read(into: &buffer),
      count > 0
    {
      bytes += buffer[..<count]
    }
    let isFound = bytes.split(whereSeparator: { $0 == 10 || $0 == 13 }).contains { line in
      let fields = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      guard fields.count > 6, line.first == UInt8(ascii: "$") else { return false }
      if fields[0].suffix(3).elementsEqual("RMC".utf8) {
        return fields[2].elementsEqual("V".utf8) && !fields[3].isEmpty
      }
      return fields[0].suffix(3).elementsEqual("GGA".utf8)
        && fields[6].elementsEqual("0".utf8) && !fields[2].isEmpty
    }
    guard isFound else { return nil }
    self = .positionsDeclaredInvalid
  }
}

/// A progress bar on standard error, if that is a terminal.
struct ProgressBar {
  let isVisible = isTerminal(StandardStream.error)
  private static let width = 50
  private static let erasing = "\r\u{1B}[K"

  /// From now on Ctrl-C says how far the run of a trace got.
  func sayInterrupted(_ trace: String, in language: Language) {
    let parts = RunPhrase.interrupted.text(in: language, trace, "\u{0}").split(separator: "\u{0}")
    Interruption.begin(
      before: (isVisible ? Self.erasing : "") + "tracker-sim: \(parts[0])",
      after: String(parts.dropFirst().joined()))
  }

  func show(_ share: Double) {
    guard isVisible else { return }
    let filled = max(0, min(Self.width, Int(share * Double(Self.width))))
    let bar =
      String(repeating: "=", count: filled) + String(repeating: " ", count: Self.width - filled)
    write("\r[\(bar)] \(max(0, min(100, Int(share * 100)))) %")
  }

  /// Erases the bar.
  func clear() {
    if isVisible { write(Self.erasing) }
  }

  private func write(_ text: String) { writeError(text) }
}

/// Whether a run is as expected.
enum Verdict {
  /// The figures that say nothing about the race when the battery was empty before its end: nothing
  /// is pending in a tracker that has been dead for hours.
  private static let results = [
    "captures", "longest_silence_s", "uploads", "server", "promises", "delivery", "energy",
    "course",
  ]

  /// - Throws: before the run, if an expectation can never be judged.
  static func check(_ expectations: [Expectation], hasCourse: Bool) throws {
    let blank = Summary.blank(hasCourse: hasCourse)
    for expectation in expectations {
      _ = try expectation.check(blank)
      guard expectation.path == "ended", case .text(let word) = expectation.value,
        !Truth.endings.contains(word)
      else { continue }
      throw UsageError(
        SimPhrase.stop.texts(
          "--expect '\(expectation.source)'", Truth.endings.joined(separator: ", ")))
    }
  }

  /// What was found of each claim.
  static func claims(
    _ expectations: [Expectation], _ summary: Figure
  ) throws -> [PageFacts.Claim] {
    let isDead = summary[path: "ended"] == .text("batteryEmpty")
    let mayDie = expectations.contains { $0.path == "ended" }
    return try expectations.map { expectation in
      let result = try expectation.check(summary)
      let isResult = results.contains { expectation.path.split(separator: ".").first == $0[...] }
      return PageFacts.Claim(
        source: expectation.source, found: result.found, holds: result.holds,
        isDead: isDead && !mayDie && isResult)
    }
  }

  /// - Returns: the exit code; what is not as expected is reported.
  static func of(_ claims: [PageFacts.Claim]) -> Int32 {
    var failed = 0
    for claim in claims {
      if !claim.holds {
        complain("expected \(claim.source), found \(claim.found)")
      } else if claim.isDead {
        complain(
          "expected \(claim.source), found \(claim.found), but the battery was empty before "
            + "the end; add --expect 'ended == batteryEmpty' if it may be")
      } else {
        continue
      }
      failed += 1
    }
    return failed == 0 ? 0 : 1
  }
}
