import TrackerCore

/// What a tracker was when a recording began: all that is needed to make the same one again, and
/// what a person wants to know of it.
public struct RecordingHeader: Sendable, Equatable {
  public var board: Board
  public var configuration: Configuration
  public var identity: Identity
  public var instant: Instant
  /// What the clock of the system said then; `nil` when it could not know, as after a boot
  /// without a network. It dates the lines for other tools; no decision rests on it.
  public var utc: UTC?
  /// Name and version of the program that recorded.
  public var program: String
  /// Further lines for the header: provenance, for people.
  public var comments: [String] = []

  public init(
    board: Board, configuration: Configuration, identity: Identity, at instant: Instant,
    utc: UTC? = nil, program: String, comments: [String] = []
  ) {
    self.board = board
    self.configuration = configuration
    self.identity = identity
    self.instant = instant
    self.utc = utc
    self.program = program
    self.comments = comments
  }

  /// The tracker as it was.
  public var tracker: Tracker {
    Tracker(board: board, configuration: configuration, identity: identity, at: instant)
  }
}

/// Which recording a file belongs to, and which part of it the file is.
public struct RecordingLabel: Sendable, Equatable {
  /// The version of the format; another one is not read.
  static let format: UInt32 = 1

  /// The first part is 1.
  public var part: UInt32
  /// The same for all parts of a recording, and for no other recording of the device.
  public var recording: UInt64
  public var program: String
}

extension RecordingLabel {
  func write(to fields: inout FieldWriter) {
    fields.word("recording")
    fields.add(Self.format)
    fields.add(part)
    fields.text(String(recording, radix: 16))
    fields.text(program)
  }

  /// Reads what follows the word.
  init(from fields: inout FieldReader) throws(RecordingProblem) {
    let format: UInt32 = try fields.value()
    part = try fields.value()
    let identifier = try fields.word()
    guard let recording = UInt64(identifier, radix: 16) else { throw .field(.notANumber) }
    self.recording = recording
    program = try fields.string()
    if format != Self.format { throw .otherFormat(program: program) }
    try fields.expectEnd()
  }
}
