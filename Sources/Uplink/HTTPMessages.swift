public import TrackerCore
public import Wording

/// A header field of a request or an answer.
public struct HTTPHeader: Sendable, Equatable {
  public var name: String
  public var value: String

  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

extension HTTPHeader: CustomStringConvertible, CustomReflectable {
  /// Only the name: the value may be a secret.
  public var description: String { "\(name): …" }
  public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

public enum HTTPMethod: String, Sendable, Equatable {
  case get = "GET"
  case post = "POST"
}

/// A complete request.
public struct HTTPRequest: Sendable, Equatable {
  public var method: HTTPMethod
  public var url: String
  public var headers: [HTTPHeader]
  public var body: [UInt8]
  /// Largest acceptable body of the answer, after decompression: the sender reports a larger one as
  /// `lost`.
  public var answerBytes: Int
  /// It is lost after this time without progress; `nil`: as its sender decides.
  public var patience: Milliseconds?
  /// It is not to be sent over a connection that was used before.
  public var needsNewConnection = false
  /// It is for an MQTT broker, with this instead of method, headers and body; `nil`: for a web
  /// server.
  public var publication: Publication?

  public init(
    method: HTTPMethod, url: String, headers: [HTTPHeader], body: [UInt8] = [],
    answerBytes: Int = UplinkBounds.answerBytes
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.answerBytes = answerBytes
  }
}

extension HTTPRequest: CustomStringConvertible, CustomReflectable {
  /// Method, address and size; not the query, the headers or the body, which may hold secrets.
  public var description: String {
    let address = url.prefix { $0 != "?" }
    if let publication { return "PUBLISH \(address) (\(publication.messages.count) messages)" }
    return "\(method.rawValue) \(address) (\(body.count) bytes)"
  }
  public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

/// The reply to a request.
public enum HTTPReply: Sendable, Equatable {
  case response(status: Int32, headers: [HTTPHeader], body: [UInt8])
  /// No connection was established; nothing was sent.
  case unreachable
  /// The link cannot carry a request of this size; nothing was sent.
  case tooLarge
  /// The request was sent in part at most, and the server has applied none of it. A smaller one may
  /// get through.
  case stalled
  /// It was sent, wholly or in part, and no complete answer came.
  case lost
}

/// A text that must not be shown: printing or dumping it reveals nothing.
public struct Secret: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
  let text: String
  public init(_ text: String) { self.text = text }
  public var description: String { "…" }
  public var customMirror: Mirror { Mirror(self, children: []) }
  /// The secret itself, only for the party that it is meant for.
  public var revealed: [UInt8] { Array(text.utf8) }
}

/// Why a request had no answer, in one line without anything secret from the request.
public struct HTTPError: Error, Sendable, Equatable, Worded {
  public enum Kind: Sendable, Equatable {
    /// The request or the configuration is not valid.
    case unusable
    case nameNotFound
    /// Nothing answered there, or there is no route to it.
    case notConnected
    /// The network interface does not exist, or may not be used.
    case interfaceMissing
    case proxyRefused
    /// The server's certificate is not trusted.
    case certificateRefused
    /// TLS failed for another reason.
    case tlsFailed
    /// A configured timeout, or slower than the configuration allows.
    case timedOut
    /// The answer is larger than the configuration allows.
    case answerTooLarge
    /// The answer is not HTTP, or cannot be decompressed.
    case answerUnreadable
    /// The connection ended before the answer was complete.
    case connectionLost
    /// The caller cancelled it.
    case cancelled
    /// libcurl failed for an internal reason, such as memory.
    case broken
  }

  public var kind: Kind
  /// Scheme, host and port; empty when the client as a whole is meant.
  var server: String
  /// What is wrong and what to do about it.
  var message: Texts
  /// Whether the server may have acted on the request.
  public var mayHaveArrived: Bool

  public init(_ kind: Kind, server: String, message: Texts, mayHaveArrived: Bool) {
    self.kind = kind
    self.server = server
    self.message = message
    self.mayHaveArrived = mayHaveArrived
  }

  public var texts: Texts {
    let whole = server.isEmpty ? message : server.texts.colon(message)
    // A host name and libcurl's message may contain characters from outside.
    return whole.map { text in
      String(
        String.UnicodeScalarView(
          text.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
    }
  }

  /// The cause; `nil`: it could be anything.
  public var cause: FailureCause? {
    switch kind {
    case .unusable: .settings
    case .nameNotFound: .name
    case .notConnected: .connection
    case .interfaceMissing: .interface
    case .proxyRefused: .proxy
    case .certificateRefused, .tlsFailed: .certificate
    case .timedOut: .silence
    case .answerTooLarge, .answerUnreadable: .foreignServer
    case .connectionLost, .cancelled, .broken: nil
    }
  }

  /// What to do: the second half of an error message.
  public static func cure(_ kind: Kind) -> Texts {
    let phrase: HTTPPhrase =
      switch kind {
      case .unusable: .cureAddress
      case .nameNotFound: .cureName
      case .notConnected: .curePort
      case .interfaceMissing: .cureInterface
      case .proxyRefused: .cureProxy
      case .certificateRefused: .cureCertificate
      case .tlsFailed: .cureTLS
      case .timedOut: .cureTime
      case .answerTooLarge: .cureSize
      case .answerUnreadable: .cureNotWeb
      case .connectionLost, .cancelled: .cureAsk
      case .broken: .cureBug
      }
    return phrase.texts
  }

  /// What is wrong, for the kinds that need no detail to be understood; `nil`: the transport's own
  /// words are best.
  public static func meaning(_ kind: Kind) -> Texts? {
    let phrase: HTTPPhrase? =
      switch kind {
      case .answerTooLarge: .answerTooLarge
      case .connectionLost: .connectionLost
      case .timedOut: .timedOut
      case .answerUnreadable: .answerUnreadable
      case .unusable, .nameNotFound, .notConnected, .interfaceMissing, .proxyRefused,
        .certificateRefused, .tlsFailed, .cancelled, .broken:
        nil
      }
    return phrase?.texts
  }

  /// A foreign message, in English as it came, behind a sentence that says what it means; in
  /// English the message alone.
  public static func quoting(_ message: String, _ kind: Kind) -> Texts {
    let phrase: HTTPPhrase =
      switch kind {
      case .unusable: .unusable
      case .nameNotFound: .nameNotFound
      case .notConnected: .notConnected
      case .interfaceMissing: .interfaceMissing
      case .proxyRefused: .proxyRefused
      case .certificateRefused: .certificateRefused
      case .tlsFailed: .tlsFailed
      case .timedOut: .timedOutQuoted
      case .answerTooLarge, .answerUnreadable, .connectionLost, .cancelled, .broken: .failed
      }
    return phrase.texts(message)
  }
}
