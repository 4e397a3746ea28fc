/// Why nothing was delivered, as far as it is known where it failed. Each has its words and its
/// patience in the table of verdicts.
public enum FailureCause: String, Sendable, CaseIterable, Codable {
  /// The network's login page answers instead of the server.
  case portal
  /// The modem does not take the access point.
  case accessPoint
  /// The network opens no data connection.
  case dataConnection
  /// The network interface is not there, or does not come up.
  case interface
  /// The server's address is an IPv4 address, and the network has no IPv4; or the same with IPv6.
  case addressFamily
  /// The server's name is not found.
  case name
  /// Nothing listens at the server's address.
  case connection
  /// The server, or whatever is at its address, does not answer.
  case silence
  /// No TLS connection is established.
  case certificate
  /// The same between the modem's own HTTP and the server.
  case modemCertificate
  case proxy
  /// What answers is not the configured kind of server.
  case foreignServer
  /// The modem restarts by itself.
  case supply
  /// The server answers that it cannot work now.
  case busy
  /// A request cannot be made of these settings.
  case settings
}
