import TrackerCore

// Writes and reads the settings as records of a header.

struct SettingsWriter: SettingsWalk {
  var writer = TraceWriter()

  mutating func visit(_ name: StaticString, _ value: inout some FieldCodable) {
    writer.fields.word(name)
    writer.fields.add(value)
    writer.end(.header)
  }

  /// The records of everything that a tracker is created from.
  static func records(of beginning: RecordingHeader) -> [UInt8] {
    var walk = Self()
    var beginning = beginning
    walk.walk(&beginning.board)
    walk.walk(&beginning.configuration)
    walk.walk(&beginning.identity)
    if let course = beginning.course { CourseRecords.write(course, to: &walk.writer) }
    return walk.writer.bytes
  }
}

/// Reads the settings from a header's records, by name.
struct SettingsReader: SettingsWalk {
  private var settings: [String: [UInt8]]
  private var problem: RecordingProblem?

  /// Settings that recordings of earlier programs do not have. Those programs worked as with the
  /// default, or without what it is for.
  private static let added: Set<String> = [
    "board.battery.isMeasuredByModem", "board.modem.hasStatus", "board.modem.hasFlightMode",
    "board.hasLight", "board.battery.chemistry", "board.battery.ratedMicroamps",
    "board.battery.cellMilliohms", "configuration.confidencePercent",
  ]

  mutating func visit<Value: FieldCodable>(_ name: StaticString, _ value: inout Value) {
    guard problem == nil else { return }
    let name = "\(name)"
    guard let bytes = settings.removeValue(forKey: name) else {
      if !Self.added.contains(name) { problem = .settingMissing(name) }
      return
    }
    var fields = FieldReader(bytes)
    do {
      value = try Value(from: &fields)
      try fields.expectEnd()
    } catch {
      problem = .badSetting(name)
    }
  }

  private init(_ settings: [String: [UInt8]]) { self.settings = settings }

  static func beginning(
    _ settings: [String: [UInt8]], at instant: Instant, utc: UTC?, program: String
  ) throws(RecordingProblem) -> RecordingHeader {
    let course = try CourseRecords.read(settings)
    var walk = Self(settings.filter { !CourseRecords.isPart($0.key) })
    var board = Board.none
    var configuration = Configuration()
    var identity = Identity(device: UniqueID(high: 0, low: 0), team: InlineText(), seed: 0)
    walk.walk(&board)
    walk.walk(&configuration)
    walk.walk(&identity)
    if let problem = walk.problem { throw problem }
    if let name = walk.settings.keys.min() { throw .unknownSetting(name) }
    var header = RecordingHeader(
      board: board, configuration: configuration, identity: identity, at: instant, utc: utc,
      program: program)
    header.course = course
    return header
  }
}
