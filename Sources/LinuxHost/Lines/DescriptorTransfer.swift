import Glibc
import SystemCalls

/// The result of one read or write on a non-blocking descriptor.
enum DescriptorTransfer: Equatable {
  case bytes(Int)
  /// No data, or no room, at present.
  case nothing
  /// The other side has closed it.
  case ended
  /// The `errno`.
  case failed(Int32)

  static func read(_ descriptor: Int32, into buffer: inout MutableSpan<UInt8>) -> Self {
    let count = buffer.withUnsafeMutableBytes { room in
      retryingOnInterrupt { Glibc.read(descriptor, room.baseAddress, room.count) }
    }
    if count > 0 { return .bytes(count) }
    return count == 0 ? .ended : failure(errno)
  }

  static func write(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Self {
    // MSG_NOSIGNAL is for sockets only; the daemon ignores SIGPIPE, and terminals do not raise it.
    let count = bytes.withUnsafeBytes { rest in
      retryingOnInterrupt { Glibc.write(descriptor, rest.baseAddress, rest.count) }
    }
    return count >= 0 ? .bytes(count) : failure(errno)
  }

  private static func failure(_ code: Int32) -> Self {
    switch code {
    case EAGAIN: .nothing
    // Codes of a terminal or socket whose other side has gone.
    case EIO, EPIPE, ECONNRESET, ENXIO, ENODEV: .ended
    default: .failed(code)
    }
  }
}
