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
  private static let chunkBytes = 65_536

  /// - Parameters:
  ///   - course: from the options' file, or the built-in one.
  ///   - command: for the header, the command that makes this trace.
  public init(options: SynthOptions, course: Course, command: String) throws(SynthError) {
    try self.init(options: options, course: course, command: command, diary: nil)
  }

  /// - Parameter diary: the walk, if it is a recorded one.
  init(options: SynthOptions, course: Course, command: String, diary: Diary?) throws(SynthError) {
    let kilometres = (course.length / 100).rounded(.down) / 10
    if let wanted = options.toKilometres, wanted * 1000 > course.length + 50 {
      throw SynthError(
        "--to-km '\(wanted)': the course is \(kilometres) km long, give less")
    }
    if diary == nil, options.fromKilometres * 1000 >= course.length {
      throw SynthError(
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
    if moment >= SimulationBounds.synthesis { return true }
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

/// The content of a synthetic trace. Moments are counted from the beginning of the trace.
public struct SynthOptions: Sendable, Equatable {
  /// Title of the trace, for its header.
  public var name = "synth"
  /// A remark for the header.
  public var comment: String?
  public var seed: UInt64 = 1

  /// A GeoJSON file, or `nil` for `Course.olotToTheSea`.
  public var courseFile: String?
  /// The part of the course that is walked, in kilometres from its start.
  public var fromKilometres = 0.0
  public var toKilometres: Double?

  public var start = UTC(milliseconds: 1_776_499_200_000)
  /// Length of the trace; `nil`: until ten minutes after the arrival.
  public var duration: Milliseconds?
  /// Speed of a fresh team by day on the flat, in km/h.
  public var paceKilometresPerHour = 5.4
  /// The rest at each checkpoint, in minutes.
  public var checkpointRestMinutes = 10...40
  /// The night in UTC, in minutes of the day; `nil`: none.
  public var night: Night? = Night(fromMinute: 19 * 60, toMinute: 5 * 60)

  public var sentences: [SynthSentence] = [.rmc, .gga]
  public var constellations = Constellations.gps
  /// Time between two reports. A multiple of 10 ms, because times in sentences have hundredths.
  public var interval: Milliseconds = 1000
  /// Horizontal error in metres, one standard deviation on each axis at HDOP 1.
  public var noiseMetres = 2.5

  public var coldStart: Milliseconds = 0
  public var rests: [TimeSpan] = []
  public var dropouts: [TimeSpan] = []
  public var tunnels: [TimeSpan] = []
  public var canyons: [TimeSpan] = []
  public var garbage: [TimeSpan] = []
  /// Percentage of sentences that are damaged while there is garbage on the line.
  public var garbagePercent = 20
  /// When the receiver's dates begin to be 1024 weeks early.
  public var weekRollover: Milliseconds?

  public init() {}

  public struct Night: Sendable, Equatable {
    var fromMinute: Int
    var toMinute: Int

    public init(fromMinute: Int, toMinute: Int) {
      self.fromMinute = fromMinute
      self.toMinute = toMinute
    }

    func contains(minute: Int) -> Bool {
      fromMinute <= toMinute
        ? fromMinute <= minute && minute < toMinute : minute >= fromMinute || minute < toMinute
    }
  }
}

/// The sentences that can be written, by their NMEA 0183 names.
public enum SynthSentence: String, Sendable, Equatable, CaseIterable {
  case rmc, vtg, gga, gsa, gsv, gll, gns, zda
}

/// The systems that the receiver uses, which determine its talker.
public enum Constellations: String, Sendable, Equatable {
  /// Only GPS, talker GP.
  case gps = "gp"
  /// GPS and GLONASS, talker GN; GSV as GP and GL.
  case gpsAndGLONASS = "gn"
}

/// Why a trace cannot be made, in one line: what is wrong, where, and what to do.
public struct SynthError: Error, Sendable, Equatable, CustomStringConvertible {
  public var description: String

  init(_ description: String) { self.description = description }
}

/// Damage to sentences from a bad cable, a wrong baud rate or a binary protocol.
struct LineDamage {
  private let percent: Int
  private var generator: SeededGenerator

  init(percent: Int, seed: UInt64) {
    self.percent = percent
    generator = SeededGenerator(seed: seed, stream: 4)
  }

  /// The sentence (with its CR LF) as it arrives, or `nil` when it is undamaged.
  mutating func damaged(_ sentence: ArraySlice<UInt8>) -> [UInt8]? {
    guard generator.whole(in: 0...99) < percent else { return nil }
    var bytes = Array(sentence)
    switch generator.whole(in: 0...19) {
    case 0...6:
      let position = generator.whole(in: 0...bytes.count - 1)
      bytes[position] ^= 1 << UInt8(generator.whole(in: 0...7))
    case 7...9:
      // The end is lost, including the line end: the next sentence follows at once.
      bytes.removeLast(generator.whole(in: 2...bytes.count - 1))
    case 10...11:
      bytes.removeFirst(generator.whole(in: 1...bytes.count - 3))
    case 12...13:
      // Lost in the middle, as when a buffer overflows.
      let from = generator.whole(in: 1...bytes.count - 4)
      bytes.removeSubrange(from..<generator.whole(in: from + 1...bytes.count - 2))
    case 14...15:
      bytes.insert(contentsOf: binaryFrame(), at: 0)
    case 16:
      // A binary frame pushed into the middle of a sentence.
      bytes.insert(contentsOf: binaryFrame(), at: generator.whole(in: 1...bytes.count - 3))
    case 17...18:
      // A wrong baud rate: random bytes.
      bytes = (0..<generator.whole(in: 20...120)).map { _ in UInt8(generator.whole(in: 0...255)) }
    default:
      // A line that does not end: no CR or LF for kilobytes.
      bytes.removeLast(2)
      let digits = generator.whole(in: 600...3000)
      bytes.append(contentsOf: (0..<digits).map { _ in UInt8(generator.whole(in: 48...57)) })
    }
    return bytes
  }

  /// A complete UBX NAV-POSLLH (0x01 0x02, 28 bytes) with random content and its checksum
  /// (GPS.G6-SW-10018: 8-bit Fletcher over class, id, length and payload).
  private mutating func binaryFrame() -> [UInt8] {
    var body: [UInt8] = [0x01, 0x02, 28, 0]
    for _ in 0..<28 { body.append(UInt8(generator.whole(in: 0...255))) }
    var a: UInt8 = 0
    var b: UInt8 = 0
    for byte in body {
      a &+= byte
      b &+= a
    }
    return [0xB5, 0x62] + body + [a, b]
  }
}

/// Comment lines at the top of a trace with its origin, like those of gpsd's logs.
enum ProvenanceHeader {
  static let commandKey = "# Command: "

  static func text(command: String, options: SynthOptions, course: Course) -> String {
    let from = kilometres(options.fromKilometres)
    let to = kilometres(options.toKilometres ?? course.length / 1000)
    var lines = [
      "# Name: \(options.name)",
      "# Chipset: none; made by trailtracker, a walk that nobody walked",
      commandKey + command,
      "# Seed: \(options.seed)",
      "# Date: \(TimeText.text(options.start))",
      "# Location: \(course.name), km \(from) to \(to)",
    ]
    if let comment = options.comment { lines.append("# Comment: \(comment)") }
    return lines.map { $0 + "\r\n" }.joined()
  }

  private static func kilometres(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}

/// Words of a command line, quoted for a shell, so that the command in a header can be pasted.
public enum ShellWords {
  public static func quoted(_ word: String) -> String {
    let plain = word.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || "-_./:,+".utf8.contains(byte)
    }
    if plain, !word.isEmpty { return word }
    return "'"
      + word.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''") + "'"
  }
}
