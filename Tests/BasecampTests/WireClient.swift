import Foundation
import SystemCalls
import TestSupport

/// A connection over which requests go as bytes, so that a reset or a silence can be seen.
final class WireClient {
  struct Answer {
    var status: Int
    var headers: String
    var body: Data
    var text: String { String(decoding: body, as: UTF8.self) }

    /// A header's value; `nil` if the answer does not have it.
    func header(_ name: String) -> String? {
      headers.components(separatedBy: "\r\n").first {
        $0.lowercased().hasPrefix("\(name.lowercased()): ")
      }.map { String($0.dropFirst(name.count + 2)) }
    }
  }

  private let descriptor: Int32

  /// - Parameters:
  ///   - client: the last byte of this side's address, 127.0.0.1.
  ///   - receiveBytes: the kernel's buffer for what comes; `nil`: as it likes.
  init(port: UInt16, client: UInt32 = 1, receiveBytes: Int32? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var bytes = receiveBytes { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, 4) }
    var own = sockaddr_in()
    own.sin_family = sa_family_t(AF_INET)
    own.sin_addr.s_addr = in_addr_t(0x7F00_0000 + client).bigEndian
    let isBound = withUnsafePointer(to: &own) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard isBound == 0 else { throw Problem("cannot bind: \(errno)") }
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = port.bigEndian
    place.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    let code = withUnsafePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else { throw Problem("cannot connect to port \(port): \(errno)") }
  }

  deinit { close(descriptor) }

  static func encoded(_ form: [String: String]) -> String {
    form.map { "\(escaped($0.key))=\(escaped($0.value))" }.joined(separator: "&")
  }

  private static func escaped(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }

  func request(
    _ method: String, _ target: String, form: [String: String]? = nil, headers: String = ""
  ) throws -> Answer {
    let body = form.map(Self.encoded) ?? ""
    let type = form == nil ? "" : "Content-Type: application/x-www-form-urlencoded\r\n"
    try send(
      "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(type)\(headers)"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    return try receive()
  }

  func send(_ text: String) throws { try send(Array(text.utf8)) }

  func send(_ whole: [UInt8]) throws {
    var bytes = whole[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Problem("sending failed: \(errno)") }
      bytes = bytes.dropFirst(count)
    }
  }

  /// - Throws: `Problem` if the connection ends before the answer does.
  func receive() throws -> Answer {
    var bytes = Data()
    let end = Data("\r\n\r\n".utf8)
    var head: Range<Data.Index>?
    while head == nil {
      bytes.append(try piece())
      head = bytes.range(of: end)
    }
    guard let head else { throw Problem("no answer") }
    let headers = String(decoding: bytes[..<head.lowerBound], as: UTF8.self)
    let length = headers.lowercased().components(separatedBy: "content-length: ").last?
      .prefix { $0.isNumber }
    guard let length = length.flatMap({ Int($0) }),
      let status = Int(headers.split(separator: " ")[1])
    else { throw Problem("no HTTP: \(headers)") }
    var body = bytes[head.upperBound...]
    while body.count < length { body.append(try piece()) }
    return Answer(status: status, headers: headers, body: Data(body))
  }

  /// Waits until the server ends the connection, and drops what comes before.
  ///
  /// - Throws: `Problem` if it does not within 20 s.
  func waitForEnd() throws {
    do {
      while true { _ = try piece() }
    } catch let problem as Problem {
      guard ["closed", "reset"].contains("\(problem)") else { throw problem }
    }
  }

  /// What comes next.
  func piece() throws -> Data {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    do {
      // A machine that is stopped and goes on interrupts a call with a time limit (signal(7)).
      let count = try systemCall("recv") { recv(descriptor, &buffer, buffer.count, 0) }
      guard count > 0 else { throw Problem("closed") }
      return Data(buffer[..<count])
    } catch let error as SystemError {
      throw Problem(error.code == Errno.connectionReset ? "reset" : "\(error)")
    }
  }
}
