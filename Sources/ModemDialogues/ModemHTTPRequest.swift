import LeanUplink
import TrackerCore
import Uplink
import Wording

/// How a modem verifies a server's certificate.
public enum ModemTrust: Sendable, Equatable {
  /// By an authority whose certificate is in the modem's files under this name (stored once with
  /// `AT+CCERTDOWN`). The validity period is not checked, as the modem may not know the date.
  case authority(String)
  /// Not at all: an attacker in between can read and change everything, including passwords.
  case nobody
}

/// A request as a modem's commands.
struct ModemHTTPRequest: Sendable, Equatable {
  /// A setting to make before the request.
  struct Setting: Sendable, Equatable {
    var line: String
    /// Whether the request must not be sent without it. The others are refused by some firmware and
    /// required by other.
    var isNeeded: Bool
    /// Whether it is a limit of the modem's own.
    var isLimit = false
  }

  var settings: [Setting] = []
  var body: [UInt8]
  var isPost: Bool
  private let patience: Milliseconds?

  /// - Throws: `ModemHTTPError` when a modem cannot send the request.
  init(
    _ request: HTTPRequest, words: ModemHTTPStrings, trust: ModemTrust
  ) throws(ModemHTTPError) {
    isPost = request.method == .post
    patience = request.patience
    body = isPost ? request.body : []
    guard body.count <= Int(words.longestBody) else {
      throw ModemHTTPError(ModemPhrase.bodyTooLong.texts("\(body.count)"), isSize: true)
    }
    guard request.url.utf8.count <= Int(words.longestAddress) else {
      throw ModemHTTPError(ModemPhrase.addressTooLong.texts, isSize: true)
    }
    let isHTTPS = request.url.lowercased().hasPrefix("https://")
    guard isHTTPS || request.url.lowercased().hasPrefix("http://") else {
      throw ModemHTTPError(ModemPhrase.notAnAddress.texts)
    }
    settings.append(Setting(line: try Self.parameter("URL", request.url), isNeeded: true))
    if isHTTPS { try secure(trust) }
    try add(request.headers, atMost: Int(words.longestHeaders))
  }

  /// Sets the modem's own limits, so that it reports before `left` is over.
  mutating func limit(to left: Milliseconds) {
    let seconds = left.count / 1000
    let longest = min(
      ModemBounds.receiveSeconds, patience.map { $0.count / 1000 } ?? ModemBounds.receiveSeconds)
    let connect = max(
      ModemBounds.shortestConnectSeconds, min(ModemBounds.connectSeconds, seconds / 2))
    let receive = max(
      ModemBounds.shortestReceiveSeconds, min(longest, seconds - connect - 5))
    settings += ["\"CONNECTTO\",\(connect)", "\"RECVTO\",\(receive)"].map {
      Setting(line: "AT+HTTPPARA=\($0)", isNeeded: false, isLimit: true)
    }
  }

  /// The settings for TLS and for verifying the server.
  private mutating func secure(_ trust: ModemTrust) throws(ModemHTTPError) {
    func add(_ words: StaticString, isNeeded: Bool = false) {
      settings.append(Setting(line: words.text, isNeeded: isNeeded))
    }
    add(ModemWebWords.tlsVersion)
    add(ModemWebWords.serverName)
    add(ModemWebWords.useTLS)
    switch trust {
    case .nobody: add(ModemWebWords.trustAll)
    case .authority(let name):
      add(ModemWebWords.ignoreDate)
      let line = String(ModemWebWords.authority.text.dropLast()) + (try Self.quoted(name))
      settings.append(Setting(line: line, isNeeded: true))
      add(ModemWebWords.verify, isNeeded: true)
    }
  }

  private mutating func add(
    _ headers: [HTTPHeader], atMost limit: Int
  ) throws(ModemHTTPError) {
    var others: [String] = []
    for header in headers {
      if header.name.lowercased() == "content-type" {
        settings.append(Setting(line: try Self.parameter("CONTENT", header.value), isNeeded: true))
      } else {
        others.append("\(header.name): \(header.value)")
      }
    }
    guard !others.isEmpty else { return }
    // The modem turns these four characters into a line end.
    let text = others.joined(separator: "\\r\\n")
    guard text.utf8.count <= limit else {
      throw ModemHTTPError(ModemPhrase.headersTooLong.texts)
    }
    settings.append(Setting(line: try Self.parameter("USERDATA", text), isNeeded: true))
  }

  private static func parameter(
    _ name: String, _ value: String
  ) throws(ModemHTTPError) -> String {
    "AT+HTTPPARA=\"\(name)\",\(try quoted(value))"
  }

  private static func quoted(_ value: String) throws(ModemHTTPError) -> String {
    guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 }) else {
      throw ModemHTTPError(ModemPhrase.unsendable.texts)
    }
    return "\"\(value)\""
  }
}

extension ModemHTTPRequest: CustomStringConvertible, CustomReflectable {
  /// Only the size, because addresses and headers may contain secrets.
  var description: String { "\(isPost ? "POST" : "GET") (\(body.count) bytes)" }
  var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

/// Why a modem cannot send a request, without anything secret from the request.
struct ModemHTTPError: Error, Sendable, Equatable {
  var texts: Texts
  /// Whether a request with fewer captures may be possible.
  var isSize = false

  init(_ texts: Texts, isSize: Bool = false) {
    self.texts = texts
    self.isSize = isSize
  }
}
