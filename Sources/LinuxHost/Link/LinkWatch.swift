import Glibc
import HTTPTransfer
import SystemCalls

/// Tells whether a network interface can carry traffic to the server: it is up, running, and has an
/// address and a route.
///
/// A link-local address does not count: it comes with the interface, before the network does. The
/// kernel reports every change over a netlink socket, so there is no polling.
public final class LinkWatch {
  /// The interface, `wwan0`.
  let interface: String
  /// Readable when any interface has changed; `nil` if the kernel does not report changes.
  var descriptor: Int32? { socket?.number }
  private var socket: Descriptor?
  var target: LinkTarget

  /// RTMGRP_LINK, RTMGRP_IPV4_IFADDR, RTMGRP_IPV4_ROUTE, RTMGRP_IPV6_IFADDR and RTMGRP_IPV6_ROUTE
  /// (linux/rtnetlink.h), which Swift does not import.
  private static let groups: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400

  public convenience init(interface: String, target: LinkTarget) {
    self.init(
      interface: interface, target: target,
      reports: try? Descriptor.netlinkSocket(groups: Self.groups))
  }

  /// - Parameter reports: `nil`: the kernel reports nothing.
  init(interface: String, target: LinkTarget, reports: consuming Descriptor?) {
    self.interface = interface
    self.target = target
    socket = reports
  }

  /// Discards the kernel's messages; read `isUp` afterwards.
  func drain() {
    var bytes = [UInt8](repeating: 0, count: 8192)
    while let count = try? socket?.receive(into: &bytes), count > 0 {}
  }

  /// What the interface lacks.
  enum Lack: Sendable, Equatable {
    case interface
    /// It is down, or has no address.
    case address
    /// It has addresses, but none of the family of the server's numeric one.
    case family(isIPv4: Bool)
    case route
  }

  var isUp: Bool { lack == nil }

  /// `nil`: nothing.
  var lack: Lack? {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return .interface }
    defer { freeifaddrs(first) }
    var entry = first
    var flags: UInt32 = 0
    var hasIPv4 = false
    while let current = entry?.pointee {
      entry = current.ifa_next
      guard String(cString: current.ifa_name) == interface else { continue }
      flags = current.ifa_flags
      if let address = current.ifa_addr, Int32(address.pointee.sa_family) == AF_INET {
        hasIPv4 = hasIPv4 || Self.isUsable(address)
      }
    }
    let wanted = UInt32(IFF_UP) | UInt32(IFF_RUNNING)
    let index = if_nametoindex(interface)
    guard index != 0 else { return .interface }
    guard flags & wanted == wanted else { return .address }
    let hasIPv6 = hasIPv6
    guard hasIPv4 || hasIPv6 else { return .address }
    if case .address(let bytes) = target, bytes.count == 4 ? !hasIPv4 : !hasIPv6 {
      return .family(isIPv4: bytes.count == 4)
    }
    let isReached = target.isReached(
      from: index, hasIPv4: hasIPv4, hasIPv6: hasIPv6,
      isPointToPoint: flags & UInt32(IFF_POINTOPOINT) != 0)
    return isReached ? nil : .route
  }

  /// Not 0.0.0.0, and not of 169.254.0.0/16: what a DHCP client takes when no server answers (RFC
  /// 3927).
  private static func isUsable(_ address: UnsafeMutablePointer<sockaddr>) -> Bool {
    let number = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
      UInt32(bigEndian: $0.pointee.sin_addr.s_addr)
    }
    return number != 0 && number >> 16 != 0xA9FE
  }

  /// Whether it has a global address that may be used: one whose duplicates are still looked for
  /// may not. Lines of /proc/net/if_inet6 are address, index, prefix length, scope, flags, name.
  private var hasIPv6: Bool {
    guard let bytes = try? readWhole("/proc/net/if_inet6", atMost: 65_536) else { return false }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").contains { line in
      let words = line.split(separator: " ")
      guard words.count == 6, words[5] == interface, let flags = UInt8(words[4], radix: 16) else {
        return false
      }
      // IPV6_ADDR_LINKLOCAL is scope 20, IPV6_ADDR_LOOPBACK 10, site-local 40 (net/ipv6.h).
      let isGlobal = words[3] != "20"
      return isGlobal && flags & (Self.tentative | Self.failed) == 0
    }
  }

  /// IFA_F_TENTATIVE and IFA_F_DADFAILED (linux/if_addr.h).
  private static let tentative: UInt8 = 0x40
  private static let failed: UInt8 = 0x08
}

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
    if let bytes = InternetAddress.number(host) {
      self = .address(bytes)
    } else {
      let isLocal = !host.contains(".") || host.lowercased().hasSuffix(".local")
      self = isLocal ? .neighbour : .anywhere
    }
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

/// Asks the kernel for a route, as `ip route get … oif … fibmatch` does (rtnetlink(7)).
///
/// `connect` would not tell: with a socket bound to an interface, the kernel takes every IPv4
/// address without a route for a neighbour.
enum RouteQuery {
  // From linux/rtnetlink.h and linux/netlink.h, whose macros and enums Swift does not import.
  private static let getRoute: UInt16 = 26
  private static let request: UInt16 = 1
  private static let errorMessage: UInt16 = 2
  private static let fibMatch: UInt32 = 0x2000
  private static let destination: UInt16 = 1
  private static let outgoingInterface: UInt16 = 4

  /// - Parameters:
  ///   - address: 4 or 16 bytes in network order.
  ///   - interface: its index.
  /// - Returns: `false` only if the kernel says that there is none.
  static func hasRoute(to address: [UInt8], by interface: UInt32) -> Bool {
    guard let socket = try? Descriptor.netlinkSocket() else { return true }
    var answer = [UInt8](repeating: 0, count: 4096)
    // The kernel has answered before `send` returns.
    guard (try? socket.send(message(address, interface), isWaiting: true)) == true,
      let count = try? socket.receive(into: &answer), count >= 20
    else { return true }
    return answer.withUnsafeBytes { bytes in
      guard bytes.loadUnaligned(fromByteOffset: 4, as: UInt16.self) == errorMessage else {
        return true
      }
      // Of `blackhole` and `prohibit` routes; anything else is a fault of the question.
      let none = [
        Errno.networkUnreachable, Errno.hostUnreachable, Errno.noProcess, Errno.accessDenied,
        Errno.invalid,
      ]
      return !none.contains(-bytes.loadUnaligned(fromByteOffset: 16, as: Int32.self))
    }
  }

  /// struct nlmsghdr, struct rtmsg, and two attributes.
  private static func message(_ address: [UInt8], _ interface: UInt32) -> [UInt8] {
    var body: [UInt8] = [
      UInt8(address.count == 4 ? AF_INET : AF_INET6), UInt8(address.count * 8), 0, 0, 0, 0, 0, 0,
    ]
    body += bytes(fibMatch)
    body += bytes(UInt16(4 + address.count)) + bytes(destination) + address
    body += bytes(UInt16(8)) + bytes(outgoingInterface) + bytes(interface)
    return bytes(UInt32(16 + body.count)) + bytes(getRoute) + bytes(request)
      + bytes(UInt32(1)) + bytes(UInt32(0)) + body
  }

  /// In the machine's order.
  private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number) { Array($0) }
  }
}
