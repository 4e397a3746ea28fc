import Glibc
import SystemCalls

/// Tells whether a network interface can carry traffic to the server: it is up, running, and has an
/// address and a route.
///
/// A link-local address does not count: it comes with the interface, before the network does. The
/// kernel reports every change over a netlink socket, so there is no polling.
public final class LinkWatch {
  /// The interface, `wwan0`.
  public let interface: String
  /// Readable when any interface has changed; `nil` if the kernel does not report changes.
  public let descriptor: Int32?
  var target: LinkTarget

  /// RTMGRP_LINK, RTMGRP_IPV4_IFADDR, RTMGRP_IPV4_ROUTE, RTMGRP_IPV6_IFADDR and RTMGRP_IPV6_ROUTE
  /// (linux/rtnetlink.h), which Swift does not import.
  private static let groups: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400

  public init(interface: String, target: LinkTarget) {
    self.interface = interface
    self.target = target
    let socket = Glibc.socket(
      AF_NETLINK,
      Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard socket >= 0 else {
      descriptor = nil
      return
    }
    // struct sockaddr_nl: family, padding, port, groups.
    var address: [UInt32] = [UInt32(AF_NETLINK).littleEndian, 0, Self.groups]
    let isBound = address.withUnsafeMutableBytes { bytes in
      bytes.baseAddress.map {
        bind(socket, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count)) == 0
      } ?? false
    }
    if isBound {
      descriptor = socket
    } else {
      close(socket)
      descriptor = nil
    }
  }

  deinit {
    if let descriptor { close(descriptor) }
  }

  /// Discards the kernel's messages; read `isUp` afterwards.
  public func drain() {
    guard let descriptor else { return }
    var bytes = [UInt8](repeating: 0, count: 8192)
    while recv(descriptor, &bytes, bytes.count, 0) > 0 {}
  }

  /// What the interface lacks.
  public enum Lack: Sendable, Equatable {
    case interface
    /// It is down, or has no address.
    case address
    /// It has addresses, but none of the family of the server's numeric one.
    case family(isIPv4: Bool)
    case route
  }

  public var isUp: Bool { lack == nil }

  /// `nil`: nothing.
  public var lack: Lack? {
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
