public import Courses
import TrackerCore

/// A tracker's state when a recording begins: everything needed to create it again, and information
/// for people.
public struct RecordingHeader: Sendable, Equatable {
  public var board: Board
  public var configuration: Configuration
  public var identity: Identity
  public var instant: Instant
  /// The system clock's date at `instant`; `nil` if unknown, as after a boot without a network. It
  /// only dates the lines for other tools.
  public var utc: UTC?
  /// Name and version of the program that recorded.
  public var program: String
  /// More comments for the header: provenance, for people.
  public var comments: [String] = []
  /// `nil`: the tracker has none.
  public var course: MappedCourse?

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

  /// Creates the tracker as it was.
  public var tracker: Tracker {
    Tracker(board: board, configuration: configuration, identity: identity, at: instant)
  }
}

/// The recording and part that a file belongs to.
public struct RecordingLabel: Sendable, Equatable {
  /// The version of the format, the only one that is read.
  static let format: UInt32 = 1

  /// Counts from 1.
  public var part: UInt32
  /// Identifies the recording: the same in all parts, different from the device's other recordings.
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

  /// Reads the fields after the word `recording`.
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
