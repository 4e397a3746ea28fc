import CaptureStore
import SQLite
import Synchronization
import SystemCalls
import TrackerCore

/// A disk on which a store is a file, for runs in which a program ends within a write.
///
/// What SQLite has written is on the disk once it was flushed. Of the rest a power cut leaves any
/// sectors, as if they had been written in any order, and the write that it ends has come as far as
/// a sector or a page. A kill ends a write at a page and leaves all that was written before: the
/// machine goes on, and that is taken for flushed when the next program begins.
///
/// What the store writes without SQLite, its lock above all, is always on the disk.
final class TornDisk: FileWatcher {
  static let storeName = "race.store"
  private static let sector = 512
  private static let page = 4096
  private static let mostBytes = 64 << 20
  private static let count = Atomic<Int>(0)

  /// What a flush has not reached yet.
  private struct Unflushed {
    /// The size that is on the disk.
    var size: Int64
    /// What sectors had that were written since, in the order of the writes.
    var sectors: [(begin: Int64, old: [UInt8])] = []
    var begins: Set<Int64> = []
  }

  private struct State {
    var random: SeededGenerator
    /// Programs that have begun.
    var lives = 0
    var files: [String: Unflushed] = [:]
    /// The step at which the program ends; `nil`: at none.
    var cut: (stepsLeft: Int, outage: Outage)?
    var isPaused = false
    /// The files as the program has left them that a cut has ended.
    var left: [(name: String, bytes: [UInt8])]?
    var outages: [Outage] = []
    var lost = 0
  }

  let folder: String
  private let state: Mutex<State>

  init(seed: UInt64) throws(SystemError) {
    let memory = "/dev/shm"
    let parent = may(.write, memory) ? memory : environmentValue("TMPDIR") ?? "/tmp"
    let number = Self.count.add(1, ordering: .relaxed).newValue
    folder = "\(parent)/tracker-sim-\(ownProcess)-\(number)"
    state = Mutex(State(random: SeededGenerator(seed: seed, stream: 103)))
    try makeFolder(folder, mode: 0o700)
  }

  deinit {
    remove(state.withLock { $0.lives })
    try? removeFolder(folder)
  }

  private func home(_ life: Int) -> String { "\(folder)/\(life)" }

  private func remove(_ life: Int) {
    let home = home(life)
    SQLiteDatabase.stopWatching(folder: home)
    for name in names(inFolder: home) { try? removeFile("\(home)/\(name)") }
    try? removeFolder(home)
  }

  // MARK: The store

  /// A new store with what a store's image has.
  func open(_ image: [UInt8], for owner: StoreOwner, at now: UTC) throws -> CaptureStore {
    try open([(Self.storeName, image)], for: owner, at: now)
  }

  /// The store as the next program finds it.
  func reopen(after outage: Outage, for owner: StoreOwner, at now: UTC) throws -> CaptureStore {
    let left = state.withLock { state in
      defer { (state.left, state.cut) = (nil, nil) }
      return state.left ?? rest(after: outage, &state)
    }
    return try open(left, for: owner, at: now)
  }

  private func open(
    _ files: [(name: String, bytes: [UInt8])], for owner: StoreOwner, at now: UTC
  ) throws -> CaptureStore {
    let life = state.withLock { state in
      state.lives += 1
      (state.files, state.left, state.cut) = ([:], nil, nil)
      return state.lives
    }
    let home = home(life)
    try makeFolder(home, mode: 0o700)
    for file in files { try writeDurably(file.bytes, to: "\(home)/\(file.name)", mode: 0o640) }
    SQLiteDatabase.watchFiles(in: home, by: self)
    let store = try CaptureStore.open(.file("\(home)/\(Self.storeName)"), for: owner, at: now)
    remove(life - 1)
    return store
  }

  // MARK: The cut

  /// The program ends at the step after so many more.
  func planCut(after steps: Int32, by outage: Outage) {
    state.withLock { $0.cut = (Int(steps), outage) }
  }

  /// Whether the program has ended at a step: what it has written since is on no disk.
  var isCut: Bool { state.withLock { $0.left != nil } }

  /// Those that came within a write.
  var outages: [Outage] { state.withLock { $0.outages } }

  /// Sectors that power cuts have lost.
  var lostSectors: Int { state.withLock { $0.lost } }

  /// No cut comes during this.
  func pause<Result>(_ body: () throws -> Result) rethrows -> Result {
    state.withLock { $0.isPaused = true }
    defer { state.withLock { $0.isPaused = false } }
    return try body()
  }

  func willPerform(_ step: FileStep, on file: WatchedFile) {
    state.withLock { state in
      guard state.left == nil, file.path.hasPrefix(home(state.lives) + "/") else { return }
      let due = dueOutage(&state)
      let name = String(file.path.dropFirst(home(state.lives).utf8.count + 1))
      switch step {
      case .write(let bytes, let offset):
        note(bytes.count, at: offset, file, name, &state)
        if let due { state.left = rest(after: due, &state, within: (name, bytes, offset)) }
      case .truncate, .flush:
        if let due { state.left = rest(after: due, &state) }
        if case .flush = step { state.files[name] = Unflushed(size: file.size) }
      }
    }
  }

  /// The outage that comes now.
  private func dueOutage(_ state: inout State) -> Outage? {
    guard let cut = state.cut, !state.isPaused else { return nil }
    state.cut?.stepsLeft -= 1
    guard cut.stepsLeft == 0 else { return nil }
    state.outages.append(cut.outage)
    return cut.outage
  }

  private func note(
    _ count: Int, at offset: Int64, _ file: WatchedFile, _ name: String, _ state: inout State
  ) {
    var unflushed = state.files[name] ?? Unflushed(size: file.size)
    state.files[name] = nil
    let sector = Int64(Self.sector)
    for begin in stride(from: offset / sector * sector, to: offset + Int64(count), by: Self.sector)
    where unflushed.begins.insert(begin).inserted {
      unflushed.sectors.append((begin, file.bytes(Self.sector, at: begin)))
    }
    state.files[name] = unflushed
  }

  /// What an outage leaves of the files.
  ///
  /// - Parameter write: the one that it ends.
  private func rest(
    after outage: Outage, _ state: inout State,
    within write: (name: String, bytes: UnsafeRawBufferPointer, offset: Int64)? = nil
  ) -> [(name: String, bytes: [UInt8])] {
    let home = home(state.lives)
    // The index of the log is lost with the program, or made again.
    let left = names(inFolder: home).sorted().filter { !$0.hasSuffix("-shm") }
    return left.compactMap { name in
      let file = try? Descriptor(opening: "\(home)/\(name)", .read)
      guard var bytes = try? file?.readAll(atMost: Self.mostBytes) else { return nil }
      if let write, write.name == name { tear(write.bytes, write.offset, outage, &bytes, &state) }
      if outage == .powerCut, let unflushed = state.files[name] {
        lose(unflushed, of: &bytes, &state)
      }
      return (name, bytes)
    }
  }

  /// The write arrives up to a sector or a page.
  private func tear(
    _ new: UnsafeRawBufferPointer, _ offset: Int64, _ outage: Outage, _ bytes: inout [UInt8],
    _ state: inout State
  ) {
    let grain = outage == .kill || state.random.once(in: 2) ? Self.page : Self.sector
    let begin = Int(offset)
    let end = (begin + state.random.whole(in: 0...new.count)) / grain * grain
    guard end > begin else { return }
    if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
    bytes.replaceSubrange(begin..<end, with: new[0..<end - begin])
  }

  private func lose(_ unflushed: Unflushed, of bytes: inout [UInt8], _ state: inout State) {
    for sector in unflushed.sectors where state.random.once(in: 2) {
      let begin = Int(sector.begin)
      // The write that ends here may not have got so far.
      guard begin < bytes.count else { continue }
      let range = begin..<min(begin + Self.sector, bytes.count)
      let old = sector.old[0..<range.count]
      // In a log that looks like a wrong byte in a transaction that is complete: it is salvaged,
      // and the numbers go on above all that may have been given (see LogWalk).
      guard zip(bytes[range], old).count(where: { $0 != $1 }) != 1 else { continue }
      bytes.replaceSubrange(range, with: old)
      state.lost += 1
    }
    // The size may not have arrived, or the sectors that it makes room for.
    let size = Int(unflushed.size)
    if bytes.count > size, state.random.once(in: 3) { bytes.removeLast(bytes.count - size) }
  }
}
