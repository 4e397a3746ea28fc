import Foundation
import Synchronization
import TestSupport

/// Passes bytes on between clients and a server, and can keep them back.
final class HoldingProxy: Sendable {
  private struct State {
    var target: UInt16
    var isHolding = false
    var isOver = false
  }
  private let state: Mutex<State>
  private let listener: Int32
  let port: UInt16

  init(to target: UInt16) throws {
    state = Mutex(State(target: target))
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.listener = listener
    var place = Self.place(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) + listen(listener, 64)
          + getsockname(listener, address, &length)
      }
    }
    port = UInt16(bigEndian: place.sin_port)
    guard code == 0 else { throw Problem("cannot listen: \(errno)") }
    let proxy = self
    Thread.detachNewThread { proxy.accept() }
  }

  func end() {
    state.withLock { $0.isOver = true }
    shutdown(listener, Int32(SHUT_RDWR))
  }

  /// Where new connections lead.
  func lead(to port: UInt16) { state.withLock { $0.target = port } }

  /// Whether bytes are kept back, in both directions.
  func hold(_ isHolding: Bool) { state.withLock { $0.isHolding = isHolding } }

  private static func place(_ port: UInt16) -> sockaddr_in {
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = port.bigEndian
    place.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    return place
  }

  private func accept() {
    while true {
      let client = Glibc.accept(listener, nil, nil)
      if client < 0 || state.withLock({ $0.isOver }) {
        close(listener)
        return
      }
      let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var place = Self.place(state.withLock { $0.target })
      let code = withUnsafePointer(to: &place) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      guard code == 0 else {
        close(client)
        close(server)
        continue
      }
      // Closed by whichever direction ends last.
      let open = Atomic(2)
      pass(from: client, to: server, open)
      pass(from: server, to: client, open)
    }
  }

  private final class Atomic: Sendable {
    private let value: Mutex<Int>
    init(_ value: Int) { self.value = Mutex(value) }
    func takeOne() -> Int {
      value.withLock {
        $0 -= 1
        return $0
      }
    }
  }

  private func pass(from source: Int32, to sink: Int32, _ open: Atomic) {
    Thread.detachNewThread { [self] in
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = recv(source, &buffer, buffer.count, 0)
        while state.withLock({ $0.isHolding && !$0.isOver }) { usleep(10_000) }
        if count <= 0 { break }
        if send(sink, &buffer, count, Int32(MSG_NOSIGNAL)) < count { break }
      }
      shutdown(sink, Int32(SHUT_RDWR))
      shutdown(source, Int32(SHUT_RDWR))
      if open.takeOne() == 0 {
        close(source)
        close(sink)
      }
    }
  }
}
