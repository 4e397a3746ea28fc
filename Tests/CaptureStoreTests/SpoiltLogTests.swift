import Foundation
import SQLite
import Testing
import TrackerCore

@testable import CaptureStore

/// A write-ahead log of which more than a byte is wrong.
@Suite struct SpoiltLogTests {
  private let note = again("SpoiltLogTests")
  private static let frame = 24 + 4096
  private static let zeros = [UInt8](repeating: 0, count: 4096)

  /// A store that was killed with sixty of its hundred captures in the log.
  private func killed() throws -> PowerCut.Files {
    let scratch = try Scratch()
    let store = try scratch.open()
    try store.fill(40)
    try SQLiteDatabase(path: scratch.path).execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try store.fill(60)
    var files = PowerCut.Files()
    for tail in ["", "-wal", ".lock"] { files["race.store" + tail] = scratch.bytes(tail) }
    return files
  }

  private func spoil(
    _ files: PowerCut.Files, _ range: Range<Int>, _ fill: UInt8 = 0
  ) throws -> Scratch {
    var files = files
    for index in range { files["race.store-wal"]?[index] = fill }
    let scratch = try Scratch()
    try scratch.put(files)
    return scratch
  }

  @Test(arguments: [32, 512, 4096, 9000])
  func `A log whose beginning cannot be read is damage, and what follows is read`(_ length: Int)
    throws
  {
    for fill in [0x00, 0xA5] as [UInt8] {
      let scratch = try spoil(killed(), 0..<length, fill)
      let reader = try CaptureStore.openForReading(scratch.path)
      #expect(reader.damage == "the header of its log is damaged", "\(length) \(fill); \(note)")
      let store = try scratch.open()
      guard case .salvaged = store.opening else {
        Issue.record("\(length) \(fill): \(store.opening); \(note)")
        return
      }
      // Later frames hold the pages of the first ones again, and more.
      #expect(try store.numbers() == Array(1...100), "\(length) \(fill); \(note)")
      #expect(store.nextSequence > 100, note)
    }
  }

  /// One byte of a log's header, of its first frame and of its last is put right, and then every
  /// announced capture is there.
  @Test(arguments: [4, 32 + 24 + 3000, -2000])
  func `After a salvage that misses nothing the numbers go on without a jump`(_ place: Int) throws {
    var files = try killed()
    let log = try #require(files["race.store-wal"])
    files["race.store-wal"]?[place < 0 ? log.count + place : place] ^= 0x11
    let scratch = try Scratch()
    try scratch.put(files)
    var device: UniqueID?
    do {
      let store = try scratch.open()
      guard case .salvaged(let salvage) = store.opening else {
        Issue.record("\(place): \(store.opening); \(note)")
        return
      }
      #expect(salvage.missing == 0 && salvage.recovered == 100, "\(salvage); \(note)")
      #expect(salvage.continuesAt == 101 && salvage.isIdentityKept, "\(salvage); \(note)")
      try store.fill(2)
      device = store.device
    }
    let store = try scratch.open()
    #expect(store.opening == .opened && store.device == device, note)
    #expect(try store.numbers() == Array(1...102), note)
    #expect(try store.devices().map(\.missing) == [0], note)
  }

  @Test func `Nor do they jump when that salvage is interrupted at any step`() throws {
    let files = try killed()
    var failing = 1
    while true {
      let scratch = try spoil(files, 4..<5, 0x11)
      let record = PowerCut.Record()
      let disk = Disk { _ in
        record.count += 1
        return record.count == failing ? EIO : 0
      }
      let salvage = try? SalvageSteps(path: scratch.path, disk: disk).run(damage: "-", at: start)
      let store = try scratch.open()
      #expect(try store.numbers() == Array(1...100), "step \(failing); \(note)")
      #expect(store.nextSequence == 101, "step \(failing); \(note)")
      if case .salvaged(let salvage) = store.opening {
        #expect(salvage.continuesAt == 101, "step \(failing): \(salvage); \(note)")
      }
      if salvage != nil { break }
      failing += 1
    }
    #expect(failing > 6, note)
  }

  private enum Doubt: CaseIterable {
    case lostFrame, lostPage, wrongRow, tornEnd
  }

  /// Also where every capture turns out to be there: nothing proves that there was no further one.
  @Test(arguments: Doubt.allCases)
  private func `After a salvage that may miss captures the numbers jump`(_ doubt: Doubt) throws {
    var files = try killed()
    let log = try #require(files["race.store-wal"])
    switch doubt {
    case .lostFrame: files["race.store-wal"]?.replaceSubrange(4096..<8192, with: Self.zeros)
    case .lostPage: files["race.store"]?.replaceSubrange(4096..<8192, with: Self.zeros)
    case .wrongRow:
      // A capture of the file, and of no frame: its page is never written again.
      let main = try #require(files["race.store"])
      let team = try #require(main.firstRange(of: Array("Els Senglars".utf8)))
      files["race.store"]?[team.lowerBound] ^= 0x11
      files["race.store-wal"]?[32 + 24 + 3000] ^= 0x11
    case .tornEnd:
      files["race.store-wal"]?[32 + 24 + 3000] ^= 0x11
      files["race.store-wal"]?.removeLast(Self.frame / 2)
      files["race.store-wal"]?.append(contentsOf: Self.zeros.prefix(Self.frame / 2))
    }
    #expect(files["race.store-wal"]?.count == log.count, note)
    let scratch = try Scratch()
    try scratch.put(files)
    let store = try scratch.open()
    guard case .salvaged(let salvage) = store.opening else {
      Issue.record("\(doubt): \(store.opening); \(note)")
      return
    }
    #expect(salvage.continuesAt == 4097 && store.nextSequence == 4097, "\(salvage); \(note)")
  }

  /// The place of the page has that of an earlier process, which differs in one byte.
  @Test func `A store killed between a frame's header and its page is not salvaged`() throws {
    let scratch = try Scratch()
    let store = try scratch.open()
    try store.fill(40)
    try store.acknowledge(try store.select(.oldest(limit: 30), at: start).map(\.key), at: start)
    var files = PowerCut.Files()
    for tail in ["", "-wal", ".lock"] { files["race.store" + tail] = scratch.bytes(tail) }
    let log = scratch.bytes("-wal")
    let begins = Array(stride(from: 32, to: log.count, by: Self.frame))
    let commits = begins.filter { log[$0 + 4..<$0 + 8].contains { $0 != 0 } }
    let before = try #require(commits.dropLast().last)
    let torn = before + Self.frame
    #expect(torn < log.count - Self.frame, "the last transaction has several frames; \(note)")
    for offset in stride(from: 24, to: Self.frame, by: 211) {
      var log = Array(log.prefix(torn + Self.frame))
      log[torn + offset] ^= 0x11
      files["race.store-wal"] = log
      let killed = try Scratch()
      try killed.put(files)
      #expect(try CaptureStore.openForReading(killed.path).damage == nil, "\(offset); \(note)")
      let store = try killed.open()
      #expect(store.opening == .opened, "\(offset); \(note)")
      #expect(try store.numbers() == Array(1...40), "\(offset); \(note)")
      #expect(try store.numbers(.acknowledged) == [], "\(offset); \(note)")
    }
  }

  @Test func `A block that is lost anywhere in a log is noticed, unless it was the very end`()
    throws
  {
    let files = try killed()
    let size = files["race.store-wal"]?.count ?? 0
    var (salvaged, most, mostSilent) = (0, 0, 0)
    for block in stride(from: 0, to: size, by: 4096) {
      let scratch = try spoil(files, block..<min(size, block + 4096))
      let store = try scratch.open()
      let numbers = try store.numbers()
      if case .salvaged = store.opening {
        salvaged += 1
        #expect(store.nextSequence > 100, "block at \(block); \(note)")
        most = max(most, 100 - numbers.count)
      } else {
        mostSilent = max(mostSilent, 100 - numbers.count)
        // As a power cut tears the last transaction, and nothing distinguishes it from that.
        #expect(block >= size - 5 * Self.frame, "block at \(block): \(numbers.count); \(note)")
      }
    }
    print(
      "lost blocks of a log: \(size / 4096), \(salvaged) salvaged, at most \(most) captures lost")
    #expect(salvaged > 50 && most <= 1 && mostSilent <= 2, "\(most) \(mostSilent); \(note)")
  }

  @Test func `A log that was started over an older one is whole`() throws {
    let scratch = try Scratch()
    let store = try scratch.open()
    try store.fill(60)
    let other = try SQLiteDatabase(path: scratch.path)
    try other.execute("PRAGMA wal_checkpoint(RESTART)")
    let long = scratch.bytes("-wal")
    for count in 1...4 {
      try store.fill(1)
      #expect(scratch.bytes("-wal").count == long.count, "it must not be cut; \(note)")
      #expect(scratch.bytes("-wal").prefix(32) != long.prefix(32), note)
      let copy = try Scratch()
      try copy.put(scratch.files.filter { !$0.key.hasSuffix("-shm") })
      #expect(try CaptureStore.openForReading(copy.path).damage == nil, note)
      let opened = try copy.open()
      #expect(try opened.opening == .opened && opened.numbers().count == 60 + count, note)
      // Its header and its first frame are lost, and frames of the older log stand behind them.
      let spoilt = try spoil(
        copy.files.merging(["race.store-wal": scratch.bytes("-wal")]) { $1 }.merging([
          "race.store": scratch.bytes()
        ]) { $1 }, 0..<4096)
      let salvaged = try spoilt.open()
      #expect(try salvaged.numbers().count >= 60, "after \(count); \(note)")
    }
  }

  /// A header that crosses the border of two pages of the disk cache, or of two sectors.
  @Test func `A store killed within a frame's header takes nothing from an older log`() throws {
    let scratch = try Scratch()
    let store = try scratch.open()
    try store.fill(60)
    try SQLiteDatabase(path: scratch.path).execute("PRAGMA wal_checkpoint(RESTART)")
    try store.fill(3)
    let log = scratch.bytes("-wal")
    let salts = log[16..<24]
    let begins = stride(from: 32, to: log.count, by: Self.frame)
    let torn = try #require(begins.first { log[$0 + 8..<$0 + 16] != salts })
    #expect(torn + 10 * Self.frame < log.count, "an older log is behind it; \(note)")
    for (written, commit) in [(8, 0), (16, 0), (8, 9), (16, 9)] {
      var files = scratch.files.filter { !$0.key.hasSuffix("-shm") }
      let header = [0, 0, 0, 2, 0, 0, 0, UInt8(commit)] + salts
      files["race.store-wal"]?.replaceSubrange(torn..<torn + written, with: header.prefix(written))
      let killed = try Scratch()
      try killed.put(files)
      let what: Comment = "\(written) bytes, commit \(commit); \(note)"
      #expect(try CaptureStore.openForReading(killed.path).damage == nil, what)
      let store = try killed.open()
      #expect(store.opening == .opened, what)
      #expect(try store.numbers() == Array(1...63), what)
    }
  }

  /// SQLite takes the salts over from a header of which the end is missing.
  @Test func `A header torn when the log is started over costs nothing and brings nothing back`()
    throws
  {
    let scratch = try Scratch()
    let store = try scratch.open()
    try store.fill(60)
    try SQLiteDatabase(path: scratch.path).execute("PRAGMA wal_checkpoint(RESTART)")
    let before = scratch.files.filter { !$0.key.hasSuffix("-shm") }
    try store.fill(1)
    let header = scratch.bytes("-wal").prefix(32)
    #expect(scratch.bytes() == before["race.store"], "no frame must be in the file; \(note)")
    for written in 13..<32 {
      let what: Comment = "\(written) bytes; \(note)"
      var files = before
      files["race.store-wal"]?.replaceSubrange(0..<written, with: header.prefix(written))
      // Where the rest of the header is that of the older one, it is not torn.
      guard files["race.store-wal"]?.prefix(32) != header else { continue }
      let torn = try Scratch()
      try torn.put(files)
      let reader = try CaptureStore.openForReading(torn.path)
      #expect(try reader.damage == nil && reader.numbers() == Array(1...60), what)
      #expect(torn.files == files, what)
      let store = try torn.open()
      #expect(store.opening == .opened && store.damagedRows == 0, what)
      #expect(try store.numbers() == Array(1...60), what)
      // The log starts over, and the process is killed again.
      for last in 61...62 as ClosedRange<UInt32> {
        try store.fill(1)
        let killed = try Scratch()
        try killed.put(torn.files.filter { !$0.key.hasSuffix("-shm") })
        #expect(try CaptureStore.openForReading(killed.path).damage == nil, what)
        let next = try killed.open()
        #expect(next.opening == .opened && next.damagedRows == 0, what)
        #expect(try next.numbers() == Array(1...last), what)
      }
    }
  }

  /// The next process starts the log over, as nothing was committed in it.
  @Test func `A header torn over the log of a first transaction that was killed is no damage`()
    throws
  {
    let scratch = try Scratch()
    try SQLiteDatabase(path: scratch.path).execute("PRAGMA journal_mode = WAL; VACUUM")
    #expect(scratch.bytes().count == 4096, "a file without tables; \(note)")
    let before = log([(1, 0), (2, 0), (3, 0)])
    let fresh = try Scratch().open().opening
    for written in 17..<32 {
      let what: Comment = "\(written) bytes; \(note)"
      let killed = try Scratch()
      let bytes = before[..<16] + [UInt8](repeating: 0xA5, count: written - 16) + before[written...]
      try killed.put(["race.store": scratch.bytes(), "race.store-wal": Array(bytes)])
      let store = try killed.open()
      try store.fill(2)
      #expect(try store.opening == fresh && store.numbers() == [1, 2], what)
      #expect(!killed.files.keys.contains { $0.contains("damaged") }, what)
      // One wrong byte in a frame, too, is more than a torn header.
      var spoilt = Array(bytes)
      spoilt[32 + Self.frame + 100] = 1
      #expect(!LogScan(spoilt, pageBytes: 4096).isObsolete(in: scratch.bytes()), what)
    }
  }

  // MARK: Frames that no store can have

  /// A log of frames whose checksums are right.
  private func log(_ frames: [(page: UInt32, commit: UInt32)], pageBytes: Int = 4096) -> [UInt8] {
    var sums: (UInt32, UInt32) = (0, 0)
    func add(_ bytes: some Sequence<UInt8>) {
      let words = Array(bytes)
      for pair in stride(from: 0, to: words.count, by: 8) {
        func word(_ place: Int) -> UInt32 {
          words[place..<place + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        sums.0 = sums.0 &+ word(pair) &+ sums.1
        sums.1 = sums.1 &+ word(pair + 4) &+ sums.0
      }
    }
    func bytes(_ word: UInt32) -> [UInt8] { withUnsafeBytes(of: word.bigEndian) { Array($0) } }
    // The mark's last bit is 0: the sums are over words of a little-endian machine.
    var header = [0x377F_0682, 3_007_000, UInt32(pageBytes), 0, 7, 9].flatMap(bytes)
    add(header)
    header += bytes(sums.0) + bytes(sums.1)
    let content = [UInt8](repeating: 0, count: pageBytes)
    return frames.reduce(into: header) { log, frame in
      add(bytes(frame.page) + bytes(frame.commit))
      add(content)
      log += bytes(frame.page) + bytes(frame.commit) + bytes(7) + bytes(9)
      log += bytes(sums.0) + bytes(sums.1) + content
    }
  }

  @Test func `A log with right checksums is read`() {
    let scan = LogScan(log([(1, 0), (2, 2), (3, 3)]), pageBytes: 4096)
    #expect(scan.pages == [1, 2, 3] && scan.committedPages == 3 && scan.damage == nil, note)
  }

  @Test(
    arguments: [
      [(0, 1)], [(1, .max)], [(.max, 1)], [(1, 1), (0, 1), (2, 2)],
      [(1, 1), (0, 0), (2, 2), (3, 3)],
      [(1, 1), (0x7FFF_FFFF, 0x7FFF_FFFF)], [(32769, 1)], [(1, 32769)],
    ] as [[(UInt32, UInt32)]])
  func `Pages that no store can have end neither the program nor its memory`(
    _ frames: [(UInt32, UInt32)]
  ) throws {
    for pageBytes in [512, 4096, 65_536] {
      let most = StoreBounds.imageBytes / pageBytes
      let scan = LogScan(
        log(frames.map { (page: $0.0, commit: $0.1) }, pageBytes: pageBytes), pageBytes: pageBytes)
      #expect(scan.pages.allSatisfy { (1...most).contains($0) }, "\(frames); \(note)")
      #expect(scan.committedPages ?? 0 <= most, "\(frames); \(note)")
    }
    // Beside a store it is opened all the same.
    let scratch = try Scratch()
    try scratch.open().fill(30)
    try scratch.write(log(frames.map { (page: $0.0, commit: $0.1) }), "-wal")
    // Where SQLite finds an empty first page in the log, it is not a store for a reader.
    _ = try? CaptureStore.openForReading(scratch.path).numbers()
    let image = try StoreImage(path: scratch.path)
    #expect(image.database().count <= StoreBounds.imageBytes, note)
    try scratch.open().fill(1)
  }

  @Test func `The largest page that a store can have is read`() {
    let scan = LogScan(log([(32768, 32768)]), pageBytes: 4096)
    #expect(scan.pages == [32768] && scan.committedPages == 32768, note)
  }
}
