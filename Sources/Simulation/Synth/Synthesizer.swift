import TrackerCore

/// Makes a trace, piece by piece, so that memory use does not depend on its length.
public struct Synthesizer {
  private let options: SynthOptions
  private let header: String
  private var receiver: Receiver
  private var damage: LineDamage
  private var writer = SentenceWriter()
  private var moment: Milliseconds = 0

  /// How long the trace continues after the arrival.
  static let afterArrival = Milliseconds.minutes(10)
  /// The longest trace; ends a walk that never arrives (an endless rest).
  public static let longest = Milliseconds.hours(336)
  private static let chunkBytes = 65_536

  /// - Parameters:
  ///   - course: from the options' file, or the built-in one.
  ///   - command: for the header, the command that makes this trace.
  public init(options: SynthOptions, course: Course, command: String) throws(SynthProblem) {
    try self.init(options: options, course: course, command: command, diary: nil)
  }

  /// - Parameter diary: the walk, if it is a recorded one.
  init(options: SynthOptions, course: Course, command: String, diary: Diary?) throws(SynthProblem) {
    let kilometres = (course.length / 100).rounded(.down) / 10
    if let wanted = options.toKilometres, wanted * 1000 > course.length + 50 {
      throw SynthProblem(
        "--to-km '\(wanted)': the course is \(kilometres) km long, give less")
    }
    if diary == nil, options.fromKilometres * 1000 >= course.length {
      throw SynthProblem(
        "--from-km '\(options.fromKilometres)': the course is \(kilometres) km long, give less")
    }
    self.options = options
    receiver = Receiver(course: course, options: options, diary: diary)
    damage = LineDamage(percent: options.garbagePercent, seed: options.seed)
    writer.reserve(Self.chunkBytes + 8192)
    header = ProvenanceHeader.text(command: command, options: options, course: course)
  }

  /// The next bytes of the trace, some 64 KiB; `nil` at its end.
  public mutating func nextChunk() -> [UInt8]? {
    writer.removeAll()
    if moment == 0 { writer.append(raw: header.utf8) }
    while writer.bytes.count < Self.chunkBytes, !isOver {
      if !options.dropouts.contain(moment) { writeReport() }
      moment = moment + options.interval
    }
    return writer.bytes.isEmpty ? nil : writer.bytes
  }

  private var isOver: Bool {
    if let duration = options.duration { return moment >= duration }
    if moment >= Self.longest { return true }
    return receiver.arrival.map { moment >= $0 + Self.afterArrival } ?? false
  }

  private mutating func writeReport() {
    let report = receiver.report(at: moment)
    guard options.garbage.contain(moment) else {
      for kind in options.sentences {
        writer.write(kind, report, options.constellations) { _ in }
      }
      return
    }
    var damage = self.damage
    for kind in options.sentences {
      writer.write(kind, report, options.constellations) { writer in
        let sentence = writer.bytes[writer.sentenceStart...]
        if let damaged = damage.damaged(sentence) { writer.replaceSentence(with: damaged) }
      }
    }
    self.damage = damage
  }
}
