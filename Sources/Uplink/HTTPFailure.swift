/// Why a request had no answer, in one line without anything secret from the request.
public struct HTTPFailure: Error, Sendable, Equatable, CustomStringConvertible {
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
  public var server: String
  /// What is wrong and what to do about it.
  public var message: String
  /// Whether the server may have acted on the request.
  public var mayHaveArrived: Bool

  public init(_ kind: Kind, server: String, message: String, mayHaveArrived: Bool) {
    self.kind = kind
    self.server = server
    self.message = message
    self.mayHaveArrived = mayHaveArrived
  }

  public var description: String {
    let text = server.isEmpty ? message : "\(server): \(message)"
    // A host name and libcurl's message may contain characters from outside.
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
  }

  /// What to do: the second half of an error message.
  public static func cure(_ kind: Kind) -> String {
    switch kind {
    case .unusable: "correct the address"
    case .nameNotFound: "check the server's name and the link"
    case .notConnected: "check the address, the port and the link"
    case .interfaceMissing: "check its name and that it is up"
    case .proxyRefused: "check the proxy's address and what it allows"
    case .certificateRefused: "check the date, the server's name and the authorities' file"
    case .tlsFailed: "check that the port speaks TLS 1.2 or later"
    case .timedOut: "try again, or allow more time"
    case .answerTooLarge: "ask for less"
    case .answerUnreadable: "check that the address is a web server's"
    case .connectionLost, .cancelled: "ask the server before sending again"
    case .broken: "report this as a bug"
    }
  }
}
