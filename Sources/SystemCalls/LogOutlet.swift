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
    /// Polled for room before each write, though another writer may use that up in between.
    case asked
  }

  private let descriptor: Int32
  /// The same, reopened without blocking.
  private let own: Descriptor?
  private let kind: Kind

  public init(_ descriptor: Int32) {
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
      if let opened = try? Descriptor(opening: "/proc/self/fd/\(descriptor)", options) {
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
    bytes.withUnsafeBytes { bytes in
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
