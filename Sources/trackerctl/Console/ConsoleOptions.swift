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

  var socket = ConsoleOptions.defaultSocket
  var isSocketGiven = false
  /// `nil`: that of the tracker.
  var store: String?
  var config: String?
  /// What `stats` measures along.
  var course: String?
  var isJSON = false
  /// Yes to what is dangerous.
  var isConfirmed = false
  var language: Language?
  /// `nil`: if standard output is a terminal.
  var isColoured: Bool?
  /// `trackerctl console` ends when no key came for so long; 0: never.
  var idle = Milliseconds.minutes(10)
  var isReadOnly = false
  /// Whether a serial line is at its other end, whatever the terminal is called.
  var isSerial = false
  /// The command's own words.
  var words: [String] = []

  /// - Parameter isConsole: whether the words are those of `trackerctl console`.
  /// - Throws: an error of one line for the first mistake.
  init(_ words: [String], isConsole: Bool = false) throws {
    var reader = ArgumentReader(words)
    while let word = reader.next() {
      switch word {
      case "--socket":
        socket = try reader.value(UsagePhrase.socket.texts)
        isSocketGiven = true
      case "--store": store = try reader.value(UsagePhrase.store.texts)
      case "--config": config = try reader.value(UsagePhrase.configuration.texts)
      case "--language": language = try reader.language()
      // The console's own words for it, which need no dashes.
      case "--every" where self.words.first == "stats":
        self.words += ["every", "\(try reader.number(StatisticsBounds.marksEvery))"]
      case "--session" where self.words.first == "stats":
        self.words += ["session", "\(try reader.number(1...1000))"]
      case "--sessions" where self.words.first == "stats": self.words.append("sessions")
      case "--course" where self.words.first == "stats":
        course = try reader.value(UsagePhrase.file.texts)
      case "--json": isJSON = true
      case "--yes": isConfirmed = true
      case "--color", "--colour": isColoured = true
      case "--no-color", "--no-colour": isColoured = false
      case "--idle" where isConsole: idle = try Self.idle(&reader)
      case "--serial" where isConsole: isSerial = true
      case "--read-only" where isConsole: isReadOnly = true
      case "--help", "-h": throw HelpRequested()
      case _ where word.hasPrefix("--") && word.count > 2:
        throw UsageError(UsagePhrase.unknownOption.texts(word, "trackerctl"))
      default: self.words.append(word)
      }
    }
  }

  private static func idle(_ reader: inout ArgumentReader) throws -> Milliseconds {
    let wanted = CommandPhrase.idleWanted.texts
    let text = try reader.value(wanted)
    if text == "0" { return 0 }
    guard let count = Dimension.duration.amount(text), (1000...86_400_000).contains(count) else {
      throw UsageError(CommandPhrase.idle.texts(text, wanted))
    }
    return Milliseconds(count)
  }
}
