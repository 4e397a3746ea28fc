import SQLite
import Testing
import TrackerCore

@testable import CaptureStore

/// What became of a capture, from its taking to its delivery.
@Suite struct HistoryTests {
  private let note = again("HistoryTests")
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func history(_ store: CaptureStore, _ place: Int = 0) throws -> CaptureHistory {
    try store.history(of: store.page(limit: 9)[place])
  }

  private func rows(_ store: CaptureStore) throws -> Int64? {
    try store.database.integer("SELECT count(*) FROM history")
  }

  @Test func `A capture that goes smoothly costs no row`() throws {
    let store = try scratch.open()
    try store.fill(3)
    let keys = try store.select(.oldest(limit: 2), at: start + .minutes(10)).map(\.key)
    try store.acknowledge(keys, at: start + .minutes(11))
    #expect(try rows(store) == 0, note)
    #expect(try history(store) == CaptureHistory(), note)
  }

  @Test func `Tries, a refusal and being put back are listed in order, also after a restart`()
    throws
  {
    do {
      let store = try scratch.open()
      try store.fill(2)
      let keys = try store.select(.oldest(limit: 1), at: start + .minutes(10)).map(\.key)
      try store.release(at: start + .minutes(11))
      _ = try store.select(.oldest(limit: 1), at: start + .minutes(20))
      try store.release(keys, at: start + .minutes(29))
      _ = try store.select(.oldest(limit: 1), at: start + .minutes(30))
      try store.setAside(keys, code: 400, at: start + .minutes(31))
      try store.requeue(keys, at: start + .minutes(40))
      _ = try store.select(.oldest(limit: 1), at: start + .minutes(50))
      try store.setAside(keys, code: -7, at: start + .minutes(51))
      try store.acknowledge(keys, at: start + .minutes(60))
    }
    let steps: [CaptureStep] = [
      .unanswered(start + .minutes(10)), .unanswered(start + .minutes(20)),
      .setAside(start + .minutes(31), code: 400), .requeued(start + .minutes(40)),
      .setAside(start + .minutes(51), code: -7),
    ]
    for store in [try scratch.open(), try CaptureStore.openForReading(scratch.path)] {
      #expect(try history(store) == CaptureHistory(steps: steps, isCut: false), note)
      #expect(try history(store, 1) == CaptureHistory(), "the other one; \(note)")
    }
  }

  @Test func `All that are put back at once have a history`() throws {
    let store = try scratch.open()
    try store.fill(3)
    let keys = try store.page(limit: 9).map(\.key)
    try store.setAside([keys[0], keys[2]], code: 5, at: start + .minutes(1))
    #expect(try store.requeue(at: start + .minutes(2)) == 2, note)
    for place in [0, 2] {
      #expect(
        try history(store, place).steps == [
          .setAside(start + .minutes(1), code: 5), .requeued(start + .minutes(2)),
        ], note)
    }
    #expect(try rows(store) == 2, note)
  }

  @Test func `Of many tries the last ones are kept`() throws {
    let store = try scratch.open()
    try store.fill(1)
    for minute in 1...200 {
      _ = try store.select(.oldest(limit: 1), at: start + .minutes(Int64(minute)))
      try store.release(at: start + .minutes(Int64(minute)) + .seconds(5))
    }
    let kept = try history(store)
    #expect(kept.isCut && (10...30).contains(kept.steps.count), "\(kept); \(note)")
    #expect(kept.steps.last == .unanswered(start + .minutes(200)), "\(kept); \(note)")
    let bytes = try store.database.integer("SELECT max(length(steps)) FROM history") ?? 0
    #expect(bytes <= Int64(StoreBounds.historyBytes), note)
  }

  @Test func `A clock that was set back meanwhile gives earlier steps, no nonsense`() throws {
    let store = try scratch.open()
    try store.fill(1)
    let before = UTC(milliseconds: 0)
    _ = try store.select(.oldest(limit: 1), at: before)
    try store.release(at: before)
    // Whole seconds from one date to the other.
    #expect(try history(store).steps == [.unanswered(before)], note)
  }

  @Test func `It goes with its capture`() throws {
    let store = try scratch.open()
    try store.fill(3)
    let keys = try store.select(.oldest(limit: 3), at: start).map(\.key)
    try store.release(at: start)
    try store.acknowledge(Array(keys.prefix(2)), at: start)
    #expect(try rows(store) == 3, note)
    #expect(try store.makeRoom() == 2, note)
    #expect(try rows(store) == 1, note)
  }

  @Test func `A damaged one is left out, and never stops a capture`() throws {
    do {
      let store = try scratch.open()
      try store.fill(1)
      _ = try store.select(.oldest(limit: 1), at: start)
      try store.release(at: start)
    }
    try SQLiteDatabase(path: scratch.path).execute("UPDATE history SET steps = 'n1 n2 \u{1B} a:x'")
    let store = try scratch.open()
    #expect(try history(store) == CaptureHistory(), note)
    _ = try store.select(.oldest(limit: 1), at: start + .minutes(3))
    #expect(try store.release(at: start + .minutes(4)) == 1, note)
    #expect(try history(store).steps == [.unanswered(start + .minutes(3))], note)
  }

  @Test func `Words that this version does not know are left out`() throws {
    let store = try scratch.open()
    try store.fill(1)
    try store.database.execute(
      """
      INSERT INTO history SELECT 1, s, row_checksum(1, s)
      FROM (SELECT 'n60 z9 a nX a99999999999999999 a120:99999999999 r180' AS s)
      """)
    #expect(
      try history(store).steps == [
        .unanswered(start + .minutes(1)), .setAside(start + .minutes(2), code: nil),
        .requeued(start + .minutes(3)),
      ], note)
  }

  @Test func `Where the file may not grow, the captures' states change without a history`() throws {
    let store = try scratch.open()
    var told: [Bool] = []
    let result = try store.changingWithHistory { (tells: Bool) throws(SQLiteError) -> Int in
      told.append(tells)
      guard !tells else { throw SQLiteError(.full, operation: "write", path: "", message: "full") }
      return 7
    }
    #expect(result == 7 && told.last == false, "\(told); \(note)")
    // Any other error is reported.
    #expect(throws: StoreError.self, note) {
      try store.changingWithHistory { (_: Bool) throws(SQLiteError) -> Int in
        throw SQLiteError(.inputOutput, operation: "write", path: "", message: "broken")
      }
    }
  }

  @Test func `A second store's comes home with its captures`() throws {
    try scratch.open().fill(3)
    do {
      let second = try CaptureStore.open(
        .file(CaptureStore.second(of: scratch.path)),
        for: .board(BoardSerials(deviceTree: "a")), at: start)
      try second.fill(2)
      _ = try second.select(.oldest(limit: 1), at: start + .minutes(5))
      try second.release(at: start + .minutes(6))
    }
    let store = try scratch.open()
    #expect(store.takenIn == 2, note)
    #expect(try history(store, 3).steps == [.unanswered(start + .minutes(5))], note)
    #expect(try history(store, 0) == CaptureHistory() && rows(store) == 1, note)
  }
}
