import Glibc

/// A non-blocking TCP connection. Closed with its owner.
struct StreamSocket: ~Copyable {
  let descriptor: Int32

  /// Begins to connect.
  ///
  /// - Throws: the `errno`.
  init(_ address: SocketAddress) throws(SocketFailure) {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    descriptor = socket(address.family, kind | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw SocketFailure(code: errno) }
    // Detects a peer that has disappeared, after some two minutes.
    set(SOL_SOCKET, SO_KEEPALIVE, 1)
    set(Int32(IPPROTO_TCP), TCP_KEEPIDLE, 60)
    set(Int32(IPPROTO_TCP), TCP_KEEPINTVL, 20)
    set(Int32(IPPROTO_TCP), TCP_KEEPCNT, 3)
    if !address.connect(descriptor), errno != EINPROGRESS, errno != EINTR {
      throw SocketFailure(code: errno)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  private func set(_ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    // Without it the line still works; a lost peer is only detected later.
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// The result of connecting: an `errno`, or 0 for success. Reading it clears it in the kernel.
  func takeOutcome() -> Int32 {
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 ? code : errno
  }
}

struct SocketFailure: Error {
  /// The `errno`.
  var code: Int32
}
