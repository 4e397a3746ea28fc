import Basecamp

/// What was asked for on the command line.
struct Options {
  var settings = CampSettings(directory: "")
  var wantsHelp = false
  var wantsVersion = false

  /// Reads the words of the command line, `--name value` or `--name=value`.
  ///
  /// - Throws: an error of one line for the first thing that is wrong.
  init(_ words: [String]) throws {
    var reader = WordReader(words)
    var user: String?
    var passwordFile: String?
    while let word = reader.next() {
      switch word {
      case "--help", "-h": wantsHelp = true
      case "--version": wantsVersion = true
      case "--user": user = try reader.value("a name")
      case "--password-file": passwordFile = try reader.value("a file of mode 0600")
      default: try read(word, &reader)
      }
    }
    if wantsHelp || wantsVersion { return }
    guard !settings.directory.isEmpty else {
      throw UsageError("no place for the captures; give one: basecamp --database DIR")
    }
    switch (user, passwordFile) {
    case (nil, nil): break
    case (let user?, let file?):
      settings.credentials = try Credentials(user: user, passwordFile: file)
    default: throw UsageError("--user and --password-file go together; give both or none")
    }
  }

  private mutating func read(_ word: String, _ reader: inout WordReader) throws {
    switch word {
    case "--listen":
      let text = try reader.value("an address and a port, 127.0.0.1:8080")
      guard let address = ListenAddress(text) else {
        throw UsageError(
          "--listen '\(printable(text))': give an IPv4 address and a port, 127.0.0.1:8080")
      }
      settings.address = address
    case "--database": settings.directory = try reader.value("a directory")
    case "--course": settings.course = try reader.value("a GeoJSON file")
    case "--no-global-ids":
      try reader.refuseValue()
      settings.hasGlobalIDs = false
    case "--fault": settings.faults.append(try Fault(try reader.value("'503 every 5th'")))
    case "--fault-seed": settings.faultSeed = UInt64(try reader.number(0...Int64.max))
    case "--max-records": settings.maximumRecords = Int(try reader.number(1...100_000))
    case "--token-seconds": settings.tokenSeconds = Int(try reader.number(1...86_400))
    default: throw Self.unknown(word)
    }
  }

  private static let names = [
    "--listen", "--database", "--course", "--user", "--password-file", "--no-global-ids",
    "--fault", "--fault-seed", "--max-records", "--token-seconds", "--help", "--version",
  ]

  private static func unknown(_ word: String) -> UsageError {
    let near = names.first { $0.hasPrefix(word) || word.hasPrefix($0) }
    return UsageError(
      "unknown option '\(printable(word))'; "
        + (near.map { "did you mean \($0)?" } ?? "see basecamp --help"))
  }
}

/// A word of the command line as it may stand in an error.
private func printable(_ word: String) -> String {
  String(word.unicodeScalars.map { $0.value < 32 ? "?" : Character($0) })
}

/// A command line that cannot be followed. One line: what, and what to do.
struct UsageError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Walks over the words of a command line.
struct WordReader {
  private var words: ArraySlice<String>
  private var name = ""
  private var inlineValue: String?

  init(_ words: [String]) { self.words = words[...] }

  /// The next option's name; a value after `=` is kept for `value`.
  mutating func next() -> String? {
    guard let word = words.popFirst() else { return nil }
    name = word
    inlineValue = nil
    if word.hasPrefix("--"), let equals = word.firstIndex(of: "=") {
      name = String(word[..<equals])
      inlineValue = String(word[word.index(after: equals)...])
    }
    return name
  }

  /// The value of the option that `next` named.
  mutating func value(_ wanted: String) throws -> String {
    let value = inlineValue ?? words.popFirst()
    guard let value, !value.isEmpty else {
      throw UsageError("\(name) needs a value: \(wanted)")
    }
    return value
  }

  mutating func number(_ range: ClosedRange<Int64>) throws -> Int64 {
    let wanted = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    let text = try value(wanted)
    guard let number = Int64(text), range.contains(number) else {
      throw UsageError("\(name) '\(printable(text))': give \(wanted)")
    }
    return number
  }

  func refuseValue() throws {
    if let inlineValue { throw UsageError("\(name) takes no value, and got '\(inlineValue)'") }
  }
}
