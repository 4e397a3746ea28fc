import CommandLineWords

/// What was asked for on the command line, after the command's name.
struct Options {
  enum Command {
    case push, captures, export
  }

  var store = ""
  var server = ""
  var format = ""
  var authorities: String?
  var secrets: String?
  var user: String?
  var clientID: String?
  var tokenURL: String?

  /// Reads the words of the command line, `--name value` or `--name=value`.
  ///
  /// - Throws: an error of one line for the first thing that is wrong.
  init(_ words: [String], for command: Command) throws {
    var reader = WordReader(words)
    var given: Set<String> = []
    while let word = reader.next() {
      guard given.insert(word).inserted else {
        throw UsageError("\(word) is given twice; give it once")
      }
      switch (word, command) {
      case ("--help", _), ("-h", _): throw HelpWanted()
      case ("--store", _): store = try reader.value("a tracker's store")
      case ("--format", .export): format = try reader.value("gpx, kml, geojson or csv")
      case ("--server", .push): server = try reader.value("the address of a layer")
      case ("--secrets", .push): secrets = try reader.value("a file of mode 0600")
      case ("--user", .push): user = try reader.value("a name")
      case ("--client-id", .push): clientID = try reader.value("an application's identifier")
      case ("--token-url", .push): tokenURL = try reader.value("where tokens come from")
      case ("--ca", .push): authorities = try reader.value("a file of certificates (PEM)")
      default: throw UsageError("unknown option '\(word)'; see trackerctl --help")
      }
    }
    guard !store.isEmpty else { throw UsageError("no store; give one: --store FILE") }
    guard command != .export || !format.isEmpty else {
      throw UsageError("no format; give one: --format gpx, kml, geojson or csv")
    }
    guard command != .push || !server.isEmpty else {
      throw UsageError("no server; give one: --server https://host/…/FeatureServer/0")
    }
  }
}
