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

  let socket: String
  let isSocketGiven: Bool
  /// `nil`: that of the tracker.
  let store: String?
  let config: String?
  let isJSON: Bool
  /// Yes to what is dangerous.
  let isConfirmed: Bool
  let language: Language?
  /// `nil`: if standard output is a terminal.
  let isColoured: Bool?
  /// `trackerctl console` ends when no key came for so long; 0: never.
  let idle: Milliseconds
  let isReadOnly: Bool
  /// Whether a serial line is at its other end, whatever the terminal is called.
  let isSerial: Bool
  /// The command in the console's language.
  let words: [String]

  /// - Throws: an error of one line for a time that is none.
  init(_ arguments: Arguments) throws {
    socket = arguments.text(.socket) ?? Self.defaultSocket
    isSocketGiven = arguments.has(.socket)
    store = arguments.text(.store)
    config = arguments.text(.configuration)
    isJSON = arguments.has(.json)
    isConfirmed = arguments.has(.yes)
    language = arguments.language
    isColoured = arguments.has(.color) ? true : arguments.has(.noColor) ? false : nil
    idle = try arguments.value(.idle, Self.idle) ?? .minutes(10)
    isReadOnly = arguments.has(.readOnly)
    isSerial = arguments.has(.serial)
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
