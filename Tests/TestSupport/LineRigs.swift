import Foundation

/// A receiver together with whatever stands between it and a line.
public protocol Rig: AnyObject {
  /// What the settings call it.
  var address: String { get }
  var receiver: ReceiverLine { get }
  /// What the line talks to goes away, and comes back.
  func vanish() throws
  func comeBack() throws
}

/// The kinds of line that have to behave alike.
public enum LineKind: String, CaseIterable, Sendable {
  case serial, gpsd
  public func rig() throws -> any Rig {
    switch self {
    case .serial: try SerialRig()
    case .gpsd: try GpsdRig()
    }
  }
}

/// A receiver on a port of this machine; a pseudo-terminal stands for it.
public final class SerialRig: Rig {
  public let folder: URL
  public let receiver: ReceiverLine
  public var address: String { receiver.link }

  public init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("line-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    receiver = try ReceiverLine(link: folder.appendingPathComponent("gps").path)
  }

  deinit {
    receiver.stop()
    try? FileManager.default.removeItem(at: folder)
  }

  public func vanish() throws { receiver.unplug() }
  public func comeBack() throws { try receiver.plug() }
}

/// The real gpsd with a receiver of its own.
public final class GpsdRig: Rig {
  public static let program = "/usr/sbin/gpsd"
  public static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

  public let serial: SerialRig
  private let port: UInt16
  private var process = Process()
  public var receiver: ReceiverLine { serial.receiver }
  public var address: String { "gpsd://127.0.0.1:\(port)" }

  public init() throws {
    serial = try SerialRig()
    port = try Self.freePort()
    try comeBack()
  }

  deinit { try? vanish() }

  public func vanish() throws {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  public func comeBack() throws {
    process = Process()
    process.executableURL = URL(fileURLWithPath: Self.program)
    // In the foreground, without waiting for a client, without writing to the receiver.
    let device = try FileManager.default.destinationOfSymbolicLink(atPath: receiver.link)
    process.arguments = ["-N", "-n", "-b", "-S", "\(port)", device]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  /// A port that nobody listens at.
  public static func freePort() throws -> UInt16 {
    let listener = try Listener()
    return listener.port
  }
}

/// Somebody who listens on the loopback interface and says one thing to whoever connects.
public final class Listener: @unchecked Sendable {
  public let port: UInt16
  private let descriptor: Int32

  public init(saying words: String? = nil) throws {
    let made = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(made, $0, size) == 0 && listen(made, 4) == 0 && getsockname(made, $0, &size) == 0
      }
    }
    guard made >= 0, isBound else { throw Problem("nobody can listen on 127.0.0.1") }
    descriptor = made
    port = UInt16(bigEndian: address.sin_port)
    guard let words else { return }
    Thread.detachNewThread {
      while case let client = accept(made, nil, nil), client >= 0 {
        _ = write(client, words, words.utf8.count)
        // Until the other side goes.
        var byte: UInt8 = 0
        while read(client, &byte, 1) > 0 {}
        close(client)
      }
    }
  }

  deinit {
    shutdown(descriptor, Int32(SHUT_RDWR))
    close(descriptor)
  }
}
