import Glibc
import SystemCalls

/// The address of a socket in the file system, or in the abstract namespace.
struct UnixAddress {
  private var address = sockaddr_un()
  private let length: socklen_t

  init?(_ path: String) { self.init(bytes: Array(path.utf8)) }

  /// - Parameter name: as systemd writes it: a path, or `@name` in the abstract namespace, whose
  ///   length counts (unix(7)).
  init?(service name: String) {
    switch name.first {
    case "/": self.init(name)
    case "@": self.init(bytes: Array(name.utf8.dropFirst()), isAbstract: true)
    default: return nil
    }
  }

  private init?(bytes: [UInt8], isAbstract: Bool = false) {
    let place = isAbstract ? 1 : 0
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard !bytes.isEmpty, place + bytes.count < room, !bytes.contains(0) else { return nil }
    length = socklen_t(
      isAbstract
        ? MemoryLayout<sa_family_t>.size + place + bytes.count : MemoryLayout<sockaddr_un>.size)
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { path in
      for (index, byte) in bytes.enumerated() { path[place + index] = byte }
    }
  }

  static func socket(isBlocking: Bool) -> Int32 {
    let blocking = isBlocking ? 0 : Int32(SOCK_NONBLOCK.rawValue)
    return Glibc.socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | blocking, 0)
  }

  func bind(_ socket: Int32) -> Bool { withAddress { Glibc.bind(socket, $0, $1) == 0 } }

  /// Sends one datagram without waiting for room.
  func send(_ bytes: [UInt8], from socket: Int32) -> Bool {
    withAddress { address, length in
      retryingOnInterrupt {
        sendto(
          socket, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), address, length)
      } == bytes.count
    }
  }

  /// A connection to the listener there; `nil`, with `errno`, if there is none.
  ///
  /// - Parameter limit: how long it may take while the listener's queue is full; `nil`: no time.
  func connected(within limit: timeval? = nil) -> Int32? {
    let socket = Self.socket(isBlocking: limit != nil)
    guard socket >= 0 else { return nil }
    if var limit {
      setsockopt(
        socket, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    if withAddress({ address, length in
      retryingOnInterrupt { connect(socket, address, length) } == 0
    }) {
      return socket
    }
    let code = errno
    close(socket)
    errno = code
    return nil
  }

  private func withAddress<Result>(
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, length)
      }
    }
  }
}
