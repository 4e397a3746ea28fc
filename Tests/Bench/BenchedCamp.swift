import Foundation
import SystemCalls

/// A basecamp that is measured.
final class BenchedCamp {
  private var process = Process()
  private let folder: URL
  private let database: [String]
  private(set) var port: UInt16 = 0
  private var stored = 0

  /// - Parameters:
  ///   - database: the options that say where; none: in a folder of its own.
  ///   - more: options.
  init(database: [String] = [], _ more: [String] = []) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("bench-\(UUID().uuidString)")
    self.database = (database.isEmpty ? ["--database", folder.path] : database) + more
    try start()
  }

  private func start() throws {
    process = Process()
    process.executableURL = URL(fileURLWithPath: Program.path(of: "basecamp"))
    process.arguments =
      database + ["--listen", "127.0.0.1:\(port)", "--trusted-proxy", "127.0.0.1"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let number = line.split(separator: ":").last?.prefix { $0.isNumber }
    guard let port = number.flatMap({ UInt16($0) }) else {
      throw BenchError(description: "basecamp does not start: \(line)")
    }
    self.port = port
  }

  /// SIGKILL, and another one at the same place.
  func killAndRestart() throws {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try start()
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  static func connection(_ port: UInt16) throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = port.bigEndian
    place.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let code = withUnsafePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else {
      throw BenchError(description: "cannot connect: \(String(cString: strerror(errno)))")
    }
    return descriptor
  }

  /// A stream of the control room's events, not in chunks, so that a word is in one piece.
  func stream(client: String = "10.0.0.1") throws -> Int32 {
    let descriptor = try Self.connection(port)
    let head =
      "GET /room/events HTTP/1.0\r\nHost: 127.0.0.1\r\nX-Forwarded-For: \(client)\r\n\r\n"
    guard send(descriptor, head, head.utf8.count, Int32(MSG_NOSIGNAL)) == head.utf8.count else {
      throw BenchError(description: "a stream cannot be asked for")
    }
    return descriptor
  }

  /// - Returns: an answer with its head, and the seconds that it took.
  private func answer(_ head: String, _ body: String = "") throws -> (text: String, time: Double) {
    let descriptor = try Self.connection(port)
    defer { close(descriptor) }
    let request = head + "Host: 127.0.0.1\r\nConnection: close\r\n\r\n" + body
    let start = Date()
    guard
      send(descriptor, request, request.utf8.count, Int32(MSG_NOSIGNAL)) == request.utf8.count
    else { throw BenchError(description: "a request cannot be sent") }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 {
      answer += buffer[..<count]
    }
    let text = String(decoding: answer, as: UTF8.self)
    guard text.hasPrefix("HTTP/1.1 200") else {
      throw BenchError(description: "\(head.prefix(80)): \(text.prefix(200))")
    }
    return (text, Date().timeIntervalSince(start))
  }

  func get(_ path: String) throws -> (text: String, time: Double) {
    try answer("GET \(path) HTTP/1.1\r\n")
  }

  /// The time of the room's state, seconds.
  func ask() throws -> Double { try get("/room/state").time }

  static let layer = "/arcgis/rest/services/TrailWalker/FeatureServer/0"

  /// How many captures it has.
  func count() throws -> Int {
    let text = try get("\(Self.layer)/query?f=json&where=1%3D1&returnCountOnly=true").text
    return Int(text.components(separatedBy: "\"count\":").last?.prefix { $0.isNumber } ?? "") ?? -1
  }

  func store(tracker: Int) throws {
    stored += 1
    let now = Int(Date().timeIntervalSince1970 * 1000)
    let id = String(format: "%08x-0000-4000-a000-%012x", tracker + 1, stored)
    let body =
      "f=json&features=[{\"geometry\":{\"x\":277000,\"y\":\(5_180_000 + stored),"
      + "\"spatialReference\":{\"wkid\":102100}},\"attributes\":{\"CodiEquip\":\"\(tracker)\","
      + "\"Equip\":\"Team\",\"Entrada\":\(now),\"UUID\":\"\(id)\"}}]"
    _ = try answer(
      "POST \(Self.layer)/addFeatures HTTP/1.1\r\n"
        + "Content-Type: application/x-www-form-urlencoded\r\n"
        + "Content-Length: \(body.utf8.count)\r\n",
      body)
  }

  /// Kilobytes.
  func resident(peak: Bool = false) throws -> Int {
    let status = try String(
      contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix(peak ? "VmHWM:" : "VmRSS:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }

  /// Its processor time since its start, seconds.
  var processorTime: Double { ProcessorTime.of(process.processIdentifier) }
}

/// What a process and those that it has waited for have used of processors (proc(5), "stat").
enum ProcessorTime {
  private static let tick = Double(sysconf(Int32(_SC_CLK_TCK)))

  /// - Returns: seconds; 0: there is no such process.
  static func of(_ process: Int32, withChildren: Bool = false) -> Double {
    guard let fields = fields(of: process), fields.count > 14 else { return 0 }
    let ticks = fields[11...(withChildren ? 14 : 12)].compactMap { Double($0) }.reduce(0, +)
    return ticks / tick
  }

  /// Of a process and all its children, also those that have ended.
  static func ofFamily(_ process: Int32) -> Double {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let children = all.compactMap { Int32($0) }.filter { fields(of: $0)?[1] == "\(process)" }
    return of(process, withChildren: true) + children.reduce(0) { $0 + of($1) }
  }

  /// From the third one on: the second, a name, may have anything in it.
  private static func fields(of process: Int32) -> [Substring]? {
    guard
      let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let end = text.lastIndex(of: ")")
    else { return nil }
    return text[text.index(after: end)...].split(separator: " ")
  }
}
