/// Why a request brought no answer: one line without anything that a request may hide.
public struct HTTPFailure: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Kind: Sendable, Equatable {
    /// The request or the configuration cannot be used as it is.
    case unusable
    case nameNotFound
    /// Nobody answered there, or there is no way to it.
    case notConnected
    /// The network interface is not there, or may not be used.
    case interfaceMissing
    case proxyRefused
    /// The server's certificate is not to be trusted.
    case certificateRefused
    /// TLS did not come about for another reason.
    case tlsFailed
    /// A timeout of the configuration, or slower than it allows.
    case timedOut
    /// The answer is larger than the configuration allows.
    case answerTooLarge
    /// What came back is no HTTP, or cannot be unpacked.
    case answerUnreadable
    /// The connection ended before the answer did.
    case connectionLost
    /// The caller ended it.
    case cancelled
    /// libcurl failed for a reason of its own, such as memory.
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
    // A host's name and libcurl's words about it may hold what came from outside.
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
  }

  /// What to do, in the words of an error's second half.
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
    case .broken: "report it"
    }
  }
}
