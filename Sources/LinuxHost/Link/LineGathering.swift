import Glibc
import SystemCalls

/// The lines that come on a socket, without waiting for them.
struct LineGathering {
  /// The longest line, bytes.
  let limit: Int
  private var bytes: [UInt8] = []
  /// The other side has closed it, or a line was too long.
  private(set) var hasEnded = false

  init(limit: Int) { self.limit = limit }

  /// The next whole lines; those that came before the end are among them.
  mutating func take(from socket: Int32) -> [String] {
    var piece = [UInt8](repeating: 0, count: 4096)
    var lines: [String] = []
    while !hasEnded {
      let count = retryingOnInterrupt {
        recv(socket, &piece, piece.count, Int32(MSG_DONTWAIT))
      }
      if count < 0 && errno == EAGAIN { break }
      guard count > 0 else {
        hasEnded = true
        break
      }
      for byte in piece[..<count] {
        guard byte == UInt8(ascii: "\n") else {
          bytes.append(byte)
          continue
        }
        lines.append(String(decoding: bytes, as: UTF8.self))
        bytes = []
      }
      if bytes.count > limit || lines.contains(where: { $0.utf8.count > limit }) {
        hasEnded = true
      }
      // A client that never stops talking is read again in the next pass.
      if lines.count >= 64 { break }
    }
    return lines
  }
}
