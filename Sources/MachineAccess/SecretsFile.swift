import SystemCalls
import TrackerCore
public import Uplink

/// Passwords and tokens, which must not be in a configuration, in arguments or in a log.
///
///     # One name and value per line; the value is everything after the "=", trimmed.
///     password = correct horse battery staple
public struct SecretsFile: Sendable, Equatable {
  private var secrets: [String: Secret]

  /// The names in the file, sorted.
  var names: [String] { secrets.keys.sorted() }
  public subscript(name: String) -> Secret? { secrets[name] }

  /// Reads a file that belongs to the user that this program runs as, and that no other user may
  /// read or write.
  ///
  /// - Throws: `SecretsError` if it cannot be read, others may read it, or a line is not valid.
  public static func load(_ path: String) throws(SecretsError) -> SecretsFile {
    let bytes: [UInt8]
    do throws(SecretError) {
      bytes = try readSecret(path, atMost: MachineBounds.secretsFileBytes)
    } catch {
      throw SecretsError(path, nil, text(of: error))
    }
    return try SecretsFile(bytes, path: path)
  }

  private static func text(of failure: SecretError) -> String {
    switch failure {
    case .system(let error): "cannot be read: \(error.reason); \(cure(of: error))"
    case .notRegular: "is not a regular file; use a file of names and values"
    case .otherOwner: "belongs to another user; change that with chown, or run as its owner"
    case .unprotected: "is readable by others; protect it with chmod 600"
    case .tooLarge: "is larger than 64 KiB; use a file of names and values"
    }
  }

  private static func cure(of error: SystemError) -> String {
    switch error.code {
    case Errno.noSuchFile, Errno.notFolder: "check the path"
    case Errno.accessDenied, Errno.notPermitted: "run as its owner"
    default: "check the disk"
    }
  }

  /// Parses such a file. Problems name a line, never its content.
  public init(_ bytes: [UInt8], path: String) throws(SecretsError) {
    guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
      throw SecretsError(path, nil, "is not text; write it in UTF-8")
    }
    secrets = [:]
    var number = 0
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      let line = Self.trimmed(line)
      if line.isEmpty || line.hasPrefix("#") { continue }
      guard let sign = line.firstIndex(of: "=") else {
        throw SecretsError(path, number, "has no \"=\"; write name = value")
      }
      let name = Self.trimmed(line[..<sign])
      let value = Self.trimmed(line[line.index(after: sign)...])
      guard !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else {
        throw SecretsError(path, number, "has no plain name before \"=\"; write name = value")
      }
      guard !value.isEmpty else {
        throw SecretsError(path, number, "has no value after \"=\"; write it or remove the line")
      }
      guard !Self.hasSecond(value) else {
        throw SecretsError(path, number, "has two secrets; write each on its own line")
      }
      guard secrets.updateValue(Secret(String(value)), forKey: String(name)) == nil else {
        throw SecretsError(path, number, "defines a name twice; remove one")
      }
    }
  }

  /// Whether another secret begins after a comma, as in `password = …, pin = …`.
  private static func hasSecond(_ value: Substring) -> Bool {
    let known = ["password", "pin", "token", "clientsecret", "consolepin"]
    return value.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "," || $0 == ";" })
      .dropFirst().contains { part in
        let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return words.count == 2 && known.contains(trimmed(words[0]).lowercased())
      }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let end = text.lastIndex { !$0.isWhitespace }.map { text.index(after: $0) }
    return text[..<(end ?? text.startIndex)].drop(while: \.isWhitespace)
  }
}

/// Why a secrets file is refused: one line that says what, where and what to do.
public struct SecretsError: Error, Sendable, Equatable, CustomStringConvertible {
  var path: String
  var line: Int?
  var message: String

  init(_ path: String, _ line: Int?, _ message: String) {
    self.path = path
    self.line = line
    self.message = message
  }

  public var description: String { "\(path)\(line.map { ":\($0)" } ?? ""): \(message)" }
}

extension SecretsFile {
  /// Whether its PIN for the SIM, if it has one, can be entered.
  public var hasGoodSIMPIN: Bool {
    guard let pin = self["pin"] else { return true }
    return ModemCommandFormatter(family: .generic, accessPoint: nil)
      .pinLine(pin.revealed.span) != nil
  }

  /// The console's PIN, 4 to 64 characters; `nil` if it has none, or a shorter or longer one.
  public var consolePIN: Secret? {
    self["consolePin"].flatMap { (4...64).contains($0.revealed.count) ? $0 : nil }
  }
}
