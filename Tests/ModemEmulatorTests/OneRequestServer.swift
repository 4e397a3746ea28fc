import Foundation
import Glibc
import Synchronization

/// Takes one request on a port of its own and answers it, on a thread of its own.
final class OneRequestServer: Sendable {
  let port: UInt16
  private let listener: Int32
  private let got = Mutex<[UInt8]?>(nil)

  init(answering status: String, _ body: String) throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let socket = listener
    port = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(socket, generic, length)
        listen(socket, 1)
        getsockname(socket, generic, &length)
      }
      return UInt16(bigEndian: pointer.pointee.sin_port)
    }
    Thread { [self] in
      let client = accept(listener, nil, nil)
      let request = Self.readWhole(client)
      let answer = "\(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
      _ = Array(answer.utf8).withUnsafeBytes { write(client, $0.baseAddress, $0.count) }
      close(client)
      close(listener)
      got.withLock { $0 = request }
    }.start()
  }

  /// The request, once it has come.
  func request() -> String {
    for _ in 0..<500 {
      if let bytes = got.withLock({ $0 }) { return String(decoding: bytes, as: UTF8.self) }
      usleep(10_000)
    }
    return ""
  }

  private static func readWhole(_ client: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let text = String(decoding: bytes, as: UTF8.self)
      if let end = text.range(of: "\r\n\r\n") {
        let head = text[..<end.lowerBound].lowercased()
        let length = head.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
          .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }
        if text[end.upperBound...].utf8.count >= length ?? 0 { return bytes }
      }
      let count = read(client, &buffer, buffer.count)
      guard count > 0 else { return bytes }
      bytes += buffer.prefix(count)
    }
  }
}
