import Glibc

/// Tells whether a network interface can carry traffic: it is up, running, and has an address.
///
/// The kernel reports every change over a netlink socket, so there is no polling.
public final class LinkWatch {
  /// The interface, `wwan0`.
  public let interface: String
  /// Readable when any interface has changed; `nil` if the kernel does not report changes.
  public let descriptor: Int32?

  /// RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR (linux/rtnetlink.h), which Swift does
  /// not import.
  private static let groups: UInt32 = 0x1 | 0x10 | 0x100

  public init(interface: String) {
    self.interface = interface
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

  public var isUp: Bool {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return false }
    defer { freeifaddrs(first) }
    var entry = first
    while let current = entry?.pointee {
      entry = current.ifa_next
      guard String(cString: current.ifa_name) == interface, let address = current.ifa_addr else {
        continue
      }
      let wanted = UInt32(IFF_UP) | UInt32(IFF_RUNNING)
      let family = Int32(address.pointee.sa_family)
      if current.ifa_flags & wanted == wanted, family == AF_INET || family == AF_INET6 {
        return true
      }
    }
    return false
  }
}
