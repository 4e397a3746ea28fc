import CommandLineSupport

/// The command line.
struct Options {
  var board = ""
  var config = ""
  var record: String?
  /// The root below which the board's serial numbers and its sensors are; not `/` in tests.
  var machine = "/"
  /// The socket of the helper that runs the link's commands; `nil`: the daemon does.
  var linkHelper: String?
  /// The socket of the helper that sets the machine's date; `nil`: the daemon does.
  var clockHelper: String?
  var checksOnly = false
  var speed: Int64 = 1
  var wantsHelp = false
  var wantsSettings = false
  var wantsVersion = false

  /// Reads the command line's arguments, `--name value` or `--name=value`.
  ///
  /// - Throws: an error of one line for the first mistake.
  init(_ words: [String]) throws {
    var reader = ArgumentReader(words)
    var given: Set<String> = []
    while let word = reader.next() {
      guard given.insert(word).inserted else {
        throw UsageError("\(word) is given twice; give it once")
      }
      switch word {
      case "--board": board = try reader.value("a folder in boards/, or a path")
      case "--config": config = try reader.value("a JSON5 file")
      case "--record": record = try reader.value("a file")
      case "--machine": machine = try reader.value("a folder")
      case "--link-helper": linkHelper = try reader.value("a socket")
      case "--clock-helper": clockHelper = try reader.value("a socket")
      case "--speed": speed = try reader.number(1...1000)
      case "--check":
        try reader.refuseValue()
        checksOnly = true
      case "--help", "-h": wantsHelp = true
      case "--settings": wantsSettings = true
      case "--version": wantsVersion = true
      default: throw UsageError("unknown option '\(word)'; see trackerd --help")
      }
    }
    if wantsHelp || wantsVersion || wantsSettings { return }
    guard !board.isEmpty else {
      throw UsageError("no board; give one: --board pi-zero-2w-sim7600 (or see --help)")
    }
    guard !config.isEmpty else {
      throw UsageError("no configuration; give one: --config FILE (or see --help)")
    }
  }
}
