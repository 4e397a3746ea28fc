internal import Glibc

/// A descriptor for writing that never waits for its reader.
///
/// O_NONBLOCK is not set on the descriptor, because the open file description is shared with the
/// process that started this one (fcntl(2)).
public struct LogOutlet: ~Copyable {
  private enum Kind {
    /// Does not block: a file, or a pipe or a terminal that was reopened with O_NONBLOCK.
    case prompt
    case socket
    /// Polled for room before each write of at most `PIPE_BUF` bytes: a longer one may block even
    /// if the poll has found room (pipe(7)). Another writer may use that room up in between.
    case asked
  }

  private let descriptor: Int32
  /// The same, reopened without blocking.
  private let own: Descriptor?
  private let kind: Kind

  public init(_ descriptor: Int32) { self.init(descriptor, canReopen: true) }

  /// - Parameter canReopen: `false`: as if the pipe or the terminal were another user's.
  init(_ descriptor: Int32, canReopen: Bool) {
    let kind = try? FileStatus(number: descriptor).kind
    switch kind {
    case nil, .file?:
      (self.descriptor, self.kind) = (descriptor, .prompt)
      own = nil
    case .socket?:
      (self.descriptor, self.kind) = (descriptor, .socket)
      own = nil
    default:
      // This fails if the pipe belongs to another user.
      let options: OpenOptions = [.write, .nonBlocking, .notControlling]
      let path = "/proc/self/fd/\(descriptor)"
      if canReopen, let opened = try? Descriptor(opening: path, options) {
        (self.descriptor, self.kind) = (opened.number, .prompt)
        own = consume opened
      } else {
        (self.descriptor, self.kind) = (descriptor, .asked)
        own = nil
      }
    }
  }

  /// Writes as much as there is room for.
  ///
  /// - Returns: the number of bytes written; 0 for any failure.
  public func write(_ bytes: ArraySlice<UInt8>) -> Int {
    let piece = kind == .asked ? bytes.prefix(Int(PIPE_BUF)) : bytes
    return piece.withUnsafeBytes { bytes in
      switch kind {
      case .prompt: break
      case .socket:
        let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
        let count = try? systemCall("send") {
          send(descriptor, bytes.baseAddress, bytes.count, flags)
        }
        return count ?? 0
      case .asked:
        guard poll(descriptor, .writable, atMost: 0).contains(.writable) else { return 0 }
      }
      return
        (try? systemCall("write") { Glibc.write(descriptor, bytes.baseAddress, bytes.count) }) ?? 0
    }
  }
}
