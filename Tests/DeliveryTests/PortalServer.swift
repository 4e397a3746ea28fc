import Foundation
import TestSupport

/// A captive portal: whatever is asked, the same page under 200.
final class PortalServer {
  static let welcome = "<html><body>Welcome to Wi-Fi! Accept the terms.</body></html>"

  private let listener: Int32
  private let requests = KeyLog()
  let port: UInt16
  /// How many requests it has answered.
  var count: Int { requests.keys.count }

  init(page: String = welcome, type: String = "text/html") throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    listener = descriptor
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && listen(descriptor, 8) == 0
          && getsockname(descriptor, $0, &size) == 0
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    guard isListening else { throw Problem("no socket: \(String(cString: strerror(errno)))") }
    let requests = requests
    Thread.detachNewThread { Self.serve(descriptor, page, type, requests) }
  }

  // Wakes the thread from its wait; it closes the socket.
  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  private static func serve(
    _ listener: Int32, _ body: String, _ type: String, _ requests: KeyLog
  ) {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nConnection: close\r\n"
    let answer = Array("\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { break }
      _ = recv(connection, &buffer, buffer.count, 0)
      requests.add(1)
      _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
      shutdown(connection, Int32(SHUT_WR))
      close(connection)
    }
    close(listener)
  }
}
