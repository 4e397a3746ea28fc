public import TrackerCore

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
