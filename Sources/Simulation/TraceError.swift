import Glibc
import SystemCalls
import Traces

/// Why a trace cannot be played.
public struct TraceError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Reason: Equatable, Sendable {
    case missing
    case isDirectory
    case notPermitted
    case empty
    /// It contains no NMEA sentence.
    case noSentence
    /// Most of it is something else, such as a text about NMEA.
    case hardlyAnySentence(sentences: Int, lines: Int)
    /// It is a recording that cannot be read.
    case recording(RecordingError)
    /// It is GPX that cannot be played: the mistake and what to do.
    case gpx(String)
    /// A system call failed for another reason, with this `errno`.
    case failed(Int32)
  }

  /// The file as given; `-` is standard input.
  public var path: String
  public var reason: Reason

  public init(path: String, reason: Reason) {
    self.path = path
    self.reason = reason
  }

  /// One line: what, where, and what to do.
  public var message: String {
    let name = path == "-" ? "standard input" : path
    return switch reason {
    case .missing: "\(name): no such file; check the path"
    case .isDirectory: "\(name): is a directory; use a file in it"
    case .notPermitted: "\(name): permission denied; allow reading with: chmod +r"
    case .empty: "\(name): is empty; use a log of NMEA 0183 sentences"
    case .noSentence:
      "\(name): contains no NMEA sentence; use a receiver's log, with lines such as $GPRMC,…*hh, "
        + "or a GPX file"
    case .hardlyAnySentence(let sentences, let lines):
      "\(name): only \(sentences) of its \(lines) lines contain an NMEA sentence; "
        + "use a receiver's log, with lines such as $GPRMC,…*hh"
    case .recording(let error): "\(name) \(error.message)"
    case .gpx(let problem): "\(name): \(problem)"
    case .failed(let code):
      "\(name): cannot be read: \(SystemCalls.reason(of: code)); check the file and its disk"
    }
  }

  public var description: String { message }

  static func system(_ code: Int32, path: String) -> TraceError {
    let reason: Reason =
      switch code {
      case ENOENT, ENOTDIR: .missing
      case EISDIR: .isDirectory
      case EACCES, EPERM: .notPermitted
      default: .failed(code)
      }
    return TraceError(path: path, reason: reason)
  }
}
