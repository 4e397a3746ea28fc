import BoardSupport
import CommandLineSupport
import Statistics
import TrackerCore
import Wording

/// Which tracker the words are for, and how its answer is written.
struct ConsoleOptions {
  static let defaultSocket = "/run/trailtracker/control"
  static let defaultStore = "/var/lib/trailtracker/captures.db"
  static let defaultConfiguration = "/etc/trailtracker/trackerd.json5"

  private let arguments: Arguments
  /// `trackerctl console` ends when no key came for so long; 0: never.
  let idle: Milliseconds
  /// The command in the console's language.
  let words: [String]

  var socket: String { arguments.text(.socket) ?? Self.defaultSocket }
  var isSocketGiven: Bool { arguments.has(.socket) }
  /// `nil`: that of the tracker.
  var store: String? { arguments.text(.store) }
  var config: String? { arguments.text(.configuration) }
  var isJSON: Bool { arguments.has(.json) }
  /// Yes to what is dangerous.
  var isConfirmed: Bool { arguments.has(.yes) }
  var language: Language? { arguments.language }
  /// `nil`: if standard output is a terminal.
  var isColoured: Bool? { arguments.has(.color) ? true : arguments.has(.noColor) ? false : nil }
  var isReadOnly: Bool { arguments.has(.readOnly) }
  /// Whether a serial line is at its other end, whatever the terminal is called.
  var isSerial: Bool { arguments.has(.serial) }

  /// - Throws: an error of one line for a time that is none.
  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    idle = try arguments.value(.idle, Self.idle) ?? .minutes(10)
    // There they need no dashes.
    var words = [arguments.command.name] + arguments.operands
    for option in [Option.sessions, .every, .session] where arguments.has(option) {
      words += [String(option.name.dropFirst(2))] + (arguments.text(option).map { [$0] } ?? [])
    }
    self.words = words.filter { !$0.isEmpty }
  }

  private static func idle(_ text: String) -> Milliseconds? {
    if text == "0" { return 0 }
    return Dimension.duration.amount(text).flatMap {
      (1000...86_400_000).contains($0) ? Milliseconds($0) : nil
    }
  }
}
