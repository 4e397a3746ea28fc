import CommandLineSupport
import LinuxHost

/// What is asked of a running tracker, over its control socket.
struct Ask {
  static let defaultSocket = "/run/trailtracker/control"
  static let commands = ["status", "start", "stop", "send", "capture", "set", "unset", "pin"]

  private let line: String
  private var socket = Ask.defaultSocket

  /// - Parameter words: the command with its options, `set team "Els Caminants" --socket PATH`.
  /// - Throws: an error of one line for the first thing that is wrong.
  init(_ words: [String]) throws {
    var plain: [String] = []
    var reader = ArgumentReader(words)
    while let word = reader.next() {
      switch word {
      case "--socket": socket = try reader.value("the daemon's control socket")
      case "--help", "-h": throw HelpRequested()
      case _ where word.hasPrefix("--"):
        throw UsageError("unknown option '\(word)'; see trackerctl --help")
      default: plain.append(word)
      }
    }
    switch plain {
    case ["status"], ["start"], ["stop"]: line = plain[0]
    case ["send", "now"]: line = "send"
    case ["capture", "now"]: line = "capture"
    case ["pin", "try"]: line = "pin"
    case ["unset", "team"]: line = "unset team"
    case _ where plain.count == 3 && plain.starts(with: ["set", "team"]):
      // A line end in it would be cut off on the way, and an escape sequence repeated to others.
      guard !plain[2].unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
      else { throw UsageError("a team's name has no control characters; write it plainly") }
      line = "team \(plain[2])"
    case ["set", "team"], ["set"]:
      throw UsageError("no name is given; write trackerctl set team NAME")
    case []: throw UsageError("no command; give one, as in trackerctl status (see --help)")
    default:
      throw UsageError(
        "'\(plain.joined(separator: " "))' is no command; there are status, start, stop, "
          + "send now, capture now, set team NAME, unset team, pin try and retry")
    }
  }

  /// - Returns: what the tracker said, without its first word.
  /// - Throws: it does not answer, or it refuses.
  func answer() throws -> String { try ControlAnswer.of(line, at: socket) }
}

/// A running tracker's answer to one line.
enum ControlAnswer {
  /// - Returns: what the tracker said, without its first word.
  /// - Throws: it does not answer, or it refuses.
  static func of(_ line: String, at socket: String) throws -> String {
    let answer = try ControlClient.ask(line, at: socket)
    if answer.hasPrefix("ok\n") { return String(answer.dropFirst(3)) }
    let problem = answer.hasPrefix("error ") ? String(answer.dropFirst(6)) : answer
    throw UsageError(String(problem.prefix { !$0.isNewline }))
  }
}
