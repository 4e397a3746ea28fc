import Foundation
import SQLite
import Testing
import TrackerCore

@testable import CaptureStore

/// One wrong byte anywhere: nothing wrong is believed, the rest is handed out, and the store works.
///
/// `FLIPS=all` flips every byte, each in two ways, instead of a share of them; `FLIPS=3/20` those
/// whose places leave 3 when divided by 20.
@Suite struct FlippedByteTests {
  private let note = again("FlippedByteTests")

  /// Which bytes are flipped in place of the usual share.
  private static let wanted: (part: Int, of: Int)? = {
    guard let text = ProcessInfo.processInfo.environment["FLIPS"] else { return nil }
    let numbers = text.split(separator: "/").compactMap { Int($0) }
    return numbers.count == 2 && numbers[1] > 0 ? (numbers[0], numbers[1]) : (0, 1)
  }()

  private static func isWanted(_ place: Int, oneIn share: Int) -> Bool {
    wanted.map { place % $0.of == $0.part } ?? (place % share == 0)
  }

  /// A store and what is true of it.
  private struct Original {
    var files: PowerCut.Files
    var device: UniqueID
    var rows: [CaptureKey: StoredCapture]
    var last: UInt32
    var memory: Memory
    var holds: [Hold]
    /// The pages of the file that hold the memory.
    var memoryPages: Set<Int>
  }

  private static let time = MachineTime(
    boot: "b1", now: .start + .minutes(30), sinceBoot: .hours(1), date: start)

  private static let settings = ["capture.interval", "accuracy"].map { path in
    SettingOrder(
      path: path, value: "5 min", who: "anna@ttyS0", given: Moment(at: .start, utc: start),
      session: 7, configured: "10 min")
  }

  private static let memory: Memory = {
    let begun = Moment(at: .start + .minutes(1), utc: start + .minutes(-29))
    return Memory(
      session: SessionRecord(number: 7, begun: begun, isOrdered: true),
      sessionOrder: Order(true, from: .button, given: begun, session: 7, configured: false),
      teamOrder: Order(
        InlineText("Els Tardans"), from: .socket, given: begun, session: 7,
        configured: InlineText()))
  }()

  /// Captures of all states, some in the file and some in the log.
  private func original(_ count: Int, inLog: Int) throws -> Original {
    let scratch = try Scratch()
    let store = try scratch.open()
    try store.fill(count - inLog)
    let keys = try store.page(limit: .max).map(\.key)
    try store.acknowledge(Array(keys.prefix(count / 4)), at: start)
    try store.setAside([keys[count / 4]], code: 7, at: start)
    try store.makeRoom()
    let sent = try store.select(.oldest(limit: 4), at: start).map(\.key)
    try store.hold(sent.map { Hold(key: $0, boot: "b1", since: .hours(1)) })
    try store.remember(Self.memory, at: Self.time)
    try store.remember(Self.settings, at: Self.time)
    let other = try SQLiteDatabase(path: scratch.path)
    try other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let roots = try other.text(
      "SELECT group_concat(rootpage) FROM sqlite_schema WHERE tbl_name IN "
        + "('orders', 'sessions', 'settingOrders')")
    try store.fill(inLog)
    var rows: [CaptureKey: StoredCapture] = [:]
    for row in try store.page(limit: .max) { rows[row.key] = row }
    var files = PowerCut.Files()
    for tail in ["", "-wal", ".lock"] { files["race.store" + tail] = scratch.bytes(tail) }
    return Original(
      files: files, device: store.device, rows: rows, last: store.nextSequence - 1,
      memory: try store.memory(at: Self.time), holds: try store.holds(),
      memoryPages: Set((roots ?? "").split(separator: ",").compactMap { Int($0) }))
  }

  private struct Count {
    var flips = 0
    var salvaged = 0
    var quarantined = 0
    var lost = 0
    var mostLost = 0
    var newDevices = 0
    var forgotten = 0
    var holdsLost = 0
  }

  /// - Parameter mostLost: how many captures one page may hold.
  private func check(
    _ file: String, _ place: Int, _ pattern: UInt8, _ original: Original, mostLost: Int,
    _ count: inout Count
  ) throws {
    let what: Comment =
      "\(file): byte \(place) ^ \(pattern); repeat with: swift test --filter Flipped"
    let scratch = try Scratch()
    var files = original.files
    files[file]?[place] ^= pattern
    try scratch.put(files)
    count.flips += 1
    let reader = try CaptureStore.openForReading(scratch.path)
    try compare(try reader.page(limit: .max), original, mostLost, what)
    #expect(scratch.files == files, what)

    let store = try scratch.open()
    if case .salvaged = store.opening { count.salvaged += 1 }
    count.quarantined += store.damagedRows
    let rows = try store.page(limit: .max)
    try compare(rows, original, mostLost, what)
    let isRemembered = try compare(store, original, what)
    // The first page says where the others are; and what is in the log is in no page of the file.
    let page = file == "race.store" ? place / 4096 + 1 : 0
    let mayForget = page == 1 || original.memoryPages.contains(page)
    #expect(isRemembered || mayForget, "forgotten; \(what)")
    count.forgotten += isRemembered ? 0 : 1
    count.holdsLost += try original.holds.count - store.holds().count
    let lost = original.rows.count - rows.count
    count.lost += max(0, lost)
    count.mostLost = max(count.mostLost, lost)
    if store.device == original.device {
      #expect(store.nextSequence > original.last, "a number twice; \(what)")
    } else {
      count.newDevices += 1
      #expect(store.nextSequence == 1 && !rows.contains { $0.device == store.device }, what)
    }
    // It is a store like any other: it takes captures, hands them out, and opens again.
    try store.fill(2)
    try store.release(at: start)
    let pending = rows.filter { $0.state == .pending || $0.state == .inFlight }.count + 2
    let sent = try store.select(.oldest(limit: .max), at: start)
    #expect(sent.count == pending, what)
    #expect(try store.acknowledge(sent.map(\.key), at: start) == pending, what)
    #expect(store.tally.pending == 0 && store.damagedRows <= mostLost, what)
  }

  private func compare(
    _ rows: [StoredCapture], _ original: Original, _ mostLost: Int, _ what: Comment
  ) throws {
    for row in rows {
      guard var expected = original.rows[row.key] else {
        // What was pruned may come back from a free page; it was delivered.
        #expect(row.state == .acknowledged && row.device == original.device, what)
        continue
      }
      // An older state of the row may be what is left of it.
      expected.state = row.state
      expected.stateChangedAt = row.stateChangedAt
      expected.code = row.code
      expected.attempts = row.attempts
      #expect(row == expected, "believed: \(row); \(what)")
    }
    let found = Set(rows.map(\.key))
    let lost = original.rows.keys.filter { !found.contains($0) }.count
    #expect(lost <= mostLost, "\(lost) lost; \(what)")
  }

  /// Orders, session and holds are as they were, or not there.
  ///
  /// - Returns: whether all orders and the session are there.
  private func compare(
    _ store: CaptureStore, _ original: Original, _ what: Comment
  ) throws -> Bool {
    let memory = try store.memory(at: Self.time)
    let settings = try store.settingOrders(at: Self.time)
    let expected = original.memory
    #expect(settings.allSatisfy { Self.settings.contains($0) }, what)
    #expect(memory.session == nil || memory.session == expected.session, what)
    #expect(memory.sessionOrder == nil || memory.sessionOrder == expected.sessionOrder, what)
    #expect(memory.teamOrder == nil || memory.teamOrder == expected.teamOrder, what)
    #expect(try store.holds().allSatisfy { original.holds.contains($0) }, what)
    return memory == expected && settings == Self.settings
  }

  /// In a row each byte is inverted, or one of its bits.
  private func patterns(_ place: Int) -> [UInt8] {
    let bit: UInt8 = 1 << UInt8(place / 2 % 8)
    return Self.wanted != nil ? [0xFF, bit] : [place % 2 == 0 ? 0xFF : bit]
  }

  @Test func `One byte in 307 of a small store and of its log, or every one`() throws {
    let original = try original(40, inLog: 8)
    #expect(original.memory == Self.memory && original.holds.count == 4, note)
    #expect(original.memoryPages.count == 4, "\(original.memoryPages); \(note)")
    var count = Count()
    for file in ["race.store", "race.store-wal"] {
      let size = original.files[file]?.count ?? 0
      // A share that meets each place of a page in time, and the headers wholly.
      let places = (0..<size).filter {
        Self.isWanted($0, oneIn: 307) || Self.wanted == nil && $0 < 40
      }
      for place in places {
        for pattern in patterns(place) {
          // A page of the file holds all of them.
          try check(file, place, pattern, original, mostLost: 40, &count)
        }
      }
    }
    print("flipped bytes, small store: \(count)")
    #expect(count.flips > 250, note)
  }

  @Test func `One byte in 401 of a page of each kind of a large store, or every one`() throws {
    let original = try original(2000, inLog: 5)
    let main = try #require(original.files["race.store"])
    // A page's kind is its first byte; the first page's stands behind the file's header. Free pages
    // have none: the first of their list is found in the file's header.
    var pages: [UInt8: Int] = [:]
    for number in stride(from: main.count / 4096 - 1, through: 1, by: -1) {
      let kind = main[number * 4096]
      if [2, 5, 10, 13].contains(kind) { pages[kind] = number }
    }
    #expect(pages[5] != nil && pages[13] != nil && pages[10] != nil, "\(pages); \(note)")
    let free = main[32..<36].reduce(0) { $0 << 8 | Int($1) }
    var numbers = Set(pages.values)
    numbers.insert(0)
    if free > 0 { numbers.insert(free - 1) }
    var count = Count()
    for number in numbers.sorted() {
      for place in number * 4096..<(number + 1) * 4096
      where Self.isWanted(place - number * 4096, oneIn: 401) {
        for pattern in patterns(place) {
          try check("race.store", place, pattern, original, mostLost: 60, &count)
        }
      }
    }
    print("flipped bytes, large store: pages \(numbers.sorted()), kinds \(pages): \(count)")
    #expect(count.flips > 30, note)
  }

  @Test func `A row with a flipped bit is set aside and reported, and the rest is delivered`()
    throws
  {
    let scratch = try Scratch()
    let store = try scratch.open()
    try store.fill(5)
    // As a bit on the disk: the checksum knows nothing of it.
    try SQLiteDatabase(path: scratch.path).execute(
      "UPDATE captures SET latitude = latitude + 1048576 WHERE key = 3")
    let sent = try store.select(.oldest(limit: 9), at: start)
    #expect(sent.map(\.capture.sequence) == [1, 2, 4, 5], note)
    #expect(store.damagedRows == 1 && store.tally.pending == 4, note)
    let kept = try SQLiteDatabase(path: scratch.path).text("SELECT row FROM damaged") ?? ""
    #expect(kept.hasPrefix("captures: 3, 'pending'"), "\(kept); \(note)")
    #expect(try store.acknowledge(sent.map(\.key), at: start) == 4, note)
  }

  /// Keys and numbers that are given from now on, by this store and after a restart.
  private func expectNone(_ given: [(key: UInt32, number: UInt32)], of scratch: Scratch) throws {
    for _ in 1...2 {
      let store = try scratch.open()
      for _ in 1...2 {
        let (key, number) = (store.nextKey.number, store.nextSequence)
        #expect(!given.contains { $0.key == key }, "the key \(key) again; \(note)")
        #expect(!given.contains { $0.number == number }, "the number \(number) again; \(note)")
        try store.fill(1)
      }
    }
  }

  @Test(arguments: [false, true])
  func `The newest capture's number and key are not given again when it is damaged`(
    _ isInUse: Bool
  ) throws {
    let scratch = try Scratch()
    do {
      let store = try scratch.open()
      try store.fill(5)
      // As a bit on the disk: the checksum knows nothing of it.
      try SQLiteDatabase(path: scratch.path).execute(
        "UPDATE captures SET latitude = latitude + 1048576 WHERE key >= 4")
      if isInUse {
        #expect(try store.numbers() == [1, 2, 3] && store.damagedRows == 2, note)
        #expect(store.nextSequence == 6 && store.nextKey == 6, note)
      }
    }
    try expectNone((1...5).map { ($0, $0) }, of: scratch)
    let database = try SQLiteDatabase(path: scratch.path)
    #expect(try database.integer("SELECT count(*) FROM damaged") == 2, note)
  }

  @Test func `What a damaged capture costs is written wholly or not at all`() throws {
    let scratch = try Scratch()
    let store = try scratch.open()
    try store.fill(5)
    let other = try SQLiteDatabase(path: scratch.path)
    try other.execute("UPDATE captures SET latitude = latitude + 1048576 WHERE key = 5")
    let before = try other.text("SELECT firstSequence FROM identities")
    try other.execute(
      "CREATE TRIGGER broken BEFORE DELETE ON captures BEGIN SELECT RAISE(ABORT, 'no'); END")
    #expect(throws: StoreError.self, note) { try store.numbers() }
    #expect(throws: StoreError.self, note) { try store.select(.oldest(limit: 9), at: start) }
    #expect(try other.integer("SELECT count(*) FROM damaged") == 0, note)
    #expect(try other.text("SELECT firstSequence FROM identities") == before, note)
    try other.execute("DROP TRIGGER broken")
    #expect(try store.select(.oldest(limit: 9), at: start).count == 4, note)
    #expect(try other.integer("SELECT count(*) FROM damaged") == 1, note)
  }

  @Test func `A key that is itself damaged does not use up all keys`() throws {
    let scratch = try Scratch()
    try scratch.open().fill(5)
    let other = try SQLiteDatabase(path: scratch.path)
    try other.execute("UPDATE captures SET key = 4294967294 WHERE key = 5")
    let store = try scratch.open()
    #expect(store.damagedRows == 1, note)
    try store.fill(2)
    #expect(store.nextKey < 100, "\(store.nextKey); \(note)")
  }

  @Test func `What changes a row does not make its damage believed`() throws {
    let scratch = try Scratch()
    let store = try scratch.open()
    try store.fill(3)
    let keys = try store.select(.oldest(limit: 9), at: start).map(\.key)
    try SQLiteDatabase(path: scratch.path).execute(
      "UPDATE captures SET longitude = longitude + 4096 WHERE key = 2")
    #expect(try store.acknowledge(keys, at: start) == 2, note)
    try store.release(at: start)
    _ = try? store.requeue(at: start)
    try CaptureStore.noteHandedOut(scratch.path, through: CaptureKey(3))
    #expect(try store.page(limit: 9).map(\.capture.sequence) == [1, 3], note)
    #expect(store.damagedRows == 1, note)
  }

  @Test func `A hold with a flipped bit counts as none`() throws {
    let scratch = try Scratch()
    let store = try scratch.open()
    try store.fill(2)
    let keys = try store.select(.oldest(limit: 2), at: start).map(\.key)
    try store.hold(keys.map { Hold(key: $0, boot: "b1", since: .hours(1)) })
    #expect(try store.holds().map(\.key) == keys, note)
    try SQLiteDatabase(path: scratch.path).execute(
      "UPDATE held SET sinceMilliseconds = sinceMilliseconds - 1048576 WHERE key = 1")
    #expect(try store.holds().map(\.key) == [keys[1]], note)
  }

  @Test func `A reservation that is damaged is not believed: a new device begins`() throws {
    let scratch = try Scratch()
    let device: UniqueID
    do {
      let store = try scratch.open()
      device = store.device
      try store.fill(5)
    }
    try SQLiteDatabase(path: scratch.path).execute("UPDATE identities SET reservedBelow = 2")
    let store = try scratch.open()
    #expect(store.device != device && store.nextSequence == 1, note)
    let rows = try store.page(limit: 9)
    #expect(rows.map(\.capture.sequence) == [1, 2, 3, 4, 5], note)
    #expect(rows.allSatisfy { $0.device == device }, note)
  }
}
