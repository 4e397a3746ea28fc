import Foundation
public import Testing

/// Debian's mosquitto on a port of its own, in a temporary folder. It goes with its last user.
public final class MosquittoBroker {
  private static let path = "/usr/sbin/mosquitto"
  /// Why there can be none here; `nil`: there can.
  public static var missing: Comment? {
    FileManager.default.isExecutableFile(atPath: path)
      ? nil : "no mosquitto; .ci/setup installs Debian's"
  }

  public let port: UInt16
  private let folder: ScratchFolder
  private let settings: String
  private let scheme: String
  private var program: RunningProgram?
  private var logs = 0

  /// - Parameters:
  ///   - folder: of its files, which the settings may name.
  ///   - settings: of mosquitto.conf, beside the port.
  public init(
    _ folder: ScratchFolder, _ settings: String = "allow_anonymous true", isEncrypted: Bool = false
  ) throws {
    self.folder = folder
    port = try ScriptedServer.deadPort()
    // As root it would become another user, who cannot read the folder.
    self.settings = try folder.write(
      "mosquitto-\(port).conf",
      """
      user \(NSUserName())
      listener \(port) 127.0.0.1
      log_type all
      max_queued_messages 0
      \(settings)

      """)
    scheme = isEncrypted ? "mqtts" : "mqtt"
    try start()
  }

  deinit { kill() }

  public var address: String { "\(scheme)://127.0.0.1:\(port)" }

  /// Without what it knew before, and waits until it listens.
  public func start() throws {
    logs += 1
    _ = FileManager.default.createFile(atPath: logPath, contents: nil)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: logPath))
    program = try RunningProgram(
      [Self.path, "-c", settings], output: .file(file), errors: .asOutput)
    try eventually("mosquitto listens") {
      if program?.isRunning != true { throw Problem("mosquitto: \(log(""))") }
      return log("running").contains("running")
    }
  }

  /// SIGKILL, which takes all that it has.
  public func kill() {
    program?.end()
    program = nil
  }

  public func hang() { program?.signal(SIGSTOP) }
  public func resume() { program?.signal(SIGCONT) }

  private var logPath: String { folder.path("mosquitto-\(port)-\(logs).log") }

  /// The lines of its log since the start that have a text.
  public func log(_ text: String) -> String {
    let all = (try? String(contentsOfFile: logPath, encoding: .utf8)) ?? ""
    return all.split(separator: "\n").filter { text.isEmpty || $0.contains(text) }
      .joined(separator: "\n")
  }
}

/// A client of MQTT 3.1.1 that writes what it is told, for what ours do not do.
public final class MQTTWire {
  private let descriptor: Int32

  /// - Parameter session: its identifier; it begins a clean session.
  public init(_ broker: MosquittoBroker, _ session: String) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = broker.port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else { throw Problem("no broker on port \(broker.port)") }
    // CONNECT: version 4, clean session, without keep alive.
    try put(0x10, Self.text("MQTT") + [4, 2, 0, 0] + Self.text(session))
    guard try next().0 == 0x20 else { throw Problem("no CONNACK") }
  }

  deinit { close(descriptor) }

  /// With QoS 0.
  public func publish(_ payload: String, on topic: String, isRetained: Bool = false) throws {
    try put(isRetained ? 0x31 : 0x30, Self.text(topic) + Array(payload.utf8))
  }

  /// Returns when the broker has read all that came before.
  public func ping() throws {
    try put(0xC0, [])
    while try next().0 != 0xD0 {}
  }

  public func subscribe(_ topic: String) throws {
    try put(0x82, [0, 1] + Self.text(topic) + [0])
    guard try next().0 == 0x90 else { throw Problem("no SUBACK") }
  }

  /// Waits for the next message.
  public func message() throws -> (topic: String, payload: String) {
    while true {
      let (kind, body) = try next()
      guard kind & 0xF0 == 0x30, body.count >= 2 else { continue }
      let end = 2 + Int(body[0]) << 8 + Int(body[1])
      return (
        String(decoding: body[2..<end], as: UTF8.self),
        String(decoding: body[end...], as: UTF8.self)
      )
    }
  }

  private static func text(_ text: String) -> [UInt8] {
    [UInt8(text.utf8.count >> 8), UInt8(text.utf8.count & 255)] + Array(text.utf8)
  }

  private func put(_ kind: UInt8, _ body: [UInt8]) throws {
    var packet = [kind]
    var rest = body.count
    repeat {
      packet.append(UInt8(rest & 127) | (rest > 127 ? 128 : 0))
      rest >>= 7
    } while rest > 0
    packet += body
    guard send(descriptor, packet, packet.count, Int32(MSG_NOSIGNAL)) == packet.count else {
      throw Problem("the broker has closed the connection")
    }
  }

  private func next() throws -> (UInt8, [UInt8]) {
    let kind = try bytes(1)[0]
    var (count, shift) = (0, 0)
    while true {
      let byte = Int(try bytes(1)[0])
      count += (byte & 127) << shift
      if byte < 128 { break }
      shift += 7
    }
    return (kind, try bytes(count))
  }

  private func bytes(_ count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = bytes.withUnsafeMutableBytes {
        recv(descriptor, $0.baseAddress! + filled, count - filled, 0)
      }
      guard got > 0 else { throw Problem("the broker has closed the connection") }
      filled += got
    }
    return bytes
  }
}
