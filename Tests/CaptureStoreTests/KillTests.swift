import CaptureStore
import Foundation
import Testing
import TrackerCore

/// A process that stores as fast as it can dies at any moment.
@Suite struct KillTests {
  static let lives = 500
  private let note = again("KillTests")

  /// Xorshift (Marsaglia 2003): the delays are the same in each run.
  private struct Dice {
    var state: UInt64 = 88_172_645_463_325_252
    mutating func below(_ bound: UInt64) -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state % bound
    }
  }

  @Test func `Killed 500 times, no announced capture is lost and no number is left out`() throws {
    let scratch = try Scratch()
    var dice = Dice()
    var announced: UInt32 = 0
    var acknowledged: UInt32 = 0
    for life in 1...Self.lives {
      // Some die while they open, most while they store.
      let lines = try Hammer.live(
        scratch.path, afterOpening: life % 4 != 0, microseconds: UInt32(dice.below(9000)))
      for line in lines {
        let words = line.split(separator: " ")
        try #require(words.first != "error", "life \(life): \(line); \(note)")
        if let number = UInt32(line) { announced = number }
        if words.first == "acknowledged", let number = words.last { acknowledged = UInt32(number)! }
        if words.first == "open", let next = UInt32(words[1]) {
          // One may be on disk that death kept from being announced.
          try #require(
            next == announced + 1 || next == announced + 2, "life \(life): \(line); \(note)")
          try #require(!line.contains("salvaged"), "life \(life): \(line); \(note)")
          announced = next - 1
        }
      }
    }
    let store = try scratch.open()
    #expect(store.opening == .opened, note)
    #expect(store.nextSequence > announced, note)
    #expect(try store.numbers() == Array(1..<store.nextSequence), note)
    let sent = try store.numbers(.acknowledged)
    #expect(sent.count >= acknowledged && sent == Array((1...).prefix(sent.count)), note)
    #expect(announced > UInt32(Self.lives / 4), "too few were stored to prove anything; \(note)")
    print("kill test: \(Self.lives) lives, \(announced) announced, \(store.tally)")
  }
}

/// The program that is killed.
enum Hammer {
  // Not from `Bundle.allBundles`: Foundation 6.2 reads through a null pointer there.
  static let program: URL? = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()

  /// Starts it, kills it after a while, and returns the whole lines that it printed.
  ///
  /// - Parameter afterOpening: the while begins when it has opened the store, however busy the
  ///   machine is, and not when it starts.
  static func live(
    _ path: String, afterOpening: Bool, microseconds: UInt32
  ) throws -> [String] {
    let (identifier, output) = try spawn(path)
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    if afterOpening {
      let count = read(output, &chunk, chunk.count)
      text += chunk[..<max(0, count)]
    }
    usleep(microseconds)
    kill(identifier, SIGKILL)
    while true {
      let count = read(output, &chunk, chunk.count)
      if count <= 0 { break }
      text += chunk[..<count]
    }
    close(output)
    var status: Int32 = 0
    waitpid(identifier, &status, 0)
    let whole = text.lastIndex(of: 10).map { text[..<$0] } ?? []
    return whole.split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
  }

  static func executable() throws -> String {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    if let program { folder = program }
    let url = folder.appendingPathComponent("store-hammer")
    return try #require(
      FileManager.default.isExecutableFile(atPath: url.path) ? url.path : nil,
      "\(url.path) is not there; build it with: swift build --product store-hammer")
  }

  /// The process and the reading end of its standard output.
  private static func spawn(_ path: String) throws -> (pid_t, Int32) {
    let program = try executable()
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    var words: [UnsafeMutablePointer<CChar>?] = [strdup(program), strdup(path), nil]
    defer { for word in words { free(word) } }
    var identifier: pid_t = 0
    let code = posix_spawn(&identifier, program, &actions, nil, &words, environ)
    close(ends[1])
    try #require(code == 0, "cannot start \(program)")
    return (identifier, ends[0])
  }
}
