import FeatureService
import Glibc
import SystemCalls

/// A listening socket. It is bound here, because libmicrohttpd does not always report why that
/// failed (1.0.1 loses `errno`). The user of the descriptor closes it.
struct Listener {
  let descriptor: Int32
  /// The port that it listens on, chosen by the system if none was given.
  let port: UInt16

  /// - Throws: `ServiceError` if the address is in use or not available.
  init(at address: ListenAddress) throws(ServiceError) {
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = address.address
    place.sin_port = address.port.bigEndian
    let type = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    let descriptor = socket(AF_INET, Int32(type), 0)
    guard descriptor >= 0 else { throw Self.refusal(address, errno) }
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    // Connections of a server that has just ended may linger on the port.
    var reuses: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuses, 4)
    let isListening = withUnsafeMutablePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, SOMAXCONN) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isListening else {
      let refusal = Self.refusal(address, errno)
      close(descriptor)
      throw refusal
    }
    self.descriptor = descriptor
    port = UInt16(bigEndian: place.sin_port)
  }

  private static func refusal(_ address: ListenAddress, _ code: Int32) -> ServiceError {
    ServiceError("cannot listen on \(address): \(cure(of: code))")
  }

  private static func cure(of code: Int32) -> String {
    switch code {
    case EMFILE, ENFILE: "no descriptor is left; close other programs"
    case EADDRINUSE: "another program listens there; stop it, or use another port"
    case EACCES: "ports below 1024 are for root; use a higher one"
    case EADDRNOTAVAIL: "this machine has no such address; use 127.0.0.1 or one of its addresses"
    default: "\(reason(of: code)); use another address"
    }
  }
}
