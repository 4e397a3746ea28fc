import SQLite
import Testing
import TrackerCore

@testable import CaptureStore

/// A write-ahead log with a wrong byte, read further than SQLite reads it.
@Suite struct LogScanTests {
  private let note = again("LogScanTests")
  private static let frame = 24 + 4096

  /// A log of some transactions, each a capture or several changes.
  private func log() throws -> [UInt8] {
    let scratch = try Scratch()
    let store = try scratch.open()
    try store.fill(12)
    try SQLiteDatabase(path: scratch.path).execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try store.fill(4)
    let sent = try store.select(.oldest(limit: 3), at: start).map(\.key)
    try store.acknowledge(sent, at: start)
    try store.fill(1)
    return scratch.bytes("-wal")
  }

  private func scan(_ bytes: [UInt8]) -> LogScan { LogScan(bytes, pageBytes: 4096) }

  @Test func `One wrong byte of a frame is found and put right`() throws {
    let bytes = try log()
    let whole = scan(bytes)
    let count = (bytes.count - 32) / Self.frame
    #expect(whole.damage == nil && whole.committedPages != nil && count > 5, note)
    #expect(whole.highestPage == whole.pages.max() && whole.page(999) == nil, note)
    for index in 0..<count {
      let begin = 32 + index * Self.frame
      // The header wholly, and some of the page.
      for offset in Array(0..<24) + Array(stride(from: 24 + index, to: Self.frame, by: 397)) {
        var wrong = bytes
        wrong[begin + offset] ^= 1 << UInt8(offset % 8)
        let found = scan(wrong)
        let what: Comment = "frame \(index + 1), byte \(offset); \(note)"
        #expect(found.damage == "frame \(index + 1) of its log is damaged", what)
        #expect(Set(found.pages).isSubset(of: whole.pages), what)
        guard found.strays.isEmpty else {
          // Several bytes would explain it. Its rows are read, and it stands in no page's place.
          #expect(found.strays.count == 1, what)
          let page = Array(bytes[begin + 24..<begin + Self.frame])
          expectRows(page, Array(found.strays[0]), atMostLost: offset < 24 ? 0 : 1, what)
          continue
        }
        #expect(found.committedPages == whole.committedPages && found.pages == whole.pages, what)
        for number in whole.pages where number > 1 {
          let page = Array(whole.page(number) ?? [])
          expectRows(
            page, Array(found.page(number) ?? []), atMostLost: offset < 24 ? 0 : 1, what)
        }
      }
    }
  }

  private func expectRows(
    _ page: [UInt8], _ found: [UInt8], atMostLost most: Int, _ what: Comment
  ) {
    func keys(_ page: [UInt8]) -> Set<Int64> {
      Set(RawRecord.rows(of: page, from: 0).filter(\.isWhole).map(\.row))
    }
    #expect(keys(page).subtracting(keys(found)).count <= most, what)
  }

  @Test func `Page 1 is known by how it begins where the number in its frame may be wrong`() throws
  {
    let scratch = try Scratch()
    let store = try scratch.open()
    try store.fill(12)
    try SQLiteDatabase(path: scratch.path).execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try store.fill(100)
    let bytes = scratch.bytes("-wal")
    let whole = scan(bytes)
    let begins = (0..<(bytes.count - 32) / Self.frame).map { 32 + $0 * Self.frame }
    // What the first frame of a log continues is in the log's header.
    let first = begins.dropFirst().filter { bytes[$0..<$0 + 4].elementsEqual([0, 0, 0, 1]) }
    #expect(!first.isEmpty, note)
    for begin in first {
      for place in begin + 16..<begin + 24 {
        var wrong = bytes
        wrong[place] ^= 0x80
        let found = scan(wrong)
        #expect(found.damage != nil && found.strays.isEmpty, "byte \(place); \(note)")
        #expect(found.pages == whole.pages, "byte \(place); \(note)")
        #expect(found.page(1) == whole.page(1), "byte \(place); \(note)")
      }
    }
  }

  /// The number of a page may be the wrong byte: under it the page would hide another one.
  @Test func `One wrong bit in the number of a frame's page costs no capture of any other page`()
    throws
  {
    let scratch = try Scratch()
    let store = try scratch.open()
    try store.fill(700)
    try SQLiteDatabase(path: scratch.path).execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try store.fill(1)
    var files = scratch.files
    files["race.store-shm"] = nil
    let log = try #require(files["race.store-wal"])
    for index in 0..<(log.count - 32) / Self.frame {
      for bit: UInt8 in 0..<8 {
        var wrong = log
        wrong[32 + index * Self.frame + 3] ^= 1 << bit
        let copy = try Scratch()
        try copy.put(files)
        try copy.write(wrong, "-wal")
        let what: Comment = "frame \(index + 1), bit \(bit); \(note)"
        #expect(try CaptureStore.openForReading(copy.path).numbers() == Array(1...701), what)
        #expect(try copy.open().numbers() == Array(1...701), what)
      }
    }
  }

  @Test func `A wrong byte in the header of the log costs nothing`() throws {
    let bytes = try log()
    let whole = scan(bytes)
    for place in 0..<32 {
      var wrong = bytes
      wrong[place] ^= 1 << UInt8(place % 8)
      let found = scan(wrong)
      #expect(found.damage == "the header of its log is damaged", "byte \(place); \(note)")
      #expect(found.committedPages == whole.committedPages, "byte \(place); \(note)")
      for page in whole.pages {
        #expect(found.page(page) == whole.page(page), "byte \(place), page \(page); \(note)")
      }
    }
  }

  @Test func `A frame that is torn costs its own page, and at the end its transaction`() throws {
    let bytes = try log()
    let whole = scan(bytes)
    let count = (bytes.count - 32) / Self.frame
    func torn(_ index: Int) -> LogScan {
      var wrong = bytes
      let begin = 32 + index * Self.frame
      for place in begin + 1000..<begin + 1100 { wrong[place] = 0x5A }
      return scan(wrong)
    }
    #expect(torn(0).damage == "frame 1 of its log is damaged", note)
    #expect(torn(0).committedPages == whole.committedPages, note)
    let last = torn(count - 1)
    #expect(last.damage == nil, "as a power cut leaves it; \(note)")
    let before = scan(Array(bytes.prefix(32 + (count - 1) * Self.frame)))
    #expect(last.pages == before.pages, note)
    for page in before.pages { #expect(last.page(page) == before.page(page), note) }
    #expect(last.committedPages == before.committedPages, note)
  }

  @Test func `A log without a whole frame holds nothing`() throws {
    let bytes = try log()
    for length in [0, 1, 31, 32, 33, 32 + Self.frame - 1] {
      let empty = scan(Array(bytes.prefix(length)))
      #expect(empty.pages == [] && empty.committedPages == nil && empty.damage == nil, note)
      #expect(empty.highestPage == 0, note)
    }
  }

  // MARK: What was committed

  private enum Step {
    case whole(Int, commit: UInt32)
    case mended(Int, commit: UInt32)
    case bad(commit: UInt32)
  }

  private func walk(_ steps: [Step]) -> LogWalk {
    var walk = LogWalk(seeds: [])
    for step in steps {
      switch step {
      case .whole(let page, let commit):
        walk.add(LogWalk.Frame(state: .whole, seeds: []), page: page, commit: commit)
      case .mended(let page, let commit):
        walk.add(LogWalk.Frame(state: .mended, seeds: []), page: page, commit: commit)
      case .bad(let commit):
        walk.add(LogWalk.Frame(state: .bad, seeds: []), page: 99, commit: commit)
      }
    }
    walk.finish()
    return walk
  }

  private func expect(
    _ steps: [Step], pages: [Int], size: Int?, damage: Int?,
    _ place: SourceLocation = #_sourceLocation
  ) {
    let found = walk(steps)
    #expect(found.committed.map(\.page) == pages, note, sourceLocation: place)
    #expect(found.committedPages == size, note, sourceLocation: place)
    #expect(found.firstDamage == damage, note, sourceLocation: place)
  }

  @Test func `What ended counts, what did not end does not`() {
    expect([], pages: [], size: nil, damage: nil)
    expect([.whole(3, commit: 0)], pages: [], size: nil, damage: nil)
    expect(
      [.whole(3, commit: 0), .whole(4, commit: 7), .whole(5, commit: 0)], pages: [3, 4], size: 7,
      damage: nil)
  }

  @Test func `A torn frame at the end takes its transaction with it`() {
    let first = Step.whole(3, commit: 7)
    expect([first, .bad(commit: 8)], pages: [3], size: 7, damage: nil)
    // What comes behind it in the same transaction ends that one, and no other.
    expect([first, .bad(commit: 0), .whole(5, commit: 8)], pages: [3], size: 7, damage: nil)
    expect([.bad(commit: 0), .whole(5, commit: 8)], pages: [], size: nil, damage: nil)
  }

  @Test func `A later transaction proves that the torn one had ended`() {
    let first = Step.whole(3, commit: 7)
    let later = Step.whole(6, commit: 9)
    expect([first, .bad(commit: 8), later], pages: [3, 6], size: 9, damage: 1)
    expect(
      [first, .bad(commit: 0), .whole(5, commit: 8), later], pages: [3, 5, 6], size: 9, damage: 1)
    // The first of several torn ones is reported.
    expect(
      [first, .bad(commit: 8), .bad(commit: 8), later, later], pages: [3, 6, 6], size: 9, damage: 1)
  }

  @Test func `A byte that was put right is damage too`() {
    expect([.mended(3, commit: 7)], pages: [3], size: 7, damage: 0)
    expect(
      [.whole(2, commit: 6), .mended(3, commit: 7), .mended(4, commit: 7)], pages: [2, 3, 4],
      size: 7, damage: 1)
    // A torn frame in the same transaction: that may never have ended.
    expect(
      [.whole(2, commit: 6), .bad(commit: 0), .mended(4, commit: 7)], pages: [2], size: 6,
      damage: nil)
    expect(
      [.whole(2, commit: 6), .mended(3, commit: 0), .bad(commit: 0), .whole(4, commit: 7)],
      pages: [2], size: 6, damage: nil)
    expect(
      [.whole(2, commit: 6), .bad(commit: 0), .mended(4, commit: 7), .whole(5, commit: 7)],
      pages: [2, 4, 5], size: 7, damage: 1)
    expect(
      [.mended(2, commit: 6), .bad(commit: 8)], pages: [2], size: 6, damage: 0)
  }

  @Test func `What follows the end of a doubtful transaction proves that it had ended`() {
    let first = Step.whole(2, commit: 6)
    let last = Step.whole(5, commit: 8)
    // The burst that spoilt a byte of one frame spoilt the whole next one, with the end.
    expect(
      [first, .mended(3, commit: 0), .bad(commit: 7), last], pages: [2, 3, 5], size: 8, damage: 1)
    expect([first, .bad(commit: 0), .bad(commit: 7), last], pages: [2, 5], size: 8, damage: 1)
    // A header of which only the first part was written, before frames of an older transaction that
    // never ended.
    expect([first, .bad(commit: 7), .whole(5, commit: 0)], pages: [2], size: 6, damage: nil)
    // The next one had begun, though it never ended.
    expect(
      [first, .bad(commit: 0), .whole(4, commit: 7), .whole(5, commit: 0)], pages: [2, 4], size: 7,
      damage: 1)
    expect(
      [first, .bad(commit: 0), .whole(4, commit: 7), .mended(5, commit: 0)], pages: [2, 4], size: 7,
      damage: 1)
  }

  @Test func `Frames left over from a transaction that never ended prove nothing`() {
    let first = Step.whole(2, commit: 6)
    // A shorter transaction over a longer one, both torn: the rest of the longer one is a chain.
    expect(
      [first, .bad(commit: 0), .whole(4, commit: 7), .bad(commit: 0), .whole(5, commit: 8)],
      pages: [2], size: 6, damage: nil)
    expect(
      [first, .bad(commit: 7), .bad(commit: 0), .whole(5, commit: 0), .whole(6, commit: 0)],
      pages: [2], size: 6, damage: nil)
    expect(
      [first, .whole(3, commit: 0), .bad(commit: 7), .bad(commit: 0), .whole(5, commit: 0)],
      pages: [2], size: 6, damage: nil)
  }

  @Test func `A torn end is dropped behind damage, too, and its frames are named`() {
    let steps: [Step] = [
      .whole(2, commit: 6), .mended(3, commit: 7), .bad(commit: 0), .whole(5, commit: 8),
    ]
    expect(steps, pages: [2, 3], size: 7, damage: 1)
    #expect(walk(steps).dropped.map(\.page) == [5], note)
  }

  /// A killed process leaves the header of a frame in front of the page that an earlier one wrote
  /// there: if the two pages differ in one byte, it looks like a frame with a wrong byte.
  @Test func `A transaction that never ended is not damage, whatever could be put right`() {
    let first = Step.whole(2, commit: 6)
    expect([.mended(3, commit: 0)], pages: [], size: nil, damage: nil)
    expect([first, .mended(3, commit: 0)], pages: [2], size: 6, damage: nil)
    expect([first, .mended(3, commit: 0), .bad(commit: 0)], pages: [2], size: 6, damage: nil)
    expect([first, .mended(3, commit: 0), .bad(commit: 7)], pages: [2], size: 6, damage: nil)
    expect([first, .whole(4, commit: 0), .mended(3, commit: 0)], pages: [2], size: 6, damage: nil)
    // With its end it is complete.
    expect(
      [first, .mended(3, commit: 0), .whole(4, commit: 7)], pages: [2, 3, 4], size: 7, damage: 1)
    expect(
      [first, .mended(3, commit: 0), .whole(4, commit: 7), .bad(commit: 0)], pages: [2, 3, 4],
      size: 7, damage: 1)
  }
}
