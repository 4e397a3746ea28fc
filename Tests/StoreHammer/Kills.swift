import CaptureStore
import SystemCalls
import TrackerCore

/// Kills a process that stores, at any of its writes and after any part of it, and checks what the
/// next one and a reader find: every announced capture, no gap, and no damage.
struct Kills {
  let shim: String
  let folder: String

  /// How a write tears: at pages, as a kill leaves it; at sectors or any byte, as a power cut may;
  /// at sectors of which those that were not flushed are lost in any order; or at no write, but
  /// after a time.
  private enum Tear: String, CaseIterable {
    case pages, sectors, bytes, lost, time
  }

  /// Lives of one store.
  private static let livesOfStore = 60
  /// Failures of a kind that are reported one by one.
  private static let mostTold = 5

  private var lives: [Tear: Int] = [:]
  private var stores = 0
  private var announced = 0
  private var reads = 0
  private var failures: [String: Int] = [:]

  init(shim: String, folder: String) {
    self.shim = shim
    self.folder = folder
  }

  /// - Returns: whether all is well.
  mutating func run(lives wanted: Int, seed: UInt64) -> Bool {
    var seed = seed
    while lives.values.reduce(0, +) < wanted {
      series(seed, most: min(Self.livesOfStore, wanted - lives.values.reduce(0, +)))
      seed += 1
    }
    let kinds = Tear.allCases.map { "\(lives[$0] ?? 0) at \($0.rawValue)" }
    print(
      "\(wanted) lives of \(stores) stores (\(kinds.joined(separator: ", "))), "
        + "\(announced) captures announced, \(reads) reads\n", to: 1)
    for (what, count) in failures.sorted(by: { $0.key < $1.key }) {
      print("\(what): \(count)\n", to: 1)
    }
    return failures.isEmpty
  }

  // MARK: One store

  private struct Story {
    let path: String
    var dice: Dice
    var announced: UInt32 = 0
    var acknowledged: UInt32 = 0
    var device: String?
    var `where` = ""
  }

  private struct Failure: Error {
    /// Constant, to count by.
    var what: String
    var detail: String
  }

  private mutating func series(_ seed: UInt64, most: Int) {
    let home = "\(folder)/\(seed)"
    try? makeFolder(home, mode: 0o700)
    stores += 1
    var story = Story(path: "\(home)/race.store", dice: Dice(state: seed))
    defer { announced += Int(story.announced) }
    for life in 1...most {
      let tear = Tear.allCases[Int(story.dice.below(UInt64(Tear.allCases.count)))]
      lives[tear, default: 0] += 1
      story.where = "life \(life), \(tear.rawValue); again with: .ci/kills \(life) \(seed)"
      do throws(Failure) {
        try live(&story, tear, isWatched: life % 4 == 0)
        if life == most { try reckon(story) }
      } catch {
        note(error, story)
        return
      }
    }
    for name in ["", "-wal", "-shm", "-journal", ".lock"] { try? removeFile(story.path + name) }
    try? removeFolder(home)
  }

  private mutating func note(_ failure: Failure, _ story: Story) {
    failures[failure.what, default: 0] += 1
    guard failures[failure.what] ?? 0 <= Self.mostTold else { return }
    print("\(failure.what): \(failure.detail)\n  \(story.path), \(story.where)\n", to: 1)
  }

  private mutating func live(
    _ story: inout Story, _ tear: Tear, isWatched: Bool
  ) throws(Failure) {
    let settings = Self.settings(&story, tear)
    let most = story.dice.below(6) == 0 ? story.dice.below(300) : 1 << 30
    guard
      let victim = Process(
        "/proc/self/exe", [story.path, "\(most)"], settings + ["LD_PRELOAD=\(shim)"])
    else { throw Failure(what: "cannot start", detail: story.path) }
    if isWatched {
      victim.awaitOutput()
      for _ in 1...3 { read(story, isAlive: true) }
    }
    if tear == .time {
      if story.dice.below(4) > 0 { victim.awaitOutput() }
      victim.kill(afterMicroseconds: UInt32(story.dice.below(9000)))
    }
    let lines = victim.remainingLines()
    for line in lines { try hear(line, &story) }
    read(story, isAlive: false)
    // After a power cut the index of the log may be there or not.
    if tear == .lost, story.dice.below(2) == 0 { try? removeFile(story.path + "-shm") }
  }

  /// Where and how it dies.
  private static func settings(_ story: inout Story, _ tear: Tear) -> [String] {
    func below(_ bound: UInt64) -> UInt64 { story.dice.below(bound) }
    let grain =
      switch tear {
      case .pages: 4096
      case .sectors, .lost: 512
      case .bytes, .time: 1
      }
    var settings = [
      "TORN_STORE=\(story.path)", "TORN_GRAIN=\(grain)", "TORN_SEED=\(below(1 << 40))",
      "SWIFT_BACKTRACE=enable=no",
    ]
    if tear == .lost { settings.append("TORN_LOST=1") }
    if tear == .time { return settings }
    switch below(20) {
    // The file itself: while it is created, and in a checkpoint.
    case 0...2: settings += ["TORN_FILE=", "TORN_AT=\(1 + below(40))"]
    // The header of the log, when it is started and started over.
    case 3...4: settings += ["TORN_FILE=-wal", "TORN_HEAD=1", "TORN_AT=\(1 + below(2))"]
    case 5: settings += ["TORN_FILE=-shm", "TORN_AT=\(1 + below(4))"]
    // While it opens.
    case 6...9: settings.append("TORN_AT=\(1 + below(40))")
    case 10...15: settings.append("TORN_AT=\(1 + below(600))")
    default: settings.append("TORN_AT=\(1 + below(2500))")
    }
    return settings
  }

  private func hear(_ line: String, _ story: inout Story) throws(Failure) {
    let words = line.split(separator: " ", maxSplits: 3)
    if let number = UInt32(line) { story.announced = number }
    switch words.first {
    case "error": throw Failure(what: "cannot be opened or used", detail: line)
    case "acknowledged": story.acknowledged = UInt32(words[1]) ?? 0
    case "open":
      guard !line.contains("salvaged") else { throw Failure(what: "salvaged", detail: line) }
      guard story.device == nil || story.device.map({ line.contains($0) }) == true else {
        throw Failure(what: "another device", detail: line)
      }
      story.device = String(words[2])
      // One may be on disk that death kept from being announced.
      guard let next = UInt32(words[1]), (1...2).contains(Int(next) - Int(story.announced)) else {
        throw Failure(what: "lost or left out", detail: "\(line) after \(story.announced)")
      }
      story.announced = next - 1
    default: break
    }
  }

  // MARK: Readers

  private mutating func read(_ story: Story, isAlive: Bool) {
    reads += 1
    do throws(Failure) { try look(story) } catch {
      note(
        Failure(
          what: isAlive ? "while it writes, \(error.what)" : error.what, detail: error.detail),
        story)
    }
  }

  private func look(_ story: Story) throws(Failure) {
    let store: CaptureStore
    do throws(StoreError) { store = try CaptureStore.openForReading(story.path) } catch {
      switch error.kind {
      case .missing where story.announced == 0, .notAStore where story.announced == 0: return
      default: throw Failure(what: "a reader is refused", detail: "\(error)")
      }
    }
    if let damage = store.damage {
      throw Failure(what: "a reader is told of damage", detail: damage)
    }
    guard store.nextSequence > story.announced, store.damagedRows == 0 else {
      throw Failure(
        what: "a reader misses captures", detail: "\(store.nextSequence) \(story.announced)")
    }
  }

  /// All numbers are there.
  private func reckon(_ story: Story) throws(Failure) {
    guard story.announced > 0 else { return }
    let rows = (try? CaptureStore.openForReading(story.path).captures()) ?? []
    let numbers = rows.map(\.capture.sequence)
    let sent = rows.prefix { $0.state == .acknowledged }.count
    guard numbers.count >= story.announced, numbers == Array(1...UInt32(max(1, numbers.count))),
      sent >= story.acknowledged
    else { throw Failure(what: "numbers are missing", detail: "\(numbers.count) \(sent)") }
  }
}

/// Splitmix64.
struct Dice {
  var state: UInt64

  mutating func below(_ bound: UInt64) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return (word ^ (word >> 31)) % bound
  }
}
