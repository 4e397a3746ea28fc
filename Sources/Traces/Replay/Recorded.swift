import TrackerCore

/// One thing that a recording tells of.
public struct Recorded: Sendable, Equatable {
  public enum Content: Sendable, Equatable {
    case bytes([UInt8], from: SerialRole)
    case event(Event)
    /// The fields of an effect, as they stand in the record.
    case effect([UInt8])
    /// From here on arrivals are missing: at least so many.
    case gap(lost: UInt32)
    case end
  }

  public var content: Content
  public var at: Instant
  /// Where it stands: the part that the reader was in, and the line in it, both from 1.
  public var part: UInt32
  public var line: Int
}

/// Why a recording cannot be read.
public enum RecordingProblem: Error, Sendable, Equatable {
  /// No header: a plain log, or something else.
  case notARecording
  case otherFormat(program: String)
  /// A line that is none of ours, or whose checksum does not agree, in the middle of a recording.
  case damaged
  case field(FieldError)
  case settingMissing(String)
  case unknownSetting(String)
  case badSetting(String)
  /// Settings that were read anew are not this program's from this one on.
  case otherSettings(String)
  /// It is this part and not the one that must come next.
  case wrongPart(UInt32, expected: UInt32)
  case otherRecording
  /// The clock goes backward.
  case backward
}

/// A problem and the line that has it; 0 when it is none in particular.
public struct RecordingError: Error, Sendable, Equatable {
  public var problem: RecordingProblem
  public var line: Int

  public init(problem: RecordingProblem, line: Int = 0) {
    self.problem = problem
    self.line = line
  }

  /// What and what to do; the name of the file goes before it.
  public var message: String { (line > 0 ? "line \(line) " : "") + problem.message }
}

extension RecordingProblem {
  fileprivate var message: String {
    switch self {
    case .notARecording: "is no recording; play a plain log with tracker-sim --trace"
    case .otherFormat(let program):
      "has another format than this program reads; replay it with \(program)"
    case .damaged: "is damaged; what the receiver said can still be played with tracker-sim --trace"
    case .field(.unknownWord(let word)): "has '\(word)', which is not known here; \(Self.cure)"
    case .field(let error): "cannot be read (\(error)); \(Self.cure)"
    case .settingMissing(let name): "and the header above it lack \(name); \(Self.cure)"
    case .unknownSetting(let name): "ends a header with the unknown \(name); \(Self.cure)"
    case .badSetting(let name): "ends a header whose \(name) cannot be read; \(Self.cure)"
    case .otherSettings(let name):
      "has other settings than this program, at \(name); \(Self.cure)"
    case .wrongPart(let part, 1):
      "is part \(part) of a recording and its first part is not here: give that too, "
        + "or play what there is with tracker-sim --trace"
    case .wrongPart(let part, let expected):
      "is part \(part) where part \(expected) must come; give that too"
    case .otherRecording: "belongs to another recording; replay that by itself"
    case .backward: "goes back in time; the file has been changed since it was recorded"
    }
  }

  private static let cure = "replay it with the program that its header names"
}
