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
  private var program: RunningProgram?
  public var receiver: ReceiverLine { serial.receiver }
  public var address: String { "gpsd://127.0.0.1:\(port)" }

  public init() throws {
    serial = try SerialRig()
    port = try ScriptedServer.deadPort()
    try comeBack()
  }

  deinit { try? vanish() }

  public func vanish() throws {
    program?.end()
  }

  public func comeBack() throws {
    // In the foreground, without waiting for a client, without writing to the receiver.
    let device = try FileManager.default.destinationOfSymbolicLink(atPath: receiver.link)
    program = try RunningProgram(Self.program, "-N", "-n", "-b", "-S", "\(port)", device)
  }
}
