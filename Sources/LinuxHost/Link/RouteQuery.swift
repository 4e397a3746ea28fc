import Glibc
import SystemCalls

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
    let opened = socket(
      AF_NETLINK, Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard opened >= 0 else { return true }
    let socket = Descriptor(owning: opened)
    let message = message(address, interface)
    let sent = message.withUnsafeBytes { send(socket.number, $0.baseAddress, $0.count, 0) }
    var answer = [UInt8](repeating: 0, count: 4096)
    // The kernel has answered before `send` returns.
    guard sent == message.count,
      recv(socket.number, &answer, answer.count, Int32(MSG_DONTWAIT)) >= 20
    else { return true }
    return answer.withUnsafeBytes { bytes in
      guard bytes.loadUnaligned(fromByteOffset: 4, as: UInt16.self) == errorMessage else {
        return true
      }
      // Of `blackhole` and `prohibit` routes; anything else is a fault of the question.
      let none = [ENETUNREACH, EHOSTUNREACH, ESRCH, EACCES, EINVAL]
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
