import CaptureStore
import Foundation
import MachineAccess
import TrackerCore

/// `bench status`: how long a status takes: the socket's answer, and the whole of `trackerctl
/// status`.
enum StatusBench {
  static let standardCaptures: UInt32 = 100_000
  private static let rounds = 50

  static func run(_ count: UInt32) throws {
    // In memory: this is about what is computed; a status does not wait for a disk.
    let memory = URL(fileURLWithPath: "/dev/shm")
    let tracker = try Rival.tracker(
      Program.path(of: "trackerd"), nil, below: memory
    ) {
      try fill($0, count)
    }
    let limit = Date(timeIntervalSinceNow: 120)
    while (try? ControlClient.facts(at: tracker.control)) == nil {
      guard Date() < limit else { throw BenchError(description: "trackerd does not start") }
      Thread.sleep(forTimeInterval: 0.1)
    }
    print("\(count) captures in the store, half of them waiting")
    report(
      "the socket's answer",
      try (0..<rounds).map { _ in
        try time { _ = try ControlClient.facts(at: tracker.control) }
      })
    let program = Program.path(of: "trackerctl")
    for words in [["--version"], ["status", "--socket", tracker.control]] {
      report(
        "trackerctl \(words[0])",
        try (0..<rounds).map { _ in try time { try spawn([program] + words) } })
    }
    try reportDead(program, tracker)
  }

  /// The store is read then.
  private static func reportDead(_ program: String, _ tracker: Rival) throws {
    tracker.end()
    let words = [program, "status", "--config", tracker.settings]
    report(
      "trackerctl status, the tracker is dead",
      try (0..<5).map { _ in try time { try spawn(words) } })
  }

  private static func fill(_ path: String, _ count: UInt32) throws {
    let date = UTC(milliseconds: 1_776_499_242_000)
    let store = try CaptureStore.open(.file(path), at: date)
    var keys: [CaptureKey] = []
    let begun = Date()
    for sequence in 1...count {
      keys.append(store.nextKey)
      try store.append(
        Capture(
          sequence: sequence, utc: date + Milliseconds(Int64(sequence) * 10_000),
          isTimeTrusted: true, position: Coordinate(latitude: 418_000_000, longitude: 21_000_000),
          team: InlineText("Els Senglars"), trigger: .interval),
        at: date + Milliseconds(Int64(sequence) * 10_000))
    }
    print(String(format: "filled in %.0f s", Date().timeIntervalSince(begun)))
    try report("all waiting", of: store)
    try store.acknowledge(Array(keys.prefix(keys.count / 2)), at: date)
    try report("half acknowledged", of: store)
  }

  /// What a tracker looks up when its queue changes, and what only with earlier devices.
  private static func report(_ what: String, of store: CaptureStore) throws {
    report(
      "\(what): the oldest waiting",
      try (0..<rounds).map { _ in try time { _ = try store.oldestWaiting() } })
    report(
      "\(what): earlier devices",
      try (0..<5).map { _ in try time { _ = try store.waitingOfEarlierDevices() } })
  }

  private static func time(_ body: () throws -> Void) rethrows -> Double {
    let begun = ContinuousClock.now
    try body()
    let length = begun.duration(to: .now)
    return Double(length.components.attoseconds) / 1e15 + Double(length.components.seconds) * 1000
  }

  private static func spawn(_ words: [String]) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    guard posix_spawn(&process, words[0], &actions, nil, &arguments, environ) == 0 else {
      throw BenchError(description: "\(words[0]) cannot be run")
    }
    var status: Int32 = 0
    waitpid(process, &status, 0)
    guard [0, 1, 3].contains(status >> 8) else {
      throw BenchError(description: "\(words) failed")
    }
  }

  private static func report(_ what: String, _ times: [Double]) {
    let sorted = times.sorted()
    let text = what.padding(toLength: 44, withPad: " ", startingAt: 0)
    print(
      String(
        format: "%@ median %8.2f ms, max %8.2f ms", text, sorted[sorted.count / 2],
        sorted[sorted.count - 1]))
  }
}
