import CommandLineSupport
import Reports
import Simulation
import Traces
import TrackerCore
import Wording

/// `tracker-sim replay FILE…`: repeats a recording and compares every effect.
struct Replay {
  private let events: OutputFile?
  /// Whether the events go to standard output, in place of the report.
  private let isQuiet: Bool
  private let language: Language

  static func run(_ arguments: Arguments) throws -> Int32 {
    try refuseOverwriting(arguments)
    let path = arguments.text(.events)
    let events = try path.map { path throws in try OutputFile(path: path == "-" ? nil : path) }
    let replay = Replay(
      events: events, isQuiet: path == "-", language: .chosen(arguments.language))
    let code =
      if let card = try card(arguments.operands) {
        try replay.repeatAll(card.recordings, on: card.path, copyTo: arguments.text(.record))
      } else {
        try replay.repeatFiles(arguments)
      }
    try events?.finish()
    return code
  }

  private func repeatFiles(_ arguments: Arguments) throws -> Int32 {
    if arguments.text(.record) != nil { throw UsageError(SimPhrase.recordsCards.texts) }
    var code: Int32 = 0
    for paths in try RecordingFiles.recordings(in: arguments.operands) {
      var files = RecordingFiles(paths)
      let beginning = try Self.beginning(of: &files)
      let host = ReplayHost(files, at: beginning.instant, course: beginning.course)
      code = max(code, try play(host, beginning, of: paths))
    }
    return code
  }

  /// - Parameter paths: of its parts.
  func play<Source: ReplaySource & ~Copyable>(
    _ replay: consuming ReplayHost<Source>, _ beginning: RecordingHeader, of paths: [String]
  ) throws -> Int32 {
    var tracker = beginning.tracker
    var host = Observed(replay, by: RunRecord(events: events))
    TrackerCore.run(&tracker, in: &host)
    try host.observer.finish()
    if let trouble = host.base.source.trouble { throw trouble }

    let counts = [host.base.arrivals, host.base.effects].map { Quantity.integer($0, in: language) }
    let place = Source.unit.text(
      in: language, Self.name(Self.path(ofPart: host.base.part, in: paths)), "\(host.base.line)")
    let verdict: String
    switch host.base.ending {
    case .whole: verdict = ReplayPhrase.identical.text(in: language, filling: counts)
    case .cut, nil: verdict = ReplayPhrase.cut.text(in: language, filling: counts + [place])
    case .gap(let lost):
      verdict = ReplayPhrase.gap.text(
        in: language, filling: counts + [place, Quantity.integer(lost, in: language)])
    case .different(let difference):
      let place = Source.unit.text(
        in: .english, Self.name(Self.path(ofPart: difference.part, in: paths)),
        "\(difference.line)")
      complain(
        place + ": " + Self.tell(difference)
          + " (recorded by \(beginning.program); replayed \(host.base.arrivals) arrivals, "
          + "\(host.base.effects) effects before)")
      return 1
    case .unreadable(let error):
      complain(host.base.source.complaint(error))
      return 2
    }
    if isQuiet { return 0 }
    var facts = RunFacts()
    facts.trace = Self.name(paths[0])
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
      throw ReplayError(path: files.path, error: error)
    }
    if let trouble = files.trouble { throw trouble }
    throw ReplayError(path: files.path, error: RecordingError(problem: .notARecording))
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

  private static func name(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}

/// A source of what a replay repeats, with words for people.
protocol ReplaySource: RecordingSource, ~Copyable {
  /// Where something is: the file's name, and a number.
  static var unit: ReplayPhrase { get }
  /// The file being read.
  var path: String { get }
  /// Why it could not be read; this ends the recording.
  var trouble: TraceError? { get }
  /// The words for what is wrong with it: what, where, what to do.
  func complaint(_ error: RecordingError) -> String
}

extension ReplaySource where Self: ~Copyable {
  func complaint(_ error: RecordingError) -> String {
    ReplayError(path: path, error: error).description
  }
}

/// The files of one recording, read one after the other.
struct RecordingFiles: ReplaySource, ~Copyable {
  static let unit = ReplayPhrase.place
  /// In the order of their parts.
  private let paths: [String]
  private var reader = RecordingReader(.strict)
  private var file: TraceFile?
  private var opened = 0
  private var bytes: [UInt8] = []
  private var position = 0
  /// The item that was read together with the header.
  private var first: Recorded?
  /// Why a file could not be read; this ends the recording.
  private(set) var trouble: TraceError?

  /// The file being read.
  var path: String { paths[max(0, opened - 1)] }

  init(_ paths: [String]) { self.paths = paths }

  /// Reads the header; `nil` if the first file cannot be read (see `trouble`).
  mutating func beginning() throws(RecordingError) -> RecordingHeader? {
    first = try next()
    return reader.beginning
  }

  mutating func next() throws(RecordingError) -> Recorded? {
    if let first {
      self.first = nil
      return first
    }
    while true {
      if let recorded = try reader.next(in: bytes, from: &position) { return recorded }
      do throws(TraceError) {
        if try read() { continue }
      } catch {
        trouble = error
        return nil
      }
      if opened > 0 { try reader.endPart() }
      guard opened < paths.count, open() else { return nil }
    }
  }

  /// Opens the next file.
  private mutating func open() -> Bool {
    do throws(TraceError) {
      file = try TraceFile(path: paths[opened])
      opened += 1
      return true
    } catch {
      trouble = error
      return false
    }
  }

  /// Reads the next bytes of the open file; `false` at its end.
  private mutating func read() throws(TraceError) -> Bool {
    guard file != nil else { return false }
    bytes = try file?.read(upTo: 65_536) ?? []
    position = 0
    if bytes.isEmpty { file = nil }
    return !bytes.isEmpty
  }

  /// Groups files by recording, with each recording's parts in order.
  static func recordings(in paths: [String]) throws -> [[String]] {
    if paths.count < 2 { return [paths] }
    var labelled: [(label: RecordingLabel, path: String)] = []
    for path in paths { labelled.append((try label(of: path), path)) }
    var order: [UInt64] = []
    for (label, _) in labelled where !order.contains(label.recording) {
      order.append(label.recording)
    }
    return try order.map { recording in
      let parts = labelled.filter { $0.label.recording == recording }
        .sorted { $0.label.part < $1.label.part }
      for (one, next) in zip(parts, parts.dropFirst()) where one.label.part == next.label.part {
        throw UsageError(
          "\(one.path) and \(next.path) are both part \(one.label.part) of the same recording; "
            + "give one of them")
      }
      return parts.map(\.path)
    }
  }

  private static func label(of path: String) throws -> RecordingLabel {
    var files = RecordingFiles([path])
    files.reader = RecordingReader(.lenient)
    var ending: RecordingError?
    do throws(RecordingError) {
      while files.reader.label == nil, try files.next() != nil {}
    } catch {
      ending = error
    }
    if let label = files.reader.label { return label }
    if let trouble = files.trouble { throw trouble }
    throw ReplayError(
      path: path, error: ending ?? RecordingError(problem: .notARecording))
  }
}

/// A recording that cannot be replayed, in one line.
struct ReplayError: Error, CustomStringConvertible {
  var path: String
  var error: RecordingError

  var description: String { "\(path) \(error.message)" }
}
