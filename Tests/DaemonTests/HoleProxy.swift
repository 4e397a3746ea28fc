import Foundation
import TestSupport

/// A network with holes: forwards connections to a server while it is open, cuts them when a hole
/// begins, and lets nobody through while it lasts. What it does with a connection that sends more
/// than `carries` bytes, `Excess` says.
final class HoleProxy: @unchecked Sendable {
  enum Excess { case swallow, reset }

  let port: UInt16
  private let carries: Int
  private let excess: Excess
  private let listener: Int32
  private let target: UInt16
  private let lock = NSLock()
  private var isOpen = true
  private var isStopped = false
  private var connections: Set<Int32> = []
  /// Connections that a hole has cut or turned away.
  private(set) var victims = 0

  init(to target: UInt16, carries: Int = .max, excess: Excess = .swallow) throws {
    self.target = target
    self.carries = carries
    self.excess = excess
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.listener = listener
    var address = Self.address(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    guard isBound else {
      throw Problem("the proxy cannot listen: \(String(cString: strerror(errno)))")
    }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [self] in accept() }
  }

  func stop() {
    setOpen(false)
    lock.lock()
    isStopped = true
    lock.unlock()
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// A hole begins or ends.
  func setOpen(_ isOpen: Bool) {
    lock.lock()
    defer { lock.unlock() }
    self.isOpen = isOpen
    if isOpen { return }
    victims += connections.count / 2
    for connection in connections { shutdown(connection, Int32(SHUT_RDWR)) }
  }

  private func accept() {
    while true {
      let client = Glibc.accept(listener, nil, nil)
      guard client >= 0 else { return }
      let server = letThrough() ? connectToServer() : nil
      guard let server else {
        close(client)
        continue
      }
      lock.lock()
      connections.formUnion([client, server])
      lock.unlock()
      let pair = Pair(client, server) { [self] in
        lock.lock()
        connections.subtract([client, server])
        lock.unlock()
      }
      Thread.detachNewThread { [self] in
        pair.pump(from: client, to: server, carrying: carries) { [self] in spoil(client) }
      }
      Thread.detachNewThread { pair.pump(from: server, to: client) }
    }
  }

  /// A connection has sent too much. Returns whether it goes on, for nothing.
  private func spoil(_ client: Int32) -> Bool {
    lock.lock()
    victims += 1
    lock.unlock()
    guard excess == .reset else { return true }
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(client, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    return false
  }

  private func letThrough() -> Bool {
    lock.lock()
    defer { lock.unlock() }
    if !isOpen { victims += 1 }
    return isOpen
  }

  private func connectToServer() -> Int32? {
    let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = Self.address(port: target)
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    if isConnected { return server }
    close(server)
    return nil
  }

  private static func address(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return address
  }

  /// Two sockets that end together.
  private final class Pair: @unchecked Sendable {
    private let lock = NSLock()
    private let one: Int32
    private let other: Int32
    private var pumps = 2
    private let ended: () -> Void

    init(_ one: Int32, _ other: Int32, ended: @escaping () -> Void) {
      self.one = one
      self.other = other
      self.ended = ended
    }

    /// - Parameter spoil: asked once more came than it carries: whether to go on reading.
    func pump(
      from source: Int32, to target: Int32, carrying limit: Int = .max,
      spoil: () -> Bool = { false }
    ) {
      var bytes = [UInt8](repeating: 0, count: 16_384)
      var carried = 0
      while true {
        let count = recv(source, &bytes, bytes.count, 0)
        guard count > 0 else { break }
        if carried > limit { continue }
        carried += count
        if carried > limit {
          if spoil() { continue }
          break
        }
        var sent = 0
        while sent < count {
          let step = bytes[sent..<count].withUnsafeBytes {
            send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
          }
          guard step > 0 else { break }
          sent += step
        }
        if sent < count { break }
      }
      shutdown(one, Int32(SHUT_RDWR))
      shutdown(other, Int32(SHUT_RDWR))
      lock.lock()
      pumps -= 1
      let isLast = pumps == 0
      lock.unlock()
      guard isLast else { return }
      ended()
      close(one)
      close(other)
    }
  }
}
