import Glibc
import SystemCalls

/// A descriptor for writing that never waits for its reader.
///
/// O_NONBLOCK is not set on the descriptor, because the open file description is shared with the
/// process that started this one (fcntl(2)).
struct LogOutlet: ~Copyable {
  private enum Kind {
    /// Does not block: a file, or a pipe or a terminal that was reopened with O_NONBLOCK.
    case prompt
    case socket
    /// Polled for room before each write, though another writer may use that up in between.
    case asked
  }

  private let descriptor: Int32
  private let isOwn: Bool
  private let kind: Kind

  init(_ descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      (self.descriptor, isOwn, kind) = (descriptor, false, .prompt)
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: (self.descriptor, isOwn, kind) = (descriptor, false, .prompt)
    case S_IFSOCK: (self.descriptor, isOwn, kind) = (descriptor, false, .socket)
    default:
      let own = open(
        "/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
      // This fails if the pipe belongs to another user.
      (self.descriptor, isOwn, kind) = own < 0 ? (descriptor, false, .asked) : (own, true, .prompt)
    }
  }

  deinit { if isOwn { close(descriptor) } }

  /// Writes as much as there is room for.
  ///
  /// - Returns: the number of bytes written; 0 for any failure.
  func write(_ bytes: ArraySlice<UInt8>) -> Int {
    let count = retryingOnInterrupt {
      bytes.withUnsafeBytes { bytes in
        switch kind {
        case .prompt: return Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        case .socket:
          return send(
            descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        case .asked:
          var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          guard poll(&entry, 1, 0) > 0, Int32(entry.revents) & POLLOUT != 0 else { return 0 }
          return Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        }
      }
    }
    return max(0, count)
  }
}
