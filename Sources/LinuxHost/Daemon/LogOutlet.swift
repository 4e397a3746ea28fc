import Glibc
import SystemCalls

/// A descriptor that is written to without ever waiting for whoever reads it.
///
/// The descriptor is shared with the process that started this one, and O_NONBLOCK belongs to what
/// is shared (fcntl(2)): it is left as it is.
struct LogOutlet: ~Copyable {
  private enum Kind {
    /// Does not wait by itself: a file, or a pipe or a terminal that was opened once more, with
    /// O_NONBLOCK.
    case prompt
    case socket
    /// Whether there is room is asked first. Another writer may take it in between.
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
      // Not so where the pipe belongs to another user.
      (self.descriptor, isOwn, kind) = own < 0 ? (descriptor, false, .asked) : (own, true, .prompt)
    }
  }

  deinit { if isOwn { close(descriptor) } }

  /// Writes what there is room for.
  ///
  /// - Returns: how many bytes were taken; 0 when none were, whatever the reason.
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
