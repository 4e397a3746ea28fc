import BoardSupport
import CommandLineSupport
import Wording

/// The command line after the command's name.
struct Options {
  enum Command {
    case push, captures, export, importing, bench

    /// Whether it sends to a server.
    var isSending: Bool { self == .push || self == .importing || self == .bench }
    var needsStore: Bool { self != .importing && self != .bench }
    /// Whether a tracker's configuration can name the server.
    var takesConfiguration: Bool { self == .push || self == .importing }
  }

  var store = ""
  /// A tracker's configuration.
  var config: String?
  /// The file to import.
  var file = ""
  var output: String?
  /// How many captures bench makes up.
  var captures = Bench.standardCaptures
  /// Whether bench need not ask.
  var isConfirmed = false
  var server = ""
  var format = ""
  var authorities: String?
  var secrets: String?
  var user: String?
  var clientID: String?
  var tokenURL: String?

  /// Reads the command line's arguments, `--name value` or `--name=value`.
  ///
  /// - Throws: an error of one line for the first mistake.
  init(_ words: [String], for command: Command) throws {
    var reader = ArgumentReader(words)
    var given: Set<String> = []
    while let word = reader.next() {
      guard given.insert(word).inserted else {
        throw UsageError(UsagePhrase.twice.texts(word))
      }
      if try read(word, for: command, &reader) { continue }
      if command.takesConfiguration, word == "--config" {
        config = try reader.value(UsagePhrase.configuration.texts)
        continue
      }
      guard command.isSending, try readServer(word, &reader) else {
        throw UsageError(UsagePhrase.unknownOption.texts(word, "trackerctl"))
      }
    }
    try check(for: command)
  }

  /// Reads an option about files; `false` if it is none of these.
  private mutating func read(
    _ word: String, for command: Command, _ reader: inout ArgumentReader
  ) throws -> Bool {
    switch word {
    case "--help", "-h": throw HelpRequested()
    case "--store" where command.needsStore: store = try reader.value(UsagePhrase.store.texts)
    case "--format" where command == .export:
      format = try reader.value(CommandPhrase.formats.texts)
    case "--output" where command == .export: output = try reader.value(UsagePhrase.file.texts)
    case "--captures" where command == .bench:
      captures = UInt32(clamping: try reader.number(1...1_000_000))
    case "--yes" where command == .bench: isConfirmed = true
    case _ where command == .importing && !word.hasPrefix("-"):
      guard file.isEmpty else {
        throw UsageError(CommandPhrase.secondFile.texts(word))
      }
      file = word
    default: return false
    }
    return true
  }

  /// Reads an option about the server; `false` if it is none of these.
  private mutating func readServer(_ word: String, _ reader: inout ArgumentReader) throws -> Bool {
    switch word {
    case "--server": server = try reader.value(CommandPhrase.layerAddress.texts)
    case "--secrets": secrets = try reader.value(CommandPhrase.secretsFile.texts)
    case "--user": user = try reader.value(CommandPhrase.aName.texts)
    case "--client-id": clientID = try reader.value(CommandPhrase.clientID.texts)
    case "--token-url": tokenURL = try reader.value(CommandPhrase.tokenAddress.texts)
    case "--ca": authorities = try reader.value(CommandPhrase.certificates.texts)
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
        throw UsageError(CommandPhrase.configTwice.texts(twice.0))
      }
    }
    guard !command.needsStore || !store.isEmpty || config != nil else {
      throw UsageError(CommandPhrase.noStore.texts)
    }
    guard command != .importing || !file.isEmpty else {
      throw UsageError(CommandPhrase.noFile.texts)
    }
    guard command != .export || !format.isEmpty else {
      throw UsageError(CommandPhrase.noFormat.texts)
    }
    guard !command.isSending || !server.isEmpty || config != nil else {
      throw UsageError(CommandPhrase.noServer.texts)
    }
  }

  /// The store from the command line, or else from the configuration.
  func storePath() throws -> String {
    guard store.isEmpty, let config else { return store }
    return try DaemonSettings(FileNode.load(path: config)).store.path()
  }
}
