import Glibc
import SystemCalls

/// What came of one read or write on a descriptor that does not block.
enum DescriptorTransfer: Equatable {
  case bytes(Int)
  /// Nothing there, or no room, at present.
  case nothing
  /// The other side is gone.
  case ended
  /// An errno code.
  case failed(Int32)

  static func read(_ descriptor: Int32, into buffer: inout MutableSpan<UInt8>) -> Self {
    let count = buffer.withUnsafeMutableBytes { room in
      retryingOnInterrupt { Glibc.read(descriptor, room.baseAddress, room.count) }
    }
    if count > 0 { return .bytes(count) }
    return count == 0 ? .ended : failure(errno)
  }

  static func write(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Self {
    // MSG_NOSIGNAL is for sockets only; the daemon ignores SIGPIPE, terminals raise none.
    let count = bytes.withUnsafeBytes { rest in
      retryingOnInterrupt { Glibc.write(descriptor, rest.baseAddress, rest.count) }
    }
    return count >= 0 ? .bytes(count) : failure(errno)
  }

  private static func failure(_ code: Int32) -> Self {
    switch code {
    case EAGAIN: .nothing
    // What a terminal answers whose other side has gone.
    case EIO, EPIPE, ECONNRESET, ENXIO, ENODEV: .ended
    default: .failed(code)
    }
  }
}
