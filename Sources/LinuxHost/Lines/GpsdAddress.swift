import Glibc

/// The address of a gpsd: `gpsd://HOST[:PORT][/DEVICE]`.
public struct GpsdAddress: Sendable, Equatable {
  static let scheme = "gpsd://"

  /// An IPv4 or IPv6 address; looking up a name would block.
  public var host: String
  public var port: UInt16
  /// The device file of the receiver to listen to; `nil`: all of gpsd's receivers.
  public var device: String?

  /// - Throws: if the text is not valid, with what to write instead.
  init(_ text: String) throws(LineProblem) {
    let rest = text.dropFirst(Self.scheme.count)
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    let path = String(rest[slash...])
    device = path.utf8.count > 1 ? path : nil
    // It has to be valid within a JSON string.
    let isPlain = path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
    guard text.hasPrefix(Self.scheme), isPlain,
      let (host, port) = Self.endpoint(rest[..<slash])
    else {
      throw LineProblem(
        inAddress: "\"\(text)\" is not a gpsd address; write numbers, not names, "
          + "and the device if it has several: \"gpsd://127.0.0.1:2947/dev/ttyS0\"")
    }
    self.host = host
    self.port = port
  }

  private static func endpoint(_ text: Substring) -> (host: String, port: UInt16)? {
    var host = text
    var port: UInt16 = 2947
    let bracket = text.lastIndex(of: "]") ?? text.startIndex
    if let colon = text[bracket...].lastIndex(of: ":") {
      guard let number = UInt16(text[text.index(after: colon)...]), number > 0 else { return nil }
      port = number
      host = text[..<colon]
    }
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      return nil
    }
    let numeric = host == "localhost" ? "127.0.0.1" : String(host)
    return SocketAddress(numeric, port: port) == nil ? nil : (numeric, port)
  }

  /// The address as written in settings.
  var text: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return "\(Self.scheme)\(name):\(port)\(device ?? "")"
  }
}

/// An internet address in the form of system calls.
struct SocketAddress {
  let family: Int32
  private let bytes: [UInt8]

  /// `nil` when `host` is not a numeric IPv4 or IPv6 address.
  init?(_ host: String, port: UInt16) {
    var four = sockaddr_in()
    var six = sockaddr_in6()
    if inet_pton(AF_INET, host, &four.sin_addr) == 1 {
      four.sin_family = sa_family_t(AF_INET)
      four.sin_port = port.bigEndian
      family = AF_INET
      bytes = withUnsafeBytes(of: four) { Array($0) }
    } else if inet_pton(AF_INET6, host, &six.sin6_addr) == 1 {
      six.sin6_family = sa_family_t(AF_INET6)
      six.sin6_port = port.bigEndian
      family = AF_INET6
      bytes = withUnsafeBytes(of: six) { Array($0) }
    } else {
      return nil
    }
  }

  /// Begins to connect; `EINPROGRESS` in `errno` means that it is in progress.
  func connect(_ descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { raw in
      raw.withMemoryRebound(to: sockaddr.self) {
        Glibc.connect(descriptor, $0.baseAddress, socklen_t(bytes.count)) == 0
      }
    }
  }
}
