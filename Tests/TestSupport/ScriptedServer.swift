import Foundation
import Glibc
import Synchronization

/// A server on the loopback that does to each connection what its script says.
public final class ScriptedServer: Sendable {
  public let port: UInt16
  private let listener: Int32
  private let log = ServerLog()

  /// - Parameter script: called on a thread of its own for each connection, which is closed after.
  public init(_ script: @escaping @Sendable (ServerConnection) -> Void) throws {
    let (listener, port) = try Self.listen()
    self.listener = listener
    self.port = port
    let log = log
    Thread.detachNewThread {
      while true {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else { break }
        log.connected()
        Thread.detachNewThread {
          let connection = ServerConnection(descriptor, log)
          script(connection)
          connection.end()
        }
      }
      close(listener)
    }
  }

  /// A server that answers every request with these bytes.
  public convenience init(answering answer: String) throws {
    try self.init { connection in
      while connection.readRequest() != nil { connection.send(answer) }
    }
  }

  /// Ends `accept`, whose thread closes the descriptor.
  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  public var address: String { "http://127.0.0.1:\(port)" }
  public var requests: [String] { log.requests }
  public var connections: Int { log.connections }

  /// Below the ports that Linux gives to outgoing connections, so that none of them takes one which
  /// a server has left and comes back to. Processes begin apart from each other.
  private static let ports = 20_000..<32_000
  private static let lastPort = Atomic(Int(getpid()) * 97)

  /// A listening socket on a port that was free.
  private static func listen() throws -> (descriptor: Int32, port: UInt16) {
    var code = EADDRINUSE
    for _ in ports {
      let number = lastPort.wrappingAdd(1, ordering: .relaxed).newValue
      let port = UInt16(ports.lowerBound + number % ports.count)
      let descriptor = socket(
        AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      let isBound = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            && Glibc.listen(descriptor, 16) == 0
        }
      }
      if isBound { return (descriptor, port) }
      code = errno
      close(descriptor)
    }
    throw POSIXError(.init(rawValue: code) ?? .EIO)
  }

  /// A port on which nobody listens: taken and given back.
  public static func deadPort() throws -> UInt16 {
    let (descriptor, port) = try listen()
    close(descriptor)
    return port
  }
}

/// What a server saw.
final class ServerLog: Sendable {
  private let state = Mutex((connections: 0, requests: [String]()))
  func connected() { state.withLock { $0.connections += 1 } }
  func saw(_ request: String) { state.withLock { $0.requests.append(request) } }
  var connections: Int { state.withLock { $0.connections } }
  var requests: [String] { state.withLock { $0.requests } }
}

/// The server's end of one connection.
public final class ServerConnection: Sendable {
  private let descriptor: Int32
  private let log: ServerLog

  init(_ descriptor: Int32, _ log: ServerLog) {
    self.descriptor = descriptor
    self.log = log
  }

  /// A whole request as text, head and body; `nil` when the client has gone.
  public func readRequest() -> String? {
    var text = ""
    while true {
      if let end = text.range(of: "\r\n\r\n") {
        let fields = text[..<end.lowerBound].lowercased()
        let length =
          fields.range(of: "content-length: ").flatMap {
            Int(fields[$0.upperBound...].prefix { $0.isNumber })
          } ?? 0
        if text[end.upperBound...].utf8.count >= length {
          log.saw(text)
          return text
        }
      }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      text += String(decoding: buffer[..<count], as: UTF8.self)
    }
  }

  /// What has come, once something has; empty when the client has gone.
  @discardableResult public func read() -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    return Array(buffer.prefix(max(0, recv(descriptor, &buffer, buffer.count, 0))))
  }

  public func send(_ text: String) { send(Array(text.utf8)) }

  /// Sends all, or as much as the client takes.
  public func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Says nothing until the client gives up.
  public func stall() {
    var byte: UInt8 = 0
    while recv(descriptor, &byte, 1, 0) > 0 {}
  }

  /// Makes the coming end a reset instead of an orderly close.
  public func resetAtEnd() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  func end() { close(descriptor) }
}

/// An answer with its length.
public func answer(_ status: String = "200 OK", _ body: String = "{}", fields: String = "")
  -> String
{
  "HTTP/1.1 \(status)\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
}
