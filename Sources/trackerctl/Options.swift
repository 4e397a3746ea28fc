import BoardSupport
import CommandLineSupport

/// What was asked for on the command line, after the command's name.
struct Options {
  enum Command {
    case push, captures, export, importing, bench

    /// Whether it speaks to a server.
    var isSending: Bool { self == .push || self == .importing || self == .bench }
    var needsStore: Bool { self != .importing && self != .bench }
    /// Whether a tracker's configuration can say where to.
    var takesConfiguration: Bool { self == .push || self == .importing }
  }

  var store = ""
  /// A tracker's configuration.
  var config: String?
  /// What is to be imported.
  var file = ""
  var output: String?
  /// How many a bench makes up.
  var captures = Bench.standardCaptures
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
    var reader = ArgumentReader(words)
    var given: Set<String> = []
    while let word = reader.next() {
      guard given.insert(word).inserted else {
        throw UsageError("\(word) is given twice; give it once")
      }
      if try read(word, for: command, &reader) { continue }
      if command.takesConfiguration, word == "--config" {
        config = try reader.value("a tracker's configuration")
        continue
      }
      guard command.isSending, try readServer(word, &reader) else {
        throw UsageError("unknown option '\(word)'; see trackerctl --help")
      }
    }
    try check(for: command)
  }

  /// Whether it was an option of files.
  private mutating func read(
    _ word: String, for command: Command, _ reader: inout ArgumentReader
  ) throws -> Bool {
    switch word {
    case "--help", "-h": throw HelpRequested()
    case "--store" where command.needsStore: store = try reader.value("a tracker's store")
    case "--format" where command == .export:
      format = try reader.value("gpx, kml, geojson or csv")
    case "--output" where command == .export: output = try reader.value("a file")
    case "--captures" where command == .bench:
      captures = UInt32(clamping: try reader.number(1...1_000_000))
    case _ where command == .importing && !word.hasPrefix("-"):
      guard file.isEmpty else {
        throw UsageError("'\(word)' is a second file; import one after the other")
      }
      file = word
    default: return false
    }
    return true
  }

  /// Whether it was an option of a server.
  private mutating func readServer(_ word: String, _ reader: inout ArgumentReader) throws -> Bool {
    switch word {
    case "--server": server = try reader.value("the address of a layer")
    case "--secrets": secrets = try reader.value("a file of mode 0600")
    case "--user": user = try reader.value("a name")
    case "--client-id": clientID = try reader.value("an application's identifier")
    case "--token-url": tokenURL = try reader.value("where tokens come from")
    case "--ca": authorities = try reader.value("a file of certificates (PEM)")
    default: return false
    }
    return true
  }

  private func check(for command: Command) throws {
    if config != nil {
      let twice = [
        ("--server", server.isEmpty ? nil : server), ("--secrets", secrets), ("--user", user),
        ("--client-id", clientID), ("--token-url", tokenURL), ("--ca", authorities),
      ].first { $0.1 != nil }
      if let twice {
        throw UsageError("\(twice.0): --config says where to and who we are; leave one of them out")
      }
    }
    guard !command.needsStore || !store.isEmpty || config != nil else {
      throw UsageError("no store; give one: --store FILE")
    }
    guard command != .importing || !file.isEmpty else {
      throw UsageError("no file; give one that trackerctl export has written (GeoJSON or CSV)")
    }
    guard command != .export || !format.isEmpty else {
      throw UsageError("no format; give one: --format gpx, kml, geojson or csv")
    }
    guard !command.isSending || !server.isEmpty || config != nil else {
      throw UsageError("no server; give one: --server https://host/…/FeatureServer/0")
    }
  }

  /// The store, which the configuration names where the command line does not.
  func storePath() throws -> String {
    guard store.isEmpty, let config else { return store }
    return try DaemonSettings(FileNode.load(path: config)).store.path()
  }
}
