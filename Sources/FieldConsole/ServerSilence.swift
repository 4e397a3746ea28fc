/// Which server does not answer, and how. This holds until an answer comes.
public struct ServerSilence: Sendable, Equatable {
  public enum Kind: String, Sendable, CaseIterable {
    /// Its name is not found.
    case nameNotFound
    /// No connection to its address: nothing listens there, or nothing is there.
    case notConnected
    /// TLS fails, or its certificate is not trusted.
    case notTrusted
    /// It takes the connection and does not answer in time.
    case noAnswer
    /// The connection ends before an answer is complete.
    case cutOff
  }

  public var kind: Kind
  /// Scheme, host and port.
  public var server: String

  public init(_ kind: Kind, of server: String) {
    self.kind = kind
    self.server = server
  }
}
