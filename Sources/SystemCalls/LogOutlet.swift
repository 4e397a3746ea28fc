import Glibc

/// A descriptor for writing that never waits for its reader.
///
/// O_NONBLOCK is not set on the descriptor, because the open file description is shared with the
/// process that started this one (fcntl(2)).
public struct LogOutlet: ~Copyable {
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

  public init(_ descriptor: Int32) {
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
  public func write(_ bytes: ArraySlice<UInt8>) -> Int {
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

/// A value for a log line, `key=value`: unchanged if it is one plain word, else in quotation marks,
/// at most 400 characters of it; never with a line end, nor with what would change how a terminal
/// shows the line.
public func quotedForLog(_ value: String) -> String {
  let isPlain =
    !value.isEmpty
    && value.unicodeScalars.allSatisfy {
      $0.value > 0x20 && $0 != "\"" && $0 != "=" && !isControl($0)
    }
  if isPlain { return value }
  var text = "\""
  for scalar in value.unicodeScalars.prefix(400) {
    switch scalar {
    case "\"", "\\": text += "\\\(scalar)"
    case _ where isControl(scalar): text += " "
    default: text.unicodeScalars.append(scalar)
    }
  }
  return text + "\""
}

/// C0 and C1 controls, line and paragraph separators, and the marks of writing direction.
private func isControl(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
  default: false
  }
}
