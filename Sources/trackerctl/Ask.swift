import CommandLineSupport
import LinuxHost

/// A command to a running tracker, over its control socket.
struct Ask {
  static let defaultSocket = "/run/trailtracker/control"
  static let commands = ["status", "start", "stop", "send", "capture", "set", "unset", "pin"]

  private let line: String
  private var socket = Ask.defaultSocket

  /// - Parameter words: the command with its options, as in `set team "Els Caminants" --socket
  ///   PATH`.
  /// - Throws: an error of one line for the first mistake.
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
      // A line end would cut the name off, and an escape sequence would reach other people's
      // terminals.
      guard !plain[2].unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
      else { throw UsageError("the team's name has a control character; write it without") }
      line = "team \(plain[2])"
    case ["set", "team"], ["set"]:
      throw UsageError("no team name given; write trackerctl set team NAME")
    case []: throw UsageError("no command; give one, as in trackerctl status (see --help)")
    default:
      throw UsageError(
        "'\(plain.joined(separator: " "))' is not a command; write status, start, stop, "
          + "send now, capture now, set team NAME, unset team, pin try or retry")
    }
  }

  /// - Returns: the tracker's answer without its first line, `ok`.
  /// - Throws: if it does not answer or refuses.
  func answer() throws -> String { try ControlAnswer.of(line, at: socket) }
}

/// A running tracker's answer to one line.
enum ControlAnswer {
  /// - Returns: the tracker's answer without its first line, `ok`.
  /// - Throws: if it does not answer or refuses.
  static func of(_ line: String, at socket: String) throws -> String {
    let answer = try ControlClient.ask(line, at: socket)
    if answer.hasPrefix("ok\n") { return String(answer.dropFirst(3)) }
    let problem = answer.hasPrefix("error ") ? String(answer.dropFirst(6)) : answer
    throw UsageError(String(problem.prefix { !$0.isNewline }))
  }
}
