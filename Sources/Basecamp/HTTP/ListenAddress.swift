import Glibc

/// The address to listen on: an IPv4 address and a port, `127.0.0.1:8080`. With port 0 the system
/// chooses one.
public struct ListenAddress: Sendable, Equatable, CustomStringConvertible {
  var address: in_addr_t
  public var port: UInt16

  public static let standard = ListenAddress(address: in_addr_t(0x7F00_0001).bigEndian, port: 8080)

  init(address: in_addr_t, port: UInt16) {
    self.address = address
    self.port = port
  }

  /// - Returns: `nil` if it is not an address of that form. Names other than `localhost` are not
  ///   supported.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].allSatisfy(\.isNumber), let port = UInt16(parts[1]) else {
      return nil
    }
    var address = in_addr()
    let host = parts[0] == "localhost" ? "127.0.0.1" : String(parts[0])
    guard inet_pton(AF_INET, host, &address) == 1 else { return nil }
    self.init(address: address.s_addr, port: port)
  }

  /// `127.0.0.1:8080`
  public var description: String {
    let number = UInt32(bigEndian: address)
    let bytes = [number >> 24, number >> 16 & 255, number >> 8 & 255, number & 255]
    return bytes.map { String($0) }.joined(separator: ".") + ":\(port)"
  }
}
