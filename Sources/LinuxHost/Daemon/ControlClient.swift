import Glibc
import SystemCalls

/// The client of a `ControlSocket`: sends one command and reads the answer.
public enum ControlClient {
  private static let answerBytes = 65_536
  /// A running daemon answers at once, unless the disk delays it for a while.
  private static let answerSeconds = 10

  /// - Parameter line: without a line end.
  /// - Throws: if nothing listens there, or no answer comes.
  public static func ask(_ line: String, at path: String) throws(HostProblem) -> String {
    guard let address = UnixAddress(path) else {
      throw HostProblem("\(path): is not a valid socket path; use one of 1 to 107 bytes")
    }
    guard let socket = address.connected(isBlocking: true) else {
      let code = errno
      let cure =
        code == EACCES ? "run it as a user who may" : "start trackerd, or pass its --socket"
      throw HostProblem("\(path): no trackerd answers there: \(reason(of: code)); \(cure)")
    }
    defer { close(socket) }
    var limit = timeval(tv_sec: answerSeconds, tv_usec: 0)
    setsockopt(
      socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var bytes = Array((line.filter { !$0.isNewline } + "\n").utf8)
    guard send(socket, &bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw HostProblem("\(path): trackerd hung up: \(reason(of: errno)); try again")
    }
    return try answer(from: socket, path)
  }

  private static func answer(from socket: Int32, _ path: String) throws(HostProblem) -> String {
    var answer: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    while answer.count < answerBytes {
      let count = retryingOnInterrupt { recv(socket, &bytes, bytes.count, 0) }
      if count == 0 { break }
      guard count > 0 else {
        throw HostProblem(
          "\(path): trackerd does not answer: \(reason(of: errno)); look at its log")
      }
      answer += bytes[..<count]
    }
    guard !answer.isEmpty else {
      throw HostProblem("\(path): trackerd hung up without an answer; look at its log")
    }
    return String(decoding: answer, as: UTF8.self)
  }
}
