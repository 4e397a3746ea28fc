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
    var streams = try (0..<count).map { try Stream(camp, client: $0 / ofAddress) }
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

    init(_ camp: BenchedCamp, client: Int) throws {
      descriptor = try camp.stream(client: "10.0.\(client / 250).\(client % 250 + 1)")
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
