import Basecamp
import CommandLineSupport
import FeatureService

/// The command line.
struct Options {
  var settings = CampSettings(directory: "")
  var wantsHelp = false
  var wantsVersion = false

  /// Reads the command line's arguments, `--name value` or `--name=value`.
  ///
  /// - Throws: an error of one line for the first mistake.
  init(_ words: [String]) throws {
    settings.language.otherwise = .ofEnvironment
    var reader = ArgumentReader(words)
    var user: String?
    var passwordFile: String?
    var owner: String?
    var ownerPasswordFile: String?
    var certificate: String?
    var key: String?
    while let word = reader.next() {
      switch word {
      case "--help", "-h": wantsHelp = true
      case "--version": wantsVersion = true
      case "--language": settings.language.always = try reader.language()
      case "--user": user = try reader.value("a name")
      case "--password-file": passwordFile = try reader.value("a file of mode 0600")
      case "--owner": owner = try reader.value("a name")
      case "--owner-password-file": ownerPasswordFile = try reader.value("a file of mode 0600")
      case "--certificate": certificate = try reader.value("a file of certificates (PEM)")
      case "--key": key = try reader.value("the certificate's private key (PEM)")
      default: try read(word, &reader)
      }
    }
    if wantsHelp || wantsVersion { return }
    guard !settings.directory.isEmpty else {
      throw UsageError("no folder for the captures; give one: basecamp --database DIR")
    }
    settings.service.credentials = try Self.credentials(user, passwordFile, "")
    settings.service.owner = try Self.credentials(owner, ownerPasswordFile, "owner-")
    if let owner, owner == user {
      throw UsageError("--owner and --user are the same; give the owner another name")
    }
    switch (certificate, key) {
    case (nil, nil): break
    case (let file?, let key?):
      settings.certificate = try ServerCertificate(file: file, keyFile: key)
    default: throw UsageError("--certificate and --key go together; give both or none")
    }
  }

  /// - Parameter prefix: of the option for the password's file.
  private static func credentials(
    _ user: String?, _ file: String?, _ prefix: String
  ) throws -> Credentials? {
    switch (user, file) {
    case (nil, nil): return nil
    case (let user?, let file?): return try Credentials(user: user, passwordFile: file)
    default:
      let name = prefix.isEmpty ? "user" : "owner"
      throw UsageError("--\(name) and --\(prefix)password-file go together; give both or none")
    }
  }

  private mutating func read(_ word: String, _ reader: inout ArgumentReader) throws {
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
      settings.service.hasGlobalIDs = false
    case "--course-fields":
      try reader.refuseValue()
      settings.service.hasCourseFields = true
    case "--origin":
      let text = try reader.value("a web page's origin, https://map.example.org")
      guard let origin = CrossOrigin.origin(text) else {
        throw UsageError(
          "--origin '\(printable(text))': give scheme and host, https://map.example.org")
      }
      settings.pages.origins = (settings.pages.origins ?? []) + [origin]
    case "--fault":
      settings.service.faults.append(try Fault(try reader.value("'503 every 5th'")))
    case "--fault-seed": settings.faultSeed = UInt64(try reader.number(0...Int64.max))
    case "--max-records":
      settings.service.maximumRecords = Int(try reader.number(1...100_000))
    case "--token-seconds":
      settings.service.tokenLife = .seconds(try reader.number(1...86_400))
    default: throw Self.unknown(word)
    }
  }

  private static let names = [
    "--listen", "--database", "--course", "--course-fields", "--user", "--password-file",
    "--no-global-ids", "--fault", "--certificate", "--key", "--fault-seed", "--max-records",
    "--token-seconds", "--language", "--origin", "--owner", "--owner-password-file", "--help",
    "--version",
  ]

  private static func unknown(_ word: String) -> UsageError {
    let near = names.first { $0.hasPrefix(word) || word.hasPrefix($0) }
    return UsageError(
      "unknown option '\(printable(word))'; "
        + (near.map { "did you mean \($0)?" } ?? "see basecamp --help"))
  }
}

/// An argument without control characters, for an error message.
private func printable(_ word: String) -> String {
  String(word.unicodeScalars.map { $0.value < 32 ? "?" : Character($0) })
}
