import Foundation
import LinuxHost
import MachineAccess
import TestSupport
import Testing
import TrackerCore

/// The daemon's end of the socket that trackerctl speaks to.
@Suite struct ControlSocketTests {
  private static let again: Comment = "repeat with: swift test --filter ControlSocketTests"

  /// A socket of that kind at a path.
  private static func bound(_ kind: __socket_type, _ path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(kind.rawValue), 0)
    guard descriptor >= 0, address(path, { bind(descriptor, $0, $1) }) == 0 else {
      throw Problem("no socket at \(path)")
    }
    return descriptor
  }

  private static func address(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  @Test func `A socket that nobody listens at is replaced, and serves`() throws {
    let scratch = try ScratchFolder()
    let path = scratch.path("control")
    close(try Self.bound(SOCK_STREAM, path))
    let control = try ControlSocket(path: path)
    let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(client) }
    #expect(Self.address(path) { connect(client, $0, $1) } == 0, Self.again)
    let listener = try #require(control.descriptors(at: .start).first)
    #expect(control.ready(listener, at: .start) == nil, Self.again)
    #expect(write(client, "status\n", 7) == 7)
    let accepted = try #require(control.descriptors(at: .start).last)
    #expect(control.ready(accepted, at: .start)?.line == "status", Self.again)
  }

  @Test func `A socket whose owner cannot be asked is left alone, with the reason`() throws {
    let scratch = try ScratchFolder()
    let path = scratch.path("control")
    let other = try Self.bound(SOCK_DGRAM, path)
    defer { close(other) }
    #expect(throws: HostError("\(path): \(Self.unknown)"), Self.again) {
      try ControlSocket(path: path)
    }
    #expect(try scratch.names() == ["control"], Self.again)
  }

  private static let unknown =
    "cannot tell whether another trackerd listens there: Protocol wrong type for socket; "
    + "stop that one, or remove the socket"

  @Test func `A daemon that is too busy to take anybody keeps its socket`() throws {
    let scratch = try ScratchFolder()
    let path = scratch.path("control")
    let busy = try Self.bound(SOCK_STREAM, path)
    #expect(listen(busy, 0) == 0)
    var waiting: [Int32] = [busy]
    defer { for descriptor in waiting { close(descriptor) } }
    // Until its queue is full.
    var result: Int32 = 0
    while result == 0 {
      let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
      waiting.append(socket(AF_UNIX, kind, 0))
      result = Self.address(path) { connect(waiting[waiting.count - 1], $0, $1) }
    }
    #expect(
      throws: HostError("\(path): another trackerd listens there; stop that one"), Self.again
    ) { try ControlSocket(path: path) }
    #expect(try scratch.names() == ["control"], Self.again)
  }

  /// A connected client, which the daemon has taken.
  private static func client(of control: ControlSocket) throws -> Int32 {
    let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let listener = try #require(control.descriptors(at: .start).first)
    #expect(address(control.path) { connect(client, $0, $1) } == 0, again)
    #expect(control.ready(listener, at: .start) == nil, again)
    return client
  }

  @Test func `With too many clients the oldest goes, and the newest is answered`() throws {
    let scratch = try ScratchFolder()
    let control = try ControlSocket(path: scratch.path("control"))
    let clients = try (0..<9).map { _ in try Self.client(of: control) }
    defer { for client in clients { close(client) } }
    #expect(control.descriptors(at: .start).count == 9, Self.again)
    var byte: UInt8 = 0
    let isFirstGone = recv(clients[0], &byte, 1, Int32(MSG_DONTWAIT)) == 0
    #expect(isFirstGone, Self.again)
    #expect(write(clients[8], "facts\n", 6) == 6)
    let newest = try #require(control.descriptors(at: .start).last)
    #expect(control.ready(newest, at: .start)?.line == "facts", Self.again)
  }

  @Test func `A line that comes in pieces is bounded as a whole`() throws {
    let scratch = try ScratchFolder()
    let control = try ControlSocket(path: scratch.path("control"))
    let client = try Self.client(of: control)
    defer { close(client) }
    let taken = try #require(control.descriptors(at: .start).last)
    let piece = [UInt8](repeating: 0x61, count: 1152)
    for count in 1...2 {
      #expect(write(client, piece, piece.count) == piece.count)
      #expect(control.ready(taken, at: .start) == nil, Self.again)
      #expect(control.descriptors(at: .start).last == taken, "\(count); \(Self.again)")
    }
    #expect(write(client, "\n", 1) == 1)
    #expect(control.ready(taken, at: .start) == nil, Self.again)
    #expect(control.descriptors(at: .start).count == 1, Self.again)
  }

  @Test func `After a client that could not be taken nobody is looked for during a second`() throws
  {
    let scratch = try ScratchFolder()
    let control = try ControlSocket(path: scratch.path("control"))
    let listener = try #require(control.descriptors(at: .start).first)
    // A descriptor that is not a socket makes accept fail; a lack of descriptors would hit the
    // other tests too.
    let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    #expect(dup2(file, listener) == listener)
    #expect(control.ready(listener, at: .start) == nil, Self.again)
    #expect(control.descriptors(at: .start + 999) == [], Self.again)
    #expect(control.wakeAt == .start + 1000, Self.again)
    #expect(control.descriptors(at: .start + 1000) == [listener], Self.again)
  }
}
