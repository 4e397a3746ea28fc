import CommandLineSupport
import Foundation
import SystemCalls

/// `bench streams`: followers' streams of one basecamp on this machine, which come through a
/// trusted proxy: how long a stored capture takes to all of them, what they cost in memory, and how
/// long the staff wait meanwhile.
enum StreamsBench {
  static let standardClients = 5000
  static let standardSeconds = 60
  /// Clients of one address behind the proxy.
  private static let ofAddress = 40

  static func run(_ arguments: Arguments) throws {
    let count = arguments.number(.clients).map { Int($0) } ?? standardClients
    let seconds = arguments.number(.seconds).map { Int($0) } ?? standardSeconds
    guard raiseFileLimit(to: count + 100) >= count + 100 else {
      throw BenchError(description: "so many files may not be open; raise the limit (ulimit -n)")
    }
    let camp = try BenchedCamp()
    try camp.store(tracker: 0)
    let alone = try (0..<50).map { _ in try camp.ask() }
    let before = try camp.resident()
    var streams = try (0..<count).map { try Stream(port: camp.port, client: $0 / ofAddress) }
    try read(&streams, until: "event: state", within: 60)
    Thread.sleep(forTimeInterval: 1)
    let after = try camp.resident()
    var (delays, asked): ([Double], [Double]) = ([], [])
    for second in 0..<seconds {
      let start = Date()
      try camp.store(tracker: second % 40)
      let stored = Date()
      // Beside the event loop's work of that very second.
      asked.append(try camp.ask())
      delays += try read(&streams, until: "event: change", within: 10).map {
        $0.timeIntervalSince(stored)
      }
      Thread.sleep(forTimeInterval: max(0, 1 - Date().timeIntervalSince(start)))
    }
    let perStream = Double(after - before) / Double(count)
    print("\(count) streams, \(seconds) captures, one a second")
    report("capture stored to event read", delays, "s")
    report("/room/state alone", alone, "s")
    report("/room/state beside them", asked, "s")
    print(
      String(
        format: "resident %.1f MB before, %.1f with them: %.1f MB more, %.1f KB each, at most %.1f",
        Double(before) / 1024, Double(after) / 1024, Double(after - before) / 1024, perStream,
        Double(try camp.resident(peak: true)) / 1024))
  }

  private static func report(_ name: String, _ values: [Double], _ unit: String) {
    let sorted = values.sorted()
    func part(_ share: Double) -> Double {
      sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }
    print(
      String(
        format: "%@: p50 %.3f, p95 %.3f, max %.3f %@", name, part(0.5), part(0.95),
        sorted.last ?? 0, unit))
  }

  /// Reads until each stream has told of something once.
  ///
  /// - Returns: when each has.
  @discardableResult private static func read(
    _ streams: inout [Stream], until word: String, within limit: Double
  ) throws -> [Date] {
    let wanted = Array(word.utf8)
    var left = streams.count
    var times: [Date] = []
    for index in streams.indices { streams[index].isThrough = false }
    var polled = streams.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let end = Date(timeIntervalSinceNow: limit)
    while left > 0 {
      guard Date() < end else {
        throw BenchError(description: "\(left) streams have not heard '\(word)' in \(limit) s")
      }
      poll(&polled, nfds_t(polled.count), 100)
      for index in polled.indices where polled[index].revents != 0 {
        let count = recv(
          streams[index].descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        guard count > 0 else { throw BenchError(description: "a stream has ended") }
        if !streams[index].isThrough, streams[index].finds(wanted, in: buffer[..<count]) {
          streams[index].isThrough = true
          times.append(Date())
          left -= 1
        }
      }
    }
    return times
  }

  /// One client.
  private struct Stream {
    let descriptor: Int32
    var isThrough = false
    /// The end of what was read before.
    private var tail: [UInt8] = []

    init(port: UInt16, client: Int) throws {
      descriptor = try BenchedCamp.connection(port)
      let head =
        "GET /room/events HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        + "X-Forwarded-For: 10.0.\(client / 250).\(client % 250 + 1)\r\n\r\n"
      guard send(descriptor, head, head.utf8.count, 0) == head.utf8.count else {
        throw BenchError(description: "a stream cannot be asked for")
      }
    }

    mutating func finds(_ word: [UInt8], in bytes: ArraySlice<UInt8>) -> Bool {
      let all = tail + bytes
      tail = Array(all.suffix(word.count - 1))
      guard all.count >= word.count else { return false }
      return (0...(all.count - word.count)).contains { place in
        all[place] == word[0] && all[place..<(place + word.count)].elementsEqual(word)
      }
    }
  }
}

/// A basecamp that is measured.
private final class BenchedCamp {
  private let process = Process()
  private let folder: URL
  let port: UInt16
  private var stored = 0

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("bench-\(UUID().uuidString)")
    process.executableURL = URL(fileURLWithPath: Program.path(of: "basecamp"))
    process.arguments = [
      "--database", folder.path, "--listen", "127.0.0.1:0", "--trusted-proxy", "127.0.0.1",
    ]
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

  /// - Returns: the time of an answer, seconds.
  private func time(_ head: String, _ body: String = "") throws -> Double {
    let descriptor = try Self.connection(port)
    defer { close(descriptor) }
    let request = head + "Host: 127.0.0.1\r\nConnection: close\r\n\r\n" + body
    let start = Date()
    guard send(descriptor, request, request.utf8.count, 0) == request.utf8.count else {
      throw BenchError(description: "a request cannot be sent")
    }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 {
      answer += buffer[..<count]
    }
    guard answer.starts(with: Array("HTTP/1.1 200".utf8)) else {
      throw BenchError(description: String(decoding: answer.prefix(200), as: UTF8.self))
    }
    return Date().timeIntervalSince(start)
  }

  func ask() throws -> Double { try time("GET /room/state HTTP/1.1\r\n") }

  func store(tracker: Int) throws {
    stored += 1
    let now = Int(Date().timeIntervalSince1970 * 1000)
    let id = String(format: "%08x-0000-4000-a000-%012x", tracker + 1, stored)
    let body =
      "f=json&features=[{\"geometry\":{\"x\":277000,\"y\":\(5_180_000 + stored),"
      + "\"spatialReference\":{\"wkid\":102100}},\"attributes\":{\"CodiEquip\":\"\(tracker)\","
      + "\"Equip\":\"Team\",\"Entrada\":\(now),\"UUID\":\"\(id)\"}}]"
    _ = try time(
      "POST /arcgis/rest/services/TrailWalker/FeatureServer/0/addFeatures HTTP/1.1\r\n"
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
}
