import SQLite
import Testing
import TrackerCore

@testable import CaptureStore

/// A transaction that is undone and run again leaves no trace of its first run.
@Suite struct UndoneReadingTests {
  private let note = again("UndoneReadingTests")

  @Test func `A damaged row that is met twice, because the store was full, counts once`() throws {
    let scratch = try Scratch()
    var limits = StoreLimits()
    do {
      let store = try scratch.open()
      try store.fill(300)
      limits.bytes = 4096 * (try store.database.integer("PRAGMA page_count") ?? 0)
    }
    let store = try scratch.open(limits: limits)
    let pages = try store.database.integer("PRAGMA page_count")
    try SQLiteDatabase(path: scratch.path).execute(
      "UPDATE captures SET latitude = latitude + 1 WHERE key = 299")
    let chosen = try store.select(.freshest(limit: 300), at: start)
    #expect(chosen.count == 299, note)
    // "inFlight" is longer than "pending": the rows take more pages than the limit allows at first.
    #expect(try store.database.integer("PRAGMA page_count") != pages, note)
    #expect(store.damagedRows == 1, note)
    #expect(store.tally.pending == 299, note)
  }
}
