import Glibc

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
    repeat {
      let count = buffer.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress, $0.count)
      }
      if count > 0 { return .bytes(count) }
      if count == 0 { return .ended }
    } while errno == EINTR
    return failure(errno)
  }

  static func write(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Self {
    repeat {
      // MSG_NOSIGNAL is for sockets only; the daemon ignores SIGPIPE, terminals raise none.
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 { return .bytes(count) }
    } while errno == EINTR
    return failure(errno)
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
