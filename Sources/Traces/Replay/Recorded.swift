import TrackerCore

/// One item of a recording.
public struct Recorded: Sendable, Equatable {
  public enum Content: Sendable, Equatable {
    case bytes([UInt8], from: SerialRole)
    case event(Event)
    /// The fields of an effect as recorded.
    case effect([UInt8])
    /// At least this many arrivals are missing here.
    case gap(lost: UInt32)
    case end
  }

  public var content: Content
  public var at: Instant
  /// The part of the recording and the line in it, both from 1.
  public var part: UInt32
  public var line: Int
}

/// Why a recording cannot be read.
public enum RecordingProblem: Error, Sendable, Equatable {
  /// No header: a plain log or another kind of file.
  case notARecording
  case otherFormat(program: String)
  /// A line in the middle of a recording that is malformed or has a wrong checksum.
  case damaged
  case field(FieldError)
  case settingMissing(String)
  case unknownSetting(String)
  case badSetting(String)
  /// Reloaded settings differ from this program's, beginning with this one.
  case otherSettings(String)
  /// It is this part instead of the next one.
  case wrongPart(UInt32, expected: UInt32)
  case otherRecording
  /// An instant is earlier than the one before.
  case backward
}

/// A problem and its line; 0 if it concerns the whole file.
public struct RecordingError: Error, Sendable, Equatable {
  public var problem: RecordingProblem
  public var line: Int

  public init(problem: RecordingProblem, line: Int = 0) {
    self.problem = problem
    self.line = line
  }

  /// What is wrong and what to do, to follow the file's name.
  public var message: String { (line > 0 ? "line \(line) " : "") + problem.message }
}

extension RecordingProblem {
  fileprivate var message: String {
    switch self {
    case .notARecording: "is not a recording; play a plain log with tracker-sim --trace"
    case .otherFormat(let program):
      "has a format that this program does not read; replay it with \(program)"
    case .damaged: "is damaged; the receiver's data can still be played with tracker-sim --trace"
    case .field(.unknownWord(let word)):
      "has '\(word)', which this program does not know; \(Self.cure)"
    case .field(let error): "cannot be read (\(error)); \(Self.cure)"
    case .settingMissing(let name): "ends a header without \(name); \(Self.cure)"
    case .unknownSetting(let name): "ends a header with an unknown \(name); \(Self.cure)"
    case .badSetting(let name): "ends a header whose \(name) cannot be read; \(Self.cure)"
    case .otherSettings(let name):
      "has other settings than this program, at \(name); \(Self.cure)"
    case .wrongPart(let part, 1):
      "is part \(part) of a recording without its first part: give that too, "
        + "or play what is left with tracker-sim --trace"
    case .wrongPart(let part, let expected):
      "is part \(part) instead of part \(expected); give that too"
    case .otherRecording: "belongs to another recording; replay that separately"
    case .backward: "goes back in time; the file has been changed since it was recorded"
    }
  }

  private static let cure = "replay it with the program that its header names"
}
