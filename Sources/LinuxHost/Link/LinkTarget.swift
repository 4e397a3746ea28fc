import Glibc

/// Where the link has to lead: to the server, or to the proxy.
public enum LinkTarget: Sendable, Equatable {
  /// A numeric address: 4 bytes, or 16 for IPv6, in network order.
  case address([UInt8])
  /// A name, which can only be resolved when the link is up: a default route has to be there.
  case anywhere
  /// A name of the local network.
  case neighbour

  /// - Parameters:
  ///   - server: the server's address, `https://host:port/path`.
  ///   - proxy: `http://host:port`; it is reached instead of the server.
  public init(server: String, proxy: String?) {
    self.init(host: ServerName.host(proxy ?? server))
  }

  init(host: String) {
    if let bytes = Self.bytes(host, AF_INET, 4) ?? Self.bytes(host, AF_INET6, 16) {
      self = .address(bytes)
    } else {
      let isLocal = !host.contains(".") || host.lowercased().hasSuffix(".local")
      self = isLocal ? .neighbour : .anywhere
    }
  }

  private static func bytes(_ host: String, _ family: Int32, _ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return inet_pton(family, host, &bytes) == 1 ? bytes : nil
  }

  /// Whether packets get there from an interface.
  ///
  /// - Parameters:
  ///   - hasIPv4: it has an IPv4 address.
  ///   - hasIPv6: it has a global IPv6 address.
  ///   - isPointToPoint: it has only one other end, like ppp0, to which the kernel sends IPv4 even
  ///     without a route.
  func isReached(
    from interface: UInt32, hasIPv4: Bool, hasIPv6: Bool, isPointToPoint: Bool
  ) -> Bool {
    switch self {
    case .address(let bytes):
      let isIPv4 = bytes.count == 4
      guard isIPv4 ? hasIPv4 : hasIPv6 else { return false }
      return isIPv4 && isPointToPoint || RouteQuery.hasRoute(to: bytes, by: interface)
    case .anywhere:
      if hasIPv4 && (isPointToPoint || RouteQuery.hasRoute(to: Self.documentation, by: interface)) {
        return true
      }
      return hasIPv6 && RouteQuery.hasRoute(to: Self.documentation6, by: interface)
    case .neighbour: return hasIPv4 || hasIPv6
    }
  }

  // Addresses that only a default route leads to: 192.0.2.1 (RFC 5737) and 2001:db8::1 (RFC 3849).
  private static let documentation: [UInt8] = [192, 0, 2, 1]
  private static let documentation6: [UInt8] =
    [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [1]
}
